//! Threads with store buffers: the possible next steps, and their effects.

use std::collections::VecDeque;

use rand_pcg::Pcg32;
use rand_pcg::rand_core::{Rng, SeedableRng};

use super::{Instruction, Program};
use crate::event::{Event, Op, ThreadId, VarId};

/// The way in which writes reach memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Memory {
    /// At once: sequential consistency. Executions have no commits.
    Immediate,
    /// Through store buffers. Every write is committed in the end.
    Buffered,
}

/// A possible next step.
#[derive(Clone, Copy)]
enum Step {
    Run(usize),
    Commit(usize),
}

struct State<'a> {
    program: &'a Program,
    buffering: Memory,
    memory: Vec<i64>,
    threads: Vec<Running>,
    events: Vec<Event>,
}

#[derive(Clone, Default)]
struct Running {
    next: usize,
    registers: Vec<i64>,
    buffer: VecDeque<(VarId, i64)>,
}

impl Program {
    /// Calls `visit` with every execution, until it returns that it has enough.
    pub fn executions(&self, memory: Memory, visit: &mut impl FnMut(&[Event]) -> bool) {
        explore(State::new(self, memory), visit);
    }

    /// Returns a random execution.
    pub fn random(&self, memory: Memory, seed: u64) -> Vec<Event> {
        let mut dice = Pcg32::seed_from_u64(seed);
        let mut state = State::new(self, memory);
        loop {
            let steps = state.steps();
            if steps.is_empty() {
                return state.events;
            }
            let chosen = (u64::from(dice.next_u32()) * steps.len() as u64) >> 32;
            state.take(steps[chosen as usize]);
        }
    }
}

/// Explores depth first, without recursion, since a program may be long.
fn explore(mut state: State, visit: &mut impl FnMut(&[Event]) -> bool) {
    // The remaining choices: the state without its events, the number of those events, and the step.
    let mut left: Vec<(State, usize, Step)> = Vec::new();
    loop {
        let steps = state.steps();
        let step = match steps.split_first() {
            Some((first, others)) => {
                left.extend(others.iter().rev().map(|other| (state.without_events(), state.events.len(), *other)));
                *first
            }
            None => {
                if visit(&state.events) {
                    return;
                }
                let Some((mut earlier, events, step)) = left.pop() else { return };
                // The events of every remaining choice are a prefix of the current ones.
                earlier.events = std::mem::take(&mut state.events);
                earlier.events.truncate(events);
                state = earlier;
                step
            }
        };
        state.take(step);
    }
}

impl<'a> State<'a> {
    fn new(program: &'a Program, buffering: Memory) -> State<'a> {
        let threads =
            program.threads.iter().map(|thread| Running { registers: vec![0; thread.registers], ..Running::default() });
        let threads = threads.collect();
        let mut state = State { program, buffering, memory: program.initial.clone(), threads, events: vec![] };
        (0..program.threads.len()).for_each(|thread| state.run_alone(thread));
        state
    }

    fn without_events(&self) -> State<'a> {
        let State { program, buffering, ref memory, ref threads, .. } = *self;
        State { program, buffering, memory: memory.clone(), threads: threads.clone(), events: vec![] }
    }

    fn steps(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        for (number, (thread, running)) in self.program.threads.iter().zip(&self.threads).enumerate() {
            match thread.code.get(running.next) {
                None => {}
                Some(Instruction::Fence) if !running.buffer.is_empty() => {}
                Some(_) => steps.push(Step::Run(number)),
            }
            if !running.buffer.is_empty() {
                steps.push(Step::Commit(number));
            }
        }
        steps
    }

    fn take(&mut self, step: Step) {
        match step {
            Step::Run(thread) => {
                self.access(thread);
                self.run_alone(thread);
            }
            Step::Commit(thread) => {
                let (x, value) = self.threads[thread].buffer.pop_front().expect("a write to commit");
                self.memory[x.index()] = value;
                self.record(thread, Op::Commit(x));
            }
        }
    }

    /// Runs an instruction that is visible to other threads.
    fn access(&mut self, thread: usize) {
        let running = &mut self.threads[thread];
        let op = match &self.program.threads[thread].code[running.next] {
            Instruction::Read(register, x) => {
                let buffered = running.buffer.iter().rev().find(|(var, _)| var == x);
                running.registers[*register] = buffered.map_or(self.memory[x.index()], |(_, value)| *value);
                Op::Read(*x)
            }
            Instruction::Write(x, value) => {
                let value = value.value(&running.registers);
                match self.buffering {
                    Memory::Immediate => self.memory[x.index()] = value,
                    Memory::Buffered => running.buffer.push_back((*x, value)),
                }
                Op::Write(*x)
            }
            Instruction::Fence => Op::Fence,
            other => unreachable!("{other:?} is run without a step of its own"),
        };
        running.next += 1;
        self.record(thread, op);
    }

    /// Runs the instructions that are not visible to other threads, up to the next one that is. The time at which they
    /// run makes no difference.
    fn run_alone(&mut self, thread: usize) {
        loop {
            let running = &mut self.threads[thread];
            let Some(instruction) = self.program.threads[thread].code.get(running.next) else { return };
            running.next += 1;
            match instruction {
                Instruction::Begin(label) => self.record(thread, Op::Begin(*label)),
                Instruction::End => self.record(thread, Op::End),
                Instruction::Set(register, value) => {
                    running.registers[*register] = value.value(&running.registers);
                }
                Instruction::Unless(condition, target) => {
                    if condition.value(&running.registers) == 0 {
                        running.next = *target;
                    }
                }
                Instruction::Jump(target) => running.next = *target,
                Instruction::Read(..) | Instruction::Write(..) | Instruction::Fence => {
                    running.next -= 1;
                    return;
                }
            }
        }
    }

    fn record(&mut self, thread: usize, op: Op) {
        self.events.push(Event::new(ThreadId(thread as u32), op));
    }
}
