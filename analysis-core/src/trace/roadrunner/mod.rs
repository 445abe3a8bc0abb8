//! RoadRunner's print: what its tool `Print` writes of a run (github.com/stephenfreund/RoadRunner), one event a line
//! among the lines of the run itself.
//!
//! ```text
//! [main: ----- Meta-data -----]
//! @  Enter(0,pkg/C.m(I)V)          null  pkg/C.java:12
//! @  Rd(0,@02.pkg/C.f_I)           null  pkg/C.java:13
//! @  Exit(0,pkg/C.m(I)V)           null  pkg/C.java:14
//! ```
//!
//! An event's line starts with `@`; then come `OP(THREAD,OPERAND)`, the shadow, the location, with white space between.
//! Operations are `Enter` and `Exit` of a block, `Acquire`, `Release`, `Start` and `Join` of a thread, and accesses: `Rd`
//! and `Wr` of a field, `ARd` and `AWr` of an array's element, `VRd` and `VWr` of a volatile field. The operand ends at
//! the first `)` before white space or the end of the line, and may contain any others: `pkg/C.m(I)V`.
//!
//! # What is taken
//! 1. Volatile accesses are accesses. RAPID skips them, and with them the order that they make.
//! 2. The shadow and the location may be missing: of two or more words the first is the shadow and the rest the location, one
//!    alone is the location. RAPID skips lines without both.
//! 3. `Enter(0)` is a block without a label. The operand of `Exit` means nothing.
//! 4. A line that does not start with `@` is output of RoadRunner or of the program, and no event. If an event stands
//!    further on in it, the program printed half a line before it: the line is malformed, and is not dropped in silence.
//! 5. A line that starts with `@` and is no event is malformed.
//!
//! RoadRunner prints beside the access and not with it, and does not print the release in `wait`: real files have acquires
//! of locks that another thread holds. They are ill-formed, and a lenient reading keeps them.

mod line;
mod writer;

#[cfg(test)]
mod tests;

pub(super) use line::is_line;
pub(super) use writer::Writer;

/// The reader.
pub(super) type Reader<R> = super::text::Reader<line::Print, R>;
