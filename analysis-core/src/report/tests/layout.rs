//! The report for a person on terminals: what the first screen has, how wide it is, and its colours.

use unicode_width::UnicodeWidthStr;

use super::kept::saved;
use super::{LAYOUT, snapshots};
use crate::report::saved::Saved;
use crate::report::text::{self, DETAILS, Layout};
use crate::report::{Kept, Report};

fn with<T>(name: &str, of: impl FnOnce(&mut Report) -> T) -> T {
    let trace = std::fs::read_to_string(snapshots().join(name).with_extension("std")).expect("a trace");
    let (json, _) = saved(&trace).expect("a report");
    let saved = Saved::parse("it", &json).expect("a report");
    of(&mut saved.report())
}

/// The lines before the first finding in detail.
fn first_screen(text: &str) -> Vec<&str> {
    text.lines().take_while(|line| !line.starts_with("1. ")).collect()
}

#[test]
fn the_first_screen_lists_more_than_is_told_in_detail_and_says_how_to_see_the_rest() {
    with("many", |report| {
        let layout = Layout { details: 2, ..LAYOUT };
        let told = |report: &Report| text::render(report, &layout);
        let text = told(report);
        let screen = first_screen(&text);
        assert!(screen.contains(&"  4  lost update  Always.second  Always.f  3 of 3   A.java:1"), "{screen:?}");
        let next = "  next: the first 2 are told below, and another one by";
        assert!(text.contains(&format!("{next}  -o FILE.json  and then  regiontrack explain FILE.json 3\n")), "{text}");
        assert_eq!(text.matches(": lost update\n").count(), 2);
        report.head.kept = Kept::In("build/all.json".to_owned());
        assert!(told(report).contains(&format!("{next}  regiontrack explain build/all.json 3\n")));
        report.head.most = 3;
        assert!(told(report).contains("\n  1 more finding: see max_reports=, or format=json\n"));
        assert!(!text::render(report, &Layout { details: 4, ..LAYOUT }).contains("next:"));
    });
}

#[test]
fn a_short_list_has_each_method_before_more_causes_of_one() {
    with("many", |report| {
        // Rare.rare for three causes, and two methods between.
        let rare = report.findings[0].clone();
        report.findings.insert(1, rare.clone());
        report.findings.insert(4, rare);
        let mut rows = |most: usize| {
            report.head.most = most;
            let text = text::render(report, &Layout { details: 0, ..LAYOUT });
            let is_row = |line: &&str| line.contains("  lost update  ");
            let row = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
            text.lines().filter(is_row).map(row).collect::<Vec<_>>()
        };
        let starts = |rows: &[String]| rows.iter().map(|row| row[..row.len().min(18)].to_owned()).collect::<Vec<_>>();
        let three = rows(3);
        assert_eq!(starts(&three), ["1 lost update Rare", "3 lost update Half", "4 lost update Alwa"]);
        assert!(three[0].contains(" 1 of 10; 2 more causes "), "{three:?}");
        let five = rows(5);
        assert_eq!(starts(&five)[1], "2 lost update Rare");
        assert!(five[0].contains(" 1 of 10; 1 more cause ") && !five[1].contains("more"), "{five:?}");
        assert!(rows(10).iter().all(|row| !row.contains("more")));
    });
}

#[test]
fn a_narrow_terminal_gets_whole_names_on_lines_without_places() {
    with("library-calls", |report| {
        for width in [64, 72] {
            let text = text::render(report, &Layout { width, ..Layout::of_file(DETAILS) });
            let screen = first_screen(&text);
            let rows: Vec<&&str> = screen.iter().filter(|line| line.starts_with("  1  ")).collect();
            assert!(rows.len() == 1 && rows[0].contains("  Cache.add    Cache.map  "), "{width}: {rows:?}");
            assert!(rows[0].width() <= width && !rows[0].contains("event 1"), "{width}: {rows:?}");
        }
    });
}

#[test]
fn tables_are_no_wider_than_the_terminal_and_cut_packages_before_members() {
    with("long-names", |report| {
        for width in [100, 160, 200] {
            let text = text::render(report, &Layout { width, ..LAYOUT });
            let table: Vec<&str> = text.lines().filter(|line| line.contains(" | ")).collect();
            assert!(!table.is_empty() && table.iter().all(|line| line.width() <= width), "{text}");
        }
        let wide = text::render(report, &Layout { width: 200, ..LAYOUT });
        assert!(wide.contains("mpl.availableStockByWarehouse)"), "{wide}");
    });
}

#[test]
fn colours_change_nothing_but_colours() {
    for name in ["many", "serializable", "incomplete-and-violated", "lost-update"] {
        let trace = std::fs::read_to_string(snapshots().join(name).with_extension("std")).expect("a trace");
        let Some((json, plain)) = saved(&trace) else { continue };
        let saved = Saved::parse("it", &json).expect("a report");
        let painted = text::render(&saved.report(), &Layout { has_colours: true, ..LAYOUT });
        let colour = if name == "serializable" { 32 } else { 31 };
        assert!(painted.contains(&format!("\u{1b}[1m\u{1b}[{colour}m")), "{painted:?}");
        let mut stripped = String::new();
        let mut rest = painted.as_str();
        while let Some((before, after)) = rest.split_once("\u{1b}[") {
            stripped += before;
            rest = after.split_once('m').expect("an end of the sequence").1;
        }
        assert_eq!(stripped + rest, plain);
        assert!(!plain.contains('\u{1b}'));
    }
}
