//! Checks the rule of operations that take time (`analysis_core::protocol::operations`) by enumeration.
//!
//! The reference is every order of effects that real time allows: each operation takes effect at one point between its
//! start and its end, with all its accesses. The law judges each order, including dropped and redundant operations.
//!
//! - A block that is violated by the recorded events and dependencies alone is violated in every order. If these are
//!   non-serializable, so is every order.
//! - If no conflicting operations overlap and no operation calls another, nothing is dropped, and the answers are those of
//!   the orders, which all agree.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;

use analysis_core::engines::oracle;
use analysis_core::event::{Event, LabelId, Op, Stamp, ThreadId, VarId};
use analysis_core::graph::law::{Law, Role};
use analysis_core::protocol::operations::{Action, Moment, Recording, record};

use crate::generate::dice::Dice;

const BEGIN: Op = Op::Begin(LabelId::NONE);

/// Facts about an execution that passed the check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// The recorded events show a violated block.
    pub is_violated: bool,
    /// The recorded events are non-serializable.
    pub is_non_serializable: bool,
    /// Conflicting operations overlap.
    pub is_overlapping: bool,
    /// The number of dropped operations.
    pub dropped: usize,
}

/// The answers; blocks are named by the moments of their begins.
#[derive(Debug, PartialEq, Eq)]
struct Verdict {
    is_non_serializable: bool,
    violated: BTreeSet<usize>,
}

/// An effect that takes place at one point between two moments.
#[derive(Clone)]
struct Effect {
    /// The moment that identifies it.
    start: usize,
    /// The moment after which it takes effect: by then all its accesses have started.
    from: usize,
    end: usize,
    events: Vec<Event>,
}

impl Effect {
    fn thread(&self) -> ThreadId {
        self.events[0].thread
    }

    fn overlaps(&self, other: &Effect) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// Whether `other` runs inside this one.
    fn calls(&self, other: &Effect) -> bool {
        self.thread() == other.thread() && self.start < other.start && other.end < self.end
    }

    fn conflicts_with(&self, other: &Effect) -> bool {
        let mut pairs = self.events.iter().flat_map(|a| other.events.iter().map(move |b| (*a, *b)));
        pairs.any(|(a, b)| oracle::conflict(a, b) || oracle::conflict(b, a))
    }
}

/// Checks the promises of the module for an execution.
pub fn check(moments: &[Moment]) -> Result<Seen, String> {
    let recording = record(moments);
    let shown = verdict_of_recording(&recording);
    let effects = effects(moments);
    let is_overlapping = effects.iter().enumerate().any(|(i, a)| {
        let others = effects[i + 1..].iter().filter(|b| b.thread() != a.thread());
        others.into_iter().any(|b| a.overlaps(b) && a.conflicts_with(b))
    });
    let is_exact = !is_overlapping && !effects.iter().any(|outer| effects.iter().any(|inner| outer.calls(inner)));
    if is_exact && !recording.dropped.is_empty() {
        return Err("operations were dropped although none overlap".to_owned());
    }
    let shows_something = shown.is_non_serializable || !shown.violated.is_empty();
    if is_exact || shows_something {
        for_every_order(&effects, &mut Vec::new(), &mut |order| {
            let truth = verdict_of_order(order);
            let is_right = if is_exact {
                shown == truth
            } else {
                shown.violated.is_subset(&truth.violated) && shown.is_non_serializable <= truth.is_non_serializable
            };
            let starts: Vec<usize> = order.iter().map(|effect| effect.start).collect();
            if is_right {
                Ok(())
            } else {
                Err(format!("{shown:?}, but {truth:?} if effects come in the order {starts:?}"))
            }
        })?;
    }
    Ok(Seen {
        is_violated: !shown.violated.is_empty(),
        is_non_serializable: shown.is_non_serializable,
        is_overlapping,
        dropped: recording.dropped.len(),
    })
}

/// Shrinks a failing execution, and returns what [`check`] says about it together with the execution.
pub fn explain(moments: &[Moment]) -> String {
    let mut smallest = moments.to_vec();
    loop {
        let smaller = (0..smallest.len()).filter_map(|number| without(&smallest, number));
        let Some(smaller) = smaller.into_iter().find(|candidate| check(candidate).is_err()) else { break };
        smallest = smaller;
    }
    let fault = check(&smallest).expect_err("what is left fails");
    format!("{fault}\nsmallest execution that shows it:\n{}", text(&smallest))
}

/// Removes from the execution what starts at `number`. `None` if `number` is a return.
fn without(moments: &[Moment], number: usize) -> Option<Vec<Moment>> {
    let end = match moments[number].action {
        Action::Return => return None,
        Action::Also(_) => number,
        Action::Event(_) => number,
        Action::Start(_) | Action::Lock(_) => effects(moments).iter().find(|effect| effect.start == number)?.end,
    };
    // The other accesses of an operation go with it.
    let is_of = |i: usize| matches!(moments[i].action, Action::Also(_)) && moments[i].thread == moments[number].thread;
    let after = (number + 1..moments.len()).filter(|i| moments[*i].thread == moments[number].thread);
    let others: Vec<usize> = after.take_while(|i| is_of(*i)).collect();
    let stays = |i: &usize| *i != number && *i != end && (number == end || !others.contains(i));
    Some((0..moments.len()).filter(stays).map(|i| moments[i]).collect())
}

/// The moments, one per line.
pub fn text(moments: &[Moment]) -> String {
    let mut text = String::new();
    for (number, Moment { thread, action }) in moments.iter().enumerate() {
        writeln!(text, "{number}: T{} {action:?}", thread.0).expect("a string takes any text");
    }
    text
}

/// The effects in the order of their starts. All of them have returned.
fn effects(moments: &[Moment]) -> Vec<Effect> {
    let mut effects: Vec<Effect> = Vec::new();
    let mut running: HashMap<ThreadId, Vec<usize>> = HashMap::new();
    for (number, Moment { thread, action }) in moments.iter().enumerate() {
        match action {
            Action::Event(op) => {
                let events = vec![Event::new(*thread, *op)];
                effects.push(Effect { start: number, from: number, end: number, events });
            }
            Action::Start(op) | Action::Lock(op) => {
                running.entry(*thread).or_default().push(effects.len());
                let events = vec![Event::new(*thread, *op)];
                effects.push(Effect { start: number, from: number, end: usize::MAX, events });
            }
            Action::Also(op) => {
                let last = running.get(thread).and_then(|all| all.last()).expect("an operation that has started");
                effects[*last].from = number;
                effects[*last].events.push(Event::new(*thread, *op));
            }
            Action::Return => {
                let last = running.get_mut(thread).and_then(Vec::pop).expect("something that returns");
                effects[last].end = number;
            }
        }
    }
    effects
}

/// Calls `judge` with every order of effects in which an effect that has ended comes before those that start later.
fn for_every_order(
    left: &[Effect],
    order: &mut Vec<Effect>,
    judge: &mut impl FnMut(&[Effect]) -> Result<(), String>,
) -> Result<(), String> {
    if left.is_empty() {
        return judge(order);
    }
    for (i, next) in left.iter().enumerate() {
        if left.iter().any(|other| other.end < next.from) {
            continue;
        }
        let rest: Vec<Effect> = [&left[..i], &left[i + 1..]].concat();
        order.push(next.clone());
        for_every_order(&rest, order, judge)?;
        order.pop();
    }
    Ok(())
}

/// The verdict by the definition, on effects: an effect that accesses several variables is one event.
fn verdict_of_order(order: &[Effect]) -> Verdict {
    let mut law = Law::default();
    for (number, effect) in order.iter().enumerate() {
        let conflicts = (0..number).filter(|earlier| order[*earlier].conflicts_with(effect));
        let stamp = Stamp::new(effect.thread(), effect.start as u64 + 1);
        law.push(stamp, Role::of(effect.events[0].op), conflicts);
    }
    let findings = law.findings();
    Verdict {
        is_non_serializable: findings.is_non_serializable(),
        violated: findings.violations.iter().map(|violation| violation.begin as usize - 1).collect(),
    }
}

/// The verdict by program order and the recorded dependencies alone.
fn verdict_of_recording(recording: &Recording) -> Verdict {
    let mut law = Law::default();
    let mut numbers: HashMap<Stamp, usize> = HashMap::new();
    for (number, entry) in recording.events.iter().enumerate() {
        law.push(entry.stamp, Role::of(entry.event.op), entry.dependencies.iter().map(|on| numbers[on]));
        numbers.insert(entry.stamp, number);
    }
    let begin = |stamp: Stamp| recording.events[numbers[&stamp]].start;
    let findings = law.findings();
    Verdict {
        is_non_serializable: findings.is_non_serializable(),
        violated: findings.violations.iter().map(|v| begin(Stamp::new(v.thread, v.begin))).collect(),
    }
}

/// An execution under construction. Each thread does one thing at a time.
#[derive(Clone, Default)]
struct Run {
    moments: Vec<Moment>,
    threads: Vec<Doing>,
    /// Whether an operation may call another one.
    may_call: bool,
}

#[derive(Clone, Copy, Default)]
struct Doing {
    /// The number of open blocks.
    depth: usize,
    /// The running operation, and whether it holds its variable's lock.
    running: Option<(Op, bool)>,
    /// The operation that called the running one.
    caller: Option<Op>,
    /// Another access of the running operation.
    other: Option<Op>,
    /// Whether the running operation has just started.
    is_new: bool,
}

impl Run {
    fn of(threads: usize) -> Run {
        Run { moments: Vec::new(), threads: vec![Doing::default(); threads], may_call: false }
    }

    /// Whether a thread has the variable of `op` locked.
    fn is_locked(&self, op: Op) -> bool {
        let locked = self.threads.iter().filter_map(|doing| doing.running.filter(|(_, is_locked)| *is_locked));
        locked.into_iter().any(|(other, _)| other.variable() == op.variable())
    }

    fn is_possible(&self, thread: usize, action: Action) -> bool {
        let doing = self.threads[thread];
        match (action, doing.running) {
            (Action::Return, Some((op, is_locked))) => {
                is_locked || !self.is_locked(op) && !doing.other.is_some_and(|other| self.is_locked(other))
            }
            (Action::Also(op), Some((first, is_locked))) => {
                !is_locked && doing.is_new && doing.caller.is_none() && op.variable() != first.variable()
            }
            (Action::Also(_), None) => false,
            (Action::Return, None) | (Action::Event(_), Some(_)) => false,
            (_, Some((_, is_locked))) if is_locked || doing.caller.is_some() || !self.may_call => false,
            (Action::Event(Op::End), None) => doing.depth > 0,
            (Action::Lock(op), _) => !self.is_locked(op),
            _ => true,
        }
    }

    fn take(&mut self, thread: usize, action: Action) {
        let doing = &mut self.threads[thread];
        match action {
            Action::Event(Op::End) => doing.depth -= 1,
            Action::Event(_) => doing.depth += 1,
            Action::Also(op) => doing.other = Some(op),
            Action::Start(op) | Action::Lock(op) => {
                doing.caller = doing.running.map(|(caller, _)| caller);
                doing.running = Some((op, matches!(action, Action::Lock(_))));
            }
            Action::Return => {
                doing.running = doing.caller.take().map(|caller| (caller, false));
                doing.other = doing.other.filter(|_| doing.running.is_some());
            }
        }
        doing.is_new = matches!(action, Action::Start(_));
        self.moments.push(Moment { thread: ThreadId::of(thread), action });
    }

    fn is_idle(&self) -> bool {
        self.threads.iter().all(|doing| doing.running.is_none())
    }

    /// Lets all running operations return.
    fn finish(mut self) -> Vec<Moment> {
        while !self.is_idle() {
            let next = (0..self.threads.len()).find(|&thread| self.is_possible(thread, Action::Return));
            self.take(next.expect("who has a lock can return"), Action::Return);
        }
        self.moments
    }
}

/// Returns a random execution: two or three threads, up to three variables, up to eight accesses. For odd seeds
/// operations call others.
pub fn random(seed: u64) -> Vec<Moment> {
    let mut dice = Dice::new(seed);
    let threads = dice.within(&(2..=3)) as usize;
    let vars = dice.within(&(1..=3));
    let mut accesses = dice.within(&(4..=8));
    // How readily running operations return: at once, or after much else.
    let patience = 20 * dice.below(4);
    let mut run = Run::of(threads);
    run.may_call = seed % 2 == 1;
    for thread in (0..threads).filter(|_| dice.chance(60)).collect::<Vec<_>>() {
        run.take(thread, Action::Event(BEGIN));
    }
    while accesses > 0 {
        let thread = dice.below(threads as u32) as usize;
        let x = VarId(dice.below(vars));
        let access = if dice.chance(50) { Op::Read(x) } else { Op::Write(x) };
        let action = match run.threads[thread].running {
            Some(_) if run.threads[thread].is_new && dice.chance(30) => Action::Also(access),
            Some(_) if dice.chance(patience) => continue,
            Some(_) if run.may_call && dice.chance(50) => {
                [Action::Start(access), Action::Lock(access)][dice.below(2) as usize]
            }
            Some(_) => Action::Return,
            None => {
                let may_begin = if run.threads[thread].depth < 2 { 12 } else { 0 };
                [Action::Event(BEGIN), Action::Event(Op::End), Action::Start(access), Action::Lock(access)]
                    [dice.weighted(&[may_begin, 4, 50, 30])]
            }
        };
        if run.is_possible(thread, action) {
            run.take(thread, action);
            accesses -= u32::from(matches!(action, Action::Start(_) | Action::Lock(_) | Action::Also(_)));
        }
    }
    run.finish()
}

/// Runs `judge` on every execution of `length` moments, of two threads and two variables, in which every operation has
/// returned. The first thread moves first, and the first access is to the first variable.
pub fn for_all(length: usize, judge: &mut impl FnMut(&[Moment])) {
    extend(&mut Run::of(2), length, judge);
}

fn extend(run: &mut Run, length: usize, judge: &mut impl FnMut(&[Moment])) {
    let left = length - run.moments.len();
    let running = run.threads.iter().filter(|doing| doing.running.is_some()).count();
    if running > left {
        return;
    }
    if left == 0 {
        return judge(&run.moments);
    }
    let is_first_access = run.moments.iter().all(|moment| matches!(moment.action, Action::Event(_)));
    let vars = if is_first_access { 1 } else { 2 };
    let accesses = (0..vars).flat_map(|x| [Op::Read(VarId(x)), Op::Write(VarId(x))]);
    let mut actions = vec![Action::Return, Action::Event(BEGIN), Action::Event(Op::End)];
    actions.extend(accesses.flat_map(|op| [Action::Start(op), Action::Lock(op)]));
    let threads = if run.moments.is_empty() { 1 } else { 2 };
    for thread in 0..threads {
        for action in actions.iter().filter(|action| run.is_possible(thread, **action)).copied().collect::<Vec<_>>() {
            let before = run.threads[thread];
            run.take(thread, action);
            extend(run, length, judge);
            run.moments.pop();
            run.threads[thread] = before;
        }
    }
}
