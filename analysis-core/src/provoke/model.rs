//! Candidates as data: what they are, what runs have shown, what a run adds, and the union of two lists.

use std::collections::BTreeMap;
use std::time::Duration;

use super::place::{Action, Place};
use crate::event::{LockId, Op, VarId};
use crate::kept::names;
use crate::profile::sum;
use crate::report::rank::Rank as Judged;
use crate::report::{Application, Kind};

/// Stands for the number of an object where there is none.
pub(super) const NO_OBJECT: &str = "-";

/// How many bits of the hash of a candidate are its id, as with findings.
const BITS: u32 = 48;

/// A candidate: where in the program threads could come between. Two with the same places are the same candidate.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Candidate {
    /// The block, as traces have its label: `com.acme.Account.withdraw(int)`.
    pub block: String,
    /// The variable or lock as a trace calls it, without numbers of objects: `Account.balance`.
    pub variable: String,
    /// What the thread passes in the block before others come.
    pub first: Place,
    /// Where the thread is held, after it has passed this place: `first`, or the release of a lock that it must not hold
    /// meanwhile. If it is `last`, and not `first`, the thread is held before it passes the place.
    pub hold: Place,
    /// What the thread passes in the block after others have come.
    pub last: Place,
    /// What another thread passes meanwhile.
    pub other: Place,
    /// Where the other thread takes the outermost lock under which it passes `other`, if there is one.
    pub enter: Option<Place>,
    /// If others pass more than `other` meanwhile: all that they pass, in its order, at least two steps. The last one is at `other`, and
    /// the first one is about the variable of `first`.
    pub steps: Vec<Step>,
}

/// What another thread passes while one is held in the block.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Step {
    /// Which thread: 1 for the first other thread that has a step, 2 for the second one.
    pub thread: u8,
    /// Which object it is about: 0 is that of the candidate's first place, those from 1 on are others, each a different one. `None` if
    /// it has none.
    pub object: Option<u8>,
    /// What the thread passes.
    pub place: Place,
    /// At the first step of a thread: where the thread takes the outermost lock under which it passes the place, if there
    /// is one.
    pub gate: Option<Place>,
}

/// How likely a candidate is a violation, the likeliest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// `first` conflicts with `other`, and `other` with `last`: if the other thread comes between, the block is violated.
    Conflict,
    /// A schedule of recorded events with several steps of others violates the block.
    Steps,
    /// As [`Rank::Conflict`], for critical sections under one lock, whatever is accessed in them.
    Sections,
    /// The block looks at the variable twice, and another thread looks at it: what that thread would do in time is not
    /// known.
    Looks,
}

/// What became of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// It has happened: another thread came, and the block was violated through the variable or lock.
    Confirmed,
    /// It has happened to an earlier version of the program, and is to be tried again.
    Again,
    /// It has not been tried, or not often enough.
    New,
    /// Threads were held, others came, and there was no violation.
    Impossible,
    /// No thread was held, or no other thread came.
    NotReached,
}

/// What the runs that were steered to a candidate have shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trials {
    /// The number of runs that were steered to it.
    pub tries: u64,
    /// The number of these in which a thread was held for it.
    pub held: u64,
    /// The number of those in which another thread passed the other place meanwhile.
    pub met: u64,
    /// True if it has happened in one of them.
    pub is_confirmed: bool,
    /// True if it had happened in a run before these.
    pub was_confirmed: bool,
}

/// What a run that was steered to a candidate has shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// A thread was held for it.
    pub held: bool,
    /// Another thread passed the other place meanwhile. Then a thread was held.
    pub met: bool,
    /// The block was violated in an instance in which a thread was held for it and another one came, by a path through its
    /// variable or lock.
    pub confirmed: bool,
}

/// Candidates, each with what runs have shown of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Candidates {
    /// How many runs were steered.
    pub runs: u64,
    /// The packages that the user has written, as far as the runs that learnt knew them: what is no library.
    pub own: Application,
    pub(super) list: BTreeMap<Candidate, Trials>,
}

impl Rank {
    /// The rank if this is what is done at `first`, `other` and `last`.
    pub fn of(first: Action, other: Action, last: Action) -> Rank {
        match first.conflicts_with(other) && other.conflicts_with(last) {
            true if other.is_of_lock() => Rank::Sections,
            true => Rank::Conflict,
            false => Rank::Looks,
        }
    }
}

impl Step {
    /// The letter of a thread in files and for people: `a` is the thread of the block, `b` the first other one.
    pub fn letter(thread: u8) -> char {
        char::from(b'a' + thread.min(25))
    }

    /// The place before which its thread waits for its turn.
    pub fn waits_before(&self) -> &Place {
        self.gate.as_ref().unwrap_or(&self.place)
    }
}

impl State {
    /// All, in the order of the file.
    pub const ALL: [State; 5] = [State::Confirmed, State::Again, State::New, State::Impossible, State::NotReached];

    /// The word for the state.
    pub fn name(self) -> &'static str {
        match self {
            State::Confirmed => "confirmed",
            State::Again => "again",
            State::New => "new",
            State::Impossible => "impossible",
            State::NotReached => "not-reached",
        }
    }

    /// True if it is to be tried.
    pub fn is_open(self) -> bool {
        matches!(self, State::Again | State::New)
    }

    /// The state with this word.
    pub fn named(name: &str) -> Option<State> {
        State::ALL.into_iter().find(|state| state.name() == name)
    }
}

impl Candidate {
    /// The 12 hexadecimal digits of the candidate's id: FNV-1a of 64 bits of its lines in the file, each ended by a line feed, of
    /// which the upper 16 are added to the lower ones by exclusive or.
    pub fn id(&self) -> String {
        let hash = sum(self.lines().as_bytes());
        format!("{:012x}", (hash >> BITS) ^ (hash & ((1 << BITS) - 1)))
    }

    /// How likely it is a violation.
    pub fn rank(&self) -> Rank {
        match self.steps.is_empty() {
            true => Rank::of(self.first.action, self.other.action, self.last.action),
            false => Rank::Steps,
        }
    }

    /// True if the thread is held before its last place, whose object is known then.
    pub fn is_held_before(&self) -> bool {
        self.hold == self.last && self.hold != self.first
    }

    /// Where a thread is held, in words: `at Account.java:30`, `before Account.java:31`.
    pub fn told_hold(&self) -> String {
        format!("{} {}", if self.is_held_before() { "before" } else { "at" }, self.hold.brief())
    }

    /// The same for [`crate::report::Provoked`]: `Account.java:30`, `before Account.java:31`.
    pub fn reported_hold(&self) -> String {
        if self.is_held_before() { self.told_hold() } else { self.hold.brief() }
    }

    /// True if its thread would be held in a static initializer, where no thread is held.
    fn is_of_initializer(&self) -> bool {
        [&self.first, &self.hold].iter().any(|place| place.method() == "<clinit>")
    }

    /// What would speak against the candidate as a finding, as reports judge findings. How its accesses would be locked is not
    /// known.
    pub fn judged(&self, own: &Application) -> Judged {
        let is_vague = self.rank() == Rank::Steps && !self.names_a_pattern();
        let method = self.block.split('(').next().unwrap_or(&self.block);
        let ends = [&self.first, &self.last];
        let is_in_block = |place: &&Place| method.rsplit_once('.') == Some((place.class(), place.method()));
        // Two critical sections are one step for the reader, wherever the lock is taken.
        let is_short = self.hold.action.is_of_lock() || ends.iter().all(is_in_block);
        let is_static = ends.iter().any(|place| place.method() == "<clinit>");
        Judged::expected(&self.block, is_static, is_vague, !is_short, own)
    }

    /// Whether what happens at its first and last place has a name, if the path goes through several others.
    fn names_a_pattern(&self) -> bool {
        let op = |place: &Place, variable| match place.action {
            Action::Read => Op::Read(VarId(variable)),
            Action::Write => Op::Write(VarId(variable)),
            Action::Acquire => Op::Acquire(LockId(variable)),
            Action::Release => Op::Release(LockId(variable)),
        };
        Kind::of(op(&self.first, 0), op(&self.last, u32::from(self.first.name != self.last.name))).is_pattern()
    }

    /// Its places.
    pub fn places(&self) -> impl Iterator<Item = &Place> {
        let of_steps = self.steps.iter().flat_map(|step| std::iter::once(&step.place).chain(&step.gate));
        [&self.first, &self.hold, &self.last, &self.other].into_iter().chain(&self.enter).chain(of_steps)
    }

    /// Its places in the format of the file, one per line.
    pub(super) fn lines(&self) -> String {
        let mut text = String::new();
        for (word, name) in [("block", &self.block), ("variable", &self.variable)] {
            text += word;
            text.push(' ');
            names::write_words(&mut text, name);
            text.push('\n');
        }
        let places = [("first", &self.first), ("hold", &self.hold), ("last", &self.last), ("other", &self.other)];
        for (word, place) in places.into_iter().chain(self.enter.as_ref().map(|enter| ("enter", enter))) {
            text += &format!("{word} {place}\n");
        }
        for step in &self.steps {
            let thread = Step::letter(step.thread);
            let object = step.object.map_or_else(|| NO_OBJECT.to_owned(), |object| object.to_string());
            text += &format!("step {thread} {object} {}\n", step.place);
            text.extend(step.gate.iter().map(|gate| format!("gate {thread} {gate}\n")));
        }
        text
    }
}

impl Trials {
    /// How many runs are enough in which others came between and nothing went wrong.
    pub const ENOUGH_MET: u64 = 5;
    /// How many runs in which no other thread came are enough.
    pub const ENOUGH_TRIES: u64 = 8;
    /// How many runs are enough if others came in any of them.
    pub const MOST_TRIES: u64 = 20;
    /// After this many runs in which no thread was held, other candidates are tried first.
    const FAR: u64 = 2;
    /// How long a thread is held at first.
    pub const FIRST_BOUND: Duration = Duration::from_millis(10);
    /// How often the bound doubles at most.
    const MOST_DOUBLINGS: u32 = 6;

    /// What became of the candidate.
    pub fn state(&self) -> State {
        match self {
            Trials { is_confirmed: true, .. } => State::Confirmed,
            Trials { met, .. } if *met >= Trials::ENOUGH_MET => State::Impossible,
            Trials { tries, met, .. } if *met > 0 && *tries >= Trials::MOST_TRIES => State::Impossible,
            Trials { tries, met: 0, .. } if *tries >= Trials::ENOUGH_TRIES => State::NotReached,
            Trials { was_confirmed: true, .. } => State::Again,
            _ => State::New,
        }
    }

    /// True if no thread was held for it in several runs: its places may be those of another program.
    fn is_far(&self) -> bool {
        self.held == 0 && self.tries >= Trials::FAR
    }

    /// The number of runs in which a thread was held and no other came.
    fn in_vain(&self) -> u64 {
        self.held.saturating_sub(self.met)
    }

    /// These counts, none of them by more than `most` above what it was `before`.
    fn limited(self, before: Trials, most: u64) -> Trials {
        let limited = |now: u64, before: u64| now.min(before.saturating_add(most));
        let tries = limited(self.tries, before.tries);
        Trials { tries, held: limited(self.held, before.held), met: limited(self.met, before.met), ..self }
    }

    /// These counts without those of `base`.
    fn since(self, base: Trials) -> Trials {
        let (held, met) = (self.held.saturating_sub(base.held), self.met.saturating_sub(base.met));
        Trials { tries: self.tries.saturating_sub(base.tries), held, met, ..self }
    }

    fn add(&mut self, other: Trials) {
        self.tries = self.tries.saturating_add(other.tries);
        self.held = self.held.saturating_add(other.held);
        self.met = self.met.saturating_add(other.met);
        self.is_confirmed |= other.is_confirmed;
        self.was_confirmed |= other.was_confirmed;
    }
}

impl From<Outcome> for Trials {
    fn from(outcome: Outcome) -> Trials {
        let Outcome { held, met, confirmed } = outcome;
        let (held, met) = ((held || met).into(), met.into());
        Trials { tries: 1, held, met, is_confirmed: confirmed, was_confirmed: false }
    }
}

impl Candidates {
    /// How many candidates a run is steered to at most: they divide the time among them.
    pub const MOST_AT_ONCE: usize = 8;

    /// An empty list.
    pub fn new() -> Candidates {
        Candidates::default()
    }

    /// Adds a candidate that has not been tried. False, with no change, if it is there already or if no thread would be held for it.
    pub fn add(&mut self, candidate: Candidate) -> bool {
        if candidate.is_of_initializer() {
            return false;
        }
        let before = self.list.len();
        self.list.entry(candidate).or_default();
        self.list.len() > before
    }

    /// Adds those candidates of another list that are not there, as not tried. Returns how many.
    pub fn add_new(&mut self, others: &Candidates) -> usize {
        self.own.merge(&others.own);
        others.list.keys().filter(|candidate| self.add((*candidate).clone())).count()
    }

    /// Adds what is known of a candidate.
    pub fn add_trials(&mut self, candidate: Candidate, trials: Trials) {
        self.list.entry(candidate).or_default().add(trials);
    }

    /// Marks what was confirmed to be tried again, as if it had not been tried: the program may have changed. Returns how many these are.
    pub fn try_again(&mut self) -> usize {
        let confirmed = self.list.values_mut().filter(|trials| trials.is_confirmed);
        confirmed.map(|trials| *trials = Trials { was_confirmed: true, ..Trials::default() }).count()
    }

    /// Forgets the candidates for which `forgets` holds. Returns how many.
    pub fn forget(&mut self, mut forgets: impl FnMut(&Candidate, &Trials) -> bool) -> usize {
        let before = self.list.len();
        self.list.retain(|candidate, trials| !forgets(candidate, trials));
        before - self.list.len()
    }

    /// The number of candidates.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// What is known of a candidate; `None` if it is not there.
    pub fn trials(&self, candidate: &Candidate) -> Option<&Trials> {
        self.list.get(candidate)
    }

    /// All in the order of the file: by state, then by rank, then as reports would judge them, then by place.
    pub fn in_order(&self) -> Vec<(&Candidate, &Trials)> {
        let mut all: Vec<(&Candidate, &Trials)> = self.list.iter().collect();
        all.sort_by_cached_key(|(candidate, trials)| (trials.state(), candidate.rank(), candidate.judged(&self.own)));
        all
    }

    /// The candidates in this state, in the order of the file.
    pub fn of(&self, state: State) -> Vec<(&Candidate, &Trials)> {
        let mut all = self.in_order();
        all.retain(|(_, trials)| trials.state() == state);
        all
    }

    /// Returns what the next run should be steered to, at most this many candidates. First comes what has happened before, then the other
    /// open ones, last those for which no thread was held in several runs; each of these by rank, where each run in which another thread
    /// came and nothing went wrong counts as one rank. Within a rank, the least tried come first; among these, one of each block comes
    /// before a second one of any, the block that was tried least first. Each thing that speaks against the candidate as a finding counts
    /// as one more candidate of its block that came before.
    pub fn to_try(&self, most: usize) -> Vec<(&Candidate, &Trials)> {
        // By block: how often its candidates were tried, and then how often they will have been.
        let mut turns: BTreeMap<&str, u64> = BTreeMap::new();
        for (candidate, trials) in &self.list {
            *turns.entry(&candidate.block).or_default() += trials.tries;
        }
        let mut new = self.in_order();
        new.retain(|(_, trials)| trials.state().is_open());
        let rank = |candidate: &Candidate, trials: &Trials| (candidate.rank() as u64).saturating_add(trials.met);
        let order = |candidate: &Candidate, trials: &Trials| {
            (trials.is_far(), trials.state(), rank(candidate, trials), trials.tries)
        };
        // The sort is stable: of one block, those that are judged better come first.
        new.sort_by_key(|(candidate, trials)| order(candidate, trials));
        let mut by_turn: Vec<_> = new
            .into_iter()
            .map(|(candidate, trials)| {
                let judged = candidate.judged(&self.own);
                let turn = turns.entry(&candidate.block).or_default();
                *turn += 1;
                ((order(candidate, trials), *turn + judged.weight(), judged), (candidate, trials))
            })
            .collect();
        by_turn.sort_by_key(|(turn, _)| *turn);
        by_turn.into_iter().map(|(_, candidate)| candidate).take(most).collect()
    }

    /// Counts this many runs for each of the next open candidates, at most `most`, in which no thread was held: no JVM had a class with a
    /// place that it was steered to, so none has added anything.
    pub fn pass_over(&mut self, most: usize, runs: u64) {
        let next: Vec<Candidate> = self.to_try(most).into_iter().map(|(candidate, _)| candidate.clone()).collect();
        next.into_iter().for_each(|candidate| self.add_trials(candidate, Trials { tries: runs, ..Trials::default() }));
    }

    /// How long a thread is held for a candidate in the next run: doubled by each run in which a thread was held and no other came. That
    /// includes runs in which it was held at another place for the same, because the others take equally long, and `besides` runs that are
    /// not in the list.
    pub fn bound(&self, of: &Candidate, besides: u64) -> Duration {
        let is_alike =
            |other: &Candidate| other.block == of.block && Candidate { hold: of.hold.clone(), ..other.clone() } == *of;
        let alike = self.list.iter().filter(|(candidate, _)| is_alike(candidate));
        let in_vain = alike.fold(besides, |sum: u64, (_, trials)| sum.saturating_add(trials.in_vain()));
        let doublings = u32::try_from(in_vain).unwrap_or(u32::MAX).min(Trials::MOST_DOUBLINGS);
        Trials::FIRST_BOUND * (1 << doublings)
    }

    /// Adds what a run that has ended has shown: an outcome by the id of each candidate that it was steered to. Candidates that
    /// are no longer there are left out.
    pub fn add_run<'a>(&mut self, outcomes: impl IntoIterator<Item = (&'a str, Outcome)>) {
        self.runs = self.runs.saturating_add(1);
        let by_id: BTreeMap<&str, Outcome> = outcomes.into_iter().collect();
        for (candidate, trials) in &mut self.list {
            if let Some(outcome) = by_id.get(candidate.id().as_str()) {
                trials.add((*outcome).into());
            }
        }
    }

    /// Takes back what JVMs have counted more than once: since `before`, there were this many runs, and each of the JVMs of a run has added
    /// what it has shown.
    pub fn count_runs(&mut self, before: &Candidates, runs: u64) {
        self.runs = self.runs.min(before.runs.saturating_add(runs));
        for (candidate, trials) in &mut self.list {
            *trials = trials.limited(before.trials(candidate).copied().unwrap_or_default(), runs);
        }
    }

    /// Adds the counts of `other` that `base` does not have, as where both lists have come from that one.
    pub fn merge_since(&mut self, base: &Candidates, other: &Candidates) {
        let mut since = other.clone();
        since.runs = other.runs.saturating_sub(base.runs);
        for (candidate, trials) in &mut since.list {
            *trials = trials.since(base.trials(candidate).copied().unwrap_or_default());
        }
        self.merge(&since);
    }

    /// Merges another list into this one. Counts are added, so do not merge a list with a copy of itself.
    pub fn merge(&mut self, other: &Candidates) {
        self.runs = self.runs.saturating_add(other.runs);
        self.own.merge(&other.own);
        for (candidate, trials) in &other.list {
            self.add_trials(candidate.clone(), *trials);
        }
    }
}
