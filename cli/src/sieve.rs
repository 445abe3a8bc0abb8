//! Suppressions and a baseline, as options of the commands that report findings.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use analysis_core::report::{Baseline, Instances, Sieve, Suppressions};
use analysis_core::trace::symbols::Symbols;
use anyhow::{Result, anyhow, bail};

/// Options for findings that the user has judged before.
#[derive(clap::Args)]
pub(crate) struct Known {
    /// Suppress findings by the lines of this file: `method:`, `field:`, `class:`, `kind:` or `lock:` and a pattern;
    /// repeatable.
    #[arg(long, value_name = "FILE")]
    suppressions: Vec<PathBuf>,
    /// Mark each finding as new or as known by this file, which `regiontrack baseline update` writes; known findings do
    /// not count for the exit code.
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
}

impl Known {
    /// Whether any of these options is given.
    pub(crate) fn is_given(&self) -> bool {
        !self.suppressions.is_empty() || self.baseline.is_some()
    }

    /// Reads the files.
    pub(crate) fn read(&self) -> Result<Sieve> {
        let mut suppressions = Suppressions::default();
        for path in &self.suppressions {
            let name = path.display().to_string();
            let Some(text) = text(path, "suppressions")? else {
                bail!("{name}: no such file; expected suppressions, a line each, such as method:com.example.Cache.**");
            };
            suppressions.add(&text, &name)?;
        }
        let baseline = self.baseline.as_deref().map(read_baseline).transpose()?;
        Ok(Sieve { suppressions, baseline })
    }
}

/// Reads the baseline in an existing file.
pub(crate) fn read_baseline(path: &Path) -> Result<Baseline> {
    let name = path.display().to_string();
    let text = text(path, "a baseline")?.ok_or_else(|| anyhow!("{name}: {}", Baseline::how_to_make(&name)))?;
    Ok(Baseline::parse(&text, &name)?)
}

/// The text of a file, without a byte order mark; `None` if there is no such file.
pub(crate) fn text(path: &Path, what: &str) -> Result<Option<String>> {
    let name = path.display().to_string();
    if path.is_dir() {
        bail!("{name}: is a folder; expected a file with {what}");
    }
    let text = match std::fs::read(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => bail!("{name}: cannot be read: {error}"),
    };
    let text = String::from_utf8(text).map(|text| Some(unmarked(&text).to_owned()));
    text.map_err(|error| {
        let line = 1 + error.as_bytes()[..error.utf8_error().valid_up_to()].iter().filter(|b| **b == b'\n').count();
        anyhow!("{name}:{line}: not UTF-8; save the file as UTF-8")
    })
}

/// The text without the byte order mark that some editors put at the start of a file.
pub(crate) fn unmarked(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// The methods that blocks of a trace are labelled with.
pub(crate) fn methods(instances: &Instances, symbols: &Symbols) -> BTreeSet<String> {
    instances.labels().filter_map(|(label, _)| symbols.label(label).map(|name| name.into_owned())).collect()
}
