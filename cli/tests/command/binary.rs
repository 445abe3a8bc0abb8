//! Binary traces: converted there and back, cut, damaged, growing, compressed, on standard input.

use std::fs;

use serde_json::json;

use crate::runner::{CLEAN, Folder, VIOLATED, gzip};

/// The bytes of a file that the command left.
fn bytes(folder: &Folder, name: &str) -> Vec<u8> {
    fs::read(folder.path().join(name)).expect("written")
}

/// `trace` in binary.
fn binary(trace: &str) -> Vec<u8> {
    let folder = Folder::new().with("a.std", trace);
    folder.run(&["convert", "a.std", "a.rtb"]).ended(0);
    bytes(&folder, "a.rtb")
}

/// Where frames start, by the lengths in their headers, and where the last ends.
fn frames(file: &[u8]) -> Vec<usize> {
    let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().expect("four bytes")) as usize;
    let mut starts = vec![16];
    while let Some(&at) = starts.last().filter(|&&at| at < file.len()) {
        starts.push(at + 36 + word(at + 12) + word(at + 20));
    }
    starts
}

/// More events than three frames hold. Only the first three matter.
fn long() -> String {
    let rest: String = (0..200_000).map(|n| format!("T{}|r(y{})|{n}\n", n % 3, n % 1000)).collect();
    format!("T1|begin(a.B.c)|1\nT1|r(x)|2\nT0|w(x)|3\nT1|w(x)|4\n{rest}")
}

/// A random well-formed trace; `numbers` has only what RegionTrack's records have.
fn random(seed: u64, numbers: bool) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut dice = |sides: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % sides as u64) as usize
    };
    let (mut open, mut held, mut text) = ([0; 3], [None; 2], String::new());
    let vars = if numbers { ["1", "2", "3"] } else { ["V1", "a.B.c@7", "x[3]"] };
    let labels = if numbers { ["1", "2", "3"] } else { ["a.B.m()", "pkg/C.m(I)V", "run"] };
    for _ in 0..dice(80) {
        let (thread, lock) = (dice(3), dice(2));
        let operation = match dice(if numbers { 6 } else { 7 }) {
            0 => format!("r({})", vars[dice(3)]),
            1 => format!("w({})", vars[dice(3)]),
            2 => format!("begin({})", labels[dice(3)]),
            3 if open[thread] > 0 => "end".to_owned(),
            4 if held[lock].is_none() => format!("acq({})", lock + 1),
            5 if held[lock] == Some(thread) => format!("rel({})", lock + 1),
            6 => format!("join({})", 7 + dice(3)),
            _ => continue,
        };
        match &operation[..3] {
            "beg" => open[thread] += 1,
            "end" => open[thread] -= 1,
            "acq" => held[lock] = Some(thread),
            "rel" => held[lock] = None,
            _ => {}
        }
        let location = if numbers { "" } else { ["", "12", "C.java:3"][dice(3)] };
        text += &format!("{}|{operation}|{location}\n", thread + 1);
    }
    text
}

/// Converts `trace` along these files and gives the last.
fn along(trace: &str, files: &[&str]) -> String {
    let folder = Folder::new().with("a.std", trace);
    let mut from = "a.std";
    for to in files {
        folder.run(&["convert", "--from", format_of(from), from, to]).ended(0);
        from = to;
    }
    String::from_utf8(bytes(&folder, from)).expect("text")
}

/// Of an empty trace its bytes do not tell.
fn format_of(file: &str) -> &'static str {
    match file.trim_end_matches(".gz").rsplit('.').next() {
        Some("std") => "std",
        Some("rtb") => "rtb",
        Some("rr") => "roadrunner",
        _ => "records",
    }
}

#[test]
fn every_event_of_std_with_its_location_comes_back_from_binary() {
    let every = "A|fork(B)|M.java:1\nB|begin(a.B.m(int))|M.java:2\nB|begin|\nB|acq(l)|3\nB|r(x)|\nB|w(ü[3])|a  b\n\
        B|rel(l)|4\nB|end|5\nB|end|6\nA|join(B)|7\nA|fence|8\nA|commit(x)|9\nA|dummy(-)|10\n";
    for trace in [every, CLEAN, VIOLATED, ""] {
        assert_eq!(along(trace, &["b.rtb", "c.std"]), trace);
        assert_eq!(along(trace, &["b.rtb.gz", "c.rtb", "d.std"]), trace);
    }
}

#[test]
fn random_traces_keep_every_event_along_all_formats_that_have_it() {
    for seed in 0..40 {
        let trace = random(seed, false);
        assert_eq!(along(&trace, &["b.rtb", "c.rr", "d.rtb.gz", "e.rr.gz", "f.std"]), trace, "seed {seed}");
        let trace = random(seed, true);
        let (direct, through) =
            (along(&trace, &["b.rtr", "c.std"]), along(&trace, &["b.rtb", "c.rtr", "d.rtb", "e.std"]));
        assert_eq!((direct.lines().count(), through), (trace.lines().count(), direct), "seed {seed}");
    }
}

#[test]
fn a_file_cut_at_any_byte_is_read_up_to_its_last_whole_frame() {
    let whole = binary(VIOLATED);
    let starts = frames(&whole);
    assert_eq!((starts.len(), starts[2]), (3, whole.len()), "a frame of events and the end");
    for cut in 1..whole.len() {
        let folder = Folder::new().with("a.rtb", &whole[..cut]);
        let ran = folder.json(&["a.rtb"]);
        let line = ran.line();
        assert_eq!(ran.code, 2, "cut at {cut}");
        let events = if cut >= starts[1] { 5 } else { 0 };
        let place = match cut {
            0..16 => String::new(),
            _ if cut >= starts[1] => format!("frame 2 at byte {}: ", starts[1]),
            _ => "frame 1 at byte 16: ".to_owned(),
        };
        let said =
            format!("{place}the trace stops here, after {events} events, without its end; expected the whole file");
        assert_eq!((&line["events"], &line["warnings"]), (&json!(events), &json!([said])), "cut at {cut}");
        assert_eq!(line["verdict"], "incomplete", "cut at {cut}");
        // A violation in a prefix is one of the execution.
        assert_eq!(line["first_event"], if events > 0 { json!(4) } else { json!(null) }, "cut at {cut}");
    }
}

#[test]
fn what_is_said_of_a_cut_file_is_a_warning_and_exit_code_2() {
    let (whole, long) = (binary(CLEAN), binary(&long()));
    let cut = frames(&long)[2] + 1;
    let folder = Folder::new().with("a.rtb", &whole[..whole.len() - 1]).with("b.rtb", &long[..cut]);
    let end = frames(&whole)[1];
    let warning = format!("frame 2 at byte {end}: the trace stops here, after 4 events, without its end");
    let ran = folder.run(&["check", "a.rtb"]);
    assert_eq!((ran.code, ran.stdout.matches(&warning).count()), (2, 1), "{}", ran.stdout);
    assert!(ran.stdout.starts_with("a.rtb: no violation found, incomplete"), "{}", ran.stdout);
    let ran = folder.run(&["info", "a.rtb"]);
    assert_eq!((ran.code, ran.stdout.matches(&warning).count()), (2, 1), "{}", ran.stdout);
    let ran = folder.run(&["convert", "a.rtb", "a.std"]);
    assert_eq!((ran.code, ran.stderr.matches(&format!("a.rtb: {warning}")).count()), (2, 1), "{}", ran.stderr);
    assert_eq!(bytes(&folder, "a.std"), CLEAN.as_bytes());
    let ran = folder.run(&["explain", "b.rtb"]);
    assert!(ran.code == 2 && ran.stdout.contains("a.B.c"), "{} {}", ran.stdout, ran.stderr);
}

#[test]
fn damage_is_an_error_that_names_the_frame_and_lenient_reading_counts_what_is_lost() {
    let mut broken = binary(&long());
    let starts = frames(&broken);
    broken[starts[2] - 1] ^= 1;
    let folder = Folder::new().with("a.rtb", &broken).with("a.rtb.gz", gzip(&broken));
    for name in ["a.rtb", "a.rtb.gz"] {
        let place = format!("frame 2 at byte {}", starts[1]);
        let said = format!("{place}: the contents of the frame are damaged; expected an undamaged copy of the file");
        folder.json(&[name]).failed_with(&format!("regiontrack: {name}: {said}"));
        folder.run(&["info", name]).failed_with(&format!("regiontrack: {name}: {said}"));
        let ran = folder.json(&["--lenient", name]);
        let line = ran.line();
        let warnings = json!([format!("{said} (134468 events lost)")]);
        assert_eq!((&line["warnings"], &line["events"], ran.code), (&warnings, &json!(65536), 2));
        assert_eq!(line["first_event"], 4, "what was read is still true");
    }
}

#[test]
fn a_file_that_grows_is_read_as_far_as_it_is() {
    let whole = binary(&long());
    let folder = Folder::new();
    for (frames, end) in frames(&whole).into_iter().enumerate() {
        fs::write(folder.path().join("a.rtb"), &whole[..end]).expect("written");
        let ran = folder.json(&["a.rtb"]);
        let is_over = end == whole.len();
        assert_eq!(ran.line()["events"], json!((frames * 65536).min(200_004)));
        assert_eq!(ran.code, if is_over { 1 } else { 2 });
    }
}

#[test]
fn binary_traces_come_compressed_and_on_standard_input() {
    let whole = binary(VIOLATED);
    let folder = Folder::new().with("a.rtb.gz", gzip(&whole));
    assert_eq!(folder.json(&["a.rtb.gz"]).ended(1).line()["events"], 5);
    for stdin in [whole.clone(), gzip(&whole)] {
        let ran = folder.run_with(&["check", "--format", "json", "-"], &stdin);
        assert_eq!(ran.ended(1).line()["first_event"], 4);
        assert_eq!(folder.run_with(&["convert", "--to", "std", "-", "-"], &stdin).ended(0).stdout, VIOLATED);
    }
    let text = folder.run(&["check", "a.rtb.gz"]).ended(1).stdout.clone();
    assert!(text.contains("a.B.c"), "{text}");
}
