//! The configurations to compare: the table `benchmarks-dacapo/configurations.json`, and configurations from the
//! command line.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::Failure;
use crate::tables::{self, Named};

/// The table, relative to the root.
const TABLE: &str = "benchmarks-dacapo/configurations.json";
/// The profiles of a bench, relative to its folder.
const PROFILES: &str = "profiles";
/// Stands for the folder of the bench in the options.
const FOLDER: &str = "{folder}";

/// A way to run a program.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub(crate) struct Configuration {
    pub(crate) name: String,
    /// The description.
    pub(crate) what: String,
    /// The agent's options; `None` if the program runs without the agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) options: Option<String>,
    /// The specification, if it is not the default.
    #[serde(skip_serializing_if = "Option::is_none")]
    specification: Option<String>,
    /// The profile that the agent finds in the file of `profile=`; `None` without that option.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) profile: Option<Profile>,
}

/// The profile of a run: each subject has one, which the columns of an agent share in order.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Profile {
    /// No profile: the run watches everything and writes one.
    New,
    /// The profile of the previous runs, which guides this one.
    Kept,
}

impl Profile {
    /// Prepares the profile file for a run. Returns an error if previous runs have left none.
    pub(super) fn prepare(self, file: &Path) -> Result<(), String> {
        let failed = |why: &str| format!("{}: {why}", file.display());
        match self {
            Profile::New => {
                let folder = file.parent().unwrap_or(Path::new(""));
                let removed = if file.exists() { fs::remove_file(file) } else { Ok(()) };
                removed.and_then(|()| fs::create_dir_all(folder)).map_err(|e| failed(&e.to_string()))
            }
            Profile::Kept if file.is_file() => Ok(()),
            Profile::Kept => Err(failed("the run that was to make the profile has left none")),
        }
    }
}

impl Named for Configuration {
    const KIND: &str = "configuration";

    fn name(&self) -> &str {
        &self.name
    }
}

impl Configuration {
    /// Returns the configurations with these names in this order, and then those given as `NAME=OPTIONS`.
    pub(crate) fn chosen(root: &Path, names: &[String], given: &[String]) -> Result<Vec<Configuration>, Failure> {
        let table: Vec<Configuration> = tables::read(root, TABLE)?;
        let mut chosen = Vec::new();
        for name in names {
            chosen.extend(tables::choose(table.clone(), std::slice::from_ref(name))?);
        }
        for words in given {
            let (name, options) = words.split_once('=').filter(|(name, _)| !name.is_empty()).ok_or_else(|| {
                Failure(format!("`{words}` is no configuration; write NAME=OPTIONS, for example flat=nested=false"))
            })?;
            let what = format!("the options {options}");
            chosen.push(Configuration {
                name: name.to_owned(),
                what,
                options: Some(options.to_owned()),
                specification: None,
                profile: None,
            });
        }
        let has = |configuration: &Configuration, profile| configuration.profile == Some(profile);
        let guided = chosen.iter().position(|configuration| has(configuration, Profile::Kept));
        if let Some(guided) = guided.filter(|at| !chosen[..*at].iter().any(|before| has(before, Profile::New))) {
            let learning: Vec<&str> =
                table.iter().filter(|one| has(one, Profile::New)).map(|one| one.name.as_str()).collect();
            return Err(Failure(format!(
                "the configuration `{}` is guided by the profile of one before it; put `{}` first",
                chosen[guided].name,
                learning.join("` or `")
            )));
        }
        Ok(chosen)
    }

    /// Returns the agent's options, with a JSON report in this file and possibly this profile; other files go into the
    /// folder.
    pub(crate) fn agent_options(
        &self,
        folder: &Path,
        report: &Path,
        profile: &Path,
    ) -> Result<Option<String>, Failure> {
        let Some(options) = &self.options else { return Ok(None) };
        let mut all = vec![format!("report={},format=json", report.display())];
        if let Some(specification) = &self.specification {
            let file = folder.join(format!("{}.spec", self.name));
            fs::write(&file, specification).map_err(|e| Failure(format!("{}: {e}", file.display())))?;
            all.push(format!("spec={}", file.display()));
        }
        if self.profile.is_some() {
            all.push(format!("profile={}", profile.display()));
        }
        if !options.is_empty() {
            all.push(options.replace(FOLDER, &folder.display().to_string()));
        }
        Ok(Some(all.join(",")))
    }
}

/// A column of the results: a configuration, and the agent's jar.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) configuration: Configuration,
    pub(crate) jar: Option<PathBuf>,
}

impl Column {
    /// Returns the path of a subject's profile, for all columns with the same agent.
    pub(crate) fn profile(&self, folder: &Path, subject: &str) -> PathBuf {
        let agent = self.jar.as_ref().and_then(|jar| jar.file_stem()).unwrap_or_default().display();
        folder.join(PROFILES).join(format!("{subject}@{agent}.profile"))
    }
}

/// Returns the columns: each configuration with each agent; several agents are distinguished by the names of their
/// files.
pub(crate) fn columns(configurations: &[Configuration], agents: &[PathBuf]) -> Vec<Column> {
    let mut columns = Vec::new();
    for configuration in configurations {
        if configuration.options.is_none() {
            columns.push(Column { name: configuration.name.clone(), configuration: configuration.clone(), jar: None });
            continue;
        }
        for agent in agents {
            let file = agent.file_stem().unwrap_or_default().to_string_lossy();
            let name =
                if agents.len() == 1 { configuration.name.clone() } else { format!("{}@{file}", configuration.name) };
            columns.push(Column { name, configuration: configuration.clone(), jar: Some(agent.clone()) });
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    fn chosen(names: &[&str], given: &[&str]) -> Result<Vec<Configuration>, Failure> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is a folder of the workspace");
        Configuration::chosen(root, &words(names), &words(given))
    }

    #[test]
    fn configurations_come_from_the_table_and_from_the_command_line() {
        let all = chosen(&["full", "base"], &["flat=nested=false,arrays=none"]).expect("they are known");
        let names: Vec<&str> = all.iter().map(|configuration| configuration.name.as_str()).collect();
        assert_eq!(names, ["full", "base", "flat"]);
        assert_eq!(all[1].options, None);
        assert_eq!(all[2].options.as_deref(), Some("nested=false,arrays=none"));
        assert!(chosen(&["fall"], &[]).is_err_and(|Failure(message)| message.contains("there are base, off")));
        assert!(chosen(&[], &["nested"]).is_err());
    }

    #[test]
    fn options_name_the_report_and_files_of_the_folder() {
        let folder = Path::new("f");
        let options = |name: &str| {
            let of = |configuration: &Configuration| {
                configuration.agent_options(folder, Path::new("r"), Path::new("p")).expect("no file is written")
            };
            chosen(&["first", name], &[]).expect("known").last().and_then(of)
        };
        assert_eq!(options("base"), None);
        assert_eq!(options("full").as_deref(), Some("report=r,format=json"));
        assert_eq!(options("record").as_deref(), Some("report=r,format=json,record=f/trace.rtb"));
        assert_eq!(options("second").as_deref(), Some("report=r,format=json,profile=p"));
    }

    #[test]
    fn a_guided_configuration_comes_after_one_that_makes_its_profile() {
        assert!(chosen(&["base", "first", "full", "second", "third"], &[]).is_ok());
        for names in [&["base", "second"][..], &["third", "first"], &["second"]] {
            let Failure(why) = chosen(names, &[]).expect_err("no profile");
            assert!(why.contains("is guided by") && why.contains("put `first` first"), "{why}");
        }
    }

    #[test]
    fn a_profile_is_removed_before_a_first_run_and_must_be_there_before_a_guided_one() {
        let folder = std::env::temp_dir().join(format!("regiontrack-profiles-{}", std::process::id()));
        let column = &columns(&chosen(&["first"], &[]).expect("known"), &[PathBuf::from("new.jar")])[0];
        let file = column.profile(&folder, "sor");
        assert!(file.ends_with("profiles/sor@new.profile"));
        assert_eq!(Profile::New.prepare(&file), Ok(()));
        assert!(Profile::Kept.prepare(&file).is_err_and(|why| why.ends_with("has left none")));
        fs::write(&file, "a profile").expect("the folder is there");
        assert_eq!(Profile::Kept.prepare(&file), Ok(()));
        assert_eq!(Profile::New.prepare(&file), Ok(()));
        assert!(!file.exists());
        fs::remove_dir_all(&folder).expect("the folder of this test");
    }

    #[test]
    fn several_agents_make_several_columns_of_each_configuration_that_has_one() {
        let configurations = chosen(&["base", "full"], &[]).expect("known");
        let names = |agents: &[&str]| {
            let agents: Vec<PathBuf> = agents.iter().map(PathBuf::from).collect();
            columns(&configurations, &agents).into_iter().map(|column| column.name).collect::<Vec<_>>()
        };
        assert_eq!(names(&["dist/regiontrack.jar"]), ["base", "full"]);
        assert_eq!(names(&["dist/new.jar", "old.jar"]), ["base", "full@new", "full@old"]);
    }
}
