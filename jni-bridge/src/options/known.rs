//! Suppressions and a baseline, from their files.

use std::io::ErrorKind;
use std::path::Path;

use analysis_core::report::{Baseline, Sieve, Suppressions};

/// Reads the suppressions and the baseline.
///
/// # Errors
/// What is wrong with a file, with the line and the fix.
pub(super) fn read(suppressions: &[impl AsRef<Path>], baseline: Option<&Path>) -> Result<Sieve, String> {
    let mut sieve = Sieve { suppressions: Suppressions::default(), baseline: None };
    for path in suppressions.iter().map(AsRef::as_ref) {
        let name = path.display().to_string();
        let text = text("suppressions", path, || {
            "no such file; expected a line for each, such as method:com.example.Cache.**".to_owned()
        })?;
        sieve.suppressions.add(&text, &name).map_err(|error| format!("suppressions={error}"))?;
    }
    if let Some(path) = baseline {
        let name = path.display().to_string();
        let text = text("baseline", path, || Baseline::how_to_make(&name))?;
        sieve.baseline = Some(Baseline::parse(&text, &name).map_err(|error| format!("baseline={error}"))?);
    }
    Ok(sieve)
}

fn text(key: &str, path: &Path, missing: impl Fn() -> String) -> Result<String, String> {
    let name = path.display();
    let text = std::fs::read(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => format!("{key}={name}: {}", missing()),
        _ => format!("{key}={name}: cannot be read: {error}"),
    })?;
    String::from_utf8(text).map_err(|_| format!("{key}={name}: not UTF-8; save the file as UTF-8"))
}
