//! Names and words that every report uses, and how they are shortened.

use super::call::last_segments;
use crate::event::Op;
use crate::trace::Position;

/// A method without its package and arguments: `Cache.get` of `com.example.Cache.get(java.lang.Object)`,
/// and of `com/example/Cache.get(Ljava/lang/Object;)V`.
pub fn short(method: &str) -> &str {
    let name = method.split('(').next().unwrap_or(method);
    let mut dots = name.rmatch_indices('.').map(|(at, _)| at);
    dots.next();
    let name = dots.next().map_or(name, |at| &name[at + 1..]);
    name.rsplit('/').next().unwrap_or(name)
}

/// The method with the simple types of its arguments, as far as they are known: `Cache.get(Object)`.
pub fn short_signature(method: &str) -> String {
    let arguments = method.strip_suffix(')').and_then(|method| method.split_once('('));
    let Some((_, arguments)) = arguments else { return short(method).to_owned() };
    let types: Vec<&str> = arguments.split(',').map(|argument| last_segments(argument, 1)).collect();
    format!("{}({})", short(method), types.join(","))
}

/// An instruction of a method without line numbers, in words: `bytecode 17 of Cache.get(Object)`.
pub fn instruction(method: &str, index: u32) -> String {
    format!("bytecode {index} of {method}")
}

/// The package of a method's class: `com.example` of `com.example.Cache.get(int)`; empty for none.
pub(in crate::report) fn package(method: &str) -> &str {
    let name = method.split('(').next().unwrap_or(method);
    let class = name.rsplit_once('.').map_or("", |(class, _)| class);
    class.rsplit_once('.').map_or("", |(package, _)| package)
}

/// A method, or a substitute for it.
pub(in crate::report) fn name(method: Option<&str>) -> &str {
    method.unwrap_or("a block without a label")
}

/// A location in words: a bare number, as RAPID writes it, needs a word, and so does the index of an instruction.
pub(in crate::report) fn place_of(location: &str) -> String {
    if let Some((method, index)) = Position::split_index(location) {
        return instruction(method, index);
    }
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

/// The operand of an operation as a trace writes it: `V1` of `r(V1)`.
pub(in crate::report) fn operand(operation: &str) -> &str {
    operation.split_once('(').map_or("", |(_, rest)| rest.strip_suffix(')').unwrap_or(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_without_a_line_is_an_instruction_of_its_method() {
        assert_eq!(place_of("Cache.get(Object,int[]):@17"), "bytecode 17 of Cache.get(Object,int[])");
        assert_eq!(place_of("com.acme.Cache.get():@0"), "bytecode 0 of com.acme.Cache.get()");
        let others = ["17", "@17", "Cache.java:17", "com.acme.Cache.get:17", "Cache.get"];
        assert_eq!(others.map(place_of), ["location 17", "@17", "Cache.java:17", "com.acme.Cache.get:17", "Cache.get"]);
    }

    #[test]
    fn a_signature_is_short_without_packages() {
        let shown = ["a.b.Cache$1.get(java.lang.Object,int,a.b.C$D[])", "a.b.Cache.get()", "a.b.Cache.get"]
            .map(short_signature);
        assert_eq!(shown, ["Cache$1.get(Object,int,C$D[])", "Cache.get()", "Cache.get"]);
    }
}
