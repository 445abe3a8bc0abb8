//! `regiontrack engines`: the registries, for people.

use analysis_core::engine::EngineSpec;
use analysis_core::engines::{ENGINES, default};
use analysis_core::predict::algorithms::ALGORITHMS;
use anyhow::{Error, Result, anyhow};

use crate::Outcome;
use crate::output::Output;

/// Prints every engine and every predictive algorithm.
pub(crate) fn run(output: &mut Output) -> Result<Outcome> {
    for engine in ENGINES {
        let mark = if engine.name == default().name { " (default)" } else { "" };
        output.print(&format!("{}{mark}\n  {}\n  claim:  {}\n", engine.name, engine.summary, engine.claim));
        if let Some(most) = engine.most_events {
            output.print(&format!("  limit:  traces of at most {most} events\n"));
        }
        output.print(&format!("  source: {}\n", engine.source));
    }
    output.print("\nPredictive algorithms, for regiontrack predict\n\n");
    for algorithm in ALGORITHMS {
        output.print(&format!("{}\n  {}\n", algorithm.name, algorithm.summary));
        let claims: Vec<String> = algorithm.claims.iter().map(ToString::to_string).collect();
        let claims = if claims.is_empty() { "none".to_owned() } else { claims.join("\n          ") };
        output.print(&format!("  claims: {claims}\n  source: {}\n", algorithm.source));
    }
    Ok(Outcome::Clean)
}

/// The engine of that name, or an error that names the nearest.
pub(crate) fn find(name: &str) -> Result<&'static EngineSpec> {
    among(ENGINES, |spec| spec.name, "engine", name)
}

/// The element of a registry that has this name, or an error that names the nearest, and all.
pub(crate) fn among<T>(registry: &'static [T], name_of: fn(&T) -> &str, kind: &str, name: &str) -> Result<&'static T> {
    registry.iter().find(|spec| name_of(spec) == name).ok_or_else(|| {
        let known: Vec<&str> = registry.iter().map(name_of).collect();
        unknown(kind, name, &known)
    })
}

fn unknown(kind: &str, name: &str, known: &[&str]) -> Error {
    let near = known.iter().max_by(|a, b| strsim::jaro_winkler(name, a).total_cmp(&strsim::jaro_winkler(name, b)));
    let hint = near.filter(|near| strsim::jaro_winkler(name, near) > 0.7);
    let hint = hint.map_or(String::new(), |near| format!("; did you mean {near}?"));
    anyhow!("unknown {kind} '{name}'{hint} ({kind}s: {})", known.join(", "))
}
