//! `regiontrack refine`: an atomicity specification made from recorded traces, round by round.
//!
//! What is printed is a specification: the one that the refinement started with, then a rule for each method that was
//! taken out. Its comments are the table of the rounds.

use std::fmt::Write;
use std::path::PathBuf;

use analysis_core::engine::{BlameClaim, EngineSpec};
use analysis_core::engines;
use analysis_core::spec::Specification;
use analysis_core::spec::refine::{Named, Round, Taken};
use analysis_core::trace::input::Input;
use anyhow::{Result, bail};
use serde::Serialize;

use crate::Outcome;
use crate::output::{Format, Output};
use crate::reading::{Pass, Reading, Restriction, exclude};

/// A refinement ends after so many rounds in a row in which nothing is violated.
const CLEAN_ROUNDS: usize = 2;

/// From which traces, and how.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Traces in any format, plain or gzip. Every round analyses all of them.
    #[arg(long, required = true, num_args = 1.., value_name = "TRACE")]
    trace: Vec<PathBuf>,
    /// The specification to start with. Without it, the default one: see `regiontrack spec --default`.
    #[arg(long, value_name = "FILE")]
    spec: Option<PathBuf>,
    /// Remove this method from the start; can be repeated.
    #[arg(long, value_name = "METHOD")]
    exclude_method: Vec<String>,
    /// The engine to run; one that blames exactly.
    #[arg(long, value_name = "NAME", default_value = engines::default().name)]
    engine: String,
    /// Remove all violated methods at once, inner ones and their callers, instead of the innermost in each round. The
    /// result is the same.
    #[arg(long)]
    nested: bool,
    /// How to print: a specification with the rounds as comments, or one JSON object.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    #[command(flatten)]
    reading: Reading,
}

/// Refines until nothing is violated.
pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<Outcome> {
    let engine = crate::engines::find(&arguments.engine)?;
    if engine.claim.blame != BlameClaim::Exact {
        let exact = engines::ENGINES.iter().filter(|spec| spec.claim.blame == BlameClaim::Exact);
        let names: Vec<&str> = exact.map(|spec| spec.name).collect();
        bail!("engine {} does not blame exactly; expected one of {}", engine.name, names.join(", "));
    }
    let start = arguments.spec.as_deref().map(crate::spec::text).transpose()?;
    let name = arguments.spec.as_deref().map_or("the specification".into(), |path| path.display().to_string());
    let start = Start::of(start.as_deref(), &name, &arguments.exclude_method)?;
    let traces =
        arguments.trace.iter().map(|path| Ok(arguments.reading.open(path)?)).collect::<Result<Vec<Input>>>()?;
    let refinement = Refinement { arguments, engine, start: &start, traces: &traces }.run()?;
    match arguments.format {
        Format::Text => output.print(&refinement.text(&start)),
        Format::Json => output.print(&(serde_json::to_string(&refinement.json())? + "\n")),
    }
    let has_found = !refinement.taken.is_empty() || refinement.rounds.iter().any(|round| round.unblamed > 0);
    let found = if has_found { Outcome::Violated } else { Outcome::Clean };
    Ok(found.max(if refinement.is_incomplete { Outcome::Failed } else { Outcome::Clean }))
}

/// The specification that a refinement starts with.
struct Start {
    /// As text in the grammar of specifications.
    text: String,
    /// How errors call it.
    name: String,
}

impl Start {
    /// That of a file, which may be a list of exclusions, or the default; without these methods.
    fn of(text: Option<&str>, name: &str, excluded: &[String]) -> Result<Start> {
        exclude(&mut Specification::default_rules(), excluded)?;
        let imported = text.and_then(|text| analysis_core::spec::list::import(text, name)).transpose()?;
        let mut text = imported.map_or_else(|| text.unwrap_or("default\n").to_owned(), |imported| imported.text);
        for method in excluded {
            _ = write!(text, "{}- {method}", if text.ends_with('\n') { "" } else { "\n" });
            text.push('\n');
        }
        Ok(Start { text, name: name.to_owned() })
    }

    /// With these methods taken out.
    fn without(&self, taken: &[Taking]) -> Result<Specification> {
        Ok(Specification::parse(&(self.text.clone() + "\n" + &rules(taken)), &self.name)?)
    }
}

/// A method that was taken out.
struct Taking {
    method: Named,
    round: usize,
    violations: u64,
}

/// The rules that take methods out, each with why.
fn rules(taken: &[Taking]) -> String {
    taken.iter().fold(String::new(), |mut text, Taking { method, round, violations }| {
        let plural = if *violations == 1 { "" } else { "s" };
        _ = writeln!(text, "- {}  # round {round}: {violations} violation{plural}", method.selector());
        text
    })
}

struct Refinement<'a> {
    arguments: &'a Arguments,
    engine: &'static EngineSpec,
    start: &'a Start,
    traces: &'a [Input],
}

/// The rounds and their result.
struct Refined {
    engine: &'static str,
    traces: Vec<String>,
    rounds: Vec<Round>,
    taken: Vec<Taking>,
    is_incomplete: bool,
    warnings: Vec<String>,
}

impl Refinement<'_> {
    fn run(&self) -> Result<Refined> {
        let mut refined = Refined {
            engine: self.engine.name,
            traces: self.traces.iter().map(|input| input.name().to_string()).collect(),
            rounds: Vec::new(),
            taken: Vec::new(),
            is_incomplete: false,
            warnings: Vec::new(),
        };
        while refined.clean_rounds() < CLEAN_ROUNDS {
            let restriction = Restriction::of(self.start.without(&refined.taken)?);
            let round = self.round(&restriction, &mut refined)?;
            let number = refined.rounds.len() + 1;
            let before = refined.taken.len();
            for method in round.taken() {
                if refined.taken.iter().any(|known| known.method == *method) {
                    bail!("'- {}' takes no block out: its label cannot be written in a rule", method.selector());
                }
                let violations = round.methods[method].violations;
                refined.taken.push(Taking { method: method.clone(), round: number, violations });
            }
            debug_assert!(round.is_clean() || refined.taken.len() > before, "a round with violations takes some out");
            refined.rounds.push(round);
        }
        Ok(refined)
    }

    /// One run over all traces.
    fn round(&self, restriction: &Restriction, refined: &mut Refined) -> Result<Round> {
        let taken = if self.arguments.nested { Taken::All } else { Taken::Innermost };
        let mut round = Round::default();
        for input in self.traces {
            let mut pass = Pass::open(input, self.arguments.reading.mode(), restriction.spec())?;
            let mut engine = (self.engine.build)();
            while let Some(batch) = pass.next()? {
                engine.feed(batch);
            }
            let reader = pass.reader();
            if self.engine.most_events.is_some_and(|most| reader.events() > most) {
                bail!("{}", crate::check::too_long(input, reader.events(), self.engine));
            }
            let context = restriction.context(&pass, engine.findings());
            round.add(engine.findings(), reader.symbols(), taken, &context.apart);
            if refined.rounds.is_empty() {
                refined.is_incomplete |= reader.diagnostics().is_incomplete() || !context.reasons.is_empty();
                let mut warnings = context.reasons;
                warnings.extend(reader.diagnostics().warnings());
                refined.warnings.extend(warnings.iter().map(|warning| format!("{}: {warning}", input.name())));
            }
        }
        Ok(round)
    }
}

impl Refined {
    /// How many of the last rounds were clean.
    fn clean_rounds(&self) -> usize {
        self.rounds.iter().rev().take_while(|round| round.is_clean()).count()
    }

    fn text(&self, start: &Start) -> String {
        let mut text =
            format!("# Refined by regiontrack, engine {}, from {}\n#\n", self.engine, self.traces.join(", "));
        text += "# round  dynamic violations  methods violated  taken out  in all\n";
        for row in self.rows() {
            let Row { round, dynamic_violations, distinct_methods, taken_out, taken_out_so_far } = row;
            _ = writeln!(
                text,
                "# {round:>5}  {dynamic_violations:>18}  {distinct_methods:>16}  {taken_out:>9}  {taken_out_so_far:>6}"
            );
        }
        text += "#\n";
        if let Some(left) = self.rounds.last().map(|round| round.unblamed).filter(|left| *left > 0) {
            let plural = if left == 1 { "" } else { "s" };
            _ = writeln!(text, "# {left} trace{plural} still non-serializable, and no block to blame for it");
        }
        for warning in &self.warnings {
            _ = writeln!(text, "# warning: {warning}");
        }
        text + &start.text + &rules(&self.taken)
    }

    fn json(&self) -> impl Serialize {
        #[derive(Serialize)]
        struct Taken<'a> {
            rule: String,
            round: usize,
            violations: u64,
            method: &'a str,
        }
        let taken = self.taken.iter().map(|Taking { method, round, violations }| Taken {
            rule: format!("- {}", method.selector()),
            round: *round,
            violations: *violations,
            method: method.selector(),
        });
        serde_json::json!({
            "schema": 1,
            "engine": self.engine,
            "traces": self.traces,
            "rounds": self.rows().collect::<Vec<_>>(),
            "taken_out": taken.collect::<Vec<_>>(),
            "non_serializable": self.rounds.last().map_or(0, |round| round.non_serializable),
            "warnings": self.warnings,
        })
    }

    fn rows(&self) -> impl Iterator<Item = Row> {
        let mut so_far = 0;
        (1..).zip(&self.rounds).map(move |(number, round)| {
            let taken_out = round.taken().count();
            so_far += taken_out;
            Row {
                round: number,
                dynamic_violations: round.violations,
                distinct_methods: round.methods.len(),
                taken_out,
                taken_out_so_far: so_far,
            }
        })
    }
}

/// A round, in figures: Table 3, Figures 8 and 9 of the RegionTrack paper.
#[derive(Serialize)]
struct Row {
    round: usize,
    dynamic_violations: u64,
    distinct_methods: usize,
    taken_out: usize,
    taken_out_so_far: usize,
}
