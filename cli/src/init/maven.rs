//! The plugin in a `pom.xml`. Its place is found in the parsed document, and nothing else in the text changes.

use std::path::{Path, PathBuf};

use roxmltree::{Document, Node};

use super::{Insertion, VERSION, indentation, indented};

const PLUGIN: &str = "regiontrack-maven-plugin";

/// The `pom.xml` of the project that has this one as a module, and so on, up to the outermost.
pub(super) fn root(pom: PathBuf) -> PathBuf {
    let mut root = pom;
    while let Some(above) = above(&root) {
        root = above;
    }
    root
}

/// The `pom.xml` in a folder above that has this project as a module.
fn above(pom: &Path) -> Option<PathBuf> {
    let pom = std::path::absolute(pom).ok()?;
    let folder = pom.parent()?;
    folder.ancestors().skip(1).map(|above| above.join("pom.xml")).find(|above| has_module(above, folder))
}

/// Whether a `pom.xml` has the project in this folder as a module. It names the folder, or the `pom.xml` there, by a
/// path from its own folder.
fn has_module(pom: &Path, folder: &Path) -> bool {
    let text = std::fs::read_to_string(pom).unwrap_or_default();
    let (Some(own), Ok(document)) = (pom.parent(), Document::parse(&text)) else { return false };
    let is_it = |module: &str| {
        let path = own.join(module.trim());
        let path = if path.is_file() { path.parent().map(Path::to_owned) } else { Some(path) };
        let same = path.and_then(|path| Some((path.canonicalize().ok()?, folder.canonicalize().ok()?)));
        same.is_some_and(|(path, folder)| path == folder)
    };
    let modules = document.descendants().filter(|node| node.tag_name().name() == "module");
    modules.filter_map(|node| node.text()).any(is_it)
}

/// The place at the end of the build's plugins, which are created if missing.
pub(super) fn find(text: &str) -> Result<Insertion, String> {
    let document = Document::parse(text).map_err(|error| format!("cannot be read as XML: {error}"))?;
    let project = document.root_element();
    if project.tag_name().name() != "project" {
        return Err(format!(
            "its root is <{}>, so it is no Maven project; expected <project>",
            project.tag_name().name()
        ));
    }
    let is_there =
        |node: Node| node.tag_name().name() == "artifactId" && node.text().is_some_and(|text| text.trim() == PLUGIN);
    if document.descendants().any(is_there) {
        return Err(format!("has {PLUGIN} already"));
    }
    let unit = unit(text, project);
    let plugin = plugin(&unit);
    let Some(build) = child(project, "build") else {
        let inner = tagged("build", &tagged("plugins", &plugin, &unit), &unit);
        return Ok(into(text, project, &inner, &plugin, &unit));
    };
    Ok(match child(build, "plugins") {
        None => into(text, build, &tagged("plugins", &plugin, &unit), &plugin, &unit),
        Some(plugins) => into(text, plugins, &plugin, &plugin, &unit),
    })
}

fn plugin(unit: &str) -> String {
    let goals = "<goal>prepare-agent</goal>\n<goal>report</goal>\n<goal>check</goal>\n";
    let execution = tagged("execution", &tagged("goals", goals, unit), unit);
    let head = format!(
        "<groupId>dev.regiontrack</groupId>\n<artifactId>{PLUGIN}</artifactId>\n<version>{VERSION}</version>\n"
    );
    tagged("plugin", &(head + &tagged("executions", &execution, unit)), unit)
}

fn tagged(name: &str, inside: &str, unit: &str) -> String {
    format!("<{name}>\n{}</{name}>\n", indented(inside, unit))
}

fn child<'a, 'input>(node: Node<'a, 'input>, name: &str) -> Option<Node<'a, 'input>> {
    node.children().find(|child| child.tag_name().name() == name)
}

/// The indentation of the project's elements.
fn unit(text: &str, project: Node) -> String {
    let first = project.children().find(Node::is_element);
    let own = first.map_or("", |first| indentation(text, first.range().start));
    if own.is_empty() { "  ".to_owned() } else { own.to_owned() }
}

/// The place before the end tag of an element, which may have none.
fn into(text: &str, node: Node, lines: &str, shown: &str, unit: &str) -> Insertion {
    let range = node.range();
    let own = indentation(text, range.start).to_owned();
    let ends = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let inside = indented(lines, &(own.clone() + unit));
    let (at, until, added) = match text[range.clone()].rfind("</") {
        Some(end) => {
            let end = range.start + end;
            // Before the white space in front of the end tag, if the tag has a line of its own.
            let line = text[..end].rfind('\n').map_or(0, |line| line + 1);
            if text[line..end].trim().is_empty() {
                (line, line, inside)
            } else {
                (end, end, format!("\n{inside}{own}"))
            }
        }
        None => {
            let name = node.tag_name().name();
            (range.start, range.end, format!("<{name}>\n{inside}{own}</{name}>"))
        }
    };
    Insertion { at, until, text: added.replace('\n', ends), shown: indented(shown, "    ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> String {
        let Insertion { at, until, text: added, .. } = find(text).expect("a place");
        format!("{}{added}{}", &text[..at], &text[until..])
    }

    #[test]
    fn the_plugin_goes_to_the_end_of_the_plugins_of_the_build() {
        let before = "<project>\n    <profiles><profile><build><plugins/></build></profile></profiles>\n    <!-- <build> -->\n    <build>\n        <plugins>\n            <plugin/>\n";
        let after = "        </plugins>\n    </build>\n</project>\n";
        let text = written(&format!("{before}{after}"));
        let added = text.strip_prefix(before).and_then(|rest| rest.strip_suffix(after)).expect("nothing else changes");
        assert!(
            added.starts_with("            <plugin>\n                <groupId>dev.regiontrack</groupId>\n"),
            "{text}"
        );
        assert!(added.ends_with("\n            </plugin>\n"), "{text}");
    }

    #[test]
    fn what_is_missing_is_made() {
        for text in [
            "<project>\n  <modelVersion>4.0.0</modelVersion>\n</project>\n",
            "<project>\n  <build/>\n</project>\n",
            "<project><build></build></project>",
            "<project>\r\n\t<build>\r\n\t\t<plugins/>\r\n\t</build>\r\n</project>\r\n",
            "<project xmlns=\"http://maven.apache.org/POM/4.0.0\">\n  <build>\n    <pluginManagement><plugins></plugins></pluginManagement>\n  </build>\n</project>",
        ] {
            let written = written(text);
            let document = Document::parse(&written).expect("XML");
            let plugins = child(document.root_element(), "build").and_then(|build| child(build, "plugins"));
            let plugin = plugins.and_then(|plugins| child(plugins, "plugin")).expect("it is in the build");
            assert_eq!(child(plugin, "version").and_then(|version| version.text()), Some(VERSION), "{written}");
            let goals = plugin.descendants().filter(|node| node.tag_name().name() == "goal");
            let goals: Vec<_> = goals.filter_map(|goal| goal.text()).collect();
            assert_eq!(goals, ["prepare-agent", "report", "check"]);
            assert_eq!(written.contains("\r\n"), text.contains("\r\n"));
            assert!(find(&written).expect_err("it is there").contains("already"));
        }
    }

    #[test]
    fn modules_are_named_by_paths_from_the_project_that_has_them() {
        let folder = tempfile::tempdir().expect("a folder");
        let pom = |at: &str, modules: &[&str]| {
            let path = folder.path().join(at).join("pom.xml");
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            let modules: String = modules.iter().map(|module| format!("<module>{module}</module>")).collect();
            std::fs::write(&path, format!("<project><modules>{modules}</modules></project>")).expect("written");
            path
        };
        let outermost = pom("", &["mod/inner", "./side/", "deep/pom.xml", "inner"]);
        pom("mod", &["other"]);
        for module in ["mod/inner", "side", "deep"] {
            assert_eq!(root(pom(module, &[])), outermost, "{module}");
        }
        let alone = pom("mod/alone/inner", &[]);
        assert_eq!(root(alone.clone()), alone);
    }

    #[test]
    fn what_is_no_project_is_refused() {
        assert!(find("<project>").expect_err("it does not end").starts_with("cannot be read as XML: "));
        assert!(find("<settings/>").expect_err("another root").contains("its root is <settings>"));
    }
}
