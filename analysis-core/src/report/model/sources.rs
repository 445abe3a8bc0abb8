//! Where the sources of a program are, so that a report can show the lines in which events happened.

use std::path::{Path, PathBuf};

/// Folders of sources: a file lies below one of them in the folder of its package.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Sources {
    /// Where build tools have them, in the current folder and in the modules in it.
    #[default]
    Usual,
    /// Only these folders; none if the list is empty.
    In(Vec<PathBuf>),
}

/// Where build tools have sources, in the folder of a module.
const LAYOUT: [&str; 9] = [
    "src/main/java",
    "src/test/java",
    "src/main/kotlin",
    "src/test/kotlin",
    "src/main/scala",
    "src/test/scala",
    "src/main/groovy",
    "src/test/groovy",
    "src",
];
/// How many folders of modules are searched at most.
const MOST_MODULES: usize = 200;

impl Sources {
    /// The word for no folders, in options.
    pub const NONE: &'static str = "none";

    /// The folders that exist.
    pub fn folders(&self) -> Vec<PathBuf> {
        match self {
            Sources::Usual => usual(Path::new(".")),
            Sources::In(folders) => folders.clone(),
        }
    }
}

/// Where build tools have sources, in a folder and in the folders in it.
fn usual(root: &Path) -> Vec<PathBuf> {
    let mut modules = vec![root.to_owned()];
    if let Ok(entries) = root.read_dir() {
        let mut inside: Vec<PathBuf> = entries
            .take(MOST_MODULES)
            .filter_map(|entry| entry.ok())
            .filter(|entry| !entry.file_name().to_string_lossy().starts_with('.'))
            .map(|entry| entry.path())
            .filter(|path| path.is_dir())
            .collect();
        inside.sort();
        modules.extend(inside);
    }
    let of = |module: &PathBuf| LAYOUT.map(|folder| module.join(folder));
    modules.iter().flat_map(of).filter(|folder| folder.is_dir()).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_folders_of_build_tools_are_found_in_a_project_and_its_modules() {
        let folder = tempfile::tempdir().expect("a folder");
        for path in ["src/main/java", "orders/src/test/java", "orders/src/docs", ".hidden/src", "build/classes"] {
            fs::create_dir_all(folder.path().join(path)).expect("a folder");
        }
        fs::write(folder.path().join("pom.xml"), "").expect("a file");
        let found = usual(folder.path());
        let expected = ["src/main/java", "src", "orders/src/test/java", "orders/src"];
        assert_eq!(found, expected.map(|path| folder.path().join(path)));
        assert!(usual(Path::new("no such folder")).is_empty());
        assert_eq!(Sources::In(found.clone()).folders(), found);
    }
}
