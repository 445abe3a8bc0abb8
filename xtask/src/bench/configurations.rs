//! What is compared: the table `benchmarks-dacapo/configurations.json`, and configurations from the command line.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::Failure;
use crate::tables::{self, Named};

/// The table, seen from the root.
const TABLE: &str = "benchmarks-dacapo/configurations.json";
/// Stands for the folder of the bench among the options.
const FOLDER: &str = "{folder}";

/// How a program is run.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub(crate) struct Configuration {
    pub(crate) name: String,
    /// What it is, for people.
    pub(crate) what: String,
    /// The agent's options; none if the program runs without the agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) options: Option<String>,
    /// The specification, if it is not the default.
    #[serde(skip_serializing_if = "Option::is_none")]
    specification: Option<String>,
}

impl Named for Configuration {
    const KIND: &str = "configuration";

    fn name(&self) -> &str {
        &self.name
    }
}

impl Configuration {
    /// The configurations of these names in this order, and then those given as `NAME=OPTIONS`.
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
            });
        }
        Ok(chosen)
    }

    /// The agent's options, with a JSON report in this file; what they name is put into the folder.
    pub(crate) fn agent_options(&self, folder: &Path, report: &Path) -> Result<Option<String>, Failure> {
        let Some(options) = &self.options else { return Ok(None) };
        let mut all = vec![format!("report={},format=json", report.display())];
        if let Some(specification) = &self.specification {
            let file = folder.join(format!("{}.spec", self.name));
            std::fs::write(&file, specification).map_err(|e| Failure(format!("{}: {e}", file.display())))?;
            all.push(format!("spec={}", file.display()));
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

/// The columns: each configuration with each of the agents; several agents are distinguished by the names of their files.
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
        let options = |name: &str| chosen(&[name], &[]).expect("known")[0].agent_options(folder, Path::new("r"));
        assert_eq!(options("base"), Ok(None));
        assert_eq!(options("full"), Ok(Some("report=r,format=json".to_owned())));
        assert_eq!(options("record"), Ok(Some("report=r,format=json,record=f/trace.rtb".to_owned())));
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
