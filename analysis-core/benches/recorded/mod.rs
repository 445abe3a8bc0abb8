//! The recorded traces in the folder that `REGIONTRACK_TRACES` names.

use std::path::{Path, PathBuf};

use analysis_core::event::Event;
use analysis_core::trace::input::Input;
use analysis_core::trace::{Mode, TraceReader};

/// Their names and paths; none if the variable is not set.
pub(crate) fn paths() -> Vec<(String, PathBuf)> {
    let Some(folder) = std::env::var_os("REGIONTRACK_TRACES") else { return Vec::new() };
    let entries = std::fs::read_dir(&folder).expect("REGIONTRACK_TRACES names a folder");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    paths.retain(|path| [".std", ".rtb"].iter().any(|end| path.to_string_lossy().contains(end)));
    paths.sort();
    let name = |path: &PathBuf| path.file_name().expect("a file").to_string_lossy().into_owned();
    paths.into_iter().map(|path| (name(&path), path)).collect()
}

/// All events of a trace.
pub(crate) fn read(path: &Path) -> Vec<Event> {
    let input = Input::open(path).expect("a trace");
    let mut reader = TraceReader::open(&input, Mode::Lenient).expect("a trace");
    let (mut trace, mut batch) = (Vec::new(), Vec::new());
    while reader.read_batch(&mut batch, 1 << 14).expect("a trace") > 0 {
        trace.extend_from_slice(&batch);
    }
    trace
}
