//! Suppressing findings of random traces changes no other finding, and a baseline changes nothing but their order.

use std::collections::BTreeSet;

use analysis_core::engines::{self, ENGINES};
use analysis_core::report::{
    Baseline, Context, Details, Entry, Finding, Instances, Report, Sieve, Status, Summary, Suppressions,
};
use analysis_core::trace::input::Input;
use analysis_core::trace::{Mode, TraceReader};
use rand_pcg::Pcg32;
use rand_pcg::rand_core::{Rng, SeedableRng};
use regiontrack_tests::{generate, text as std_text};

const TRACES_PER_FAMILY: u64 = 200;

/// Makes the report of each trace, and passes it with a source of randomness to `judge`.
fn each(mut judge: impl FnMut(&Report, &mut Pcg32) -> Result<(), String>) {
    for family in generate::FAMILIES {
        for seed in 0..TRACES_PER_FAMILY {
            let engine = if seed % 4 == 0 { &ENGINES[seed as usize % ENGINES.len()] } else { engines::default() };
            let text = std_text::to_std(&family.trace(seed)).replace("begin(m", "begin(some.Class.m");
            let input = Input::spool("random.std", text.as_bytes()).expect("spooled");
            let mut reader = TraceReader::open(&input, Mode::Lenient).expect("opened");
            let (mut running, mut instances, mut batch) = ((engine.build)(), Instances::default(), Vec::new());
            while reader.read_batch(&mut batch, 64).expect("read") > 0 {
                instances.count(&batch);
                running.feed(&batch);
            }
            let summary = Summary {
                trace: "random.std",
                engine,
                events: reader.events(),
                threads: reader.symbols().threads.len() as u64,
                is_incomplete: false,
                context: &Context::default(),
                findings: running.findings(),
                instances: &instances,
                saved: &[],
                warnings: &[],
            };
            let details = Details::of_findings(&input, &summary, |_, _| {}).expect("read again");
            let report = Report::new(&summary, reader.symbols(), &details, 10);
            let judged = judge(&report, &mut Pcg32::seed_from_u64(seed));
            judged.unwrap_or_else(|why| panic!("{} {seed} {}: {why}\n{text}", family.name, engine.name));
        }
    }
}

/// Everything about findings except their status.
fn told(findings: &[Finding]) -> Vec<String> {
    findings.iter().map(|finding| format!("{:?}", Finding { status: None, ..finding.clone() })).collect()
}

/// Returns a number below `count`.
fn one_of(random: &mut Pcg32, count: u32) -> u32 {
    random.next_u32() % count
}

fn suppressing(lines: &str) -> Sieve {
    let mut suppressions = Suppressions::default();
    suppressions.add(lines, "random.supp").expect("lines");
    Sieve { suppressions, baseline: None }
}

/// Returns lines that suppress some of the findings by different parts of them.
fn some_lines(report: &Report, random: &mut Pcg32) -> String {
    let mut lines = "# random\nfield:there.is.no.such.field\n".to_owned();
    for finding in &report.findings {
        let field = finding.identity().touched.iter().find(|touched| !touched.is_lock).map(|it| it.name.clone());
        lines += &match (one_of(random, 4), &finding.method, field) {
            (0, Some(method), _) => format!("method:{method}\n"),
            (1, _, Some(field)) => format!("field:{field}\n"),
            (2, _, _) if one_of(random, 3) == 0 => format!("kind:{}\n", finding.kind.name()),
            _ => continue,
        };
    }
    lines
}

#[test]
fn suppressing_some_findings_changes_no_other() {
    let (mut gone, mut left) = (0, 0);
    each(|report, random| {
        let lines = some_lines(report, random);
        let mut sifted = report.clone();
        suppressing(&lines).apply(&mut sifted, &BTreeSet::new());
        let (before, after) = (told(&report.findings), told(&sifted.findings));
        let result = sifted.head.sifted.as_ref().ok_or("nothing was said of it")?;
        let mut rest = before.iter();
        if !after.iter().all(|finding| rest.any(|known| known == finding)) {
            return Err(format!("another finding, or another order, by {lines}"));
        }
        let taken = result.suppressed.len() - usize::from(report.cycle.is_some() && sifted.cycle.is_none());
        if before.len() != after.len() + taken {
            return Err(format!("{} findings, {} left, {taken} suppressed by {lines}", before.len(), after.len()));
        }
        let by_line: usize = result.lines.iter().map(|line| line.findings).sum();
        let answer = sifted.head.answer;
        let is_quiet = after.is_empty() && sifted.cycle.is_none();
        let counts = report.head.answer.is_violation() && !is_quiet;
        if by_line != result.suppressed.len() || answer.is_violation() != counts {
            return Err(format!("{by_line} by lines, {answer:?} by {lines}"));
        }
        if answer.verdict() != report.head.answer.verdict() {
            return Err("another verdict".to_owned());
        }
        (gone, left) = (gone + taken, left + after.len());
        Ok(())
    });
    assert!(gone > 100 && left > 100, "{gone} {left}");
}

#[test]
fn a_line_for_no_finding_changes_nothing() {
    each(|report, _| {
        let mut sifted = report.clone();
        suppressing("field:there.is.no.such.field\n").apply(&mut sifted, &BTreeSet::new());
        let is_same =
            told(&report.findings) == told(&sifted.findings) && sifted.cycle.is_some() == report.cycle.is_some();
        let is_same = is_same && sifted.head.answer == report.head.answer;
        if is_same { Ok(()) } else { Err(format!("{:?}", sifted.head.sifted)) }
    });
}

#[test]
fn a_baseline_orders_findings_and_loses_none() {
    let (mut news, mut knowns) = (0, 0);
    each(|report, random| {
        let mut baseline = Baseline::empty("random.baseline");
        for finding in report.findings.iter().filter(|_| one_of(random, 2) == 0) {
            let identity = finding.identity();
            let method = identity.method.clone().unwrap_or_default();
            let entry = Entry { method, id: identity.id(), variables: String::new(), kind: String::new() };
            baseline.insert(entry);
        }
        let is_known = |finding: &Finding| baseline.has(&finding.identity().id());
        let (known, new): (Vec<Finding>, Vec<Finding>) = report.findings.iter().cloned().partition(is_known);
        let mut sifted = report.clone();
        let sieve = Sieve { suppressions: Suppressions::default(), baseline: Some(baseline.clone()) };
        sieve.apply(&mut sifted, &BTreeSet::new());
        if told(&sifted.findings) != [told(&new), told(&known)].concat() {
            return Err("new ones do not come first, each in its order".to_owned());
        }
        let status = |finding: &Finding| if is_known(finding) { Status::Known } else { Status::New };
        if sifted.findings.iter().any(|finding| finding.status != Some(status(finding))) {
            return Err("a wrong status".to_owned());
        }
        let counts = report.head.answer.is_violation() && (!new.is_empty() || report.cycle.is_some());
        (news, knowns) = (news + new.len(), knowns + known.len());
        if sifted.head.answer.is_violation() == counts { Ok(()) } else { Err(format!("{:?}", sifted.head.answer)) }
    });
    assert!(news > 100 && knowns > 100, "{news} {knowns}");
}
