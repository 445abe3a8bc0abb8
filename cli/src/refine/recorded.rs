//! Rounds over recorded traces: each reads all of them.

use std::path::PathBuf;

use analysis_core::engine::EngineSpec;
use analysis_core::report::Instances;
use analysis_core::spec::refine::Taken;
use analysis_core::trace::input::Input;
use anyhow::{Result, bail};

use super::{Executions, Observed, Text};
use crate::reading::{Pass, Reading, Restriction};

pub(super) struct Traces<'a> {
    inputs: Vec<Input>,
    reading: &'a Reading,
    engine: &'static EngineSpec,
    taken: Taken,
}

impl<'a> Traces<'a> {
    pub(super) fn open(
        paths: &[PathBuf],
        reading: &'a Reading,
        engine: &'static EngineSpec,
        taken: Taken,
    ) -> Result<Traces<'a>> {
        let inputs = paths.iter().map(|path| Ok(reading.open(path)?)).collect::<Result<Vec<Input>>>()?;
        Ok(Traces { inputs, reading, engine, taken })
    }
}

impl Executions for Traces<'_> {
    fn names(&self) -> Vec<String> {
        self.inputs.iter().map(|input| input.name().to_string()).collect()
    }

    fn each_round(&self) -> usize {
        1
    }

    /// Runs the engine over each trace. All rounds read the same traces, so only the first reports their problems.
    fn round(&mut self, specification: &Text, number: usize) -> Result<Observed> {
        let restriction = Restriction::of(specification.parse()?);
        let mut observed = Observed::default();
        for input in &self.inputs {
            let mut pass = Pass::open(input, self.reading.mode(), restriction.spec())?;
            let mut engine = (self.engine.build)();
            let mut instances = Instances::default();
            while let Some(batch) = pass.next()? {
                instances.count(batch);
                engine.feed(batch);
            }
            observed.has_blocks |= instances.total() > 0;
            let reader = pass.reader();
            if self.engine.most_events.is_some_and(|most| reader.events() > most) {
                bail!("{}", crate::check::too_long(input, reader.events(), self.engine));
            }
            let context = restriction.context(&pass, engine.findings());
            observed.round.add(engine.findings(), reader.symbols(), self.taken, &context.apart);
            if number == 1 {
                observed.is_incomplete |= reader.diagnostics().is_incomplete() || !context.reasons.is_empty();
                let warnings = context.reasons.into_iter().chain(reader.diagnostics().warnings());
                observed.warnings.extend(warnings.map(|warning| format!("{}: {warning}", input.name())));
            }
        }
        Ok(observed)
    }
}
