//! Traces in the form in which the agent writes them.

use super::*;

/// The candidates of a trace, whose lines are separated by blanks or line breaks; `+` stands for a blank.
pub(in crate::provoke::finder) fn of_text(trace: &str) -> Vec<Candidate> {
    let whole = |line: &str| if line.matches('|').count() == 1 { format!("{line}|") } else { line.to_owned() };
    let lines: Vec<String> = trace.split_whitespace().map(|line| whole(line).replace('+', " ")).collect();
    let input = Input::spool("a.std", (lines.join("\n") + "\n").as_bytes()).expect("spooled");
    let summary = search(&input, Search::default(), |_| true).expect("a trace");
    assert_eq!((summary.events, summary.left_out, summary.unfinished), (lines.len() as u64, 0, 0));
    summary.candidates.in_order().into_iter().map(|(candidate, _)| candidate.clone()).collect()
}

/// The candidates with one place of another thread, as text.
fn candidates(trace: &str) -> Vec<String> {
    let text = |candidate: &Candidate| {
        let Candidate { block, variable, first, hold, last, other, enter, .. } = candidate;
        let enter = enter.as_ref().map_or(String::new(), |enter| format!("; enter {enter}"));
        format!("{block} {variable}: {first}; hold {hold}; last {last}; other {other}{enter}")
    };
    of_text(trace).iter().filter(|candidate| candidate.steps.is_empty()).map(text).collect()
}

#[test]
fn fields_and_monitors_are_named_as_instructions_name_them() {
    let get = |t: &str| {
        format!("{t}|acq(Bank@1)|a.Bank.get:5 {t}|r(Bank.total@1)|a.Bank.get:5 {t}|rel(Bank@1)|a.Bank.get:5 ")
    };
    let set = |t: &str| {
        format!("{t}|acq(Bank@1)|a.Bank.set:6 {t}|w(Bank.total@1)|a.Bank.set:6 {t}|rel(Bank@1)|a.Bank.set:6 ")
    };
    let all = candidates(&format!(
        "main|begin(a.Bank.pay(int))|a.Bank.pay:9 {}{}main|end {}",
        get("main"),
        set("main"),
        set("T")
    ));
    let block = "a.Bank.pay(int)";
    assert_eq!(
        all,
        [
            format!(
                "{block} Bank.total: a.Bank.get:5 read total; hold a.Bank.get:5 release; last a.Bank.set:6 write total; \
                 other a.Bank.set:6 write total; enter a.Bank.set:6 acquire"
            ),
            format!(
                "{block} Bank: a.Bank.get:5 release; hold a.Bank.get:5 release; last a.Bank.set:6 acquire; \
                 other a.Bank.set:6 acquire"
            ),
        ]
    );
}

#[test]
fn calls_are_named_by_their_methods_and_matched_by_key() {
    let call = |t: &str, verb: &str, key: &str, line: u32, method: &str| {
        format!("{t}|{verb}(ConcurrentHashMap@7[key:\"{key}\"])|a.B.put:{line}+[Map.{method}+of+a.B.map] ")
    };
    let put = |t: &str, key: &str| {
        format!("{t}|begin(a.B.put())|a.B.put:1 {}{}{t}|end ", call(t, "r", key, 2, "get"), call(t, "w", key, 3, "put"))
    };
    let one = "a.B.put() ConcurrentHashMap (field B.map): a.B.put:2 read get(); hold a.B.put:2 read get(); \
               last a.B.put:3 write put(); other a.B.put:3 write put()";
    assert_eq!(candidates(&(put("A", "x") + &put("B", "x"))), [one]);
    assert!(candidates(&(put("A", "x") + &put("B", "y"))).is_empty());
}

#[test]
fn what_a_handle_or_an_offset_leads_to_is_named_as_by_plain_accesses() {
    for owner in ["VarHandle", "Unsafe"] {
        let call = |verb: &str, line: u32, method: &str| {
            format!("A|{verb}(B.x@7)|a.B.put:{line}+[{owner}.{method}+of+a.B.U] ")
        };
        let block =
            format!("A|begin(a.B.put())|a.B.put:1 {}{}A|end ", call("r", 2, "get"), call("w", 3, "compareAndSet"));
        let expected = "a.B.put() B.x: a.B.put:2 read get(); hold a.B.put:2 read get(); last a.B.put:3 write compareAndSet(); \
                        other a.B.set:4 write x";
        assert_eq!(candidates(&(block + "T|w(B.x@7)|a.B.set:4")), [expected], "{owner}");
    }
}

/// A block of thread A that accesses an element of an array at lines 2 and 3, followed by other events.
fn block(between: &str, rest: &str) -> Vec<String> {
    candidates(&format!(
        "A|begin(a.B.m())|a.B.m:1 A|r(int[]@3[0])|a.B.m:2 {between} A|w(int[]@3[0])|a.B.m:3 A|end {rest}"
    ))
}

#[test]
fn elements_of_arrays_are_brackets() {
    let expected =
        "a.B.m() int[] element: a.B.m:2 read []; hold a.B.m:2 read []; last a.B.m:3 write []; other a.B.n:7 write []";
    assert_eq!(block("", "B|w(int[]@3[0])|a.B.n:7"), [expected]);
    assert!(block("", "B|w(int[]@3[1])|a.B.n:7").is_empty());
    // Places without a line, or without a class.
    assert!(block("", "B|w(int[]@3[0])|a.B.n B|w(int[]@3[0])|17 B|w(int[]@3[0])").is_empty());
}

#[test]
fn what_is_handed_over_comes_after_and_permits_do_not() {
    let handed = |what: &str| {
        let words = what.replace(' ', "+");
        block("", &format!("A|w({words}@5)|a.B.m:4 B|r({words}@5) B|w(int[]@3[0])|a.B.n:7")).len()
    };
    for what in ["task given to an executor", "result of a future", "count of a latch", "element of a queue", "barrier"]
    {
        assert_eq!(handed(what), 0, "{what}");
    }
    assert_eq!(handed("permits of a semaphore"), 1);
    assert_eq!(block("", "A|w(count+of+a+latch@5)|a.B.m:4 B|r(count+of+a+latch@6) B|w(int[]@3[0])|a.B.n:7").len(), 1);
}

#[test]
fn a_thread_is_held_where_it_gives_permits_back_too() {
    let release =
        |line: u32| format!("A|w(permits+of+a+semaphore@{line})|a.B.m:{line}+[Semaphore.release+of+a.B.permit]");
    let other = "B|w(int[]@3[0])|a.B.n:7";
    let holds = |between: &str, behind: &str| {
        let all = block(between, &format!("{behind} {other}"));
        all.iter()
            .map(|text| text.split("hold ").nth(1).unwrap_or("").split(';').next().unwrap_or("").to_owned())
            .collect::<Vec<_>>()
    };
    let first = "a.B.m:2 read []";
    assert_eq!(holds(&release(5), ""), [first, "a.B.m:5 release release()"]);
    // Only at the first place, and not after the block's last place.
    assert_eq!(holds(&(release(5) + " " + &release(6)), ""), [first, "a.B.m:5 release release()"]);
    assert_eq!(holds("", &release(5)), [first]);
    // An acquisition does not count.
    assert_eq!(holds("A|r(permits+of+a+semaphore@5)|a.B.m:5+[Semaphore.acquire+of+a.B.permit]", ""), [first]);
}

#[test]
fn locks_that_readers_share_keep_writers_out() {
    let lock = |t: &str, verb: &str, method: &str| {
        format!(" {t}|{verb}(ReentrantReadWriteLock@9)|a.B.k:8+[Lock.{method}+of+a.B.rw] ")
    };
    let other = "B|w(int[]@3[0])|a.B.n:7";
    let with = |mine: &str, theirs: &str| {
        let block = "A|begin(a.B.m())|a.B.m:1 MINE A|r(int[]@3[0])|a.B.m:2 A|w(int[]@3[0])|a.B.m:3 UNLOCK A|end ";
        let block = block.replace("MINE", &lock("A", mine, "lock")).replace("UNLOCK", &lock("A", mine, "unlock"));
        candidates(&(block + &lock("B", theirs, "lock") + other + &lock("B", theirs, "unlock"))).len()
    };
    assert_eq!([with("w", "w"), with("r", "w"), with("w", "r"), with("r", "r")], [0, 0, 0, 1]);
}

#[test]
fn nobody_is_held_inside_a_wait() {
    let wait = |verb: &str| format!(" A|{verb}(B@1)|a.B.m:9+[Object.wait] ");
    let section = format!(
        "A|acq(B@1)|a.B.m:4 A|r(int[]@3[1])|a.B.m:5 {}{} A|w(int[]@3[1])|a.B.m:6 A|rel(B@1)|a.B.m:7",
        wait("rel"),
        wait("acq")
    );
    let other = "B|acq(B@1)|a.B.n:6 B|w(int[]@3[1])|a.B.n:7 B|rel(B@1)|a.B.n:8";
    assert!(block(&section, other).is_empty());
}

#[test]
fn sections_that_write_nothing_are_sections() {
    let reads = "A|r(B@1.lock)|a.B.m:4 A|r(int[]@3[1])|a.B.m:5 A|r(B@1.lock)|a.B.m:4 ";
    let writes =
        "w(B@1.lock)|a.B.k:6 T|acq(B@1)|a.B.k:6 T|w(int[]@3[1])|a.B.k:7 T|w(B@1.lock)|a.B.k:8 T|rel(B@1)|a.B.k:8";
    let writes = |thread: &str| format!("T|{writes}").replace("T|", &format!("{thread}|"));
    let all = block(&(reads.to_owned() + &writes("A")), &writes("B"));
    let expected = "a.B.m() int[] element: a.B.m:5 read []; hold a.B.m:4 release; last a.B.k:7 write []; other a.B.k:7 write []; \
                    enter a.B.k:6 acquire";
    assert!(all.contains(&expected.to_owned()), "{all:#?}");
}
