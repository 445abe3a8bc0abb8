//! Schedules: the order in which threads passed the places of a candidate when it happened, so that it can be made to happen
//! again.
//!
//! A schedule has *switch points* in their order. A point is a thread, identified by how it was started, a place of the candidate, and how
//! often the thread has then passed it. A run that replays the schedule (`replay=FILE`) holds a thread that has passed its point until the
//! points of other threads before its own next one were passed, and lets no thread pass a point before its turn. A schedule without switch
//! points holds any thread at the places, as a run that is steered to the candidate does.
//!
//! | file | what |
//! |---|---|
//! | `model.rs` | a schedule, its threads and points; what can be left out of it |
//! | `text.rs` | the text of its file |
//! | `drawn.rs` | a schedule for a reader: a column for each thread |

mod drawn;
mod error;
mod model;
mod text;

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use crate::kept::{self, Kept};

pub use error::{Error, Fault};
pub use model::{Point, Role, Schedule, Start, Test, Thread};

impl Kept for Schedule {
    type Fault = Fault;

    fn parse(text: &[u8], file: &str) -> Result<Schedule, Error> {
        Schedule::parse(text, file)
    }

    fn to_text(&self) -> String {
        Schedule::to_text(self)
    }
}

/// The file in this folder for the schedule of the candidate with this id; with a test, the file of that test.
pub fn file_of(folder: &Path, candidate: &str, test: Option<&Test>) -> PathBuf {
    let test = test.map_or_else(String::new, |test| format!("-{}", test.id()));
    folder.join(format!("{candidate}{test}.schedule"))
}

/// Reads the schedule in a file; `None` if there is no file.
///
/// # Errors
/// If it cannot be read, or is no schedule.
pub fn read(path: &Path) -> Result<Option<Schedule>, Error> {
    kept::read(path)
}

/// Writes a schedule to a file, replacing its contents. Creates a missing folder.
///
/// # Errors
/// If it cannot be written. Then the file is as it was.
pub fn write(path: &Path, schedule: &Schedule) -> Result<(), Error> {
    kept::write(path, || Ok::<_, Error>(schedule.clone()))
}

/// Like [`write()`], unless the file has a schedule for which `stays` holds; other processes may write at the same time. Returns whether it
/// was written. A file that has no schedule is replaced.
///
/// # Errors
/// If it cannot be written. Then the file is as it was.
pub fn write_unless(path: &Path, schedule: &Schedule, stays: impl FnOnce(&Schedule) -> bool) -> Result<bool, Error> {
    let mut is_written = true;
    kept::locked(path, || {
        is_written = !read(path).ok().flatten().is_some_and(|known| stays(&known));
        Ok::<_, Error>(is_written.then(|| schedule.clone()))
    })?;
    Ok(is_written)
}
