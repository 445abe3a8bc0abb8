//! The items that a report lists, in the words that every format shares.

use super::escape::visible;
use super::lines::end;
use super::paint::Paint;
use super::place::Place;
use super::text;
use crate::report::judgement::advice::advice;
use crate::report::judgement::reason::meaning;
use crate::report::model::finding::Finding;
use crate::report::model::identity::Identity;
use crate::report::model::kind::{CYCLE, Kind};
use crate::report::model::report::{Head, Report, Source};
use crate::report::model::sifted::Status;
use crate::report::model::witness::Witness;
use crate::report::model::words::name;

/// An item of a report.
#[derive(Clone, Copy)]
pub(super) struct Item<'a> {
    /// Its number in the report, from 1.
    pub(super) number: usize,
    pub(super) what: What<'a>,
    head: &'a Head<'a>,
    cycle_status: Option<Status>,
}

/// A violated method, or the cycle that blames nobody.
#[derive(Clone, Copy)]
pub(super) enum What<'a> {
    Finding(&'a Finding),
    Cycle(&'a Witness),
}

/// The severity of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weight {
    /// It is violated by a named pattern.
    Error,
    /// It is violated.
    Warning,
    /// It may be violated, or a baseline has it.
    Note,
}

/// The findings in the order of the report, or the cycle that blames nobody.
pub(super) fn items<'a>(report: &'a Report<'a>) -> Vec<Item<'a>> {
    let found = report.findings.iter().map(What::Finding).chain(report.cycle.as_ref().map(What::Cycle));
    (1..)
        .zip(found)
        .map(|(number, what)| Item { number, what, head: &report.head, cycle_status: report.cycle_status })
        .collect()
}

/// The name of a kind as an identifier: `lost-update`.
pub(super) fn id(kind: &str) -> String {
    kind.replace(' ', "-").replace(',', "")
}

/// The identifier of a cycle that blames nobody.
pub(super) fn id_of_cycle() -> String {
    "cycle-without-blame".to_owned()
}

impl<'a> Item<'a> {
    /// The label of its method.
    pub(super) fn method(&self) -> Option<&'a str> {
        match self.what {
            What::Finding(finding) => finding.method.as_deref(),
            What::Cycle(_) => None,
        }
    }

    /// The label of its method, or a substitute for it.
    pub(super) fn name(&self) -> &'a str {
        match self.what {
            What::Finding(finding) => name(finding.method.as_deref()),
            What::Cycle(_) => "no block to blame",
        }
    }

    /// What makes it the same item in another run.
    pub(super) fn identity(&self) -> Identity {
        match self.what {
            What::Finding(finding) => finding.identity(),
            What::Cycle(cycle) => Identity::of(None, cycle),
        }
    }

    /// Whether a baseline has it, if there is one.
    pub(super) fn status(&self) -> Option<Status> {
        match self.what {
            What::Finding(finding) => finding.status,
            What::Cycle(_) => self.cycle_status,
        }
    }

    pub(super) fn kind(&self) -> &'static str {
        match self.what {
            What::Finding(finding) => finding.kind.name(),
            What::Cycle(_) => text::name_of_cycle(self.head.engine),
        }
    }

    /// The name and the kind in one line.
    pub(super) fn title(&self) -> String {
        match self.what {
            What::Finding(_) => format!("{}: {}", self.name(), self.kind()),
            What::Cycle(_) => self.kind().to_owned(),
        }
    }

    pub(super) fn id(&self) -> String {
        match self.what {
            What::Finding(finding) => id(finding.kind.name()),
            What::Cycle(_) => id_of_cycle(),
        }
    }

    pub(super) fn weight(&self) -> Weight {
        match self.what {
            _ if self.status() == Some(Status::Known) => Weight::Note,
            What::Finding(finding) if finding.kind == Kind::Suspicion => Weight::Note,
            What::Finding(finding) if !finding.kind.is_pattern() => Weight::Warning,
            What::Finding(_) | What::Cycle(_) => Weight::Error,
        }
    }

    pub(super) fn meaning(&self) -> String {
        match self.what {
            What::Finding(finding) => meaning(finding.kind, &finding.witness),
            What::Cycle(_) => CYCLE[1].to_owned(),
        }
    }

    pub(super) fn witness(&self) -> &'a Witness {
        match self.what {
            What::Finding(finding) => &finding.witness,
            What::Cycle(cycle) => cycle,
        }
    }

    /// What it rests on, how often it was seen, and where it was seen first.
    pub(super) fn remarks(&self) -> Vec<String> {
        match self.what {
            What::Finding(finding) => text::remarks(finding, self.head.source, self.head.steered.is_some()),
            What::Cycle(_) => Vec::new(),
        }
    }

    /// The rate: `1 of 2`.
    pub(super) fn often(&self) -> String {
        match self.what {
            What::Finding(finding) => format!("{} of {}", finding.count, finding.instances),
            What::Cycle(_) => String::new(),
        }
    }

    /// How the execution was observed.
    pub(super) fn source(&self) -> Source {
        self.head.source
    }

    /// The texts of both ends of each edge.
    pub(super) fn edges(&self) -> impl Iterator<Item = [String; 2]> + 'a {
        self.witness().edges.iter().map(|edge| [end(&edge.from), format!("before {}", end(&edge.to))])
    }

    /// What to do next.
    pub(super) fn steps(&self) -> Vec<String> {
        match self.what {
            What::Finding(finding) => advice(finding, self.head.source),
            What::Cycle(cycle) => text::steps_of_cycle(cycle, self.head.engine),
        }
    }

    /// The stack of its thread, the innermost frame first.
    pub(super) fn stack(&self) -> &'a [String] {
        match self.what {
            What::Finding(finding) => &finding.stack,
            What::Cycle(_) => &[],
        }
    }

    /// Where a reader looks first: at the method's begin, or else at the first of its events whose file is known.
    pub(super) fn place(&self) -> Option<Place> {
        let witness = self.witness();
        let ends = witness.begin.iter().chain(witness.edges.iter().flat_map(|edge| [&edge.from, &edge.to]));
        ends.filter_map(|end| Place::of_end(end, self.head.source)).find(|place| place.line.is_some())
    }

    /// The first sentences, one per line: what happened, how often, and what conflicts with what.
    pub(super) fn told(&self) -> String {
        let edges = self.edges().map(|[from, to]| format!("{from}, {to}"));
        let lines = std::iter::once(self.meaning()).chain(self.remarks()).chain(edges);
        lines.map(|line| visible(&line)).collect::<Vec<_>>().join("\n")
    }

    /// The item as in the report for a person.
    pub(super) fn text(&self, width: usize) -> String {
        let mut out = String::new();
        match self.what {
            What::Finding(finding) => text::render_finding(
                &mut out,
                self.number,
                finding,
                (self.head.source, self.head.steered.is_some()),
                width,
                Paint::NONE,
            ),
            What::Cycle(cycle) => text::render_cycle(&mut out, cycle, self.head.engine, width),
        }
        out
    }
}
