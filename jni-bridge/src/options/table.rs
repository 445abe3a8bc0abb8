//! What each option does. Its name and the kind of its value are in [`options`].

use std::fmt::Write;
use std::path::PathBuf;

use analysis_core::engines::{self, ENGINES};
use analysis_core::options::{self, Value};
use analysis_core::predict::Sections;
use analysis_core::predict::algorithms::{self, ALGORITHMS};
use analysis_core::report::{Format, Sources};
use analysis_core::spec::{ClassPatterns, Specification};

use super::paths::paths;
use super::{Asked, Mode, TESTS, files};
use crate::models;

/// An option.
pub(super) struct OptionSpec {
    pub(super) name: &'static str,
    /// One line of help; empty for options for tests.
    pub(super) doc: &'static str,
    pub(super) set: fn(&mut Asked, &str) -> Result<(), String>,
}

impl OptionSpec {
    /// The kind of its value.
    pub(super) fn value(&self) -> Value {
        options::named(self.name).expect("both tables have the same names").value
    }

    /// True if it needs no value.
    pub(super) fn is_switch(&self) -> bool {
        self.value() == Value::Switch
    }
}

/// Why a trace does not go where the program's output goes.
pub(super) const NO_STREAM: &str =
    "the program writes its own output there; name a file for the trace, such as record=run.rtb";

/// The option that names a file for the report; repeated, it names another one.
pub(super) const REPORT: &str = "report";

/// To add one: add an entry, its field to `Options`, and its name to [`options::OPTIONS`], in the same order.
pub(super) const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "spec",
        doc: "which methods are atomic (default: see regiontrack spec --default)",
        set: |asked, value| file(value).map(|path| asked.spec = Some(path)),
    },
    OptionSpec {
        name: "exclude-method",
        doc: "remove com.example.Cache.get(int) from the specification in effect; repeatable, or with ; between several",
        set: |asked, value| {
            // Exclusions add up, so their order does not matter.
            asked
                .excluded
                .extend(value.split(';').map(str::trim).filter(|method| !method.is_empty()).map(str::to_owned));
            let mut spec = Specification::everything();
            asked.excluded.iter().try_for_each(|method| spec.exclude(method)).map_err(|error| error.to_string())
        },
    },
    OptionSpec {
        name: "engine",
        doc: "the engine, see regiontrack engines; all except the default keep the run in memory, up to 16 million events",
        set: set_engine,
    },
    OptionSpec {
        name: "include",
        doc: "classes to watch: com.example.*:org.Other (default: all outside the platform); classes of the platform by full name: java.util.Vector",
        set: |asked, value| {
            asked.options.include = ClassPatterns::parse(value);
            Ok(())
        },
    },
    OptionSpec {
        name: "exclude",
        doc: "classes not to watch",
        set: |asked, value| {
            asked.options.exclude = ClassPatterns::parse(value);
            Ok(())
        },
    },
    OptionSpec {
        name: "sources",
        doc: "source folders, separated by :, whose lines an HTML report shows (default: src/main/java and the like, in the current folder and \
              its subfolders)",
        set: |asked, value| {
            let folders = paths(value);
            match value {
                Sources::NONE => asked.options.sources = Sources::In(Vec::new()),
                _ if folders.is_empty() => return Err("expected folders, : between them, or none".to_owned()),
                _ => asked.options.sources = Sources::In(folders.into_iter().map(PathBuf::from).collect()),
            }
            Ok(())
        },
    },
    OptionSpec {
        name: "own",
        doc: "folders and jars with your own classes, separated by :; code outside their packages is a library (default: those of the \
              main class)",
        set: |asked, value| {
            asked.options.own = paths(value);
            if asked.options.own.is_empty() {
                Err("expected folders or jars, : between them".to_owned())
            } else {
                Ok(())
            }
        },
    },
    OptionSpec {
        name: "arrays",
        doc: "arrays whose elements are watched: those of references (default), all, or none",
        set: |asked, value| word(value, &["refs", "all", "none"]).map(|word| asked.options.arrays = word.into()),
    },
    OptionSpec {
        name: "models",
        doc: "models of library calls, in addition to the agent's own; none: library calls have no effect",
        set: |asked, value| {
            (asked.options.models, asked.options.own_models) = match value {
                "none" => ("", String::new()),
                path => {
                    let text = std::fs::read_to_string(path).map_err(|error| format!("cannot be read: {error}"))?;
                    (models::shipped(), models::own(&text, path)?)
                }
            };
            Ok(())
        },
    },
    OptionSpec {
        name: "keys",
        doc: "name the keys of maps in reports and traces; false: show a class and a number instead (default: true)",
        set: |asked, value| switch(value).map(|on| asked.options.keys = on),
    },
    OptionSpec {
        name: "reads",
        doc: "which accesses are events: those that have a consequence (default), or all",
        set: |asked, value| word(value, &["used", "all"]).map(|word| asked.options.all_reads = word == "all"),
    },
    OptionSpec {
        name: "nested",
        doc: "check nested blocks too (default: true)",
        set: |asked, value| switch(value).map(|on| asked.options.nested = on),
    },
    OptionSpec {
        name: "sample",
        doc: "watch only parts of the run, in bursts that use at most this percentage of extra processor time (default: watch all of it)",
        set: |asked, value| {
            let percent = value.parse().ok().filter(|percent| (1..=100).contains(percent));
            let percent = percent.ok_or("expected a number from 1 to 100, without a sign")?;
            asked.options.sample = Some(percent);
            Ok(())
        },
    },
    OptionSpec {
        name: "profile",
        doc: "watch what earlier runs saw threads share, and what is new, and add what this run sees (no file yet: watch everything)",
        set: |asked, value| file(value).map(|path| asked.options.profile = Some(path)),
    },
    OptionSpec {
        name: "slice",
        doc: "with profile=: also watch 1/N of what was not seen shared, a different part in each run (default: 16; 0: none)",
        set: |asked, value| number(value, 1 << 20).map(|slices| asked.options.slices = Some(slices)),
    },
    OptionSpec {
        name: "candidates",
        doc: "add candidates for provoke= to this file: from the places where threads meet, or with predict= or record= from the events and \
              what the first algorithm predicts",
        set: |asked, value| file(value).map(|path| asked.options.candidates = Some(path)),
    },
    OptionSpec {
        name: "provoke",
        doc: "hold threads at the places of these candidates, so that other threads come between, and add the results to the file; tests: \
              steer tests with @Provoke",
        set: |asked, value| {
            asked.options.repeats_tests = value == TESTS;
            asked.options.provoke = if value == TESTS { None } else { Some(file(value)?) };
            Ok(())
        },
    },
    OptionSpec {
        name: "priorities",
        doc: "give threads random priorities, and delay a thread while one of higher priority runs; also SEED:CHANGES:STEPS",
        set: |asked, value| {
            asked.options.priorities = Some(value.parse()?);
            Ok(())
        },
    },
    OptionSpec {
        name: "provoke-share",
        doc: "with provoke= or priorities=: the percentage of the run's time that holds may take (default: 20), plus 100 ms with provoke=",
        set: |asked, value| {
            let percent = value.parse().ok().filter(|percent| (1..=90).contains(percent));
            asked.options.provoke_share = Some(percent.ok_or("expected a number from 1 to 90, without a sign")?);
            Ok(())
        },
    },
    OptionSpec {
        name: "provoke-turn",
        doc: "with provoke=: the number of this run, from 0, among parallel runs, which are steered to different candidates (default: 0)",
        set: |asked, value| {
            let turn = number(value, u64::from(u16::MAX))?;
            asked.options.provoke_turn = u32::try_from(turn).ok();
            Ok(())
        },
    },
    OptionSpec {
        name: "schedules",
        doc: "with provoke=: write a schedule of each provoked violation into this folder, for replay=",
        set: |asked, value| file(value).map(|path| asked.options.schedules = Some(path)),
    },
    OptionSpec {
        name: "replay",
        doc: "make threads pass the switch points of this schedule in order, and report where the run leaves it",
        set: |asked, value| file(value).map(|path| asked.options.replay = Some(path)),
    },
    OptionSpec {
        name: "replay-patience",
        doc: "with replay=: the longest hold for a switch point (default: 10; with a debugger a day)",
        set: |asked, value| number(value, 86_400).map(|seconds| asked.options.replay_patience = Some(seconds)),
    },
    OptionSpec {
        name: "record",
        doc: "write the trace, for regiontrack check; .rtb is compact and readable while it is written, .gz is compressed by gzip",
        set: |asked, value| match value {
            "-" => Err(NO_STREAM.to_owned()),
            value => output(value).map(|path| asked.record = Some(path)),
        },
    },
    OptionSpec {
        name: "redundant",
        doc: "with record=: also record accesses that repeat one of the same thread, for predict and tso (default: false)",
        set: |asked, value| switch(value).map(|on| asked.options.redundant = on),
    },
    OptionSpec {
        name: "predict",
        doc: "report what other schedules could have violated, by algorithms of regiontrack predict; keeps up to 4 million events",
        set: set_algorithms,
    },
    OptionSpec {
        name: "sections",
        doc: "with predict=: the order of critical sections is a conflict, too, for data that is not recorded (default: false)",
        set: |asked, value| {
            let counts = switch(value)?;
            asked.options.sections = if counts { Sections::Conflict } else { Sections::Ignored };
            Ok(())
        },
    },
    OptionSpec {
        name: REPORT,
        doc: "write the report there (default: standard error), in the format of the extension: .html, .sarif, .xml (JUnit), .md, .json, \
              otherwise text; repeatable; in a file name %p is the process id, %t the time",
        set: |asked, value| output(value).map(|path| asked.reports.push(path)),
    },
    OptionSpec {
        name: "overwrite",
        doc: "replace existing files of report= and record= (default: write others next to them, with the process id in their names)",
        set: |asked, value| switch(value).map(|on| asked.overwrite = on),
    },
    OptionSpec {
        name: "format",
        doc: "the report's format: text, json, html, sarif, junit, markdown, github (default: by the file's extension); with several files, \
              the format of those whose names do not say",
        set: |asked, value| {
            let name = word(value, &Format::ALL.map(Format::name))?;
            asked.format = Format::named(name);
            Ok(())
        },
    },
    OptionSpec {
        name: "exitcode",
        doc: "exit with this code after a violation, or if predict= predicts one; 0, the default, keeps the program's own",
        set: |asked, value| number(value, 255).map(|code| asked.options.exit_code = code as u8),
    },
    OptionSpec {
        name: "halt_on_violation",
        doc: "write the report and end the program at the first violation, with exitcode= or 66",
        set: |asked, value| switch(value).map(|on| asked.options.halt_on_violation = on),
    },
    OptionSpec {
        name: "max_reports",
        doc: "the most findings that a text report lists (default: 10)",
        set: |asked, value| number(value, 1_000_000).map(|most| asked.options.max_reports = most as usize),
    },
    OptionSpec {
        name: "details",
        doc: "the most findings that a text report describes in detail (default: 3); regiontrack explain FILE.json N describes others",
        set: |asked, value| number(value, 1_000_000).map(|most| asked.options.details = most as usize),
    },
    OptionSpec {
        name: "suppressions",
        doc: "findings to leave out of reports, a line each: method:, field:, class:, kind: or lock: and a pattern; repeatable",
        set: |asked, value| {
            // The strongest source comes last, and its lines decide first.
            file(value).map(|path| asked.suppressions.insert(0, path))
        },
    },
    OptionSpec {
        name: "baseline",
        doc: "known findings, from regiontrack baseline update; only others are new and set exitcode=",
        set: |asked, value| file(value).map(|path| asked.baseline = Some(path)),
    },
    OptionSpec {
        name: "config",
        doc: "more options, key=value, one per line, # for comments",
        // Already read when the pairs were collected.
        set: |_, value| file(value).map(drop),
    },
    OptionSpec {
        name: "verbose",
        doc: "print more to standard error, and count every access",
        set: |asked, value| switch(value).map(|on| asked.options.verbose = on),
    },
    OptionSpec {
        name: "progress",
        doc: "print the number of blocks and findings so far to standard error at this interval; 0 is never (default: 60 on a terminal, else 0)",
        set: |asked, value| number(value, 86_400).map(|seconds| asked.options.progress = Some(seconds)),
    },
    OptionSpec {
        name: "help",
        doc: "print this help and do not start the program",
        set: |asked, value| switch(value).map(|on| asked.wants_help = on),
    },
    OptionSpec {
        name: "mode",
        doc: "",
        set: |asked, value| {
            let word = word(value, &["dependencies", "stream"])?;
            asked.options.wanted = if word == "stream" { Mode::Stream } else { Mode::Dependencies };
            Ok(())
        },
    },
    // Not for users: the Java side sets it if the agent was attached to a running program.
    OptionSpec { name: "attached", doc: "", set: |asked, value| switch(value).map(|on| asked.options.attached = on) },
    OptionSpec { name: "vm_death", doc: "", set: |asked, value| switch(value).map(|on| asked.options.vm_death = on) },
    OptionSpec {
        name: "fail_after",
        doc: "",
        set: |asked, value| number(value, u64::MAX).map(|events| asked.options.fail_after = Some(events)),
    },
    OptionSpec {
        name: "ring",
        doc: "",
        set: |asked, value| number(value, 1 << 20).map(|records| asked.options.ring = Some(records)),
    },
];

fn set_engine(asked: &mut Asked, value: &str) -> Result<(), String> {
    let names: Vec<&str> = ENGINES.iter().map(|engine| engine.name).collect();
    let name = word(value, &names)?;
    asked.options.engine = engines::find(name).expect("it is one of them");
    Ok(())
}

fn set_algorithms(asked: &mut Asked, value: &str) -> Result<(), String> {
    let names: Vec<&str> = ALGORITHMS.iter().map(|algorithm| algorithm.name).collect();
    let named = value.split(',').map(|name| word(name.trim(), &names));
    let found = named.map(|name| Ok(algorithms::find(name?).expect("it is one of them")));
    asked.options.predict = found.collect::<Result<_, String>>()?;
    Ok(())
}

fn file(value: &str) -> Result<PathBuf, String> {
    if value.is_empty() { Err("expected a file".to_owned()) } else { Ok(value.into()) }
}

fn output(value: &str) -> Result<PathBuf, String> {
    file(value)?;
    Ok(files::expanded(value))
}

fn switch(value: &str) -> Result<bool, String> {
    word(value, &["true", "false"]).map(|word| word == "true")
}

fn number(value: &str, most: u64) -> Result<u64, String> {
    value.parse().ok().filter(|number| *number <= most).ok_or_else(|| {
        let range = if most == u64::MAX { String::new() } else { format!(" from 0 to {most}") };
        format!("expected a number{range}")
    })
}

fn word<'a>(value: &str, words: &[&'a str]) -> Result<&'a str, String> {
    words.iter().find(|word| **word == value).copied().ok_or_else(|| {
        let mut text = "expected ".to_owned();
        for (index, word) in words.iter().enumerate() {
            let before = if index == 0 {
                ""
            } else if index + 1 == words.len() {
                " or "
            } else {
                ", "
            };
            let _ = write!(text, "{before}{word}");
        }
        text
    })
}
