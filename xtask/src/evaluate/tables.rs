//! The results as tables: Markdown in the layout of the papers, with their figures beside ours; CSV for programs.

use std::collections::BTreeSet;
use std::fmt::Write;

use comfy_table::Table;

use super::blame::{Blame, Blamed};
use super::combined;
use super::papers::{self, Row};
use super::traces::Trace;
use super::{Evaluation, Measured};
use crate::bench::{Spread, Summary, confidence, empty, geometric_mean};

/// The papers' figures, and the jar that contains the subjects, if any.
pub(super) struct Papers<'a> {
    pub(super) papers: &'a papers::Papers,
    pub(super) jar: Option<&'a str>,
}

impl Papers<'_> {
    /// Returns the subject of RegionTrack's paper that is most similar to this one.
    pub(super) fn nearest(&self, subject: &str) -> Option<&Row> {
        self.papers.nearest(subject, self.jar)
    }

    /// Returns the engines in the paper's cost tables.
    pub(super) fn engines(&self) -> BTreeSet<&str> {
        self.papers.regiontrack.iter().flat_map(|row| row.slowdown.keys().map(String::as_str)).collect()
    }
}

/// Returns a line for each subject in each configuration.
pub(super) fn csv(evaluation: &Evaluation) -> String {
    let mut text = "part,subject,size,configuration,state,processor s,slowdown,from,to,wall slowdown,from,to,peak MiB,memory,from,to,\
                    recorded,dependencies,methods,verdicts\n"
        .to_owned();
    let spread = |spread: Option<Spread>| {
        spread.map_or(",,".to_owned(), |s| format!("{:.3},{:.3},{:.3}", s.median, s.least, s.most))
    };
    let median = |spread: Option<Spread>| spread.map_or(String::new(), |s| format!("{:.3}", s.median));
    let number = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
    for Measured { part, rows, .. } in &evaluation.bench {
        for row in rows {
            let verdicts = row.verdicts.iter().cloned().collect::<Vec<_>>().join("; ");
            let cells = [
                part.clone(),
                row.subject.clone(),
                row.size.clone(),
                row.configuration.clone(),
                row.state.clone(),
                median(row.processor_s),
                spread(row.slowdown),
                spread(row.wall_slowdown),
                median(row.memory_mib),
                spread(row.memory),
                number(row.recorded),
                number(row.dependencies),
                number(row.findings),
                verdicts,
            ];
            let _ = writeln!(text, "{}", cells.join(","));
        }
    }
    text
}

/// All tables.
pub(super) fn markdown(evaluation: &Evaluation, papers: &Papers) -> String {
    let mut text = "# Tables\n".to_owned();
    if let Some((_, conditions)) = evaluation.conditions.first() {
        let commit = conditions.commit.as_deref().unwrap_or("unknown");
        let suite = conditions.suite.as_ref().map_or(String::new(), |suite| format!("{suite}; "));
        let _ = writeln!(
            text,
            "\n{suite}commit {commit}; JDK {}; {} processors, {}; load at the beginning {}. Sizes are those of `subjects.json`. \
             ₆ and ₉ are the versions 2006-10-MR2 and 9.12 of DaCapo in RegionTrack's paper.",
            conditions.jvm, conditions.processors, conditions.processor, conditions.load
        );
    }
    for measured in &evaluation.bench {
        let of = [("Slowdown, processor time", "s", true), ("Memory overhead, peak resident memory", "MiB", false)];
        for (title, unit, is_slowdown) in of {
            let table = cost(measured, papers, unit, is_slowdown);
            let percent = confidence(measured.pairs).1 * 100.0;
            let _ = writeln!(
                text,
                "\n## {title}: {}\n\nRatios to a run without the agent, the median of {}{}; in brackets that of the paper.\n\n{table}",
                measured.part,
                if measured.pairs == 1 { "one pair".to_owned() } else { format!("{} pairs", measured.pairs) },
                if measured.pairs > 1 {
                    format!(", in parentheses its {percent:.0} % confidence interval")
                } else {
                    String::new()
                }
            );
        }
        let _ = writeln!(text, "\n## Found: {}\n\nViolated methods, the median.\n\n{}", measured.part, found(measured));
    }
    if !evaluation.refinements.is_empty() {
        let _ = writeln!(text, "\n## Refinement (RegionTrack, Tables 2 and 3)\n\n{}", refinement(evaluation, papers));
    }
    if !evaluation.traces.is_empty() {
        let of = [
            ("Traces (RegionTrack, Table 1)", counts(&evaluation.traces, papers)),
            (
                "Violated transactions of the traces and their methods, by engine (RegionTrack, Tables 2 and 3)",
                blamed(&evaluation.traces, papers),
            ),
            ("Seconds for the traces, by engine (AeroDrome, Tables 1 and 2)", seconds(&evaluation.traces, papers)),
            ("Events that the filters leave out", filters(&evaluation.traces)),
            ("Predictions (Wang and Stoller, Tables 1 and 2)", predictions(&evaluation.traces)),
        ];
        for (title, table) in of {
            let _ = writeln!(text, "\n## {title}\n\n{table}");
        }
    }
    if !evaluation.blamed.is_empty() {
        let title = "Refinement of the same traces by each engine (RegionTrack, Tables 2 and 3)";
        let what = "Means of a subject's traces; in parentheses violated transactions as a multiple of those of the first engine.";
        let table = rounds(&evaluation.blamed);
        let _ = writeln!(text, "\n## {title}\n\n{what}\n\n{table}\n\n{}", combined::origins(&evaluation.blamed));
    }
    if !evaluation.missing.is_empty() {
        let _ = writeln!(text, "\n## Missing\n");
        for line in &evaluation.missing {
            let _ = writeln!(text, "- {}", line.replace('\n', "\n  "));
        }
    }
    text
}

/// Returns the table of a figure of a bench: a row for each subject, a column for each configuration.
fn cost(measured: &Measured, papers: &Papers, unit: &str, is_slowdown: bool) -> Table {
    let ratio = |row: &Summary| if is_slowdown { row.slowdown } else { row.memory };
    let base = |row: &Summary| if is_slowdown { row.processor_s } else { row.memory_mib };
    let columns = measured.configurations();
    let known = papers.engines();
    // If our engines have no columns of their own, those of the papers do.
    let beside: Vec<&str> = known.iter().copied().filter(|engine| !columns.contains(engine)).collect();
    let has_engines = beside.len() < known.len();
    let mut header = vec!["subject".to_owned(), "size".to_owned(), format!("{}, {unit}", columns[0])];
    header.extend(columns[1..].iter().map(|&name| name.to_owned()));
    if !has_engines {
        header.extend(beside.iter().map(|engine| format!("[{engine}]")));
    }
    let mut table = empty(&header);
    let mut means: Vec<Vec<f64>> = vec![Vec::new(); columns.len()];
    for (subject, size) in measured.subjects() {
        let near = papers.nearest(subject);
        let theirs = |engine: &str| {
            let ratios = near.map(|row| if is_slowdown { &row.slowdown } else { &row.memory });
            ratios.and_then(|ratios| ratios.get(engine)).map(|ratio| format!("[{ratio:.2}]"))
        };
        let mut cells = vec![subject.to_owned(), size.to_owned()];
        for (at, configuration) in columns.iter().enumerate() {
            let Some(row) = measured.row(subject, size, configuration) else {
                cells.push("-".to_owned());
                continue;
            };
            let ours = match (row.state.as_str(), at) {
                ("measured", 0) => {
                    let their_base = near.map(|near| if is_slowdown { near.base_seconds } else { near.base_mib });
                    let shown = base(row).map_or("-".to_owned(), |spread| format!("{:.2}", spread.median));
                    their_base.map_or(shown.clone(), |theirs| format!("{shown} [{theirs}]"))
                }
                ("measured", _) => {
                    let spread = ratio(row);
                    means[at].extend(spread.map(|spread| spread.median));
                    let shown = spread.map_or("-".to_owned(), |spread| spread.to_string());
                    theirs(configuration).map_or(shown.clone(), |theirs| format!("{shown} {theirs}"))
                }
                (state, _) => state.to_owned(),
            };
            cells.push(ours);
        }
        if !has_engines {
            cells.extend(beside.iter().map(|engine| theirs(engine).unwrap_or_else(|| "-".to_owned())));
        }
        table.add_row(cells);
    }
    let mut last = vec!["geometric mean".to_owned(), String::new(), String::new()];
    last.extend(means[1..].iter().map(|ratios| geometric_mean(ratios).map_or("-".into(), |mean| format!("{mean:.2}"))));
    last.resize(header.len(), String::new());
    table.add_row(last);
    table
}

/// Returns the table of the number of methods that each configuration finds, and its verdict on the run.
fn found(measured: &Measured) -> Table {
    let columns: Vec<&str> = measured.configurations().into_iter().filter(|name| measured.is_watched(name)).collect();
    let header = ["subject", "size"].iter().chain(&columns).map(|&name| name.to_owned()).collect::<Vec<_>>();
    let mut table = empty(&header);
    for (subject, size) in measured.subjects() {
        let cell = |name: &&str| {
            let row = measured.row(subject, size, name)?;
            let verdicts: Vec<&str> = row.verdicts.iter().map(|verdict| shortened(verdict)).collect();
            Some(format!("{} {}", verdicts.join("/"), row.findings?))
        };
        let cells = columns.iter().map(|name| cell(name).unwrap_or_else(|| "-".to_owned()));
        table.add_row([subject.to_owned(), size.to_owned()].into_iter().chain(cells));
    }
    table
}

/// Returns the short form of a verdict: ✓ is serializable, ✗ is not.
fn shortened(verdict: &str) -> &str {
    match verdict {
        "serializable" => "✓",
        "non-serializable" => "✗",
        other => other,
    }
}

fn refinement(evaluation: &Evaluation, papers: &Papers) -> Table {
    let theirs = ["nearest of the paper", "methods", "dynamic", "rounds"].map(|name| format!("[{name}]"));
    let ours = ["subject", "methods", "dynamic", "rounds", "warnings"].map(str::to_owned);
    let mut table = empty(&[&ours[..], &theirs[..]].concat());
    for row in &evaluation.refinements {
        let rounds = row.rounds_with_violations().to_string() + if row.has_ended { "" } else { ", not ended" };
        let mut cells = vec![
            row.subject.clone(),
            row.taken.to_string(),
            row.violations().to_string(),
            rounds,
            row.warnings.to_string(),
        ];
        if let Some(near) = papers.nearest(&row.subject) {
            // What the exact engine of the paper found; the last of its rounds finds nothing.
            let exact = near.exact();
            let rounds = near.rounds[exact].saturating_sub(1);
            cells.extend([
                near.name.clone(),
                near.methods[exact].to_string(),
                near.dynamic[exact].to_string(),
                rounds.to_string(),
            ]);
        } else {
            cells.extend(vec![String::new(); theirs.len()]);
        }
        table.add_row(cells);
    }
    table
}

fn counts(traces: &[Trace], papers: &Papers) -> Table {
    let columns = [
        ("# of Threads", "threads"),
        ("# of Transaction Nodes", "transactions"),
        ("# of Read", "reads"),
        ("# of Write", "writes"),
        ("# of Locks", "locks"),
    ];
    let mut header = vec!["subject".to_owned()];
    header.extend(columns.iter().map(|(ours, _)| (*ours).to_owned()));
    let mut table = empty(&header);
    for trace in traces {
        let near = papers.nearest(&trace.subject);
        let cell = |(ours, theirs): &(&str, &str)| {
            let ours = trace.counts.get(*ours).map_or("-".to_owned(), f64::to_string);
            let theirs = near.and_then(|row| row.counts.get(*theirs));
            theirs.map_or(ours.clone(), |theirs| format!("{ours} [{theirs}]"))
        };
        table.add_row(std::iter::once(trace.subject.clone()).chain(columns.iter().map(cell)));
    }
    table
}

/// By engine: verdict, violated outermost blocks and their methods, missed and extra ones, and whether filters change
/// anything.
fn blamed(traces: &[Trace], papers: &Papers) -> Table {
    let engines = engines(traces);
    let theirs = ["[paper, all rounds]".to_owned()];
    let mut table = empty(&[&["subject".to_owned()], &engines[..], &theirs].concat());
    for trace in traces {
        let cell = |name: &String| {
            let Some(row) = trace.engines.iter().find(|row| row.engine == *name) else { return "-".to_owned() };
            let mut text = shortened(&row.verdict).to_owned();
            if let (Some(blocks), Some(methods)) = (row.dynamic_violations, row.distinct_violations) {
                let _ = write!(text, " {blocks}/{methods}");
            }
            for (count, what) in [(row.missed, "missed"), (row.extra, "extra")] {
                if let Some(count) = count.filter(|count| *count > 0.0) {
                    let _ = write!(text, ", {count} {what}");
                }
            }
            if row.is_same_filtered == Some(false) {
                text.push_str(", OTHER WITH FILTERS");
            }
            text
        };
        let theirs = papers.nearest(&trace.subject).map_or(String::new(), |near| {
            let exact = near.exact();
            format!("{} {} {}/{}", near.name, mark(near.is_serializable), near.dynamic[exact], near.methods[exact])
        });
        table.add_row(std::iter::once(trace.subject.clone()).chain(engines.iter().map(cell)).chain([theirs]));
    }
    table
}

fn mark(is_serializable: bool) -> &'static str {
    if is_serializable { "✓" } else { "✗" }
}

fn seconds(traces: &[Trace], papers: &Papers) -> Table {
    let engines = engines(traces);
    let columns = ["Events", "Threads", "Locks", "Variables", "Transactions"];
    let mut header = vec!["subject".to_owned()];
    header.extend(columns.map(str::to_owned));
    header.push("Atomic?".to_owned());
    header.extend(engines.iter().map(|engine| format!("{engine}, ms")));
    header.push("[Velodrome, AeroDrome of the paper, s]".to_owned());
    let mut table = empty(&header);
    for trace in traces {
        let near = papers.papers.nearest_trace(&trace.subject).filter(|_| papers.jar.is_none());
        let theirs = near.map_or([const { None }; 5], |near| {
            [&near.events, &near.threads, &near.locks, &near.variables, &near.transactions].map(Some)
        });
        let mut cells = vec![trace.subject.clone()];
        for (column, theirs) in columns.iter().zip(theirs) {
            let ours = trace.counts.get(*column).map_or("-".to_owned(), f64::to_string);
            cells.push(theirs.map_or(ours.clone(), |theirs| format!("{ours} [{theirs}]")));
        }
        let ours = trace.engines.first().map_or("-", |engine| shortened(&engine.verdict));
        cells.push(near.map_or(ours.to_owned(), |near| format!("{ours} [{}]", mark(near.is_serializable))));
        for engine in &engines {
            let row = trace.engines.iter().find(|row| row.engine == *engine);
            cells.push(row.map_or("-".to_owned(), |row| format!("{:.2}", row.seconds * 1000.0)));
        }
        let theirs = near.map(|near| {
            format!("{}: {}, {} (table {})", near.name, near.velodrome_seconds, near.aerodrome_seconds, near.table)
        });
        cells.push(theirs.unwrap_or_default());
        table.add_row(cells);
    }
    table
}

/// By engine, the means of methods, of violated transactions and of rounds.
fn rounds(all: &[Blamed]) -> Table {
    let engines: Vec<&str> =
        all.first().map_or(Vec::new(), |blamed| blamed.engines.iter().map(|blame| blame.engine.as_str()).collect());
    let columns = ["methods", "transactions", "rounds"].iter();
    let columns = columns.flat_map(|what| engines.iter().map(move |engine| format!("{what}, {engine}")));
    let mut table = empty(&["subject".to_owned(), "traces".to_owned()].into_iter().chain(columns).collect::<Vec<_>>());
    for Blamed { subject, traces, over_minutes, engines, .. } in all {
        let mut cells = vec![subject.clone(), traces.to_string()];
        if let Some(minutes) = over_minutes {
            cells[1] = if *traces == 0 { String::new() } else { format!("{traces}, then ") };
            cells[1] += &format!("over {minutes} min");
        }
        if *traces == 0 {
            cells.extend(vec!["-".to_owned(); 3 * engines.len()]);
            table.add_row(cells);
            continue;
        }
        let mean = |sum: f64| {
            let text = format!("{:.1}", sum / *traces as f64);
            text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
        };
        let sum = |counts: &[usize]| counts.iter().sum::<usize>() as f64;
        let exact = engines.first().map_or(0, Blame::all);
        cells.extend(engines.iter().map(|blame| mean(sum(&blame.distinct))));
        cells.extend(engines.iter().enumerate().map(|(at, blame)| {
            let count = mean(blame.all() as f64);
            if at == 0 || exact == 0 { count } else { format!("{count} ({:.2})", blame.all() as f64 / exact as f64) }
        }));
        let ending = |blame: &Blame| if blame.has_ended { "" } else { ", not ended" };
        cells.extend(engines.iter().map(|blame| mean(sum(&blame.rounds)) + ending(blame)));
        table.add_row(cells);
    }
    table
}

fn filters(traces: &[Trace]) -> Table {
    let names: Vec<String> =
        traces.first().map_or(Vec::new(), |trace| trace.filters.iter().map(|f| f.filter.clone()).collect());
    let mut header = vec!["subject".to_owned(), "events".to_owned()];
    header.extend(names.iter().cloned());
    header.push("left".to_owned());
    let mut table = empty(&header);
    for trace in traces {
        let sum = |counts: &std::collections::BTreeMap<String, f64>| counts.values().sum::<f64>();
        let all = trace.filters.first().map_or(0.0, |filter| sum(&filter.seen));
        let dropped: Vec<f64> = trace.filters.iter().map(|filter| sum(&filter.dropped)).collect();
        let percent = |events: f64| format!("{:.1} %", 100.0 * events / all.max(1.0));
        let left = percent(all - dropped.iter().sum::<f64>());
        let cells = dropped.iter().map(|&events| percent(events));
        table.add_row([trace.subject.clone(), all.to_string()].into_iter().chain(cells).chain([left]));
    }
    table
}

/// By algorithm: the number of methods that it warns about, the number of these with a schedule, its storage.
fn predictions(traces: &[Trace]) -> Table {
    let mut names: Vec<String> = Vec::new();
    for row in traces.iter().flat_map(|trace| &trace.algorithms) {
        if !names.contains(&row.algorithm) {
            names.push(row.algorithm.clone());
        }
    }
    let mut table = empty(&[&["subject".to_owned()], &names[..]].concat());
    for trace in traces {
        let cell = |name: &String| {
            let row = trace.algorithms.iter().find(|row| row.algorithm == *name);
            row.map_or("-".to_owned(), |row| {
                let ending = if row.is_finished { "" } else { ", not finished" };
                format!(
                    "{}/{}, {} kept, {:.1} ms{ending}",
                    row.distinct_warnings,
                    row.confirmed,
                    row.storage,
                    row.seconds * 1000.0
                )
            })
        };
        table.add_row(std::iter::once(trace.subject.clone()).chain(names.iter().map(cell)));
    }
    table
}

/// Returns the engines in the order in which they ran, from the longest list, since some engines accept no long trace.
fn engines(traces: &[Trace]) -> Vec<String> {
    let longest = traces.iter().max_by_key(|trace| trace.engines.len());
    longest.map_or(Vec::new(), |trace| trace.engines.iter().map(|row| row.engine.clone()).collect())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::traces::{Algorithm, Engine, Filter};
    use super::*;
    use crate::bench::Conditions;
    use crate::refine::Refinement;
    use crate::workspace::Workspace;

    fn summary(configuration: &str, ratio: f64) -> Summary {
        let spread = Some(Spread { median: ratio, least: ratio / 2.0, most: ratio * 2.0 });
        Summary {
            subject: "sor".to_owned(),
            size: "A".to_owned(),
            configuration: configuration.to_owned(),
            state: "measured".to_owned(),
            processor_s: spread,
            slowdown: spread,
            wall_slowdown: spread,
            memory_mib: spread,
            memory: spread,
            recorded: Some(5.0),
            dependencies: Some(4.0),
            findings: Some(3.0),
            verdicts: ["non-serializable".to_owned()].into(),
        }
    }

    fn evaluation() -> Evaluation {
        let counts = BTreeMap::from([("Events".to_owned(), 77.0), ("# of Read".to_owned(), 40.0)]);
        let engine = |name: &str, missed| Engine {
            engine: name.to_owned(),
            verdict: "non-serializable".to_owned(),
            dynamic_violations: Some(6.0),
            distinct_violations: Some(2.0),
            missed: Some(missed),
            extra: Some(0.0),
            seconds: 0.5,
            peak_bytes: 100.0,
            is_same_filtered: Some(missed == 0.0),
        };
        let algorithm = Algorithm {
            algorithm: "some".to_owned(),
            distinct_warnings: 2.0,
            confirmed: 1.0,
            storage: 9.0,
            seconds: 0.001,
            is_finished: false,
        };
        let of = |count| BTreeMap::from([("accesses".to_owned(), count)]);
        let trace = Trace {
            subject: "xalan".to_owned(),
            counts,
            bytes: 1,
            engines: vec![engine("one", 0.0), engine("two", 3.0)],
            filters: vec![Filter { filter: "local".to_owned(), dropped: of(25.0), seen: of(100.0) }],
            algorithms: vec![algorithm],
        };
        let text = "#     1                   7                 3          2       2\n# 2 0 0 0 2\ndefault\n- a.B.c()\n- a.B.d()\n";
        let blame = |engine: &str, transactions: &[u64]| Blame {
            engine: engine.to_owned(),
            transactions: transactions.to_vec(),
            rounds: vec![2, 1],
            distinct: vec![3, 2],
            methods: BTreeMap::from([("a.B.c()".to_owned(), transactions.iter().sum())]),
            has_ended: engine == "one",
        };
        let blamed = |subject: &str, traces, over_minutes| Blamed {
            subject: subject.to_owned(),
            conditions: Conditions::of_test("a"),
            traces,
            over_minutes,
            engines: vec![blame("one", &[6, 2]), blame("two", &[6])],
        };
        let killed = Summary { state: "over 600 s".to_owned(), ..summary("slow", 1.0) };
        Evaluation {
            bench: vec![Measured {
                part: "cost".to_owned(),
                pairs: 6,
                rows: vec![summary("base", 1.0), summary("full", 4.0), killed],
            }],
            refinements: vec![Refinement::of("hsqldb", text, false)],
            traces: vec![trace],
            blamed: vec![blamed("h2", 2, None), blamed("fop", 2, Some(25)), blamed("pmd", 0, Some(25))],
            missing: vec!["cost-A: h2: time was up".to_owned()],
            ..Evaluation::default()
        }
    }

    /// Returns the words of the table row that begins like this.
    fn row(text: &str, title: &str, subject: &str) -> Vec<String> {
        let table = text.split("\n## ").find(|section| section.starts_with(title)).unwrap_or_else(|| panic!("{title}"));
        let is_row = |line: &&str| line.trim_start_matches('|').split_whitespace().next() == Some(subject);
        let line = table.lines().find(is_row).unwrap_or_else(|| panic!("no {subject} in {table}"));
        line.split('|').map(|cell| cell.trim().to_owned()).filter(|cell| !cell.is_empty()).collect()
    }

    #[test]
    fn the_papers_figures_stand_beside_ours() {
        let papers = papers::Papers::read(&Workspace::find().expect("the workspace").root).expect("the tables");
        let text = markdown(&evaluation(), &Papers { papers: &papers, jar: None });
        let cells = row(&text, "Slowdown", "sor");
        assert_eq!(cells[..5], ["sor", "A", "1.00 [1.35]", "4.00 (2.00 to 8.00)", "over 600 s"]);
        assert!(cells[5..].contains(&"[1.22]".to_owned()), "{cells:?}");
        assert_eq!(row(&text, "Found", "sor"), ["sor", "A", "✗ 3", "✗ 3", "✗ 3"]);
        assert_eq!(
            row(&text, "Refinement", "hsqldb")[1..],
            ["2", "7", "1, not ended", "0", "hsqldb6", "5", "8267", "3"]
        );
        assert_eq!(row(&text, "Traces", "xalan")[3], "40 [72500000]");
        let blamed = row(&text, "Violated transactions", "xalan");
        assert_eq!(blamed[1..], ["✗ 6/2", "✗ 6/2, 3 missed, OTHER WITH FILTERS", "xalan9 ✗ 288625/47"]);
        assert_eq!(row(&text, "Seconds", "xalan")[1], "77 [1.0B]");
        assert_eq!(row(&text, "Events that", "xalan")[1..], ["100", "25.0 %", "75.0 %"]);
        assert_eq!(row(&text, "Predictions", "xalan")[1], "2/1, 9 kept, 1.0 ms, not finished");
        assert_eq!(
            row(&text, "Refinement of the same", "h2")[1..],
            ["2", "2.5", "2.5", "4", "3 (0.75)", "1.5", "1.5, not ended"]
        );
        assert_eq!(row(&text, "Refinement of the same", "fop")[1..3], ["2, then over 25 min", "2.5"]);
        assert_eq!(row(&text, "Refinement of the same", "pmd")[1..3], ["over 25 min", "-"]);
        assert!(text.contains("Of commit a, day of a, JDK 17, size 5: h2, fop, pmd."), "{text}");
        assert!(text.contains("97 % confidence interval") && text.contains("- cost-A: h2: time was up"));
    }

    #[test]
    fn each_configuration_of_a_subject_is_a_line_of_the_csv() {
        let text = csv(&evaluation());
        let columns = |line: &str| line.split(',').count();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 4);
        assert!(lines.iter().all(|line| columns(line) == columns(lines[0])), "{text}");
        assert!(lines[2].starts_with("cost,sor,A,full,measured,4.000,4.000,2.000,8.000,"), "{text}");
    }
}
