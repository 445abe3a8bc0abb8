//! What suppressions and a baseline made of a report, for a person and as JSON.

use serde::Serialize;

use super::lines::line;
use crate::report::model::report::Head;
use crate::report::model::sifted::{Compared, Sifted, Suppressed, SuppressionUse};
use crate::report::model::words::{name, noun};

/// The remark, to follow the verdict, that no finding sets the exit code.
pub(super) fn excuse(sifted: Option<&Sifted>) -> String {
    let Some(sifted) = sifted.filter(|sifted| sifted.is_excused) else { return String::new() };
    let expected = expected(sifted).count();
    let all = sifted.suppressed.len() + sifted.left;
    let words = [(sifted.suppressed.len() - expected, "suppressed"), (expected, EXPECTED), (sifted.left, "known")];
    let some: Vec<_> = words.into_iter().filter(|(count, _)| *count > 0).collect();
    let told = |(count, what): &(usize, &str)| format!("{count} {what}");
    match &some[..] {
        [(1, what)] => format!(", but its only finding is {what}"),
        [(_, what)] => format!(", but all {all} findings are {what}"),
        [(first, what), next] => format!(", but {first} of {all} findings are {what} and {}", told(next)),
        [(first, what), next, last] => {
            format!(", but {first} of {all} findings are {what}, {} and {}", told(next), told(last))
        }
        _ => String::new(),
    }
}

/// What a finding is that tests expect.
const EXPECTED: &str = "expected by tests";

/// The findings that tests expect.
fn expected(sifted: &Sifted) -> impl Iterator<Item = &Suppressed> {
    sifted.suppressed.iter().filter(|one| one.is_expected())
}

/// In one line: how many findings are new, known, suppressed.
pub(super) fn summary(sifted: &Sifted) -> String {
    let mut parts = Vec::new();
    match &sifted.baseline {
        Some(Compared { new, known, file, .. }) => {
            parts.push(format!("{new} new"));
            parts.push(format!("{known} known by {file}"));
        }
        None => parts.push(format!("{} left", sifted.left)),
    }
    let expected = expected(sifted).count();
    if !sifted.lines.is_empty() {
        parts.push(format!("{} suppressed", sifted.suppressed.len() - expected));
    }
    if expected > 0 {
        parts.push(format!("{expected} {EXPECTED}"));
    }
    format!("findings: {}", parts.join(", "))
}

/// The lines that suppress, what tests expect, and what of the baseline did not show.
pub(super) fn render(out: &mut String, head: &Head) {
    let Some(sifted) = &head.sifted else { return };
    if !sifted.lines.is_empty() {
        out.push('\n');
        line(out, 0, "suppressed, by which line");
        sifted.lines.iter().for_each(|by| line(out, 3, &used(by)));
    }
    let all: Vec<String> = expected(sifted).map(awaited).collect();
    if !all.is_empty() {
        let hidden = all.len().saturating_sub(head.most);
        out.push('\n');
        line(out, 0, "suppressed, because tests expect it");
        all.iter().take(head.most).for_each(|one| line(out, 3, one));
        if hidden > 0 {
            line(out, 3, &format!("{hidden} more, see JSON"));
        }
    }
    let Some(Compared { file, not_seen, not_run, not_shown, .. }) = &sifted.baseline else { return };
    if !not_seen.is_empty() {
        out.push('\n');
        line(
            out,
            0,
            &format!(
                "in {file} and not seen in this run, though the method ran: it is fixed, or only another schedule shows it"
            ),
        );
        let told = &not_seen[..not_seen.len().min(head.most)];
        for entry in told {
            line(out, 3, &format!("{}  {}: {}", entry.id, entry.method, entry.variables));
        }
        if told.len() < not_seen.len() {
            line(out, 3, &format!("{} more, see JSON", not_seen.len() - told.len()));
        }
    }
    if *not_run > 0 {
        out.push('\n');
        let findings = noun(*not_run as u64, "finding");
        line(out, 0, &format!("in {file}, of methods that did not run: {not_run} {findings}"));
    }
    if *not_shown > 0 {
        out.push('\n');
        let findings = noun(*not_shown as u64, "finding");
        let which = "in no report; whether their methods ran is not in saved reports";
        line(out, 0, &format!("in {file} and {which}: {not_shown} {findings}"));
    }
}

/// The lines that suppress, and what tests expect, as warnings of a report.
pub(super) fn lines_told(head: &Head) -> Vec<String> {
    let Some(sifted) = &head.sifted else { return Vec::new() };
    let lines = sifted.lines.iter().map(|by| format!("suppressed by {}", used(by)));
    lines.chain(expected(sifted).map(|one| format!("suppressed: {}", awaited(one)))).collect()
}

/// A finding that tests expect, and which tests.
fn awaited(one: &Suppressed) -> String {
    format!("{}: {}: {}", name(one.method.as_deref()), one.kind, one.reason.as_deref().unwrap_or_default())
}

fn used(by: &SuppressionUse) -> String {
    let SuppressionUse { file, line, rule, reason, findings } = by;
    let reason = reason.as_ref().map_or(String::new(), |reason| format!(" ({reason})"));
    let what = match findings {
        0 => "matches nothing".to_owned(),
        count => format!("{count} {}", noun(*count as u64, "finding")),
    };
    format!("{file}:{line}: {rule}: {what}{reason}")
}

/// The result as fields of a JSON object.
#[derive(Serialize)]
pub(super) struct Fields<'a> {
    suppressed: &'a [Suppressed],
    suppressions: &'a [SuppressionUse],
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline: Option<&'a Compared>,
}

/// The fields for what was sifted; `None` if nothing was.
pub(super) fn fields(sifted: Option<&Sifted>) -> Option<Fields<'_>> {
    let Sifted { suppressed, lines, baseline, .. } = sifted?;
    Some(Fields { suppressed, suppressions: lines, baseline: baseline.as_ref() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sifted(suppressed: usize, left: usize, known: Option<usize>) -> Sifted {
        let one = Suppressed { kind: "lost update".to_owned(), count: 1, ..Suppressed::default() };
        let compare = |known| Compared { file: "b".to_owned(), new: left - known, known, ..Compared::default() };
        let by = SuppressionUse {
            file: "s".to_owned(),
            line: 1,
            rule: "kind:**".to_owned(),
            reason: None,
            findings: suppressed,
        };
        Sifted {
            suppressed: vec![one; suppressed],
            lines: vec![by],
            baseline: known.map(compare),
            left,
            is_excused: left == known.unwrap_or(0),
        }
    }

    #[test]
    fn the_head_says_in_a_sentence_why_nothing_counts() {
        let said = |suppressed, left, known| excuse(Some(&sifted(suppressed, left, known)));
        assert_eq!(said(1, 0, None), ", but its only finding is suppressed");
        assert_eq!(said(3, 0, None), ", but all 3 findings are suppressed");
        assert_eq!(said(0, 2, Some(2)), ", but all 2 findings are known");
        assert_eq!(said(1, 2, Some(2)), ", but 1 of 3 findings are suppressed and 2 known");
        assert_eq!([said(1, 1, None), said(1, 2, Some(1)), excuse(None)], [""; 3]);
    }

    #[test]
    fn the_summary_counts_what_is_new() {
        assert_eq!(summary(&sifted(1, 3, Some(2))), "findings: 1 new, 2 known by b, 1 suppressed");
        assert_eq!(summary(&sifted(2, 3, None)), "findings: 3 left, 2 suppressed");
    }

    #[test]
    fn what_tests_expect_is_told_apart_with_their_names() {
        let expect = |count: usize, tests: &[&str], sifted: Sifted| {
            let mut one = Suppressed { method: Some("a.B.f()".to_owned()), ..sifted.suppressed[0].clone() };
            one.expect(tests.iter().map(|&test| test.to_owned()).collect());
            Sifted { suppressed: [sifted.suppressed[1..].to_vec(), vec![one; count]].concat(), ..sifted }
        };
        let one = expect(1, &["a.BTest.f()"], Sifted { lines: Vec::new(), ..sifted(1, 0, None) });
        assert_eq!(excuse(Some(&one)), ", but its only finding is expected by tests");
        assert_eq!(summary(&one), "findings: 0 left, 1 expected by tests");
        assert_eq!(awaited(&one.suppressed[0]), "a.B.f(): lost update: expected by a.BTest.f()");
        let two = expect(2, &["d", "b", "a", "c", "e"], sifted(2, 3, Some(3)));
        assert_eq!(excuse(Some(&two)), ", but 1 of 6 findings are suppressed, 2 expected by tests and 3 known");
        assert_eq!(summary(&two), "findings: 0 new, 3 known by b, 1 suppressed, 2 expected by tests");
        assert_eq!(two.suppressed[1].reason.as_deref(), Some("expected by a, b, c and 2 more"));
    }

    #[test]
    fn a_line_is_told_with_its_reason() {
        let by = sifted(2, 0, None).lines.remove(0);
        assert_eq!(used(&by), "s:1: kind:**: 2 findings");
        let idle = SuppressionUse { findings: 0, reason: Some("why".to_owned()), ..by };
        assert_eq!(used(&idle), "s:1: kind:**: matches nothing (why)");
    }
}
