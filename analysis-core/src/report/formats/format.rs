//! The formats of a report: their names, which one a file's name asks for, and documents of several reports.

use std::path::Path;

use super::{github, html, junit, markdown, sarif};
use crate::report::model::report::Report;

/// How a report is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Format {
    /// For a person, in a terminal.
    Text,
    /// For scripts: one object per line.
    Json,
    /// For other readers.
    Document(Document),
}

/// A format with the same contents for a run and for a trace, in which several reports make one document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Document {
    /// A page for a browser.
    Html,
    /// For code scanning.
    Sarif,
    /// XML for build servers.
    Junit,
    /// A comment on a pull request.
    Markdown,
    /// Annotations of GitHub's workflows.
    Github,
}

impl Format {
    /// All of them.
    pub const ALL: [Format; 7] = [
        Format::Text,
        Format::Json,
        Format::Document(Document::Html),
        Format::Document(Document::Sarif),
        Format::Document(Document::Junit),
        Format::Document(Document::Markdown),
        Format::Document(Document::Github),
    ];

    /// The name in options.
    pub fn name(self) -> &'static str {
        match self {
            Format::Text => "text",
            Format::Json => "json",
            Format::Document(Document::Html) => "html",
            Format::Document(Document::Sarif) => "sarif",
            Format::Document(Document::Junit) => "junit",
            Format::Document(Document::Markdown) => "markdown",
            Format::Document(Document::Github) => "github",
        }
    }

    /// The format of this name.
    pub fn named(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.name() == name)
    }

    /// The format that the end of a file's name asks for; `None` if it says nothing.
    pub fn of_file(path: &Path) -> Option<Format> {
        let name = path.file_name()?.to_string_lossy().to_lowercase();
        let ends: [(&str, Format); 6] = [
            (".html", Format::Document(Document::Html)),
            (".sarif", Format::Document(Document::Sarif)),
            (".sarif.json", Format::Document(Document::Sarif)),
            (".xml", Format::Document(Document::Junit)),
            (".md", Format::Document(Document::Markdown)),
            (".json", Format::Json),
        ];
        ends.into_iter().find(|(end, _)| name.ends_with(end)).map(|(_, format)| format)
    }
}

impl Document {
    /// What one report adds to a document. `predicted` has the text on other schedules, one for each algorithm.
    pub fn part(self, report: &Report, predicted: &[String]) -> String {
        match self {
            Document::Html => html::part(report, predicted),
            Document::Sarif => sarif::part(report, predicted),
            Document::Junit => junit::part(report, predicted),
            Document::Markdown => markdown::part(report, predicted),
            Document::Github => github::part(report, predicted),
        }
    }

    /// The document with these parts, in their order.
    pub fn whole(self, parts: &[String]) -> String {
        match self {
            Document::Html => html::whole(parts),
            Document::Sarif => sarif::whole(parts),
            Document::Junit => junit::whole(parts),
            Document::Markdown => parts.join("\n"),
            Document::Github => parts.concat(),
        }
    }

    /// The part for a missing report: its `subject`, and why it is missing.
    pub fn missing(self, subject: &str, why: &str) -> String {
        match self {
            Document::Html => html::missing(subject, why),
            Document::Sarif => sarif::missing(subject, why),
            Document::Junit => junit::missing(subject, why),
            Document::Markdown => markdown::missing(subject, why),
            Document::Github => github::missing(subject, why),
        }
    }

    /// The document as long as there is no report, for a process that was started at this time.
    pub fn running(self, process: u32, started: &str) -> String {
        let why = format!(
            "still running (process {process}, started {started}); the report replaces this when the process ends; if it has \
             ended, it was killed, and nothing is known of its run"
        );
        self.whole(&[self.missing("regiontrack", &why)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_finds_its_format_again() {
        for format in Format::ALL {
            assert_eq!(Format::named(format.name()), Some(format));
        }
        assert_eq!(Format::named("xml"), None);
    }

    #[test]
    fn the_end_of_a_files_name_asks_for_a_format() {
        let of = |name: &str| Format::of_file(Path::new(name)).map(Format::name);
        let asked = ["a/b.html", "B.HTML", "r.sarif", "r.sarif.json", "TEST-r.xml", "r.md", "r.json"].map(of);
        let expected = ["html", "html", "sarif", "sarif", "junit", "markdown", "json"].map(Some);
        assert_eq!(asked, expected);
        assert_eq!(["r.txt", "r", "html", "r.json.gz", "", "sarif.d/r"].map(of), [None; 6]);
    }
}
