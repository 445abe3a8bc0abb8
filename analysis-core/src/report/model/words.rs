//! Names and words that every report uses, and how they are shortened.

use crate::event::Op;

/// A method without its package and arguments: `Cache.get` of `com.example.Cache.get(java.lang.Object)`,
/// and of `com/example/Cache.get(Ljava/lang/Object;)V`.
pub fn short(method: &str) -> &str {
    let name = method.split('(').next().unwrap_or(method);
    let mut dots = name.rmatch_indices('.').map(|(at, _)| at);
    dots.next();
    let name = dots.next().map_or(name, |at| &name[at + 1..]);
    name.rsplit('/').next().unwrap_or(name)
}

/// The package of a method's class: `com.example` of `com.example.Cache.get(int)`; empty for none.
pub(in crate::report) fn package(method: &str) -> &str {
    let name = method.split('(').next().unwrap_or(method);
    let class = name.rsplit_once('.').map_or("", |(class, _)| class);
    class.rsplit_once('.').map_or("", |(package, _)| package)
}

/// A method, or what stands for it.
pub(in crate::report) fn name(method: Option<&str>) -> &str {
    method.unwrap_or("a block without a label")
}

/// A location that is a bare number, as RAPID writes it, needs a word.
pub(in crate::report) fn place_of(location: &str) -> String {
    let is_number = location.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { format!("location {location}") } else { location.to_owned() }
}

/// A noun after a number.
pub(in crate::report) fn noun(count: impl TryInto<u64>, noun: &str) -> String {
    if count.try_into().is_ok_and(|count| count == 1) { noun.to_owned() } else { format!("{noun}s") }
}

/// What an event did, in words: `read V1` for `r(V1)`.
pub(in crate::report) fn spoken(op: Op, operation: &str) -> String {
    let operand = operand(operation);
    let verb = match op {
        Op::Read(_) => "read",
        Op::Write(_) => "write",
        Op::Acquire(_) => "acquire",
        Op::Release(_) => "release",
        Op::Fork(_) => "fork",
        Op::Join(_) => "join",
        Op::Begin(_) => return "begin".into(),
        Op::End => return "end".into(),
        Op::Fence | Op::Commit(_) | Op::Nop | Op::Together | Op::Update => return operation.to_owned(),
    };
    format!("{verb} {operand}")
}

/// What an operation is on, as a trace writes it: `V1` of `r(V1)`.
pub(in crate::report) fn operand(operation: &str) -> &str {
    operation.split_once('(').map_or("", |(_, rest)| rest.strip_suffix(')').unwrap_or(rest))
}
