//! The text form of a profile: sorted lines in UTF-8, each a fact or a class, so that a version control system can
//! keep, show and merge it.
//!
//! ```text
//! regiontrack profile 1
//! runs 7
//! settings arrays=refs nested=exact
//! class com.acme.Cache 0123456789abcdef java.lang.Object fields=3 arrays=0 calls=4 monitors=0 blocks=5
//! field com.acme.Cache.size
//! locks
//! end
//! ```
//!
//! The superclass of a class without one is written `-`. Reading is strict, except for typical effects of editing and
//! merging: the order of the lines between the first and the last, repeated lines, empty lines, lines that begin with
//! `#`, and Windows line ends. Of several `runs` the greatest counts. The line `end` and its line end are required, so
//! that no part of a profile passes for a whole one.

use std::fmt;

use super::error::{Error, Fault};
use super::model::{ALL_BLOCKS, Class, Counts, Fact, FactKind, Profile, SettingsDiffer};
use crate::kept::lines::{self, NotWhole, decimal, first_word, is_conflict};
use crate::kept::names;

const HEADER: &str = "regiontrack profile ";
const CLASS: &str = "class NAME CHECKSUM SUPERCLASS fields=N arrays=N calls=N monitors=N blocks=N";
/// Stands for a missing superclass. A class with this name is escaped.
const NONE: &str = "-";

impl Profile {
    /// Returns the text of its file.
    pub fn to_text(&self) -> String {
        let mut lines: Vec<String> = self.facts().map(|fact| fact.to_string()).collect();
        for name in self.classes() {
            lines.extend(self.class(name).map(|(checksum, class)| class_line(name, checksum, class)));
        }
        lines.sort_unstable();
        let mut text = format!("{HEADER}1\nruns {}\nsettings", self.runs);
        if !self.settings().is_empty() {
            text.push(' ');
            names::write_words(&mut text, self.settings());
        }
        lines.iter().for_each(|line| text += &format!("\n{line}"));
        text + "\nend\n"
    }

    /// Parses the text of a profile; errors call the file `file`.
    ///
    /// # Errors
    /// If it is not a profile, or is incomplete.
    pub fn parse(text: &[u8], file: &str) -> Result<Profile, Error> {
        let whole = |fault| Error::of_file(file, fault);
        let text = lines::whole(text, HEADER).map_err(|wrong| match wrong {
            NotWhole::Empty => whole(Fault::Empty),
            NotWhole::Other => whole(Fault::NoProfile),
            NotWhole::Cut => whole(Fault::Cut),
            NotWhole::NotUtf8(line) => Error::in_line(file, line, Fault::NotUtf8),
        })?;
        let mut parts = Parts { has_ended: false, runs: None, settings: None, rest: Profile::new("") };
        for (number, line) in (1..).zip(text.lines()) {
            parts.take(line).map_err(|fault| Error::in_line(file, number, fault))?;
        }
        parts.profile().map_err(whole)
    }
}

impl Fact<'_> {
    /// Parses a fact in its displayed and written form.
    ///
    /// # Errors
    /// If the line is not a fact.
    pub fn parse(line: &str) -> Result<(FactKind, String), Fault> {
        let (word, rest) = first_word(line);
        match (FactKind::named(word), rest) {
            (Some(FactKind::Locks), None) => Ok((FactKind::Locks, String::new())),
            (Some(FactKind::Locks), Some(_)) => Err(Fault::Form("locks")),
            (Some(kind), rest) => match name(rest.unwrap_or(""))? {
                field if kind == FactKind::Field && !is_member(&field) => Err(Fault::Form("field CLASS.NAME")),
                block if kind == FactKind::Block && block != ALL_BLOCKS && !is_method(&block) => {
                    Err(Fault::Form("block CLASS.METHOD(PARAMETERS)RESULT, with types as class files have them"))
                }
                text => Ok((kind, text)),
            },
            (None, _) => Err(Fault::NoFact(word.to_owned())),
        }
    }
}

impl fmt::Display for Fact<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&line(self.kind.name(), self.text))
    }
}

/// Returns whether the text is a class and a name with a dot between them.
fn is_member(text: &str) -> bool {
    text.rsplit_once('.').is_some_and(|(class, name)| !class.is_empty() && !name.is_empty())
}

/// Returns whether the text is a class and a method with its descriptor.
fn is_method(text: &str) -> bool {
    let parts = text.rsplit_once('(').and_then(|(method, rest)| Some((method, rest.split_once(')')?.1)));
    parts.is_some_and(|(method, result)| is_member(method) && !result.is_empty())
}

fn line(word: &str, name: &str) -> String {
    let mut line = word.to_owned();
    if !name.is_empty() {
        line.push(' ');
        names::write(&mut line, name);
    }
    line
}

fn class_line(name: &str, checksum: u64, class: &Class) -> String {
    let mut line = line("class", name);
    line += &format!(" {checksum:016x} ");
    match class.superclass.as_str() {
        "" => line += NONE,
        NONE => line += "\\u002d",
        superclass => names::write(&mut line, superclass),
    }
    let Counts { fields, arrays, calls, monitors, blocks } = class.counts;
    line + &format!(" fields={fields} arrays={arrays} calls={calls} monitors={monitors} blocks={blocks}")
}

/// The content of the lines so far.
struct Parts {
    has_ended: bool,
    runs: Option<u64>,
    settings: Option<String>,
    /// Classes and facts; the runs and settings in it are not set.
    rest: Profile,
}

impl Parts {
    fn take(&mut self, line: &str) -> Result<(), Fault> {
        if line.trim().is_empty() || line.starts_with('#') {
            return Ok(());
        }
        if self.has_ended {
            return Err(Fault::AfterEnd);
        }
        if is_conflict(line) {
            return Err(Fault::Conflict);
        }
        if let Some(version) = line.strip_prefix(HEADER) {
            return if version == "1" { Ok(()) } else { Err(Fault::Version(version.to_owned())) };
        }
        let (word, rest) = first_word(line);
        match word {
            "runs" => self.runs(rest),
            "settings" => self.settings(rest.unwrap_or("")),
            "class" => self.class(rest.unwrap_or("")),
            "end" if rest.is_none() => {
                self.has_ended = true;
                Ok(())
            }
            "end" => Err(Fault::Form("end")),
            _ => {
                let (kind, text) = Fact::parse(line).map_err(|fault| match fault {
                    Fault::NoFact(word) => Fault::Word(word),
                    other => other,
                })?;
                self.rest.add_fact(kind, text);
                Ok(())
            }
        }
    }

    fn runs(&mut self, rest: Option<&str>) -> Result<(), Fault> {
        let runs = rest.and_then(decimal).ok_or(Fault::Form("runs N"))?;
        self.runs = self.runs.max(Some(runs));
        Ok(())
    }

    fn settings(&mut self, rest: &str) -> Result<(), Fault> {
        let theirs = names::read_words(rest).ok_or_else(|| Fault::Name(rest.to_owned()))?;
        if theirs.contains(['\n', '\r']) {
            return Err(Fault::Form("settings, in one line"));
        }
        match &self.settings {
            Some(ours) if *ours != theirs => Err(SettingsDiffer { ours: ours.clone(), theirs }.into()),
            _ => {
                self.settings = Some(theirs);
                Ok(())
            }
        }
    }

    fn class(&mut self, rest: &str) -> Result<(), Fault> {
        let form = || Fault::Form(CLASS);
        let words: Vec<&str> = rest.split(' ').collect();
        let [class, checksum, superclass, fields, arrays, calls, monitors, blocks] = words[..] else {
            return Err(form());
        };
        let count = |word: &str, key: &str| {
            let number = word.strip_prefix(key).and_then(|word| word.strip_prefix('=')).and_then(decimal);
            number.and_then(|number| u32::try_from(number).ok()).ok_or_else(form)
        };
        let counts = Counts {
            fields: count(fields, "fields")?,
            arrays: count(arrays, "arrays")?,
            calls: count(calls, "calls")?,
            monitors: count(monitors, "monitors")?,
            blocks: count(blocks, "blocks")?,
        };
        let checksum = hexadecimal(checksum).ok_or_else(form)?;
        let superclass = if superclass == NONE { String::new() } else { name(superclass)? };
        self.rest.add_class(name(class)?, checksum, Class { superclass, counts });
        Ok(())
    }

    fn profile(self) -> Result<Profile, Fault> {
        let mut profile = self.rest;
        profile.settings = self.settings.ok_or(Fault::Missing("settings"))?;
        profile.runs = self.runs.ok_or(Fault::Missing("runs"))?;
        Ok(profile)
    }
}

/// Decodes a name, which must not be empty.
fn name(written: &str) -> Result<String, Fault> {
    names::read(written).filter(|name| !name.is_empty()).ok_or_else(|| Fault::Name(written.to_owned()))
}

fn hexadecimal(digits: &str) -> Option<u64> {
    let is_digit = |digit: u8| digit.is_ascii_digit() || (b'a'..=b'f').contains(&digit);
    let is_all = digits.len() == 16 && digits.bytes().all(is_digit);
    is_all.then(|| u64::from_str_radix(digits, 16).ok())?
}
