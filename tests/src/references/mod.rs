//! Executions in which threads create objects and pass references on, and the checks of the filters of temporaries and of constants on them.
//!
//! A *plan* is a list of commands. [`run`] executes it on a heap, skips what cannot be done (an access through a local that holds
//! nothing), and returns the steps that the filter sees with the variables that they are about. So each part of a plan is a plan, which
//! makes shrinking simple. An object has two plain fields and one that holds a reference. There is one static field with a hook, and
//! one place without.
//!
//! The promises of the filters are in [`analysis_core::filter::temporary`] and [`analysis_core::filter::constructed`]. [`check`]
//! evaluates them word by word.

use std::collections::HashMap;

use analysis_core::event::{Event, LockId, Op, ThreadId, VarId};
use analysis_core::filter::constructed::Constructed;
use analysis_core::filter::temporary::{Local, Step, Temporaries};

use crate::compare::{Answer, Blame};
use crate::text;
use crate::world::World;

pub mod plans;

/// A command for a thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Command {
    /// `to = new`
    New(Local),
    /// `to = new`, and the constructor begins.
    Construct(Local),
    /// The constructor of the object in a local has returned.
    Constructed(Local),
    /// `to = from`
    Copy(Local, Local),
    /// Reads a plain field of the object in a local.
    Read(Local, u8),
    /// Writes a plain field of the object in a local.
    Write(Local, u8),
    /// `holder.next = value`
    Put(Local, Local),
    /// `to = holder.next`
    Get(Local, Local),
    /// `shared = value`, with a hook.
    Publish(Local),
    /// `to = shared`, with a hook.
    Fetch(Local),
    /// Puts a reference where there is no hook: an argument, a queue that is not instrumented.
    Send(Local),
    /// Takes the reference that was sent last.
    Receive(Local),
    /// Any other event.
    Event(Op),
}

/// The commands, each with its thread.
pub type Plan = Vec<(ThreadId, Command)>;

/// Plain variables of a plan have numbers below this one.
const FIRST_OF_OBJECTS: u32 = 1000;
const SHARED: VarId = VarId(FIRST_OF_OBJECTS - 1);
/// Locks that stand for hand-overs without a hook.
const FIRST_HANDOVER: u32 = 1000;
const PLAIN_FIELDS: u8 = 2;
const NEXT: u8 = PLAIN_FIELDS;

type Object = u32;

#[derive(Default)]
struct Heap {
    objects: u32,
    locals: HashMap<(ThreadId, u8), Object>,
    next: HashMap<Object, Object>,
    shared: Option<Object>,
    sent: Option<Object>,
    handovers: u32,
}

/// The effect of a command: its step and its hand-over.
struct Done {
    step: Step,
    handover: Option<Op>,
}

impl From<Step> for Done {
    fn from(step: Step) -> Done {
        Done { step, handover: None }
    }
}

fn variable(object: Object, field: u8) -> VarId {
    VarId(FIRST_OF_OBJECTS + object * u32::from(PLAIN_FIELDS + 1) + u32::from(field))
}

impl Heap {
    fn object(&self, thread: ThreadId, local: Local) -> Option<Object> {
        self.locals.get(&(thread, local.0)).copied()
    }

    fn set(&mut self, thread: ThreadId, local: Local, object: Object) {
        self.locals.insert((thread, local.0), object);
    }

    /// Puts a new object into a local. Returns its variables.
    fn make(&mut self, thread: ThreadId, to: Local) -> Vec<VarId> {
        let object = self.objects;
        self.objects += 1;
        self.set(thread, to, object);
        (0..=NEXT).map(|field| variable(object, field)).collect()
    }

    /// Executes a command. Returns `None` if that is impossible.
    fn execute(&mut self, thread: ThreadId, command: Command) -> Option<Done> {
        let access = |holder: Option<Local>, op| Step::Access { holder, op, value: None, to: None };
        Some(match command {
            Command::New(to) => Step::New { to, variables: self.make(thread, to) }.into(),
            Command::Construct(to) => Step::Construct { to, variables: self.make(thread, to) }.into(),
            Command::Constructed(value) => self.object(thread, value).map(|_| Step::Constructed { value }.into())?,
            Command::Copy(from, to) => {
                let object = self.object(thread, from)?;
                self.set(thread, to, object);
                Step::Copy { from, to }.into()
            }
            Command::Read(of, field) => access(Some(of), Op::Read(variable(self.object(thread, of)?, field))).into(),
            Command::Write(of, field) => access(Some(of), Op::Write(variable(self.object(thread, of)?, field))).into(),
            Command::Put(of, value) => {
                let (holder, object) = (self.object(thread, of)?, self.object(thread, value)?);
                self.next.insert(holder, object);
                let op = Op::Write(variable(holder, NEXT));
                Step::Access { holder: Some(of), op, value: Some(value), to: None }.into()
            }
            Command::Get(of, to) => {
                let holder = self.object(thread, of)?;
                let object = *self.next.get(&holder)?;
                self.set(thread, to, object);
                let op = Op::Read(variable(holder, NEXT));
                Step::Access { holder: Some(of), op, value: None, to: Some(to) }.into()
            }
            Command::Publish(value) => {
                self.shared = Some(self.object(thread, value)?);
                Step::Access { holder: None, op: Op::Write(SHARED), value: Some(value), to: None }.into()
            }
            Command::Fetch(to) => {
                let object = self.shared?;
                self.set(thread, to, object);
                Step::Access { holder: None, op: Op::Read(SHARED), value: None, to: Some(to) }.into()
            }
            Command::Send(value) => {
                self.sent = Some(self.object(thread, value)?);
                self.handovers += 1;
                Done { step: Step::Leave { value }, handover: Some(Op::Release(self.handover())) }
            }
            Command::Receive(to) => {
                let object = self.sent?;
                self.set(thread, to, object);
                Done { step: Step::Take { to }, handover: Some(Op::Acquire(self.handover())) }
            }
            Command::Event(op @ (Op::Read(_) | Op::Write(_))) => access(None, op).into(),
            Command::Event(op) => Step::Event(op).into(),
        })
    }

    /// Returns a lock for each hand-over, so that it orders only the sender before the receiver.
    fn handover(&self) -> LockId {
        LockId(FIRST_HANDOVER + self.handovers)
    }
}

/// Events with the numbers of their commands.
#[derive(Default)]
struct Numbered {
    events: Vec<Event>,
    numbers: Vec<u64>,
}

impl Numbered {
    fn push(&mut self, number: u64, thread: ThreadId, op: Op) {
        self.events.push(Event::new(thread, op));
        self.numbers.push(number);
    }

    /// Returns the right answer in the numbers of the commands.
    fn answer(&self) -> Answer {
        let number = |position: u64| self.numbers[position as usize - 1];
        let answer = Answer::of_reference(&self.events);
        let blame = |blame: &Blame| Blame { begin: number(blame.begin), event: number(blame.event), ..*blame };
        Answer { first_event: answer.first_event.map(number), violated: answer.violated.iter().map(blame).collect() }
    }
}

/// An executed plan: today's trace, the execution's, and what the filters leave.
#[derive(Default)]
pub struct Run {
    today: Numbered,
    execution: Numbered,
    filtered: Numbered,
    /// The events that are left without accesses to constants.
    changing: Numbered,
    has_handovers: bool,
    /// The executed steps with the numbers of their commands.
    steps: Vec<(u64, ThreadId, Step)>,
}

/// Whether each command of the plan can be executed.
fn is_possible(plan: &[(ThreadId, Command)]) -> bool {
    run(plan).steps.len() == plan.len()
}

/// Executes a plan.
pub fn run(plan: &[(ThreadId, Command)]) -> Run {
    let (mut heap, mut world, mut filter, mut run) =
        (Heap::default(), World::default(), Temporaries::default(), Run::default());
    for (number, &(thread, command)) in (1..).zip(plan) {
        // Joined threads make no step either.
        let event = if let Command::Event(op) = command { op } else { Op::Nop };
        if !world.allows(Event::new(thread, event)) {
            continue;
        }
        let Some(Done { step, handover }) = heap.execute(thread, command) else { continue };
        match step {
            Step::Access { op, .. } | Step::Event(op) => {
                world.take(Event::new(thread, op));
                run.today.push(number, thread, op);
                run.execution.push(number, thread, op);
            }
            _ => {}
        }
        if let Some(op) = handover {
            run.execution.push(number, thread, op);
            run.has_handovers = true;
        }
        filter.step(thread, &step, |op| run.filtered.push(number, thread, op));
        run.steps.push((number, thread, step));
    }
    run.drop_constants();
    run
}

impl Run {
    fn drop_constants(&mut self) {
        let mut filter = Constructed::default();
        self.steps.iter().for_each(|(_, thread, step)| filter.foresee(*thread, step));
        for (number, thread, step) in &self.steps {
            if let Step::Access { op, .. } | Step::Event(op) = step
                && filter.needs(*thread, step)
            {
                self.changing.push(*number, *thread, *op);
            }
        }
    }

    /// Returns the numbers of events of today's trace, of what the filter of temporaries leaves (which may add events where an object escapes), and
    /// of what the filter of constants leaves.
    pub fn saved(&self) -> [usize; 3] {
        [&self.today, &self.filtered, &self.changing].map(|trace| trace.events.len())
    }

    fn check(&self) -> Result<(), String> {
        let (today, filtered) = (self.today.answer(), self.filtered.answer());
        at_least(&filtered, &today).map_err(|lost| format!("lost: {lost}"))?;
        let changing = self.changing.answer();
        at_least(&today, &changing).map_err(|untrue| format!("not found with constants: {untrue}"))?;
        if !self.has_handovers {
            at_least(&changing, &today).map_err(|lost| format!("lost with the constants: {lost}"))?;
        }
        let execution = if self.has_handovers { self.execution.answer() } else { today };
        at_least(&execution, &filtered).map_err(|untrue| format!("not true of the execution: {untrue}"))
    }
}

/// Checks that `more` has everything in `less`, at the same event or an earlier one.
fn at_least(more: &Answer, less: &Answer) -> Result<(), String> {
    if let Some(event) = less.first_event.filter(|event| more.first_event.is_none_or(|earlier| earlier > *event)) {
        return Err(format!("non-serializable at {event}"));
    }
    let is_said = |blame: &&Blame| {
        more.violated
            .iter()
            .any(|other| other.event <= blame.event && Blame { event: blame.event, ..*other } == **blame)
    };
    match less.violated.iter().find(|blame| !is_said(blame)) {
        Some(blame) => Err(blame.to_string()),
        None => Ok(()),
    }
}

/// Checks the promises of the filters on one plan.
pub fn check(plan: &[(ThreadId, Command)]) -> Result<(), String> {
    run(plan).check()
}

/// The same. A failure is reported for the smallest part of the plan that shows it.
pub fn check_or_explain(plan: &[(ThreadId, Command)]) -> Result<(), String> {
    if check(plan).is_ok() {
        return Ok(());
    }
    let plan = shrink(plan.to_vec());
    let fault = check(&plan).expect_err("the shrinker keeps the failure");
    let commands = (1..).zip(&plan).map(|(number, (thread, command))| format!("{number} T{} {command:?}\n", thread.0));
    let commands: String = commands.collect();
    let run = run(&plan);
    let [left, changing] = [&run.filtered, &run.changing].map(|trace| text::to_std(&trace.events));
    Err(format!(
        "{fault}\nsmallest plan that shows it:\n{commands}without temporaries:\n{left}without constants:\n{changing}"
    ))
}

fn shrink(mut plan: Plan) -> Plan {
    let mut length = plan.len().div_ceil(2);
    while length > 0 {
        let size = plan.len();
        let mut end = plan.len();
        while end > 0 {
            let start = end.saturating_sub(length);
            let mut shorter = plan.clone();
            shorter.drain(start..end);
            if check(&shorter).is_err() {
                plan = shorter;
            }
            end = start.min(plan.len());
        }
        if length > 1 || plan.len() == size {
            length /= 2;
        }
    }
    plan
}
