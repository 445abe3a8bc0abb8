//! Feeds every event to the recorded trace, and to an engine that analyses traces. The run is kept in memory for the
//! report of such an engine, and for predictions, which are made at the end.

use analysis_core::engine::Engine;
use analysis_core::event::{Event, Op, ThreadId};
use analysis_core::trace::notes;

use rustc_hash::FxHashSet;

use super::log::Log;
use super::{Feed, Moment, Sink};
use crate::codes;
use crate::names::Names;
use crate::predictions::Wanted;
use crate::trace::{Context, Recorder, Translator};

/// The trace, and where it goes.
pub(super) struct Events {
    translator: Translator,
    /// The events of the current record; a field so that its memory is reused.
    events: Vec<Event>,
    recorder: Option<Recorder>,
    /// The named methods that the trace already has as such.
    named: FxHashSet<String>,
    engine: Option<(Box<dyn Engine>, Log)>,
    /// The events kept for predictions, and which predictions to make.
    predict: Option<(Log, Wanted)>,
}

impl Events {
    /// `holds` says that sections that write nothing are critical sections like others.
    pub(super) fn new(
        holds: bool,
        recorder: Option<Recorder>,
        engine: Option<(Box<dyn Engine>, Log)>,
        predict: Option<(Log, Wanted)>,
    ) -> Events {
        let named = FxHashSet::default();
        Events { translator: Translator::new(holds), events: Vec::new(), recorder, named, engine, predict }
    }

    /// Writes the notes that precede an event in the trace.
    fn note(&mut self, names: &Names, is_first: bool, label: &str) {
        let Some(recorder) = &mut self.recorder else { return };
        if let Some(packages) = names.application().filter(|_| is_first) {
            recorder.note(notes::APPLICATION, packages);
        }
        if !label.is_empty() && names.is_named(label) && !self.named.contains(label) {
            recorder.note(notes::NAMED, label);
            self.named.insert(label.to_owned());
        }
    }
}

impl Sink for Events {
    fn opened(&mut self, _feed: &mut Feed, thread: ThreadId) {
        self.translator.opened(thread);
    }

    fn event(&mut self, feed: &mut Feed, moment: &Moment) {
        let Moment { stamp, record, marks, forked, .. } = moment;
        let site = feed.lookup.site(record.site);
        let class = feed.lookup.type_name(record.class());
        let name = feed.states.current_name(stamp.thread());
        let label = if record.code == codes::BEGIN { site.method.as_str() } else { "" };
        let forked = forked.as_deref().unwrap_or_default();
        let names = &*feed.names;
        let context = Context { name: &name, site: &site, class, names, label, forked };
        self.note(&feed.names, feed.events == 1, label);
        let Events { translator, events, recorder, engine, predict, .. } = self;
        events.clear();
        translator.translate(stamp.thread(), *record, *marks, &context, events);
        let last = events.len().saturating_sub(1);
        for (index, event) in events.iter().enumerate() {
            // Events inserted before the record's own event have no place in the program, except for the variable of a
            // section.
            let is_placed = index == last || matches!(event.op, Op::Write(_));
            let place = if is_placed { site.place.as_str() } else { "" };
            if let Some(recorder) = recorder {
                recorder.write(*event, &translator.symbols, place);
            }
            if let Some((engine, log)) = engine
                && log.take(*event, *record, &site, context.class.as_ref())
            {
                engine.step(*event);
            }
            if let Some((log, _)) = predict {
                log.take(*event, *record, &site, context.class.as_ref());
            }
        }
    }

    fn rest(&mut self) {
        if let Some(recorder) = &mut self.recorder {
            recorder.look();
        }
    }

    fn end(&mut self, feed: &mut Feed) {
        if self.recorder.is_some() {
            feed.recorder = self.recorder.take();
        }
        if let Some((engine, log)) = &mut self.engine {
            let Feed { labels, causes, tally, tells_waits, names, .. } = feed;
            let named = tells_waits.then_some(&**names);
            log.report(engine.findings(), &self.translator.symbols, labels, named, (causes, tally));
            feed.engine_limit = log.limit();
            feed.engine_doubt = log.doubt.take();
        }
        if let Some((mut log, wanted)) = self.predict.take() {
            feed.predictions = Some(Box::new(log.predict(&wanted, std::mem::take(&mut self.translator.symbols))));
        }
    }
}
