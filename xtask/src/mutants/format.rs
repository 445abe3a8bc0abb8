//! The format of `.mutant` files.
//!
//! ```text
//! file: analysis-core/src/event.rs
//! test: --package analysis-core --lib event
//! why: a thread's own stamp would become a dependency on itself
//! --- find
//! self.thread() != thread
//! +++ replace
//! self.thread() == thread
//! ```
//!
//! `file` is relative to the root, `test` holds the arguments of `cargo test` that must fail, or `java` and those of
//! `cargo xtask java`, `why` describes the mistake. A header line that starts with a blank continues the previous line.
//! The text between the marks is taken literally, without its last line end, and must occur exactly once; several pairs
//! change several places of the same file.

/// A small wrong change to one file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mutant {
    /// `<engine-or-module>/<name>`, from the path of its file.
    pub(super) name: String,
    /// The file that it changes, relative to the root.
    pub(super) file: String,
    /// The arguments of `cargo test` that must fail.
    pub(super) test: Vec<String>,
    /// The mistake.
    pub(super) why: String,
    /// The changes; at least one.
    pub(super) edits: Vec<Edit>,
}

/// One place of the file.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Edit {
    find: String,
    replace: String,
}

const FIND: &str = "--- find";
const REPLACE: &str = "+++ replace";

impl Mutant {
    /// Reads a mutant. The error starts with the line number.
    pub(super) fn parse(name: String, text: &str) -> Result<Mutant, String> {
        let lines: Vec<&str> = text.lines().collect();
        let body = lines.iter().position(|line| *line == FIND).ok_or(format!("1: no line `{FIND}`"))?;
        let [file, test, why] = header(&lines[..body])?;
        let test: Vec<String> = test.split_whitespace().map(str::to_owned).collect();
        Ok(Mutant { name, file, test, why, edits: edits(&lines, body)? })
    }

    /// Returns the text of the file with the mutation.
    pub(super) fn apply(&self, original: &str) -> Result<String, String> {
        let mut text = original.to_owned();
        for edit in &self.edits {
            let places = text.matches(&edit.find).count();
            if places != 1 {
                let first = edit.find.lines().next().unwrap_or_default().trim();
                return Err(format!(
                    "mutant is stale: `{first}` and what follows occurs {places} times in {}, not once",
                    self.file
                ));
            }
            text = text.replacen(&edit.find, &edit.replace, 1);
        }
        Ok(text)
    }
}

/// Returns the values of the three keys.
fn header(lines: &[&str]) -> Result<[String; 3], String> {
    const KEYS: [&str; 3] = ["file", "test", "why"];
    let mut values: [Option<String>; 3] = Default::default();
    let mut last = None;
    for (index, line) in lines.iter().enumerate() {
        let number = index + 1;
        if line.trim().is_empty() {
            continue;
        }
        if line.starts_with([' ', '\t']) {
            let value: &mut String = last
                .and_then(|key: usize| values[key].as_mut())
                .ok_or(format!("{number}: a continuation without a line before it"))?;
            value.push(' ');
            value.push_str(line.trim());
            continue;
        }
        let known = line.split_once(':').and_then(|(key, value)| Some((KEYS.iter().position(|k| *k == key)?, value)));
        let (key, value) =
            known.ok_or(format!("{number}: expected `file:`, `test:`, `why:` or `{FIND}`, found `{line}`"))?;
        if values[key].replace(value.trim().to_owned()).is_some() {
            return Err(format!("{number}: a second `{}:`", KEYS[key]));
        }
        last = Some(key);
    }
    let missing = KEYS.iter().zip(&values).find(|(_, value)| value.as_ref().is_none_or(String::is_empty));
    match missing {
        Some((key, _)) => Err(format!("1: `{key}:` is missing or empty")),
        None => Ok(values.map(Option::unwrap_or_default)),
    }
}

/// Returns the pairs of text blocks from line `start` (counted from 0), which is the first [`FIND`].
fn edits(lines: &[&str], start: usize) -> Result<Vec<Edit>, String> {
    let marks: Vec<usize> = (start..lines.len()).filter(|&i| lines[i] == FIND || lines[i] == REPLACE).collect();
    let block = |mark: usize, next: Option<&usize>| lines[mark + 1..next.copied().unwrap_or(lines.len())].join("\n");
    let mut edits = Vec::new();
    for (index, pair) in marks.chunks(2).enumerate() {
        let &[find, replace] = pair else { return Err(format!("{}: no `{REPLACE}` after it", pair[0] + 1)) };
        if lines[find] != FIND || lines[replace] != REPLACE {
            return Err(format!("{}: `{FIND}` and `{REPLACE}` have to alternate", find + 1));
        }
        let edit = Edit { find: block(find, Some(&replace)), replace: block(replace, marks.get(2 * index + 2)) };
        if edit.find.trim().is_empty() || edit.find == edit.replace {
            return Err(format!("{}: the text to find is empty or its own replacement", find + 1));
        }
        edits.push(edit);
    }
    Ok(edits)
}
