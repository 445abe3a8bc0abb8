//! `regiontrack info`: counts the contents of recorded traces, in one pass each.

use std::path::{Path, PathBuf};

use analysis_core::event::Op;
use analysis_core::spec::Specification;
use analysis_core::trace::statistics::{Counter, Statistics};
use anyhow::Result;
use serde::Serialize;

use crate::Outcome;
use crate::output::{Format, Output};
use crate::reading::{Blocks, Jobs, Pass, Reading, each};

/// The arguments of `info`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    blocks: Blocks,
    /// How to print: for a person, or one JSON object per line for each trace.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    jobs: Jobs,
    /// Traces in any format, plain or gzip; - is standard input.
    #[arg(required = true, value_name = "TRACE")]
    traces: Vec<PathBuf>,
}

/// A trace and the counts of its contents.
#[derive(Serialize)]
struct Info<'a> {
    schema: u32,
    trace: &'a str,
    format: &'static str,
    #[serde(flatten)]
    statistics: Statistics,
    warnings: Vec<String>,
}

/// Counts each trace in turn. A trace that cannot be read yields an error message, and the others are still read.
pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<Outcome> {
    let restriction = arguments.blocks.read()?;
    Ok(each(&arguments.traces, &arguments.jobs, output, |path, output| {
        trace(arguments, restriction.spec(), path, output)
    }))
}

fn trace(arguments: &Arguments, spec: Option<&Specification>, path: &Path, output: &mut Output) -> Result<Outcome> {
    let input = arguments.reading.open(path)?;
    let mut pass = Pass::open(&input, arguments.reading.mode(), spec)?;
    let mut counter = Counter::default();
    while let Some(batch) = pass.next()? {
        counter.count(batch);
    }
    let reader = pass.reader();
    let info = Info {
        schema: 1,
        trace: input.name(),
        format: input.format()?.name,
        statistics: counter.statistics(reader.symbols()),
        warnings: reader.diagnostics().warnings(),
    };
    match arguments.format {
        Format::Json => output.print(&(serde_json::to_string(&info)? + "\n")),
        Format::Text => output.print(&text(&info)),
    }
    Ok(if reader.diagnostics().is_incomplete() { Outcome::Failed } else { Outcome::Clean })
}

/// The counts as text for a person.
fn text(info: &Info) -> String {
    let Statistics { blocks, transactions, accesses, regiontrack_table_1: rt, aerodrome_table_1: ad, .. } =
        &info.statistics;
    let counted = |names: &[&str], counts: &[u64]| -> String {
        let pairs = names.iter().zip(counts).filter(|(_, count)| **count > 0);
        pairs.map(|(name, count)| format!("{name} {count}")).collect::<Vec<_>>().join(", ")
    };
    let nodes = transactions.blocks + transactions.unary;
    let all_accesses = accesses.in_blocks + accesses.outside;
    let rows = [
        ("events", format!("{} ({})", info.statistics.events, counted(&Op::KINDS, &info.statistics.kinds.0))),
        ("threads", info.statistics.threads.to_string()),
        ("variables", info.statistics.variables.to_string()),
        ("locks", info.statistics.locks.to_string()),
        ("labels", info.statistics.labels.to_string()),
        (
            "blocks",
            format!(
                "{} (outermost {}, at most {} nested, {} open at the end)",
                blocks.all, blocks.outermost, blocks.deepest, blocks.open_at_end
            ),
        ),
        ("transactions", format!("{nodes} ({} blocks, {} unary)", transactions.blocks, transactions.unary)),
        ("accesses", format!("{all_accesses} ({} in blocks, {} outside)", accesses.in_blocks, accesses.outside)),
    ];
    let mut text = format!("{}: {}\n", info.trace, info.format);
    for (name, value) in rows {
        text += &format!("  {name:<14}{}\n", value.trim_end_matches(" ()"));
    }
    text += "  Table 1 of RegionTrack: # of Threads, # of Transaction Nodes, # of Read, # of Write, # of Locks\n";
    text += &format!("    {}, {}, {}, {}, {}\n", rt.threads, rt.transaction_nodes, rt.read, rt.write, rt.locks);
    text += "  Table 1 of AeroDrome: Events, Threads, Locks, Variables, Transactions\n";
    text += &format!("    {}, {}, {}, {}, {}\n", ad.events, ad.threads, ad.locks, ad.variables, ad.transactions);
    for warning in &info.warnings {
        text += &format!("  warning: {warning}\n");
    }
    text
}
