//! Annotations of GitHub's workflows: a line for each finding, which a step prints and the pull request shows beside the
//! source.

use super::escape::{visible, visible_lines};
use super::item::{Weight, items};
use super::text;
use crate::report::model::report::Report;
use crate::report::model::summary::Loss;

/// The lines of one report.
pub(super) fn part(report: &Report, predicted: &[String]) -> String {
    let head = &report.head;
    let mut out = String::new();
    for item in items(report) {
        let place = item.place();
        let mut properties = Vec::new();
        if let Some(place) = &place {
            properties.push(("file", place.file.clone()));
            properties.extend(place.line.map(|line| ("line", line.to_string())));
        }
        properties.push(("title", item.title()));
        let command = if item.weight() == Weight::Note { "notice" } else { "warning" };
        out += &annotation(command, &properties, &item.told());
    }
    let said = [text::headlines(head), text::warned(head)].concat();
    let said = said.iter().map(|line| visible(line)).collect::<Vec<_>>().join("\n");
    let is_incomplete = matches!(head.answer.loss, Loss::Hides | Loss::Misleads);
    let title = [("title", "RegionTrack".to_owned())];
    out += &annotation(if is_incomplete { "error" } else { "notice" }, &title, &said);
    predicted.iter().fold(out, |out, predicted| out + &annotation("notice", &title, predicted))
}

/// The line for a missing report.
pub(super) fn missing(subject: &str, why: &str) -> String {
    annotation("error", &[("title", "RegionTrack".to_owned())], &format!("{subject}: {why}"))
}

fn annotation(command: &str, properties: &[(&str, String)], message: &str) -> String {
    let properties = properties.iter().map(|(name, value)| format!("{name}={}", property(&visible(value))));
    let message = data(&visible_lines(message));
    format!("::{command} {}::{message}\n", properties.collect::<Vec<_>>().join(","))
}

/// The text of a command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_end_a_command_or_a_property_is_escaped() {
        let line =
            annotation("warning", &[("file", "a,b:c%\n.java".into()), ("line", "3".into())], "100 %: a, b\nc::d\r");
        assert_eq!(line, "::warning file=a%2Cb%3Ac%25\\n.java,line=3::100 %25: a, b%0Ac::d\\r\n");
    }
}
