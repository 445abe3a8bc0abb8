//! Valid lines, the messages about malformed ones, and what is written.

use super::FORMAT;
use crate::event::{Event, LabelId, LockId, Op, ThreadId, VarId};
use crate::trace::input::Input;
use crate::trace::{Mode, Place, TraceError, TraceReader};

fn input(text: &str) -> Input {
    Input::spool("run", text.as_bytes()).unwrap().with_format(Some(&FORMAT))
}

/// An event: its place, the event itself, its operation in the notation of STD, its location.
type Read = (Place, Op, String, String);

/// Returns the events of a text, and the reader at its end.
fn read(text: &str, mode: Mode) -> Result<(Vec<Read>, TraceReader), TraceError> {
    let mut reader = TraceReader::open_located(&input(text), mode)?;
    let (mut batch, mut lines) = (Vec::new(), Vec::new());
    while reader.read_batch(&mut batch, 1)? > 0 {
        let written = reader.written();
        let detail = crate::trace::lookup(&input(text), &[reader.events()])?;
        assert_eq!((&*detail[0].operation, &*detail[0].location), (&*written.operation, &*written.location));
        lines.push((detail[0].place, batch[0].op, written.operation.into(), written.location.into()));
    }
    Ok((lines, reader))
}

#[test]
fn every_operation_is_read_among_the_lines_of_the_run() {
    let text = "[main: ----- Meta-data | a | b -----]\n\nhello @ all\n\
        @  Enter(0,pkg/C.m(I)V)  null  pkg/C.java:12\n\
        @ Rd(0,@02.pkg/C.f_I)\tnull\tpkg/C.java:13:5\n@  Wr(0,pkg/C.s_J)\n\
        @     ARd(0,@05[3])    [E=(0:1) x]   C.java:14  \n@  AWr(0,@05[3])  C.java:15\n\
        @  VRd(0,@02.pkg/C.v_I)  null  null\n@  VWr(0,@02.pkg/C.v_I)  null  null\n\
        @  Acquire(0,@03)  null  null\r\n@  Release(0,@03)  null  null\n\
        @  Start(0,1)  null  null\n@  Join(0,1)  null  null\n@  Exit(0,pkg/C.m(I)V)  null  null\n\
        @Enter(0)\n@  Exit(0)";
    let (lines, reader) = read(text, Mode::Strict).unwrap();
    let var = |number| (Op::Read(VarId(number)), Op::Write(VarId(number)));
    let expected = [
        (4, Op::Begin(LabelId(0)), "begin(pkg/C.m(I)V)", "pkg/C.java:12"),
        (5, var(0).0, "r(@02.pkg/C.f_I)", "pkg/C.java:13:5"),
        (6, var(1).1, "w(pkg/C.s_J)", ""),
        (7, var(2).0, "r(@05[3])", "x]   C.java:14"),
        (8, var(2).1, "w(@05[3])", "C.java:15"),
        (9, var(3).0, "r(@02.pkg/C.v_I)", "null"),
        (10, var(3).1, "w(@02.pkg/C.v_I)", "null"),
        (11, Op::Acquire(LockId(0)), "acq(@03)", "null"),
        (12, Op::Release(LockId(0)), "rel(@03)", "null"),
        (13, Op::Fork(ThreadId(1)), "fork(1)", "null"),
        (14, Op::Join(ThreadId(1)), "join(1)", "null"),
        (15, Op::End, "end", "null"),
        (16, Op::Begin(LabelId::NONE), "begin", ""),
        (17, Op::End, "end", ""),
    ];
    let expected = expected
        .map(|(line, op, operation, location)| (Place::Line(line), op, operation.to_string(), location.to_string()));
    assert_eq!(lines, expected);
    assert_eq!(reader.symbols().label(LabelId(0)).unwrap(), "pkg/C.m(I)V");
}

#[test]
fn each_kind_of_malformed_line_is_named_with_its_place() {
    let shape = "expected @  OPERATION(THREAD,OPERAND)  SHADOW  LOCATION";
    let all = "Enter, Exit, Acquire, Release, Start, Join, Rd, Wr, ARd, AWr, VRd, VWr";
    for (line, said) in [
        ("@  Read(0,x)  null  null", format!("unknown operation 'Read'; expected one of {all}; nearest is Rd")),
        ("@", format!("unknown operation ''; expected one of {all}; nearest is Rd")),
        ("@  Rd", format!("no '(' after Rd; {shape}")),
        ("@  Rd (0,x)", format!("no '(' after Rd; {shape}")),
        ("@  Rd(0,x", format!("no ')' at the end of the operand in '@  Rd(0,x'; {shape}")),
        ("@  Rd(0,x)null", format!("no ')' at the end of the operand in '@  Rd(0,x)null'; {shape}")),
        ("@  Rd(,x)", format!("no thread in '@  Rd(,x)'; {shape}")),
        ("@  Exit()", format!("no thread in '@  Exit()'; {shape}")),
        ("@  Rd(0)", format!("no operand in '@  Rd(0)'; {shape}")),
        ("@  Start(0,)  null  null", format!("no operand in '@  Start(0,)  null  null'; {shape}")),
        ("sum: @  Rd(0,x)", "text before the event in 'sum: @  Rd(0,x)'; expected '@' first".into()),
        (" @  Rd(0,x)", "text before the event in ' @  Rd(0,x)'; expected '@' first".into()),
    ] {
        let text = format!("hello\n@  Wr(1,x)\n{line}\n@  Wr(1,y)\n");
        assert_eq!(read(&text, Mode::Strict).err().unwrap().to_string(), format!("run:3: {said}"));
        let (lines, reader) = read(&text, Mode::Lenient).unwrap();
        assert_eq!((lines.len(), reader.diagnostics().skipped(), reader.symbols().threads.len()), (2, 1, 1), "{line}");
        assert!(reader.diagnostics().is_incomplete());
    }
}

#[test]
fn an_acquire_of_a_held_lock_is_said_with_its_line_and_kept_by_a_lenient_reading() {
    let text = "[main: x]\n@  Acquire(1,@03)  null  a:1\n\n@  Acquire(2,@03)  null  a:2\n";
    let said = "run:4: acquire of @03 by 2, held by 1; expected a release of @03 by 1 before it";
    assert_eq!(read(text, Mode::Strict).err().unwrap().to_string(), said);
    let (lines, reader) = read(text, Mode::Lenient).unwrap();
    assert_eq!((lines.len(), reader.diagnostics().is_incomplete()), (2, false));
}

#[test]
fn what_cannot_be_written_is_refused_by_name() {
    use crate::trace::formats::format::Sink;
    let mut symbols = crate::trace::symbols::Symbols::default();
    let mut said = |thread: &str, var: &str, location: &str| {
        let thread = ThreadId(symbols.threads.intern(thread.as_bytes()));
        let event = Event::new(thread, Op::Write(VarId(symbols.vars.intern(var.as_bytes()))));
        let mut bytes = Vec::new();
        let mut writer = super::Writer::to(crate::trace::Output::new("t.rr", &mut bytes));
        let error = writer.write(event, &symbols, location).unwrap_err().to_string();
        Box::new(writer).finish().unwrap();
        assert!(bytes.is_empty(), "nothing of it is written");
        error
    };
    let refused = |what| format!("t.rr: the {what}; expected another name");
    let name = "cannot be written in RoadRunner's print";
    assert_eq!(said("", "x", ""), refused(format!("thread '' {name}: it is empty")));
    assert_eq!(said("a b", "x", ""), refused(format!("thread 'a b' {name}: it contains white space")));
    assert_eq!(said("a,b", "x", ""), refused(format!("thread 'a,b' {name}: it contains ',' or ')'")));
    assert_eq!(said("1", "x y", ""), refused(format!("variable 'x y' {name}: it contains white space")));
    assert_eq!(said("1", "x", "a\nb"), refused(format!("location 'a\\nb' {name}: it contains a line break")));
}
