//! The parser of programs, which generates their code.

use std::collections::HashMap;
use std::fmt;

use super::{Expression, Instruction, Operator, Program, Thread};
use crate::event::{LabelId, VarId};
use crate::trace::symbols::Symbols;

/// What is wrong with the text of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The line.
    pub line: usize,
    /// What is wrong, and what was expected.
    pub message: String,
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.line, self.message)
    }
}

impl std::error::Error for SyntaxError {}

type Result<T> = std::result::Result<T, SyntaxError>;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Token<'a> {
    Name(&'a str),
    Integer(i64),
    Sign(&'a str),
    End,
}

impl fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::Name(text) | Token::Sign(text) => write!(f, "'{text}'"),
            Token::Integer(value) => write!(f, "'{value}'"),
            Token::End => f.write_str("the end of the program"),
        }
    }
}

const KEYWORDS: [&str; 6] = ["shared", "thread", "atomic", "fence", "if", "else"];
const SIGNS: [&str; 14] = ["==", "!=", "<=", ">=", "{", "}", "=", "<", ">", "+", "-", "(", ")", ","];
const OPERATORS: [&str; 8] = ["==", "!=", "<=", ">=", "<", ">", "+", "-"];

/// The deepest nesting of blocks and parentheses, and the most operators of an expression: the code that processes them
/// recurses that deep.
const MOST_NESTED: usize = 256;
const MOST_OPERATORS: usize = 1000;

/// Reads a program.
pub(super) fn program(text: &str) -> Result<Program> {
    let tokens = tokens(text)?;
    let program = Program { symbols: Symbols::default(), initial: vec![], threads: vec![] };
    let (shared, registers) = (HashMap::new(), HashMap::new());
    let mut parser = Parser { tokens, next: 0, program, shared, registers, code: vec![], depth: 0, operators: 0 };
    loop {
        match parser.take() {
            Token::Name("shared") => parser.shared()?,
            Token::Name("thread") => parser.thread()?,
            Token::End if parser.program.threads.is_empty() => {
                return Err(parser.error("no thread", "thread NAME { ... }"));
            }
            Token::End => return Ok(parser.program),
            other => return Err(parser.error(&other.to_string(), "'shared' or 'thread'")),
        }
    }
}

fn tokens(text: &str) -> Result<Vec<(usize, Token<'_>)>> {
    let mut tokens = Vec::new();
    for (line, content) in (1..).zip(text.lines()) {
        let mut rest = content.split('#').next().unwrap_or_default().trim_start();
        while let Some(first) = rest.chars().next() {
            let length = |is_part: fn(char) -> bool| rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
            let (token, length) = if first.is_ascii_digit() {
                let length = length(|c| c.is_alphanumeric() || c == '_');
                let value = rest[..length].parse().map_err(|_| {
                    let message = format!("'{}' is not an integer; expected digits, at most 2^63 - 1", &rest[..length]);
                    SyntaxError { line, message }
                })?;
                (Token::Integer(value), length)
            } else if first.is_alphabetic() || first == '_' {
                let length = length(|c| c.is_alphanumeric() || c == '_');
                (Token::Name(&rest[..length]), length)
            } else {
                let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign)).ok_or_else(|| {
                    let message =
                        format!("unexpected '{first}'; expected a name, an integer or one of {}", SIGNS.join(" "));
                    SyntaxError { line, message }
                })?;
                (Token::Sign(sign), sign.len())
            };
            tokens.push((line, token));
            rest = rest[length..].trim_start();
        }
    }
    tokens.push((text.lines().count().max(1), Token::End));
    Ok(tokens)
}

struct Parser<'a> {
    tokens: Vec<(usize, Token<'a>)>,
    next: usize,
    program: Program,
    shared: HashMap<&'a str, VarId>,
    /// The registers of the current thread.
    registers: HashMap<&'a str, usize>,
    code: Vec<Instruction>,
    /// The number of open blocks and parentheses.
    depth: usize,
    /// The number of operators in the current expression.
    operators: usize,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Token<'a> {
        self.tokens[self.next].1
    }

    fn take(&mut self) -> Token<'a> {
        let token = self.peek();
        self.next = (self.next + 1).min(self.tokens.len() - 1);
        token
    }

    /// Takes the next token if it is this sign.
    fn takes(&mut self, sign: &str) -> bool {
        let is_it = self.peek() == Token::Sign(sign);
        if is_it {
            self.take();
        }
        is_it
    }

    /// Returns an error at the token that was taken last.
    fn error(&self, found: &str, expected: &str) -> SyntaxError {
        let is_end = self.peek() == Token::End && self.next + 1 == self.tokens.len();
        let at = if is_end && found.starts_with("the end") { self.next } else { self.next.saturating_sub(1) };
        SyntaxError { line: self.tokens[at].0, message: format!("{found}; expected {expected}") }
    }

    fn expect(&mut self, sign: &str, place: &str) -> Result<()> {
        match self.take() {
            Token::Sign(found) if found == sign => Ok(()),
            other => Err(self.error(&other.to_string(), &format!("'{sign}' {place}"))),
        }
    }

    fn name(&mut self, what: &str) -> Result<&'a str> {
        match self.take() {
            Token::Name(name) if !KEYWORDS.contains(&name) => Ok(name),
            other => Err(self.error(&other.to_string(), &format!("the name of {what}"))),
        }
    }

    fn shared(&mut self) -> Result<()> {
        loop {
            let name = self.name("a shared variable")?;
            let x = VarId(self.program.symbols.vars.intern(name.as_bytes()));
            if self.shared.insert(name, x).is_some() {
                return Err(self.error(&format!("'{name}' is shared already"), "another name"));
            }
            if !self.program.threads.is_empty() {
                return Err(self.error(&format!("shared '{name}' after a thread"), "it before the first thread"));
            }
            let value = if self.takes("=") { self.integer()? } else { 0 };
            self.program.initial.push(value);
            if !self.takes(",") {
                return Ok(());
            }
        }
    }

    fn integer(&mut self) -> Result<i64> {
        let is_negative = self.takes("-");
        match self.take() {
            Token::Integer(value) => Ok(if is_negative { -value } else { value }),
            other => Err(self.error(&other.to_string(), "an integer")),
        }
    }

    fn thread(&mut self) -> Result<()> {
        let name = self.name("a thread")?;
        if self.program.symbols.threads.intern(name.as_bytes()) as usize != self.program.threads.len() {
            return Err(self.error(&format!("there is a thread '{name}' already"), "another name"));
        }
        self.registers.clear();
        self.block(&format!("after thread {name}"))?;
        let code = std::mem::take(&mut self.code);
        self.program.threads.push(Thread { code, registers: self.registers.len() });
        Ok(())
    }

    fn block(&mut self, place: &str) -> Result<()> {
        self.expect("{", place)?;
        self.nest()?;
        while !self.takes("}") {
            self.statement()?;
        }
        self.depth -= 1;
        Ok(())
    }

    /// Enters a block or parentheses.
    fn nest(&mut self) -> Result<()> {
        self.depth += 1;
        if self.depth > MOST_NESTED {
            let expected = format!("at most {MOST_NESTED} blocks and parentheses in one another");
            return Err(self.error("too deep", &expected));
        }
        Ok(())
    }

    fn statement(&mut self) -> Result<()> {
        self.operators = 0;
        match self.take() {
            Token::Name("fence") => self.code.push(Instruction::Fence),
            Token::Name("atomic") => self.atomic()?,
            Token::Name("if") => self.conditional()?,
            Token::Name(name) if !KEYWORDS.contains(&name) => self.assignment(name)?,
            other => return Err(self.error(&other.to_string(), "a statement or '}'")),
        }
        Ok(())
    }

    fn atomic(&mut self) -> Result<()> {
        let mut label = LabelId::NONE;
        if self.peek() != Token::Sign("{") {
            let name = self.name("a transaction, or '{'")?;
            label = LabelId(self.program.symbols.labels.intern(name.as_bytes()));
        }
        self.code.push(Instruction::Begin(label));
        self.block("after atomic")?;
        self.code.push(Instruction::End);
        Ok(())
    }

    fn conditional(&mut self) -> Result<()> {
        let condition = self.expression()?;
        let test = self.code.len();
        self.code.push(Instruction::Jump(0));
        self.block("after the condition")?;
        let mut after = self.code.len();
        if self.peek() == Token::Name("else") {
            self.take();
            let jump = self.code.len();
            self.code.push(Instruction::Jump(0));
            after = self.code.len();
            self.block("after else")?;
            self.code[jump] = Instruction::Jump(self.code.len());
        }
        self.code[test] = Instruction::Unless(condition, after);
        Ok(())
    }

    fn assignment(&mut self, name: &'a str) -> Result<()> {
        self.expect("=", &format!("after '{name}'"))?;
        if let Some(x) = self.variable(name) {
            let value = self.expression()?;
            self.code.push(Instruction::Write(x, value));
            return Ok(());
        }
        if let Token::Name(source) = self.peek()
            && let Some(x) = self.variable(source)
        {
            self.take();
            if OPERATORS.iter().any(|sign| self.peek() == Token::Sign(sign)) {
                return Err(self.read_inside(source));
            }
            let register = self.register(name);
            self.code.push(Instruction::Read(register, x));
            return Ok(());
        }
        let value = self.expression()?;
        let register = self.register(name);
        self.code.push(Instruction::Set(register, value));
        Ok(())
    }

    fn read_inside(&self, name: &str) -> SyntaxError {
        let expected = format!("it in a register: 'r = {name}' in a statement of its own");
        self.error(&format!("shared variable '{name}' in an expression"), &expected)
    }

    fn variable(&self, name: &str) -> Option<VarId> {
        self.shared.get(name).copied()
    }

    fn register(&mut self, name: &'a str) -> usize {
        let next = self.registers.len();
        *self.registers.entry(name).or_insert(next)
    }

    fn expression(&mut self) -> Result<Expression> {
        let left = self.sum()?;
        let operator = match self.peek() {
            Token::Sign("==") => Operator::Equal,
            Token::Sign("!=") => Operator::Unequal,
            Token::Sign("<") => Operator::Less,
            Token::Sign("<=") => Operator::LessOrEqual,
            Token::Sign(">") => Operator::Greater,
            Token::Sign(">=") => Operator::GreaterOrEqual,
            _ => return Ok(left),
        };
        self.take();
        Ok(Expression::Binary(Box::new(left), operator, Box::new(self.sum()?)))
    }

    fn sum(&mut self) -> Result<Expression> {
        let mut sum = self.term()?;
        loop {
            let operator = match self.peek() {
                Token::Sign("+") => Operator::Plus,
                Token::Sign("-") => Operator::Minus,
                _ => return Ok(sum),
            };
            self.take();
            self.operators += 1;
            if self.operators > MOST_OPERATORS {
                let expected = format!("at most {MOST_OPERATORS} operators; split it by a register");
                return Err(self.error("too long an expression", &expected));
            }
            sum = Expression::Binary(Box::new(sum), operator, Box::new(self.term()?));
        }
    }

    fn term(&mut self) -> Result<Expression> {
        match self.take() {
            Token::Integer(value) => Ok(Expression::Integer(value)),
            Token::Sign("(") => {
                self.nest()?;
                let inner = self.expression()?;
                self.expect(")", "at the end of the parentheses")?;
                self.depth -= 1;
                Ok(inner)
            }
            Token::Name(name) if self.variable(name).is_some() => Err(self.read_inside(name)),
            Token::Name(name) if !KEYWORDS.contains(&name) => Ok(Expression::Register(self.register(name))),
            other => Err(self.error(&other.to_string(), "an integer, a register or '('")),
        }
    }
}
