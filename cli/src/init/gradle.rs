//! The plugin in a `build.gradle` or `build.gradle.kts`: in its block `plugins`, which is found by its braces, ignoring
//! comments and strings.

use std::ops::Range;
use std::path::{Path, PathBuf};

use super::{Insertion, VERSION, indentation};

const PLUGIN: &str = "dev.regiontrack";
/// The byte order mark that some editors put at the start of a file.
const MARK: char = '\u{feff}';

/// The place and the line for Groovy. If a project above has the plugin, old versions of Gradle want no version here.
pub(super) fn find_groovy(text: &str, is_above: bool) -> Result<Insertion, String> {
    let version = if is_above { String::new() } else { format!(" version '{VERSION}'") };
    find(text, &format!("id '{PLUGIN}'{version}"))
}

/// The same for Kotlin.
pub(super) fn find_kotlin(text: &str, is_above: bool) -> Result<Insertion, String> {
    let version = if is_above { String::new() } else { format!(" version \"{VERSION}\"") };
    find(text, &format!("id(\"{PLUGIN}\"){version}"))
}

/// Whether a build script has the plugin.
pub(super) fn has_plugin(text: &str) -> bool {
    text.contains(&format!("'{PLUGIN}'")) || text.contains(&format!("\"{PLUGIN}\""))
}

/// The settings of a build, which are in the folder of its outermost project.
pub(super) fn settings(folder: &Path) -> Option<PathBuf> {
    ["settings.gradle", "settings.gradle.kts"].map(|name| folder.join(name)).into_iter().find(|path| path.is_file())
}

/// The folders, as paths from the settings, of the projects that these include by name.
pub(super) fn included(settings: &str) -> Vec<String> {
    const INCLUDE: &str = "include";
    let Ok((code, strings)) = scan(settings) else { return Vec::new() };
    let mut folders = Vec::new();
    for (at, _) in code.match_indices(INCLUDE) {
        let rest = &code[at + INCLUDE.len()..];
        let is_part = |char: Option<char>| char.is_some_and(|char| char.is_alphanumeric() || char == '_');
        if is_part(code[..at].chars().next_back()) || is_part(rest.chars().next()) {
            continue;
        }
        // The names end where other code begins.
        let ends = rest.find(|char: char| !char.is_whitespace() && !"(,".contains(char));
        let names = at..at + INCLUDE.len() + ends.unwrap_or(rest.len());
        let named = strings.iter().filter(|string| names.contains(&string.start));
        let named = named.map(|string| settings[string.clone()].trim_matches(['"', '\'']));
        folders.extend(named.map(|name| name.trim_matches(':').replace(':', "/")));
    }
    folders
}

fn find(text: &str, line: &str) -> Result<Insertion, String> {
    // A byte order mark stays at the start.
    if let Some(rest) = text.strip_prefix(MARK) {
        let mut insertion = find(rest, line)?;
        insertion.at += MARK.len_utf8();
        insertion.until += MARK.len_utf8();
        return Ok(insertion);
    }
    let code = code(text)?;
    if has_plugin(text) {
        return Err(format!("has the plugin {PLUGIN} already"));
    }
    let ends = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let shown = format!("    plugins {{\n        {line}\n    }}\n");
    if let Some((open, close)) = block(&code, "plugins")? {
        let inside =
            text[open + 1..close].lines().find(|line| !line.trim().is_empty() && text[open..close].contains('\n'));
        let own = indentation(text, open);
        let indent =
            inside.map_or_else(|| format!("{own}    "), |line| line[..line.len() - line.trim_start().len()].to_owned());
        let start = text[..close].rfind('\n').map_or(0, |end| end + 1);
        // Before the closing brace, if it has a line of its own.
        let (at, added) = if text[start..close].trim().is_empty() && start > open {
            (start, format!("{indent}{line}{ends}"))
        } else {
            (close, format!("{ends}{indent}{line}{ends}{own}"))
        };
        return Ok(Insertion { at, until: at, text: added, shown });
    }
    // Gradle wants the block before everything except imports and the block `buildscript`.
    let after = block(&code, "buildscript")?.map_or_else(|| after_imports(&code), |(_, close)| close + 1);
    let at = text[after..].find('\n').filter(|_| after > 0).map_or(after, |end| after + end + 1);
    let is_first = at == 0;
    let added = format!("plugins {{{ends}    {line}{ends}}}{ends}");
    let added = if is_first { format!("{added}{ends}") } else { format!("{ends}{added}") };
    Ok(Insertion { at, until: at, text: added, shown })
}

/// The text with comments and strings replaced by spaces; as long as the text.
fn code(text: &str) -> Result<String, String> {
    Ok(scan(text)?.0)
}

/// The same, and where the strings are.
fn scan(text: &str) -> Result<(String, Vec<Range<usize>>), String> {
    let bytes = text.as_bytes();
    let mut out = bytes.to_vec();
    let mut strings = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &text[at..];
        let end = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(comment) = rest.strip_prefix("/*") {
            4 + comment.find("*/").ok_or_else(|| format!("line {}: a comment that does not end", line(text, at)))?
        } else if let Some(quote) = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|quote| rest.starts_with(quote)) {
            let end =
                string(rest, quote).ok_or_else(|| format!("line {}: a string that does not end", line(text, at)))?;
            strings.push(at..at + end);
            end
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
            continue;
        };
        out[at..at + end].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
        at += end;
    }
    let code = String::from_utf8(out);
    let code = code.map_err(|_| "a comment or string with characters that cannot be told apart".to_owned())?;
    Ok((code, strings))
}

/// The length of the string at the start of `text`.
fn string(text: &str, quote: &str) -> Option<usize> {
    let mut at = quote.len();
    while !text[at..].starts_with(quote) {
        let next = text[at..].chars().next()?;
        if next == '\n' && quote.len() == 1 {
            return None;
        }
        at += next.len_utf8();
        if next == '\\' {
            at += text[at..].chars().next()?.len_utf8();
        }
    }
    Some(at + quote.len())
}

/// The braces of a block at the outermost level.
fn block(code: &str, name: &str) -> Result<Option<(usize, usize)>, String> {
    let mut found = None;
    let mut depth = 0_usize;
    for (at, byte) in code.bytes().enumerate() {
        match byte {
            b'{' => {
                let before = code[..at].trim_end();
                let is_named = before.ends_with(name)
                    && !before[..before.len() - name.len()]
                        .ends_with(|c: char| c.is_alphanumeric() || "_.$".contains(c));
                if depth == 0 && is_named && found.is_none() {
                    found = Some((at, None));
                }
                depth += 1;
            }
            b'}' => {
                depth = depth
                    .checked_sub(1)
                    .ok_or_else(|| format!("line {}: a brace that closes nothing", line(code, at)))?;
                if let (0, Some((_, close @ None))) = (depth, &mut found) {
                    *close = Some(at);
                }
            }
            _ => {}
        }
    }
    if depth > 0 {
        return Err("a brace that is not closed".to_owned());
    }
    Ok(found.and_then(|(open, close)| Some((open, close?))))
}

/// Where the last import ends; 0 without any.
fn after_imports(code: &str) -> usize {
    let mut at = 0;
    let mut after = 0;
    for line in code.split_inclusive('\n') {
        if line.trim_start().starts_with("import ") {
            after = at + line.trim_end().len();
        }
        at += line.len();
    }
    after
}

fn line(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> String {
        let Insertion { at, until, text: added, .. } = find_groovy(text, false).expect("a place");
        format!("{}{added}{}", &text[..at], &text[until..])
    }

    #[test]
    fn the_line_goes_to_the_end_of_the_block() {
        let id = format!("id 'dev.regiontrack' version '{VERSION}'");
        for (before, after) in [
            ("// plugins {\nplugins {\n  id 'java' // }\n", "}\n\next { plugins { } }\n"),
            ("plugins {\r\n\tid 'java'\r\n", "}\r\n"),
        ] {
            let text = written(&format!("{before}{after}"));
            let added =
                text.strip_prefix(before).and_then(|rest| rest.strip_suffix(after)).expect("nothing else changes");
            assert_eq!(added.trim(), id);
            assert_eq!(added.contains('\r'), before.contains('\r'));
        }
        assert_eq!(written("plugins { id 'java' }\n"), format!("plugins {{ id 'java' \n    {id}\n}}\n"));
    }

    #[test]
    fn a_file_without_the_block_gets_one_where_gradle_allows_it() {
        let block = format!("plugins {{\n    id 'dev.regiontrack' version '{VERSION}'\n}}\n");
        assert_eq!(written("apply plugin: 'java'\n"), format!("{block}\napply plugin: 'java'\n"));
        let script = "import a.B\nbuildscript {\n  ext.x = '}'\n}\n";
        assert_eq!(
            written(&format!("{script}apply plugin: 'java'\n")),
            format!("{script}\n{block}apply plugin: 'java'\n")
        );
        assert_eq!(written("import a.B\nx = 1\n"), format!("import a.B\n\n{block}x = 1\n"));
        assert_eq!(written(""), format!("{block}\n"));
    }

    #[test]
    fn a_byte_order_mark_stays_at_the_start() {
        for text in ["apply plugin: 'java'\n", "import a.B\nx = 1\n", "plugins {\n    id 'java'\n}\n", ""] {
            assert_eq!(written(&format!("{MARK}{text}")), format!("{MARK}{}", written(text)));
        }
    }

    #[test]
    fn the_projects_that_settings_include_are_found() {
        let groovy = "rootProject.name = 'all'\ninclude 'app', ':libs:core' // don't\ninclude 'x',\n    'y'\nincludeBuild 'z'\n// include 'w'\n";
        assert_eq!(included(groovy), ["app", "libs/core", "x", "y"]);
        assert_eq!(included("include(\":app\", \"lib\")\nproject(\":lib\").name = \"l\"\n"), ["app", "lib"]);
        assert!(included("include 'not ended").is_empty());
    }

    #[test]
    fn what_is_there_or_cannot_be_understood_is_refused() {
        let there = written("plugins {\n}\n");
        assert_eq!(find_groovy(&there, false), Err("has the plugin dev.regiontrack already".to_owned()));
        assert_eq!(find_kotlin("plugins {\n", false), Err("a brace that is not closed".to_owned()));
        assert_eq!(find_kotlin("}\n", false), Err("line 1: a brace that closes nothing".to_owned()));
        assert_eq!(find_kotlin("x\n\"abc\n", false), Err("line 2: a string that does not end".to_owned()));
        let kotlin = find_kotlin("plugins {\n    java\n}\n", false).expect("a place").text;
        assert_eq!(kotlin, format!("    id(\"dev.regiontrack\") version \"{VERSION}\"\n"));
    }
}
