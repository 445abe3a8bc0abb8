//! Candidates from a recorded trace: the meaning of its names.
//!
//! The trace should have been recorded with `redundant=true`: otherwise it lacks the second of two reads between which
//! another thread could write.
//!
//! Calls of the library are accesses of parts of their receivers. What threads hand over orders them, except permits of
//! semaphores, which are like locks: chance decides who comes first. Locks that readers share are variables in a trace, and
//! locks here.

use rustc_hash::{FxHashMap, FxHashSet};

use super::predicted::{Passing, Predicted, Predicting, TOGETHER};
use super::sharing::Sharing;
use super::sites::{Texts, declared, object, simple, without_number};
use super::step::{Act, Action, Found, Site, Step};
use super::{Finder, WINDOW};
use crate::event::{Event, LabelId, LockId, Op, VarId};
use crate::graph::accesses::at;
use crate::predict::algorithm::AlgorithmSpec;
use crate::predict::algorithms::ALGORITHMS;
use crate::provoke::model::{self, Candidate, Candidates};
use crate::provoke::place::Place;
use crate::report::{Application, Call, Hand, section};
use crate::trace::diagnostics::Diagnostics;
use crate::trace::input::Input;
use crate::trace::notes;
use crate::trace::symbols::Symbols;
use crate::trace::{Mode, TraceError, TraceReader};

/// How to search.
#[derive(Clone, Copy, Debug)]
pub struct Search {
    /// How many events are remembered, and at most twice as many.
    pub window: u64,
    /// What to do about what is wrong with the trace.
    pub mode: Mode,
    /// The algorithm that predicts violations that take more than one access of another thread; `None` to skip these.
    pub predicts: Option<&'static AlgorithmSpec>,
}

impl Default for Search {
    fn default() -> Search {
        Search { window: WINDOW, mode: Mode::Strict, predicts: Some(&ALGORITHMS[0]) }
    }
}

/// What a search of a trace found.
pub struct Summary {
    /// The untried candidates.
    pub candidates: Candidates,
    /// How many events were read.
    pub events: u64,
    /// What was tolerated in the trace.
    pub diagnostics: Diagnostics,
    /// How many more places may be candidates, beyond the limit.
    pub left_out: u64,
    /// In how many windows an algorithm reached its limit, and may have missed something.
    pub unfinished: u64,
}

/// Finds the candidates of a trace, which is read twice: for what threads share, and for what could come between. `progress` is
/// called periodically with the number of events of the reading; if it returns false, the search ends with what it has found by then.
///
/// # Errors
/// If the trace cannot be read.
pub fn search(input: &Input, how: Search, mut progress: impl FnMut(u64) -> bool) -> Result<Summary, TraceError> {
    let sharing = Sharing::read(input, how.mode, &mut progress)?;
    let mut reader = TraceReader::open_located(input, how.mode)?;
    let mut finding = Finding::new(how.window, how.predicts);
    let mut one = Vec::with_capacity(1);
    while reader.read_batch(&mut one, 1)? > 0 {
        finding.take(one[0], &reader.written().location, reader.symbols(), &sharing);
        if reader.events().is_multiple_of(1 << 14) && !progress(reader.events()) {
            break;
        }
    }
    let Searched { candidates, left_out, unfinished } = finding.finish(reader.symbols());
    Ok(Summary { candidates, events: reader.events(), diagnostics: reader.diagnostics().clone(), left_out, unfinished })
}

/// Takes the events of a trace, with their names.
pub(super) struct Finding {
    finder: Finder,
    predicting: Option<Predicting>,
    names: Names,
}

/// What a search has found.
#[derive(Debug, Default)]
pub struct Searched {
    /// The untried candidates.
    pub candidates: Candidates,
    /// How many more places may be candidates, beyond the limit.
    pub left_out: u64,
    /// In how many windows an algorithm reached its limit.
    pub unfinished: u64,
}

impl Finding {
    pub(super) fn new(window: u64, predicts: Option<&'static AlgorithmSpec>) -> Finding {
        Finding {
            finder: Finder::new(window),
            predicting: predicts.map(|algorithm| Predicting::new(algorithm, TOGETHER)),
            names: Names::default(),
        }
    }

    /// Takes the next event, with its location as a trace has it.
    pub(super) fn take(&mut self, event: Event, location: &str, symbols: &Symbols, sharing: &Sharing) {
        let step = match sharing.is_private(event.op) {
            true => Some(Step { thread: event.thread, act: Act::Private, site: None }),
            false => self.names.step(event, location, symbols),
        };
        if let Some(step) = step {
            self.finder.step(&step);
        }
        match (&mut self.predicting, step) {
            (Some(predicting), Some(step)) => predicting.step(&step, self.names.object(event.op)),
            (Some(predicting), None) if event.op == Op::Update => predicting.updates(event.thread),
            (Some(predicting), None) if event.op != Op::Nop => predicting.passes_over(event.thread),
            _ => {}
        }
    }

    pub(super) fn finish(self, symbols: &Symbols) -> Searched {
        let Finding { finder, predicting, names } = self;
        let (found, left_out) = finder.finish();
        let mut candidates = names.candidates(&found, symbols);
        let (predicted, unfinished) = predicting.map(Predicting::finish).unwrap_or_default();
        names.add_predicted(&predicted, symbols, &mut candidates);
        Searched { candidates, left_out, unfinished }
    }
}

/// What an event means, except for the instance.
#[derive(Clone, Copy)]
enum Meaning {
    /// Nothing that counts here.
    Nothing,
    Access {
        declaration: u32,
        is_write: bool,
    },
    Give,
    Receive,
    Acquire {
        declaration: u32,
        is_shared: bool,
    },
    Release {
        declaration: u32,
    },
    Section {
        declaration: u32,
    },
    GiveBack {
        declaration: u32,
    },
}

/// A variable or lock of the trace.
#[derive(Clone, Copy)]
struct Named {
    /// The number of its name without the number of the object.
    bare: u32,
    /// The number of its object, if it has one.
    object: Option<u32>,
    /// The number of its lock's name, if it is a lock or the variable of a lock's sections.
    lock: Option<u32>,
}

/// What is known of the names in a trace.
#[derive(Default)]
pub(super) struct Names {
    texts: Texts,
    vars: Vec<Option<Named>>,
    locks: Vec<Option<Named>>,
    /// By place, kind of the operation, and name without number.
    meanings: FxHashMap<(u32, usize, u32), (Meaning, Option<Site>)>,
    sites: FxHashMap<Place, Site>,
    places: Vec<Place>,
}

impl Names {
    pub(super) fn step(&mut self, event: Event, location: &str, symbols: &Symbols) -> Option<Step> {
        let thread = event.thread;
        let simple = |act| Some(Step { thread, act, site: None });
        let (named, number) = match event.op {
            Op::Begin(label) => return simple(Act::Begin(label)),
            Op::End => return simple(Act::End),
            Op::Fork(child) => return simple(Act::Fork(child)),
            Op::Join(child) => return simple(Act::Join(child)),
            Op::Together => return simple(Act::Together),
            Op::Read(var) | Op::Write(var) => (self.variable(var, symbols), var.0),
            Op::Acquire(lock) | Op::Release(lock) => (self.lock(lock, symbols), lock.0),
            Op::Fence | Op::Commit(_) | Op::Nop | Op::Update => return None,
        };
        let key = (self.texts.number(location), event.op.kind(), named.bare);
        let (meaning, site) = match self.meanings.get(&key) {
            Some(known) => *known,
            None => {
                let name = match event.op {
                    Op::Read(var) | Op::Write(var) => symbols.var(var),
                    _ => symbols.lock(LockId(number)),
                };
                let meaning = self.meaning(event.op, &name, named, location);
                self.meanings.insert(key, meaning);
                meaning
            }
        };
        // A lock that readers share gets the number of its variable's name among the locks.
        let lock = match (named.lock, meaning) {
            (Some(lock), _) => lock,
            (None, Meaning::Acquire { .. } | Meaning::Release { .. }) => self.texts.number(&symbols.var(VarId(number))),
            _ => 0,
        };
        let act = match meaning {
            Meaning::Nothing => return None,
            Meaning::Access { declaration, is_write } => {
                Act::Access { variable: number, declaration, object: named.object, is_write }
            }
            Meaning::Give => Act::Give(number),
            Meaning::Receive => Act::Receive(number),
            Meaning::Acquire { declaration, is_shared } => Act::Acquire { lock, declaration, is_shared },
            Meaning::Release { declaration } => Act::Release { lock, declaration },
            Meaning::Section { declaration } => Act::Section { lock, declaration },
            Meaning::GiveBack { declaration } => Act::GiveBack { declaration },
        };
        Some(Step { thread, act, site })
    }

    /// The object of an event that was taken, if it has one.
    fn object(&self, op: Op) -> Option<u32> {
        let named = match op {
            Op::Read(var) | Op::Write(var) => self.vars.get(var.index()),
            Op::Acquire(lock) | Op::Release(lock) => self.locks.get(lock.index()),
            _ => None,
        };
        named.copied().flatten()?.object
    }

    fn variable(&mut self, var: VarId, symbols: &Symbols) -> Named {
        if let Some(known) = *at(&mut self.vars, var.index()) {
            return known;
        }
        let name = symbols.var(var);
        let named = match section::lock(&name) {
            Some(lock) => self.named_lock(lock),
            None => {
                let object = object(&name).map(|object| self.texts.number(object));
                Named { bare: self.texts.number(without_number(&name)), object, lock: None }
            }
        };
        self.vars[var.index()] = Some(named);
        named
    }

    fn lock(&mut self, lock: LockId, symbols: &Symbols) -> Named {
        if let Some(known) = *at(&mut self.locks, lock.index()) {
            return known;
        }
        let named = self.named_lock(&symbols.lock(lock));
        self.locks[lock.index()] = Some(named);
        named
    }

    fn named_lock(&mut self, name: &str) -> Named {
        let [bare, lock] = [without_number(name), name].map(|name| self.texts.number(name));
        let object = object(name).map(|object| self.texts.number(object));
        Named { bare, object, lock: Some(lock) }
    }

    fn meaning(&mut self, op: Op, name: &str, named: Named, location: &str) -> (Meaning, Option<Site>) {
        let bare = self.texts.text(named.bare).to_owned();
        let called = Call::parse(name, location);
        let place = called.as_ref().map_or(location, |(_, place)| place);
        let call = called.as_ref().map(|(call, _)| call);
        match op {
            Op::Acquire(_) | Op::Release(_) => self.of_lock(op, &bare, call, place),
            _ if named.lock.is_some() => self.of_section(op, &bare, place),
            _ => self.of_variable(op, &bare, call, place),
        }
    }

    fn of_lock(&mut self, op: Op, bare: &str, call: Option<&Call>, place: &str) -> (Meaning, Option<Site>) {
        let declaration = self.texts.number(&call.map_or_else(|| bare.to_owned(), Call::holder));
        let action = if matches!(op, Op::Acquire(_)) { Action::Acquire } else { Action::Release };
        let meaning = match action {
            Action::Acquire => Meaning::Acquire { declaration, is_shared: false },
            _ => Meaning::Release { declaration },
        };
        // No thread can be held inside a wait.
        let is_wait = call.is_some_and(Call::is_wait);
        let site = if is_wait { None } else { self.site(place, action, &called(call)) };
        (meaning, site)
    }

    /// Sections that write nothing are read at both ends. A section that writes has a write of the variable beside its acquire
    /// and its release.
    fn of_section(&mut self, op: Op, bare: &str, place: &str) -> (Meaning, Option<Site>) {
        let declaration = self.texts.number(bare);
        match op {
            // Either end will do: the place of a monitor is the same for its acquire and its release.
            Op::Read(_) => (Meaning::Section { declaration }, self.site(place, Action::Acquire, "")),
            _ => (Meaning::Nothing, None),
        }
    }

    fn of_variable(&mut self, op: Op, bare: &str, call: Option<&Call>, place: &str) -> (Meaning, Option<Site>) {
        let is_write = matches!(op, Op::Write(_));
        let hand = Hand::of(bare).or(call.and_then(|call| call.hand));
        match hand {
            Some(Hand::Permits) if is_write => return self.of_permits(call, place),
            Some(Hand::Permits) => return (Meaning::Nothing, None),
            Some(_) if is_write => return (Meaning::Give, None),
            Some(_) => return (Meaning::Receive, None),
            None => {}
        }
        if let Some(call) = call.filter(|call| call.is_of_shared_lock()) {
            return self.of_shared_lock(call, is_write, place);
        }
        let holder = call.filter(|call| !call.is_of_handle() && call.target().is_none()).map(Call::holder);
        let declaration = self.texts.number(&holder.unwrap_or_else(|| declared(bare)));
        let name = if call.is_some() { called(call) } else { simple(bare).to_owned() };
        let action = if is_write { Action::Write } else { Action::Read };
        (Meaning::Access { declaration, is_write }, self.site(place, action, &name))
    }

    /// A release of permits. An acquisition is recorded only if permits had run out, so it is not known who has some.
    fn of_permits(&mut self, call: Option<&Call>, place: &str) -> (Meaning, Option<Site>) {
        let Some(call) = call else { return (Meaning::Nothing, None) };
        let declaration = self.texts.number(&call.holder());
        (Meaning::GiveBack { declaration }, self.site(place, Action::Release, &called(Some(call))))
    }

    fn of_shared_lock(&mut self, call: &Call, is_write: bool, place: &str) -> (Meaning, Option<Site>) {
        let declaration = self.texts.number(&call.holder());
        let method = call.method.to_lowercase();
        let name = called(Some(call));
        if method.starts_with("unlock") {
            return (Meaning::Release { declaration }, self.site(place, Action::Release, &name));
        }
        // A validated stamp keeps nobody out, and what a lock is converted to depends on what it was.
        if !method.contains("lock") {
            return (Meaning::Nothing, None);
        }
        (Meaning::Acquire { declaration, is_shared: !is_write }, self.site(place, Action::Acquire, &name))
    }

    fn site(&mut self, place: &str, action: Action, name: &str) -> Option<Site> {
        let place = Place::new(place, action, name)?;
        let next = self.places.len();
        Some(*self.sites.entry(place).or_insert_with_key(|place| {
            self.places.push(place.clone());
            Site::try_from(next).expect("fewer than 2^32 places")
        }))
    }

    /// What a candidate is about.
    fn variables(&self, found: &Found) -> String {
        let last = self.texts.text(found.declaration);
        match found.also.map(|also| self.texts.text(also)) {
            Some(first) if first != last => format!("{first} and {last}"),
            _ => last.to_owned(),
        }
    }

    /// The candidates found, by names.
    pub(super) fn candidates(&self, found: &[Found], symbols: &Symbols) -> Candidates {
        let own = symbols.notes.values(notes::APPLICATION).next().map(Application::parse).unwrap_or_default();
        let mut candidates = Candidates::new();
        candidates.own.merge(&own);
        for candidate in found.iter().filter_map(|found| self.candidate(found, symbols)) {
            candidates.add(candidate);
        }
        candidates
    }

    /// Adds the predicted candidates, except those close to one that is there: threads would be held at the same place until another
    /// one has passed the same place.
    fn add_predicted(&self, predicted: &[Predicted], symbols: &Symbols, candidates: &mut Candidates) {
        let alike = |candidate: &Candidate| {
            let Candidate { block, first, hold, other, .. } = candidate.clone();
            (block, first, hold, other)
        };
        let known: FxHashSet<_> = candidates.in_order().iter().map(|(candidate, _)| alike(candidate)).collect();
        for candidate in predicted.iter().filter_map(|predicted| self.predicted(predicted, symbols)) {
            if !known.contains(&alike(&candidate)) {
                candidates.add(candidate);
            }
        }
    }

    /// `None` if the block has no label.
    fn predicted(&self, predicted: &Predicted, symbols: &Symbols) -> Option<Candidate> {
        let names: Vec<&str> = predicted.declarations.iter().map(|number| self.texts.text(*number)).collect();
        let steps: Vec<model::Step> = predicted
            .steps
            .iter()
            .map(|step| model::Step {
                thread: step.thread,
                object: step.object,
                place: self.place(step.passing),
                gate: step.gate.map(|site| self.place((site, Action::Acquire))),
            })
            .collect();
        let other = steps.last()?.place.clone();
        Some(Candidate {
            block: label(predicted.block, symbols)?,
            variable: names.join(" and "),
            first: self.place(predicted.first),
            hold: self.place(predicted.hold),
            last: self.place(predicted.last),
            other,
            enter: None,
            steps,
        })
    }

    /// The places of a candidate found for either end of a section are as the candidate says.
    fn place(&self, (site, action): Passing) -> Place {
        let mut place = self.places[site as usize].clone();
        place.action = action;
        place
    }

    /// `None` if the block has no label.
    fn candidate(&self, found: &Found, symbols: &Symbols) -> Option<Candidate> {
        let place = |passing| self.place(passing);
        Some(Candidate {
            block: label(found.block, symbols)?,
            variable: self.variables(found),
            first: place(found.first),
            hold: place(found.hold),
            last: place(found.last),
            other: place(found.other),
            enter: found.enter.map(|site| place((site, Action::Acquire))),
            steps: Vec::new(),
        })
    }
}

/// The label of a block, if it has one.
fn label(block: LabelId, symbols: &Symbols) -> Option<String> {
    symbols.label(block).filter(|label| !label.is_empty()).map(|label| label.into_owned())
}

/// The name of the place of a call.
fn called(call: Option<&Call>) -> String {
    call.map_or_else(String::new, |call| format!("{}()", call.method))
}

#[cfg(test)]
pub(super) mod tests;
