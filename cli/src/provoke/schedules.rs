//! The schedules of provoked violations: their folder, and what can be removed from them.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result};

use super::result::Ended;
use super::runs::Runs;
use super::search::Budget;
use crate::merge;
use crate::output::complain;
use crate::replay::{minimize, read, tried};

/// The name of the folder if there is no file of candidates.
const NAME: &str = "regiontrack.schedules";
/// The extension of the folder otherwise, after the name of that file.
const SUFFIX: &str = "schedules";

/// The folder for schedules, which the agent creates: the one that the user names, or one beside the candidates.
/// Absolute, because the program may run elsewhere.
pub(super) fn folder(asked: Option<&Path>, candidates: Option<&Path>) -> Result<PathBuf> {
    let folder = match (asked, candidates) {
        (Some(folder), _) => folder.to_owned(),
        (None, Some(file)) => file.with_extension(SUFFIX),
        (None, None) => PathBuf::from(NAME),
    };
    let folder = std::path::absolute(&folder).with_context(|| format!("--schedules {}", folder.display()))?;
    let checked = merge::check_folder(&folder).with_context(|| format!("--schedules {}", folder.display()));
    match checked {
        Err(error) if asked.is_some() => return Err(error),
        // Provoked findings are worth having even without schedules.
        Err(error) => complain(&format!("{error:#}: there will be no schedules")),
        Ok(()) => {}
    }
    Ok(folder)
}

/// Removes from each schedule what its violation does not need, in the order of [`Ended::schedules_by_worth`], until
/// the budget is spent, which counts only these runs.
pub(super) fn minimize(runs: &mut Runs<'_>, ended: &mut Ended, budget: Budget, temporary: &Path) {
    let shorter = temporary.join("tried.schedule");
    for file in ended.schedules_by_worth() {
        if runs.stopped().is_some() || budget.is_spent(ended.minimized, Instant::now()) {
            break;
        }
        let name = file.file_name().unwrap_or_default().display();
        // A program that cleans its folder, a disk that is full, or a run that fails is no reason to lose the results.
        let schedule = match read(&file) {
            Ok(schedule) => schedule,
            Err(error) => {
                complain(&format!("{error:#}"));
                continue;
            }
        };
        let mut so_far = ended.minimized;
        let all = minimize::minimize(&schedule, |schedule| {
            if runs.stopped().is_some() || budget.is_spent(so_far, Instant::now()) {
                return Ok(None);
            }
            so_far += 1;
            tried(runs, schedule, &shorter)
        });
        let all = match all {
            Ok(all) => all,
            Err(error) => {
                complain(&format!("{name}: {error:#}"));
                ended.minimized = so_far;
                continue;
            }
        };
        ended.minimized += all.runs;
        let mut told = minimize::told(&schedule, &all);
        if all.suffices && all.schedule != schedule {
            match minimize::rewrite(&file, &schedule, &all.schedule) {
                Ok(true) => {}
                Ok(false) => told = minimize::WRITTEN_MEANWHILE.to_owned(),
                Err(error) => complain(&format!("{error:#}")),
            }
        }
        complain(&format!("{} runs of schedules: {name}: {told}", ended.minimized));
        ended.tried.insert(file, told);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedules_are_beside_the_candidates_unless_the_user_says() {
        let of = |asked: Option<&str>, candidates: Option<&str>| {
            folder(asked.map(Path::new), candidates.map(Path::new)).expect("a folder")
        };
        assert_eq!(of(Some("/s"), Some("/c/app.candidates")), Path::new("/s"));
        assert_eq!(of(None, Some("/c/app.candidates")), Path::new("/c/app.schedules"));
        assert!(of(None, None).ends_with(NAME) && of(None, None).is_absolute());
    }
}
