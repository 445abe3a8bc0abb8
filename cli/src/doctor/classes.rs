//! What is on the class path, and which of its classes would be watched.

use std::collections::BTreeMap;

use analysis_core::spec::{ClassPatterns, tools};

use super::target::{Target, Words};
use super::{Findings, count, largest, option};

/// The most packages or tools to name.
const MOST: usize = 5;

/// The contents of a class path.
#[derive(Default)]
pub(super) struct Classes {
    /// Names and versions of class files.
    all: Vec<(String, u32)>,
    signed: Vec<String>,
    missing: Vec<String>,
    damaged: Vec<String>,
    /// The main class that a jar names.
    main: Option<String>,
}

impl Classes {
    fn of(lines: Vec<Vec<String>>) -> Classes {
        let mut classes = Classes::default();
        for line in lines {
            let parts: Vec<&str> = line.iter().map(String::as_str).collect();
            match parts[..] {
                ["class", name, major, _] => classes.all.push((name.to_owned(), major.parse().unwrap_or_default())),
                ["signed", jar] => classes.signed.push(jar.to_owned()),
                ["missing", entry] => classes.missing.push(entry.to_owned()),
                ["damaged", entry, why] => classes.damaged.push(format!("{entry}: {why}")),
                ["main", name] if classes.main.is_none() => classes.main = Some(name.to_owned()),
                _ => {}
            }
        }
        classes
    }
}

/// Judges the result of `inspect` for the class path of the target.
pub(super) fn judge(
    target: &Target,
    options: &str,
    found: &mut Findings,
    inspect: impl FnOnce(&[String]) -> Result<Vec<Vec<String>>, String>,
) {
    let words = target.words();
    if !words.is_known {
        return;
    }
    let classes = match inspect(&words.class_path) {
        Ok(lines) => Classes::of(lines),
        Err(why) => return found.problem(format!("the class path cannot be read: {why}")),
    };
    for entry in &classes.missing {
        found.note(format!("{entry}: on the class path, but not there"));
    }
    for entry in &classes.damaged {
        found.note(format!("{entry}; its classes are not watched"));
    }
    find_main(&words, &classes, found);
    versions(&classes, found);
    selected(&classes, options, found);
    if !classes.signed.is_empty() {
        let jars = count(classes.signed.len(), "signed jar", "signed jars");
        found.fine(format!("{jars}, such as {}: classes are checked before they get hooks", classes.signed[0]));
    }
}

fn find_main(words: &Words, classes: &Classes, found: &mut Findings) {
    match words.main.as_ref().or(classes.main.as_ref()) {
        None => {
            found.problem(format!("{}: no jar with a main class; name the main class", words.class_path.join(", ")))
        }
        Some(main) if classes.all.iter().any(|(name, _)| *name == main.replace('/', ".")) => {
            found.fine(format!("main class {main}"));
        }
        Some(main) => found.problem(format!("main class {main}: not on the class path; the program would not start")),
    }
}

fn versions(classes: &Classes, found: &mut Findings) {
    let of = |is_so: &dyn Fn(u32) -> bool| classes.all.iter().filter(|(_, major)| is_so(*major)).collect::<Vec<_>>();
    let newer = of(&|major| major > Classes::NEWEST);
    if let Some((name, major)) = newer.first() {
        let all = count(newer.len(), "class file", "class files");
        found.problem(format!("{all} newer than the agent reads, such as {name} (Java {}); compile for an older Java, or take a newer agent", major - 44));
    }
    let older = of(&|major| major < Classes::FIRST_WITH_FRAMES);
    if let Some((name, major)) = older.first() {
        let all = count(older.len(), "class file is", "class files are");
        found.note(format!("{all} of Java 5 or older, such as {name} (version {major}): there, reads without consequence are not told from others; compile for Java 7 or newer"));
    }
}

/// Says which classes would be watched, and which would not.
fn selected(classes: &Classes, options: &str, found: &mut Findings) {
    let asked = option(options, "include").unwrap_or_else(|| "*".to_owned());
    let left = option(options, "exclude").unwrap_or_default();
    let (include, exclude) = (ClassPatterns::parse(&asked), ClassPatterns::parse(&left));
    let asked =
        if left.is_empty() { format!("include={asked}") } else { format!("include={asked} and exclude={left}") };
    let [mut watched, mut others, mut of_tools] = [(); 3].map(|()| BTreeMap::<String, usize>::new());
    for (name, _) in &classes.all {
        let package = name.rsplit_once('.').map_or("the unnamed package", |(package, _)| package);
        let is_wanted = include.matches(name) && !exclude.matches(name);
        let (list, key) = match tools::of(name).filter(|_| is_wanted && tools::is_unnamed(name, &include)) {
            Some(tool) => (&mut of_tools, tool),
            None if is_wanted => (&mut watched, package),
            None => (&mut others, package),
        };
        *list.entry(key.to_owned()).or_default() += 1;
    }
    let sum = |counts: &BTreeMap<String, usize>| counts.values().sum::<usize>();
    if watched.is_empty() {
        let others = if others.is_empty() {
            "there are none".to_owned()
        } else {
            format!("there are {}", largest(&others, MOST))
        };
        return found.problem(format!("no class would be watched: {asked} leaves none; {others}"));
    }
    let packages = count(watched.len(), "package", "packages");
    found.fine(format!(
        "{} of {packages} would be watched: {}",
        count(sum(&watched), "class", "classes"),
        largest(&watched, MOST)
    ));
    if !others.is_empty() {
        found.note(format!(
            "{} would not, by {asked}: {}",
            count(sum(&others), "class", "classes"),
            largest(&others, MOST)
        ));
    }
    if !of_tools.is_empty() {
        found.note(format!(
            "test frameworks and build tools would not, unless include= names them: {}",
            largest(&of_tools, MOST)
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::Level;

    fn judged(options: &str, lines: &[&str]) -> Vec<(Level, String)> {
        let lines = lines.iter().map(|line| line.split(' ').map(str::to_owned).collect()).collect();
        let classes = Classes::of(lines);
        let mut found = Findings::default();
        versions(&classes, &mut found);
        selected(&classes, options, &mut found);
        found.0
    }

    #[test]
    fn what_would_be_watched_is_told_with_its_packages() {
        let lines =
            ["class com.acme.A 55 x", "class com.acme.B 55 x", "class org.lib.C 48 x", "class org.junit.Test 52 x"];
        let found = judged("exclude=org.lib.*", &lines);
        let texts: Vec<&str> = found.iter().map(|(_, text)| text.as_str()).collect();
        assert!(
            texts[0].starts_with("1 class file is of Java 5 or older, such as org.lib.C (version 48)"),
            "{texts:?}"
        );
        assert_eq!(
            texts[1..],
            [
                "2 classes of 1 package would be watched: com.acme (2)",
                "1 class would not, by include=* and exclude=org.lib.*: org.lib (1)",
                "test frameworks and build tools would not, unless include= names them: org.junit (1)",
            ]
        );
    }

    #[test]
    fn nothing_to_watch_and_class_files_that_are_too_new_are_problems() {
        let found = judged("include=com.acme.*", &["class org.lib.C 99 x"]);
        assert!(found.iter().all(|(level, _)| *level == Level::Problem), "{found:?}");
        assert_eq!(found.len(), 2);
    }
}
