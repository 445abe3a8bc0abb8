//! The behaviour of programs, and the errors for malformed texts.

use std::collections::BTreeSet;

use super::*;
use crate::event::Op;

fn parse(text: &str) -> Program {
    Program::parse(text).unwrap_or_else(|error| panic!("line {error}"))
}

/// Returns the events of every execution, each as the thread's number and a letter, with the variable's number.
fn executions(text: &str, memory: Memory) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    parse(text).executions(memory, &mut |events| {
        let words = events.iter().map(|event| {
            let what = match event.op {
                Op::Read(x) => format!("r{}", x.0),
                Op::Write(x) => format!("w{}", x.0),
                Op::Commit(x) => format!("c{}", x.0),
                Op::Fence => "f".to_owned(),
                Op::Begin(_) => "(".to_owned(),
                _ => ")".to_owned(),
            };
            format!("{}{what}", event.thread.0)
        });
        assert!(all.insert(words.collect::<Vec<_>>().join(" ")), "an execution comes twice");
        false
    });
    all
}

#[test]
fn a_write_is_committed_at_any_time_after_its_issue() {
    let all = executions("shared x, y thread a { x = 1 r = y }", Memory::Buffered);
    assert_eq!(all, BTreeSet::from(["0w0 0c0 0r1", "0w0 0r1 0c0"].map(str::to_owned)));
    let all = executions("shared x, y thread a { x = 1 r = y }", Memory::Immediate);
    assert_eq!(all, BTreeSet::from(["0w0 0r1".to_owned()]));
}

#[test]
fn a_fence_waits_until_the_buffer_is_empty() {
    let all = executions("shared x thread a { atomic { x = 1 fence } }", Memory::Buffered);
    assert_eq!(all, BTreeSet::from(["0( 0w0 0c0 0f 0)".to_owned()]));
}

#[test]
fn conditions_take_the_value_that_the_thread_sees() {
    let text = "shared x, y = 3 thread a { x = 2 r = x if r + 1 == 3 { y = 1 } else { s = y } }";
    let all = executions(text, Memory::Buffered);
    assert!(all.iter().all(|events| events.contains("0w1")), "{all:?}");
    let text = "shared y = -3 thread a { r = y if r >= (0 - 2) { y = 1 } if r < 0 { s = y } }";
    assert_eq!(executions(text, Memory::Immediate), BTreeSet::from(["0r0 0r0".to_owned()]));
}

#[test]
fn both_threads_read_the_old_value_only_through_store_buffers() {
    let text = "shared x, y, z
        thread a { x = 1 r = y if r == 0 { z = 1 } }
        thread b { y = 1 r = x if r == 0 { z = 2 } }";
    let both = |memory| executions(text, memory).iter().any(|events| events.contains("0w2") && events.contains("1w2"));
    assert!(both(Memory::Buffered));
    assert!(!both(Memory::Immediate));
}

#[test]
fn a_seed_gives_one_of_the_executions_and_always_the_same() {
    let program = parse("shared x, y thread a { x = 1 r = y } thread b { y = 1 r = x }");
    let mut all = Vec::new();
    program.executions(Memory::Buffered, &mut |events| {
        all.push(events.to_vec());
        false
    });
    let drawn: BTreeSet<usize> = (0..1000)
        .map(|seed| {
            let events = program.random(Memory::Buffered, seed);
            assert_eq!(program.random(Memory::Buffered, seed), events);
            all.iter().position(|known| *known == events).expect("one of all")
        })
        .collect();
    assert_eq!(drawn.len(), all.len(), "chance reaches every execution");
}

#[test]
fn an_error_names_the_line_what_is_there_and_what_was_expected() {
    for (text, said) in [
        ("", "1: no thread; expected thread NAME { ... }"),
        ("shared x\nthred a {}", "2: 'thred'; expected 'shared' or 'thread'"),
        ("shared x, x", "1: 'x' is shared already; expected another name"),
        ("thread a {}\nshared x", "2: shared 'x' after a thread; expected it before the first thread"),
        ("thread a {}\nthread a {}", "2: there is a thread 'a' already; expected another name"),
        ("thread a\n{ r = \n}", "3: '}'; expected an integer, a register or '('"),
        (
            "shared x\nthread a { r = 1 + x }",
            "2: shared variable 'x' in an expression; expected it in a register: 'r = x' in a statement of its own",
        ),
        (
            "shared x thread a { r = x - 1 }",
            "1: shared variable 'x' in an expression; expected it in a register: 'r = x' in a statement of its own",
        ),
        ("thread a { r 1 }", "1: '1'; expected '=' after 'r'"),
        ("thread a { if 1 r = 2 }", "1: 'r'; expected '{' after the condition"),
        ("thread if {}", "1: 'if'; expected the name of a thread"),
        ("thread a { else }", "1: 'else'; expected a statement or '}'"),
        ("thread a { r = 12ab }", "1: '12ab' is not an integer; expected digits, at most 2^63 - 1"),
        (
            "thread a { r = $ }",
            "1: unexpected '$'; expected a name, an integer or one of == != <= >= { } = < > + - ( ) ,",
        ),
        ("thread a {\n", "1: the end of the program; expected a statement or '}'"),
        ("shared x = y", "1: 'y'; expected an integer"),
        ("thread a { atomic 3 {} }", "1: '3'; expected the name of a transaction, or '{'"),
        ("thread a { r = (1 }", "1: '}'; expected ')' at the end of the parentheses"),
    ] {
        assert_eq!(Program::parse(text).map(|_| ()).unwrap_err().to_string(), said, "{text}");
    }
}

#[test]
fn a_program_may_be_long() {
    let program = parse(&format!("shared x\nthread a {{ {} }}", "r = x\n".repeat(100_000)));
    let mut lengths = vec![];
    program.executions(Memory::Buffered, &mut |events| {
        lengths.push(events.len());
        false
    });
    assert_eq!(lengths, [100_000]);
}

#[test]
fn what_is_nested_too_deep_is_an_error_with_its_line() {
    let error = |text: &str| Program::parse(text).err().map(|error| error.to_string());
    let nested = |open: &str, inner: &str, close: &str, times: usize| {
        format!("shared x\nthread a {{ {}{inner}{} }}", open.repeat(times), close.repeat(times))
    };
    let deep = "2: too deep; expected at most 256 blocks and parentheses in one another";
    assert_eq!(error(&nested("atomic {", "x = 1", "}", 255)), None);
    assert_eq!(error(&nested("atomic {", "x = 1", "}", 256)).as_deref(), Some(deep));
    assert_eq!(error(&nested("if 1 {", "x = 1", "}", 100_000)).as_deref(), Some(deep));
    assert_eq!(error(&nested("", "x = (((1)))", "", 1)), None);
    let parentheses = format!("shared x\nthread a {{ x = {}1{} }}", "(".repeat(100_000), ")".repeat(100_000));
    assert_eq!(error(&parentheses).as_deref(), Some(deep));
    let sum =
        |terms: usize| format!("shared x\nthread a {{ x = 1{} x = 2{} }}", " + 1".repeat(terms), " - 1".repeat(terms));
    assert_eq!(error(&sum(1000)), None);
    let long = "2: too long an expression; expected at most 1000 operators; split it by a register";
    assert_eq!(error(&sum(100_000)).as_deref(), Some(long));
}
