//! A schedule as data: the candidate, the threads that took part, the switch points in their order.

use std::fmt;
use std::str::FromStr;

use super::super::model::Candidate;
use super::super::place::Place;
use crate::kept::lines::decimal;
use crate::kept::names;
use crate::profile::sum;
use crate::report::instruction;
use crate::trace::Position;

/// The start of a thread that nobody is known to have started begins with this, followed by its name.
const BY_NAME: char = '?';
/// The thread in which the JVM itself starts the program.
const MAIN: &str = "main";
/// The thread that runs the test, if the schedule is of one, and the thread that ran it before, when nobody was held.
const TEST: &str = "test";
const FIRST: &str = "first";
/// What precedes the number of a step, from 1.
const STEP: &str = "step";

/// The order in which threads passed places of a candidate when it happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// What has happened.
    pub candidate: Candidate,
    /// The id of the finding; `None` if it is not known: then it is any finding of the block.
    pub finding: Option<String>,
    /// The test within which the schedule holds: the rest of the run is no part of it.
    pub test: Option<Test>,
    /// The threads that the points name.
    pub threads: Vec<Thread>,
    /// The switch points: none, or at least two.
    pub points: Vec<Point>,
}

/// A test that was repeated within a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// The name that the test framework uses.
    pub name: String,
    /// The number of this test among those of its name, from 1: a parameterized test runs several times.
    pub nth: u64,
}

impl Test {
    /// The 8 hexadecimal digits for a file name: the upper half of FNV-1a of 64 bits of name and number, exclusive or the lower one.
    pub(super) fn id(&self) -> String {
        let hash = sum(format!("{} {}", self.name, self.nth).as_bytes());
        format!("{:08x}", (hash >> 32) ^ (hash & u64::from(u32::MAX)))
    }

    /// In words: `com.acme.BankTest.two()`, `the 2nd com.acme.BankTest.two()`.
    pub fn told(&self) -> String {
        let mut name = String::new();
        names::write_words(&mut name, &self.name);
        if self.nth == 1 { name } else { format!("the {} {name}", ordinal(self.nth)) }
    }
}

/// A thread of a schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    /// The name that the points use.
    pub name: String,
    /// How it was started.
    pub start: Start,
}

/// How a thread was started, which identifies it in another run: `main`, or `test` for the thread that runs the test of the schedule and
/// `first` for the one in the run before; then for each thread on the way where it started the next one, and the number of that start
/// there. It is written as the agent reports it, with single spaces: `main com.acme.Server.run:30 2`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start(String);

/// A switch point: when a thread has passed a place this often, it is the turn of the next point's thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// The index of its thread.
    pub thread: usize,
    /// Which place of the candidate it is.
    pub role: Role,
    /// How often the thread has passed the place, including this time; from 1.
    pub times: u64,
}

/// The places of a candidate at which a point can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// What the thread passes in the block before others come.
    First,
    /// The place behind which the thread is held.
    Hold,
    /// What another thread passes meanwhile.
    Other,
    /// What the held thread passes afterwards.
    Last,
    /// The step of the candidate with this index.
    Step(usize),
}

impl Role {
    /// The roles that every candidate has, in their order.
    pub const ALL: [Role; 4] = [Role::First, Role::Hold, Role::Other, Role::Last];

    /// The role with this word.
    pub fn named(name: &str) -> Option<Role> {
        let step = || name.strip_prefix(STEP).and_then(decimal)?.checked_sub(1).and_then(|step| step.try_into().ok());
        let is_named = |role: &Role| role.to_string() == name;
        Role::ALL.into_iter().find(is_named).or_else(|| step().map(Role::Step).filter(is_named))
    }

    /// True if a candidate has a place with this role.
    pub(super) fn is_in(self, candidate: &Candidate) -> bool {
        match self {
            Role::Step(step) => step < candidate.steps.len(),
            _ => true,
        }
    }

    /// The place of a candidate with this role; for a missing step, `other`.
    pub fn of(self, candidate: &Candidate) -> &Place {
        match self {
            Role::First => &candidate.first,
            Role::Hold => &candidate.hold,
            Role::Other => &candidate.other,
            Role::Last => &candidate.last,
            Role::Step(step) => candidate.steps.get(step).map_or(&candidate.other, |step| &step.place),
        }
    }
}

/// The word for a role: `first`, `step2`.
impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Role::First => f.write_str("first"),
            Role::Hold => f.write_str("hold"),
            Role::Other => f.write_str("other"),
            Role::Last => f.write_str("last"),
            Role::Step(step) => write!(f, "{STEP}{}", step + 1),
        }
    }
}

impl Start {
    /// True if the start is one within a test.
    pub(super) fn is_of_test(&self) -> bool {
        self.0.split(' ').next().is_some_and(|root| [TEST, FIRST].contains(&root))
    }

    /// The start in words: `main`, `the 2nd thread started at Server.java:30 by main`.
    pub fn told(&self) -> String {
        let words: Vec<&str> = self.0.split(' ').collect();
        let root = match words[0].strip_prefix(BY_NAME) {
            Some(name) => names::read(name).unwrap_or_default(),
            None if words[0] == TEST => "the thread of the test".to_owned(),
            None if words[0] == FIRST => "the thread of the test's first run".to_owned(),
            None => words[0].to_owned(),
        };
        let steps: Vec<String> = words[1..]
            .chunks(2)
            .map(|step| {
                let nth = step.get(1).and_then(|nth| nth.parse().ok()).unwrap_or(1);
                let at = names::read(step[0]).unwrap_or_default();
                let at = Position::split_index(&at).map_or(at.clone(), |(method, index)| instruction(method, index));
                format!("the {} thread started at {at}", ordinal(nth))
            })
            .collect();
        let by: Vec<String> = steps.into_iter().rev().chain([root]).collect();
        by.join(" by ")
    }
}

/// `1st`, `2nd`, `13th`.
pub(super) fn ordinal(n: u64) -> String {
    let end = match (n % 100, n % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    format!("{n}{end}")
}

impl FromStr for Start {
    type Err = ();

    fn from_str(written: &str) -> Result<Start, ()> {
        let words: Vec<&str> = written.split(' ').collect();
        let (root, steps) = words.split_first().ok_or(())?;
        // The beginning of a very long chain is replaced by a number.
        let is_root = [MAIN, TEST, FIRST].contains(root) || root.len() > 1 && root.starts_with([BY_NAME, '~']);
        let is_step = |step: &[&str]| match step {
            [location, nth] => {
                !location.is_empty()
                    && names::read(location).is_some()
                    && nth.parse::<u64>().is_ok_and(|nth| nth > 0 && *nth.to_string() == **step.last().expect("two"))
            }
            _ => false,
        };
        let is_name = names::read(root).is_some();
        if is_root && is_name && steps.chunks(2).all(is_step) { Ok(Start(written.to_owned())) } else { Err(()) }
    }
}

impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Schedule {
    /// The schedule without threads and points: any thread is held at the places.
    pub fn of_any_thread(&self) -> Schedule {
        Schedule { threads: Vec::new(), points: Vec::new(), ..self.clone() }
    }

    /// The schedule without the point at this index; `None` if too few points would be left, or nobody to switch to.
    pub fn without(&self, index: usize) -> Option<Schedule> {
        let mut less = self.clone();
        less.points.remove(index);
        let switches = less.points.windows(2).any(|two| two[0].thread != two[1].thread);
        switches.then_some(less)
    }

    /// The place before which a thread waits for the turn of this point: before it takes the lock under which it passes `other`, or its
    /// first step.
    pub fn waits_before(&self, point: &Point) -> &Place {
        if let Role::Step(step) = point.role
            && let Some(step) = self.candidate.steps.get(step)
        {
            return step.waits_before();
        }
        let enter = self.candidate.enter.as_ref().filter(|_| point.role == Role::Other);
        enter.unwrap_or_else(|| point.role.of(&self.candidate))
    }

    /// A point in words: `main passes Cache.java:41 the 2nd time`.
    pub fn told(&self, point: &Point) -> String {
        let place = point.role.of(&self.candidate).brief();
        format!("{} passes {place} the {} time", self.threads[point.thread].start.told(), ordinal(point.times))
    }
}
