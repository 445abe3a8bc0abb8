//! The pages of the manual: each is in its contents, and each link leads to an existing page and heading.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

const CONTENTS: &str = "docs/SUMMARY.md";
const OTHERS: [&str; 4] = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a folder of the repository").to_owned()
}

/// Returns the pages by their paths in the repository.
fn pages() -> BTreeMap<PathBuf, String> {
    let entries = std::fs::read_dir(root().join("docs")).expect("the pages");
    let names = entries.map(|entry| Path::new("docs").join(entry.expect("an entry").file_name()));
    let names = names.filter(|name| name.extension().is_some_and(|end| end == "md"));
    let read = |name: PathBuf| (name.clone(), std::fs::read_to_string(root().join(name)).expect("a page"));
    names.chain(OTHERS.iter().map(PathBuf::from)).map(read).collect()
}

/// Returns the targets of a page's links, and the anchors of its headings.
fn links_and_headings(text: &str) -> (Vec<String>, BTreeSet<String>) {
    let (mut links, mut headings, mut heading) = (Vec::new(), BTreeSet::new(), None::<String>);
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                links.push(dest_url.into_string())
            }
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => headings.extend(heading.take().map(|text| anchor(&text))),
            Event::Text(part) | Event::Code(part) => {
                if let Some(heading) = &mut heading {
                    heading.push_str(&part);
                }
            }
            _ => {}
        }
    }
    (links, headings)
}

/// The anchor that GitHub and mdBook give a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.to_lowercase().replace(' ', "-");
    kept.chars().filter(|char| char.is_alphanumeric() || ['-', '_'].contains(char)).collect()
}

/// Resolves a link of a page to a path without upward steps.
fn resolved(page: &Path, link: &str) -> PathBuf {
    let mut path = page.parent().expect("a page lies in a folder").to_owned();
    for part in link.split('/') {
        match part {
            ".." => assert!(path.pop(), "{}: {link} leaves the repository", page.display()),
            _ => path.push(part),
        }
    }
    path
}

#[test]
fn each_page_is_in_the_contents() {
    let pages = pages();
    let (links, _) = links_and_headings(&pages[Path::new(CONTENTS)]);
    let listed: Vec<PathBuf> = links.iter().map(|link| resolved(Path::new(CONTENTS), link)).collect();
    let expected: BTreeSet<&Path> =
        pages.keys().map(PathBuf::as_path).filter(|page| *page != Path::new(CONTENTS)).collect();
    assert_eq!(listed.iter().map(PathBuf::as_path).collect::<BTreeSet<_>>(), expected);
    assert_eq!(listed.len(), expected.len(), "a page is listed twice");
}

#[test]
fn each_link_leads_to_a_page_and_a_heading() {
    let pages = pages();
    let mut broken = Vec::new();
    let mut count = 0;
    for (page, text) in &pages {
        let (links, _) = links_and_headings(text);
        for link in links.iter().filter(|link| !link.contains("://")) {
            count += 1;
            let (path, heading) = link.split_once('#').map_or((link.as_str(), None), |(path, to)| (path, Some(to)));
            let target = if path.is_empty() { page.clone() } else { resolved(page, path) };
            let has_heading =
                |heading: &str| pages.get(&target).is_some_and(|text| links_and_headings(text).1.contains(heading));
            if !root().join(&target).exists() || heading.is_some_and(|heading| !has_heading(heading)) {
                broken.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(broken.is_empty(), "links that lead nowhere:\n{}", broken.join("\n"));
    assert!(count > 50, "{count} links");
}
