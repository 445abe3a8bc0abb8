//! The plugin in a `build.gradle` or `build.gradle.kts`: in its block `plugins`, which is found by its braces, ignoring
//! comments and strings.

use super::{Insertion, VERSION, indentation};

const PLUGIN: &str = "dev.regiontrack";

/// The place and the line for Groovy.
pub(super) fn find_groovy(text: &str) -> Result<Insertion, String> {
    find(text, &format!("id '{PLUGIN}' version '{VERSION}'"))
}

/// The place and the line for Kotlin.
pub(super) fn find_kotlin(text: &str) -> Result<Insertion, String> {
    find(text, &format!("id(\"{PLUGIN}\") version \"{VERSION}\""))
}

fn find(text: &str, line: &str) -> Result<Insertion, String> {
    let code = code(text)?;
    if text.contains(&format!("'{PLUGIN}'")) || text.contains(&format!("\"{PLUGIN}\"")) {
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

/// The text with comments and the contents of strings replaced by spaces; as long as the text.
fn code(text: &str) -> Result<String, String> {
    let bytes = text.as_bytes();
    let mut out = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &text[at..];
        let end = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(comment) = rest.strip_prefix("/*") {
            4 + comment.find("*/").ok_or_else(|| format!("line {}: a comment that does not end", line(text, at)))?
        } else if let Some(quote) = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|quote| rest.starts_with(quote)) {
            string(rest, quote).ok_or_else(|| format!("line {}: a string that does not end", line(text, at)))?
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
            continue;
        };
        out[at..at + end].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
        at += end;
    }
    String::from_utf8(out).map_err(|_| "a comment or string with characters that cannot be told apart".to_owned())
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
        let Insertion { at, until, text: added, .. } = find_groovy(text).expect("a place");
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
    fn what_is_there_or_cannot_be_understood_is_refused() {
        let there = written("plugins {\n}\n");
        assert_eq!(find_groovy(&there), Err("has the plugin dev.regiontrack already".to_owned()));
        assert_eq!(find_kotlin("plugins {\n"), Err("a brace that is not closed".to_owned()));
        assert_eq!(find_kotlin("}\n"), Err("line 1: a brace that closes nothing".to_owned()));
        assert_eq!(find_kotlin("x\n\"abc\n"), Err("line 2: a string that does not end".to_owned()));
        let kotlin = find_kotlin("plugins {\n    java\n}\n").expect("a place").text;
        assert_eq!(kotlin, format!("    id(\"dev.regiontrack\") version \"{VERSION}\"\n"));
    }
}
