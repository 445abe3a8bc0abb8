//! What suppressions and baselines made of saved reports: of several together, and where they are applied anew.
//!
//! A report does not say which methods ran. So if a baseline is applied anew, its findings that no report shows are only counted,
//! without saying whether they could have shown.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{Saved, distinct};
use crate::report::judgement::sieve::Sieve;
use crate::report::model::finding::Finding;
use crate::report::model::identity::Identity;
use crate::report::model::sifted::{Compared, Sifted, Status, Suppressed, SuppressionUse};

/// Merges both results: each suppressed finding once, each line once. What is left, new and known is counted with the
/// findings.
fn together(one: Sifted, other: Sifted) -> Sifted {
    let mut suppressed: Vec<Suppressed> = one.suppressed;
    let places: HashMap<String, usize> = suppressed.iter().enumerate().map(|(at, it)| (it.id.clone(), at)).collect();
    for next in other.suppressed {
        match places.get(&next.id) {
            Some(at) => suppressed[*at].add(next),
            None => suppressed.push(next),
        }
    }
    let mut lines: Vec<SuppressionUse> = one.lines;
    for next in other.lines {
        if !lines.iter().any(|known| (&known.file, known.line, &known.rule) == (&next.file, next.line, &next.rule)) {
            lines.push(next);
        }
    }
    let mut by: BTreeMap<&str, usize> = BTreeMap::new();
    suppressed.iter().for_each(|one| *by.entry(&one.by).or_default() += 1);
    for line in &mut lines {
        line.findings = by.get(&*format!("{}:{}", line.file, line.line)).copied().unwrap_or_default();
    }
    let baseline = match (one.baseline, other.baseline) {
        (Some(one), Some(other)) => Some(compared(one, other)),
        (one, other) => one.or(other),
    };
    Sifted { suppressed, lines, baseline, ..Sifted::default() }
}

/// Merges two comparisons. A finding of the baseline did not run if it ran in neither run. How many ran in only one of them
/// follows from the size of the baseline, once it is known what was seen.
fn compared(one: Compared, other: Compared) -> Compared {
    let mut not_seen = one.not_seen;
    not_seen.extend(other.not_seen);
    not_seen.sort();
    not_seen.dedup();
    let is_same = one.file == other.file;
    let sum = |one: usize, other: usize| if is_same { one.min(other) } else { one + other };
    Compared {
        file: distinct(&[one.file], &[other.file]).join(", "),
        not_run: sum(one.not_run, other.not_run),
        not_shown: sum(one.not_shown, other.not_shown),
        not_seen,
        ..Compared::default()
    }
}

impl Saved {
    /// Adds the result for another report, whose findings are already among those of this one.
    pub(super) fn sift_with(&mut self, other: Option<Sifted>) {
        self.sifted = match (self.sifted.take(), other) {
            (Some(one), Some(other)) => Some(together(one, other)),
            (one, other) => one.or(other),
        };
        self.count_what_is_left();
    }

    /// Counts anew what is left, new and known, and whether any of it sets the exit code. What showed in one run was seen, and what
    /// the tests of one run expect counts if it is left in another one.
    fn count_what_is_left(&mut self) {
        let Some(sifted) = &mut self.sifted else { return };
        let of_cycle = self.cycle.as_ref().map(|cycle| (Identity::of(None, cycle).id(), self.cycle_status));
        let of_findings = self.findings.iter().map(|finding| (finding.identity().id(), finding.status));
        let left: HashMap<String, Option<Status>> = of_findings.chain(of_cycle).collect();
        let known = left.values().filter(|status| **status == Some(Status::Known)).count();
        sifted.suppressed.retain(|one| !(one.is_expected() && left.contains_key(&one.id)));
        sifted.left = left.len();
        if let Some(compared) = &mut sifted.baseline {
            (compared.known, compared.new) = (known, left.len() - known);
            compared.not_seen.retain(|entry| !left.contains_key(&entry.id));
        }
        sifted.is_excused = known == left.len() && left.len() + sifted.suppressed.len() > 0;
        self.answer.is_excused = sifted.is_excused;
        self.answer.blames_nobody = self.cycle.is_some();
        let is_judged = sifted.baseline.is_some() || left.values().any(Option::is_some);
        if sifted.suppressed.is_empty() && sifted.lines.is_empty() && !is_judged {
            self.sifted = None;
        }
    }

    /// Applies suppressions and a baseline to what those of the original reports have left. A baseline replaces an earlier one.
    pub fn sift(&mut self, sieve: &Sieve) {
        if sieve.is_empty() {
            return;
        }
        let before: HashMap<String, Option<Status>> =
            self.findings.iter().map(|finding| (finding.identity().id(), finding.status)).collect();
        let cycle_before = self.cycle_status;
        let (findings, callers, cycle, now) = {
            let mut report = self.report();
            sieve.apply(&mut report, &BTreeSet::new());
            let cycle = (report.cycle, report.cycle_status);
            (report.findings, report.callers, cycle, report.head.sifted)
        };
        (self.findings, self.callers) = (findings, callers);
        (self.cycle, self.cycle_status) = cycle;
        let mut now = now.unwrap_or_default();
        if let Some(compared) = &mut now.baseline {
            compared.not_shown = std::mem::take(&mut compared.not_run);
            if let Some(earlier) = &mut self.sifted {
                earlier.baseline = None;
                // They have shown, and were taken out before.
                let is_known = |id: &str| sieve.baseline.as_ref().is_some_and(|baseline| baseline.has(id));
                let gone = earlier.suppressed.iter().filter(|one| !before.contains_key(&one.id) && is_known(&one.id));
                compared.not_shown = compared.not_shown.saturating_sub(gone.count());
            }
        } else {
            let status = |finding: &Finding| before.get(&finding.identity().id()).copied().flatten();
            self.findings.iter_mut().for_each(|finding| finding.status = status(finding));
            self.cycle_status = cycle_before;
        }
        self.sift_with(Some(now));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::report::formats::run::Stats;
    use crate::report::judgement::baseline::Baseline;
    use crate::report::judgement::suppressions::Suppressions;
    use crate::report::model::sifted::Entry;
    use crate::report::text::{Layout, render};

    fn violation(method: &str, status: Option<&str>) -> Value {
        let mut one = json!({
            "method": method, "kind": "lost update", "count": 2, "instances": 3, "thread": "main", "begin": "A.java:1", "edges": [],
        });
        if let Some(status) = status {
            one["status"] = status.into();
        }
        one
    }

    fn report(name: &str, violations: Vec<Value>, more: Value) -> Saved {
        let stats = Stats { blocks: 9, ..Stats::default() };
        let mut line = json!({"schema": 1, "verdict": "non-serializable", "engine": "reach", "violations": violations, "stats": stats});
        more.as_object().expect("an object").iter().for_each(|(key, value)| line[key] = value.clone());
        Saved::parse(name, &line.to_string()).expect("a report")
    }

    /// What a report says of a finding that the first line of a file took out.
    fn suppressed(id: &str, findings: usize) -> Value {
        let gone = json!({"id": id, "method": "a.B.gone()", "kind": "lost update", "count": 4, "by": "app.supp:1"});
        let used = json!({"file": "app.supp", "line": 1, "rule": "class:a.B", "reason": "old", "findings": findings});
        let idle = json!({"file": "app.supp", "line": 2, "rule": "class:a.C", "findings": 0});
        json!({"suppressed": [gone], "suppressions": [used, idle]})
    }

    fn text(saved: &Saved) -> String {
        render(&saved.report(), &Layout::of_file(9))
    }

    fn sieve(lines: &str, baseline: Option<&[&Finding]>) -> Sieve {
        let mut suppressions = Suppressions::default();
        suppressions.add(lines, "more.supp").expect("lines");
        let baseline = baseline.map(|known| {
            let mut baseline = Baseline::empty("app.baseline");
            for finding in known {
                let (method, id) = (finding.method.clone().unwrap_or_default(), finding.identity().id());
                baseline.insert(Entry { method, id, variables: String::new(), kind: String::new() });
            }
            baseline
        });
        Sieve { suppressions, baseline }
    }

    #[test]
    fn a_merged_report_says_which_line_has_taken_out_how_many_and_can_be_merged_again() {
        let one = report("1.json", vec![], suppressed("00000000000a", 1));
        let two = report("2.json", vec![violation("a.C.put()", None)], suppressed("00000000000b", 1));
        let merged = one.clone().merge(two).and_then(|both| both.merge(one)).expect("one engine");
        let again = Saved::parse("all.json", &merged.json()).expect("a report");
        for told in [text(&merged), text(&again)] {
            assert!(told.contains("app.supp:1: class:a.B: 2 findings (old)"), "{told}");
            assert!(told.contains("app.supp:2: class:a.C: matches nothing"), "{told}");
            assert!(told.contains("findings: 1 left, 2 suppressed"), "{told}");
        }
        assert_eq!(again.sifted, merged.sifted);
        assert!(merged.answer.is_violation() && !merged.answer.is_excused);
    }

    #[test]
    fn where_all_is_suppressed_in_each_run_nothing_counts() {
        let one = report("1.json", vec![], suppressed("00000000000a", 1));
        let merged = one.clone().merge(one).expect("one engine");
        assert!(merged.answer.is_excused);
        assert!(text(&merged).contains("but its only finding is suppressed"), "{}", text(&merged));
    }

    /// What a report says of a finding that this test expects.
    fn expected(id: &str, test: &str) -> Value {
        let one = json!({
            "id": id, "method": "a.B.old()", "kind": "lost update", "count": 1, "by": "@ExpectViolation",
            "reason": format!("expected by {test}"), "expected_by": [test],
        });
        json!({"suppressed": [one], "suppressions": []})
    }

    #[test]
    fn what_the_tests_of_one_run_expect_counts_if_another_run_has_it_besides() {
        let counts = report("counts.json", vec![violation("a.B.old()", None)], json!({}));
        let known = counts.findings[0].clone();
        let id = known.identity().id();
        let [one, two] = ["a.BTest.f()", "a.BTest.g()"].map(|test| report(test, vec![], expected(&id, test)));
        let both = one.clone().merge(two).and_then(|both| both.merge(one.clone())).expect("one engine");
        let again = Saved::parse("both.json", &both.json()).expect("a report");
        for saved in [&both, &again] {
            assert!(saved.answer.is_excused && !saved.answer.is_violation());
            let told = text(saved);
            assert!(told.contains(", but its only finding is expected by tests"), "{told}");
            assert!(told.contains("a.B.old(): lost update: expected by a.BTest.f(), a.BTest.g()"), "{told}");
        }
        for merged in [counts.clone().merge(again.clone()), again.clone().merge(counts)] {
            let merged = merged.expect("one engine");
            let third = merged.clone().merge(one.clone()).expect("one engine");
            for saved in [&merged, &third] {
                assert!(saved.answer.is_violation() && saved.findings.len() == 1, "{}", text(saved));
                assert!(!text(saved).contains("expect") && saved.sifted.is_none(), "{}", text(saved));
            }
            assert_eq!(Saved::parse("all.json", &merged.json()).expect("a report").sifted, merged.sifted);
        }
        // A line that takes it out of another run has matched something.
        let line = report("line.json", vec![], suppressed(&id, 1));
        for merged in [line.clone().merge(again.clone()), again.clone().merge(line)] {
            let told = text(&merged.expect("one engine"));
            assert!(told.contains("app.supp:1: class:a.B: 1 finding (old)") && !told.contains("expect"), "{told}");
        }
        // A baseline that has it says nothing of it: it has shown, and does not count.
        let mut saved = again;
        let absent = Finding { method: Some("a.E.gone()".to_owned()), ..known.clone() };
        saved.sift(&sieve("", Some(&[&known, &absent])));
        let told = text(&saved);
        assert!(told.contains("findings: 0 new, 0 known by app.baseline, 1 expected by tests"), "{told}");
        assert!(told.contains("ran is not in saved reports: 1 finding"), "{told}");
    }

    /// A run with a cycle for which no block is to blame.
    fn blameless(name: &str, more: Value) -> Saved {
        let end = |thread: &str| json!({"thread": thread, "location": "A.java:7", "access": "write of A.x"});
        let mut line =
            json!({"cycle": [{"from": end("one"), "to": end("two")}, {"from": end("two"), "to": end("one")}]});
        more.as_object().expect("an object").iter().for_each(|(key, value)| line[key] = value.clone());
        report(name, vec![], line)
    }

    #[test]
    fn a_cycle_of_one_run_counts_whatever_other_runs_blame() {
        let waits = report("waits.json", vec![], json!({"waits_inside": [violation("a.B.await()", None)]}));
        assert!(!waits.answer.is_violation());
        let merged = blameless("cycle.json", json!({})).merge(waits.clone()).expect("one engine");
        let again = Saved::parse("all.json", &merged.json()).expect("a report");
        let third = again.clone().merge(waits).expect("one engine");
        for saved in [&merged, &again, &third] {
            assert!(saved.answer.is_violation() && saved.answer.apart > 0);
            assert!(text(saved).contains("no block is to blame, and the exit code still counts it"), "{}", text(saved));
        }
        // Also beside a finding that the baseline knows; unless it knows the cycle, too.
        let compared = json!({"suppressed": [], "suppressions": [], "baseline": {"file": "b", "new": 0, "known": 1, "not_seen": [], "not_run": 0}});
        let known = report("known.json", vec![violation("a.B.old()", Some("known"))], compared.clone());
        assert!(!known.answer.is_violation());
        let merged = known.clone().merge(blameless("cycle.json", json!({}))).expect("one engine");
        assert!(merged.answer.is_violation() && text(&merged).contains("1 new, 1 known"), "{}", text(&merged));
        let of_cycle = blameless("cycle.json", json!({"cycle_finding": {"status": "known"}}));
        let merged = known.merge(of_cycle.clone()).expect("one engine");
        assert!(!merged.answer.is_violation() && text(&merged).contains("0 new, 2 known"), "{}", text(&merged));
        let merged = of_cycle.merge(blameless("new.json", json!({}))).expect("one engine");
        assert!(merged.answer.is_violation(), "{}", text(&merged));
    }

    #[test]
    fn a_baseline_of_the_runs_is_told_of_all_together() {
        let entry = |id: &str| json!({"method": "a.B.old()", "id": id, "variables": "B.x", "kind": "lost update"});
        let compared = |new: usize, known: usize, entries: Vec<Value>, not_run: usize| {
            let baseline = json!({"file": "b", "new": new, "known": known, "not_seen": entries, "not_run": not_run});
            json!({"suppressed": [], "suppressions": [], "baseline": baseline})
        };
        let old = report("0.json", vec![violation("a.B.old()", None)], json!({}));
        let id = old.findings[0].identity().id();
        let one = report(
            "1.json",
            vec![violation("a.B.old()", Some("known"))],
            compared(0, 1, vec![entry("00000000000c")], 2),
        );
        let two = report("2.json", vec![violation("a.B.new()", Some("new"))], compared(1, 0, vec![entry(&id)], 3));
        let merged = one.merge(two).expect("one engine");
        let sifted = merged.sifted.as_ref().and_then(|sifted| sifted.baseline.as_ref()).expect("a baseline");
        assert_eq!((sifted.new, sifted.known, sifted.not_run), (1, 1, 2));
        assert_eq!(sifted.not_seen.iter().map(|entry| &*entry.id).collect::<Vec<_>>(), ["00000000000c"]);
        assert_eq!(merged.findings[0].method.as_deref(), Some("a.B.new()"), "what is new comes first");
    }

    #[test]
    fn files_that_are_asked_anew_take_out_what_they_name_and_keep_what_earlier_ones_have_said() {
        let all = vec![violation("a.C.put()", None), violation("a.D.get()", None)];
        let mut saved = report("1.json", all, suppressed("00000000000a", 1));
        let known = saved.findings[0].clone();
        let absent = Finding { method: Some("a.E.gone()".to_owned()), ..known.clone() };
        saved.sift(&sieve("method:a.D.get()  # fine", Some(&[&known, &absent])));
        let told = text(&saved);
        assert!(told.contains("findings: 0 new, 1 known by app.baseline, 2 suppressed"), "{told}");
        assert!(told.contains("more.supp:1: method:a.D.get(): 1 finding (fine)"), "{told}");
        assert!(told.contains("app.supp:1: class:a.B: 1 finding (old)"), "{told}");
        assert!(told.contains("in app.baseline and in no report"), "{told}");
        assert!(saved.answer.is_excused && saved.findings.len() == 1);
        assert_eq!(saved.findings[0].status, Some(Status::Known));
        saved.sift(&sieve("class:a.F", None));
        assert_eq!(saved.findings[0].status, Some(Status::Known), "suppressions alone change no status");
        let again = Saved::parse("all.json", &saved.json()).expect("a report");
        assert_eq!(again.sifted, saved.sifted);
    }
}
