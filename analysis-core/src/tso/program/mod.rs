//! Small programs, and their executions with store buffers.
//!
//! A program is shared variables and threads that read and write them, in transactions or outside:
//!
//! ```text
//! # Each thread announces itself and looks for the other.
//! shared a, b = 0
//! thread one {
//!     a = 1
//!     seen = b
//!     if seen == 0 { atomic enter { r = a  a = r + 1 } }
//! }
//! thread two { b = 1  fence  seen = a }
//! ```
//!
//! # Grammar
//! ```text
//! program    = { shared | thread }
//! shared     = "shared" NAME [ "=" INTEGER ] { "," NAME [ "=" INTEGER ] }
//! thread     = "thread" NAME block
//! block      = "{" { statement } "}"
//! statement  = NAME "=" expression | "fence" | "atomic" [ NAME ] block | "if" expression block [ "else" block ]
//! expression = sum [ ( "==" | "!=" | "<" | "<=" | ">" | ">=" ) sum ]
//! sum        = term { ( "+" | "-" ) term }
//! term       = INTEGER | NAME | "(" expression ")"
//! ```
//! A name that is not shared is a register of its thread, initially 0. A statement accesses memory at most once: `r =
//! x` reads the shared variable `x`, and `x = r + 1` writes it; other expressions must not contain shared variables.
//! Comparisons yield 1 or 0. `#` starts a comment; line breaks and blanks both separate. Shared variables come before
//! the threads.
//!
//! [`Program::executions`] runs it in all ways, [`Program::random`] in one: at each step some thread continues, or the
//! oldest write in some store buffer is committed.

mod machine;
mod parse;

#[cfg(test)]
mod tests;

pub use machine::Memory;
pub use parse::SyntaxError;

use crate::trace::symbols::Symbols;

/// A program.
pub struct Program {
    /// The names of threads, shared variables and transactions.
    pub symbols: Symbols,
    /// The initial values of the shared variables.
    initial: Vec<i64>,
    threads: Vec<Thread>,
}

/// A thread: its code and its number of registers.
#[derive(Debug, Default)]
struct Thread {
    code: Vec<Instruction>,
    registers: usize,
}

#[derive(Debug)]
enum Instruction {
    Begin(crate::event::LabelId),
    End,
    Fence,
    /// Into the register.
    Read(usize, crate::event::VarId),
    Write(crate::event::VarId, Expression),
    Set(usize, Expression),
    /// To the instruction with this index, if the value is 0.
    Unless(Expression, usize),
    Jump(usize),
}

#[derive(Debug)]
enum Expression {
    Integer(i64),
    Register(usize),
    Binary(Box<Expression>, Operator, Box<Expression>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Operator {
    Plus,
    Minus,
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Program {
    /// Reads the text of a program.
    pub fn parse(text: &str) -> Result<Program, SyntaxError> {
        parse::program(text)
    }
}

impl Expression {
    fn value(&self, registers: &[i64]) -> i64 {
        match self {
            Expression::Integer(value) => *value,
            Expression::Register(register) => registers[*register],
            Expression::Binary(left, operator, right) => {
                let (left, right) = (left.value(registers), right.value(registers));
                match operator {
                    Operator::Plus => left.wrapping_add(right),
                    Operator::Minus => left.wrapping_sub(right),
                    Operator::Equal => i64::from(left == right),
                    Operator::Unequal => i64::from(left != right),
                    Operator::Less => i64::from(left < right),
                    Operator::LessOrEqual => i64::from(left <= right),
                    Operator::Greater => i64::from(left > right),
                    Operator::GreaterOrEqual => i64::from(left >= right),
                }
            }
        }
    }
}
