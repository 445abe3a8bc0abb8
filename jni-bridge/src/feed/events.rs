//! Feeding every event: to the recorded trace, and to an engine that analyses traces; that one's run is kept in memory for
//! its report.

use analysis_core::engine::Engine;
use analysis_core::event::{Event, ThreadId};

use super::log::Log;
use super::{Feed, Moment, Sink};
use crate::codes;
use crate::trace::{Context, Recorder, Translator};

/// The trace, and where it goes.
pub(super) struct Events {
    translator: Translator,
    /// Of the current record; kept for its memory.
    events: Vec<Event>,
    recorder: Option<Recorder>,
    engine: Option<(Box<dyn Engine>, Log)>,
}

impl Events {
    pub(super) fn new(recorder: Option<Recorder>, engine: Option<(Box<dyn Engine>, Log)>) -> Events {
        Events { translator: Translator::default(), events: Vec::new(), recorder, engine }
    }
}

impl Sink for Events {
    fn opened(&mut self, thread: ThreadId) {
        self.translator.opened(thread);
    }

    fn event(&mut self, feed: &mut Feed, moment: &Moment) {
        let Moment { stamp, record, forked, .. } = moment;
        let site = feed.lookup.site(record.site);
        let class = feed.lookup.type_name(moment.class());
        let name = feed.states.current_name(stamp.thread());
        let label = if record.code == codes::BEGIN { site.method.as_str() } else { "" };
        let forked = forked.as_deref().unwrap_or_default();
        let context = Context { name: &name, site: &site, class, label, forked };
        let Events { translator, events, recorder, engine } = self;
        events.clear();
        translator.translate(stamp.thread(), *record, &context, events);
        let last = events.len().saturating_sub(1);
        for (index, event) in events.iter().enumerate() {
            // What is put in before the record's own event has no place.
            let place = if index == last { site.place.as_str() } else { "" };
            if let Some(recorder) = recorder {
                recorder.write(*event, &translator.symbols, place);
            }
            if let Some((engine, log)) = engine
                && log.take(*event, *record, &site, context.class.as_ref())
            {
                engine.step(*event);
            }
        }
    }

    fn rest(&mut self) {
        if let Some(recorder) = &mut self.recorder {
            recorder.look();
        }
    }

    fn end(&mut self, feed: &mut Feed) {
        if let Some(recorder) = &mut self.recorder {
            recorder.end();
            feed.trace_failure = recorder.failure.take();
        }
        if let Some((engine, log)) = &mut self.engine {
            let Feed { labels, tally, tells_waits, .. } = feed;
            log.report(engine.findings(), &self.translator.symbols, labels, *tells_waits, tally);
            feed.engine_limit = log.limit();
            feed.engine_doubt = log.doubt.take();
        }
    }
}
