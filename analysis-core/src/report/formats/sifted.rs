//! What suppressions and a baseline made of a report, for a person and as JSON.

use serde::Serialize;

use super::lines::line;
use crate::report::model::report::Head;
use crate::report::model::sifted::{Compared, Sifted, Suppressed, SuppressionUse};
use crate::report::model::words::noun;

/// The remark, to follow the verdict, that no finding sets the exit code.
pub(super) fn excuse(sifted: Option<&Sifted>) -> String {
    let Some(sifted) = sifted.filter(|sifted| sifted.is_excused) else { return String::new() };
    let (suppressed, known) = (sifted.suppressed.len(), sifted.left);
    match (suppressed, known) {
        (1, 0) => ", but its only finding is suppressed".to_owned(),
        (all, 0) => format!(", but all {all} findings are suppressed"),
        (0, 1) => ", but its only finding is known".to_owned(),
        (0, all) => format!(", but all {all} findings are known"),
        (some, known) => format!(", but {some} of {} findings are suppressed and {known} known", some + known),
    }
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
    if !sifted.lines.is_empty() {
        parts.push(format!("{} suppressed", sifted.suppressed.len()));
    }
    format!("findings: {}", parts.join(", "))
}

/// The lines that suppress, and what of the baseline did not show.
pub(super) fn render(out: &mut String, head: &Head) {
    let Some(sifted) = &head.sifted else { return };
    if !sifted.lines.is_empty() {
        out.push('\n');
        line(out, 0, "suppressed, by which line");
        sifted.lines.iter().for_each(|by| line(out, 3, &used(by)));
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

/// The lines that suppress, as warnings of a report.
pub(super) fn lines_told(head: &Head) -> Vec<String> {
    let lines = head.sifted.as_ref().map_or(&[][..], |sifted| &sifted.lines);
    lines.iter().map(|by| format!("suppressed by {}", used(by))).collect()
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
        let one = Suppressed {
            id: String::new(),
            method: None,
            kind: "lost update".to_owned(),
            count: 1,
            by: String::new(),
            reason: None,
        };
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
    fn a_line_is_told_with_its_reason() {
        let by = sifted(2, 0, None).lines.remove(0);
        assert_eq!(used(&by), "s:1: kind:**: 2 findings");
        let idle = SuppressionUse { findings: 0, reason: Some("why".to_owned()), ..by };
        assert_eq!(used(&idle), "s:1: kind:**: matches nothing (why)");
    }
}
