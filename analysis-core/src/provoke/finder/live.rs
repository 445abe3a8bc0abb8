//! Candidates from events that come while the program runs, without a trace that could be read twice.
//!
//! What only one thread accesses is known one window later, so events wait that long before the finder takes them. What threads
//! come to share after that is too far apart for a candidate.

use std::collections::VecDeque;

use super::sharing::Sharing;
use super::trace::{Finding, Searched};
use crate::event::Event;
use crate::predict::algorithm::AlgorithmSpec;
use crate::trace::symbols::Symbols;

/// Takes events, each with its location as a trace has it.
pub struct Live<P> {
    window: usize,
    sharing: Sharing,
    finding: Finding,
    /// At most two windows of events that the finder has not taken.
    waiting: VecDeque<(Event, P)>,
}

impl<P: AsRef<str>> Live<P> {
    /// A finder that remembers this many events, at most twice as many, and as many before them. With an algorithm it also looks for
    /// violations that take more than one access of another thread.
    pub fn new(window: u64, predicts: Option<&'static AlgorithmSpec>) -> Live<P> {
        Live {
            window: usize::try_from(window).unwrap_or(usize::MAX / 2).max(1),
            sharing: Sharing::default(),
            finding: Finding::new(window, predicts),
            waiting: VecDeque::new(),
        }
    }

    /// Takes the next event. `symbols` has its names.
    pub fn take(&mut self, event: Event, location: P, symbols: &Symbols) {
        self.sharing.note(event);
        self.waiting.push_back((event, location));
        if self.waiting.len() >= 2 * self.window {
            self.pass(self.window, symbols);
        }
    }

    /// Returns what was found.
    pub fn finish(mut self, symbols: &Symbols) -> Searched {
        self.pass(self.waiting.len(), symbols);
        self.finding.finish(symbols)
    }

    /// Passes this many of the oldest events to the finder.
    fn pass(&mut self, count: usize, symbols: &Symbols) {
        let Live { sharing, finding, waiting, .. } = self;
        sharing.join(symbols);
        for (event, location) in waiting.drain(..count) {
            finding.take(event, location.as_ref(), symbols, sharing);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provoke::Candidate;
    use crate::provoke::finder::{Search, search};
    use crate::trace::input::Input;
    use crate::trace::{Mode, TraceReader};

    /// Those of a trace that is read as a file, and event by event.
    fn both(trace: &str, window: u64) -> [Vec<Candidate>; 2] {
        let input = Input::spool("a.std", trace.as_bytes()).expect("spooled");
        let how = Search { window, ..Search::default() };
        let read = search(&input, how, |_| true).expect("a trace").candidates;
        let mut reader = TraceReader::open_located(&input, Mode::Strict).expect("a trace");
        let (mut live, mut one) = (Live::new(window, how.predicts), Vec::new());
        while reader.read_batch(&mut one, 1).expect("a trace") > 0 {
            live.take(one[0], reader.written().location.into_owned(), reader.symbols());
            assert!(live.waiting.len() < 2 * live.window, "{} events wait", live.waiting.len());
        }
        let Searched { candidates, left_out, unfinished } = live.finish(reader.symbols());
        assert_eq!((left_out, unfinished), (0, 0));
        [read, candidates].map(|all| all.in_order().into_iter().map(|(candidate, _)| candidate.clone()).collect())
    }

    /// A block of `a` that reads and writes `x`, so many accesses of its own, and a write by `b`.
    fn trace(apart: usize) -> String {
        let own = "a|r(C.own@2)|a.C.f:4\n".repeat(apart);
        format!(
            "a|begin(a.C.f())|a.C.f:1\na|r(C.x@1)|a.C.f:2\na|w(C.x@1)|a.C.f:3\na|end|a.C.f:5\n{own}b|w(C.x@1)|a.C.g:7\n"
        )
    }

    #[test]
    fn events_that_come_one_by_one_show_what_a_file_shows() {
        for (apart, window) in [(0, 100), (0, 4), (7, 12), (50, 60)] {
            let [read, found] = both(&trace(apart), window);
            assert_eq!(read, found, "{apart} apart, window {window}");
            assert_eq!(found.len(), 1, "{apart} apart, window {window}");
            assert_eq!(found[0].other.to_string(), "a.C.g:7 write x");
        }
    }

    #[test]
    fn what_is_too_far_apart_is_no_candidate() {
        let [_, found] = both(&trace(100), 8);
        assert_eq!(found, []);
    }
}
