//! `regiontrack init`: the lines for a build, printed and written.

use std::fs;

use crate::runner::Folder;

const POM: &str = "<project>\n  <artifactId>app</artifactId>\n  <!-- <build> -->\n  <modules><module>core</module></modules>\n</project>\n";

#[test]
fn the_plugin_is_written_into_the_pom_of_the_outermost_project() {
    let folder = Folder::new().with("pom.xml", POM);
    fs::create_dir(folder.path().join("core")).expect("a folder");
    let module = "<project>\n  <artifactId>core</artifactId>\n</project>\n";
    fs::write(folder.path().join("core/pom.xml"), module).expect("written");
    let shown = folder.run(&["init"]);
    assert!(
        shown.ended(0).stdout.starts_with("add to ./pom.xml, or let regiontrack init --write do it:\n\n    <plugin>\n"),
        "{}",
        shown.stdout
    );
    assert_eq!(fs::read_to_string(folder.path().join("pom.xml")).expect("text"), POM);
    folder.run(&["init", "--write", "core"]).ended(0);
    assert_eq!(fs::read_to_string(folder.path().join("core/pom.xml")).expect("text"), module);
    let written = fs::read_to_string(folder.path().join("pom.xml")).expect("text");
    let rest = POM.strip_suffix("</project>\n").expect("its end");
    let added =
        written.strip_prefix(rest).and_then(|text| text.strip_suffix("</project>\n")).expect("nothing else changes");
    assert!(
        added.starts_with("  <build>\n    <plugins>\n      <plugin>\n        <groupId>dev.regiontrack</groupId>\n"),
        "{added}"
    );
    let again = folder.run(&["init", "--write", "core"]);
    assert!(again.stderr.ends_with("pom.xml: has regiontrack-maven-plugin already\n"), "{}", again.stderr);
}

#[test]
fn the_plugin_is_written_into_the_build_of_the_gradle_project_that_was_named() {
    let root = "plugins {\n    java\n}\n";
    let settings = "include(\"app\", \"no-script\")\n";
    let folder = Folder::new().with("settings.gradle.kts", settings).with("build.gradle.kts", root);
    fs::create_dir(folder.path().join("app")).expect("a folder");
    fs::write(folder.path().join("app/build.gradle.kts"), root).expect("written");
    folder.run(&["init", "--write", "app"]).ended(0);
    let text = |name: &str| fs::read_to_string(folder.path().join(name)).expect("text");
    let version = env!("CARGO_PKG_VERSION");
    let written = format!("plugins {{\n    java\n    id(\"dev.regiontrack\") version \"{version}\"\n}}\n");
    assert_eq!((text("build.gradle.kts").as_str(), text("app/build.gradle.kts")), (root, written.clone()));
    // The outermost project has others.
    let ran = folder.run(&["init", "--write"]);
    assert!(ran.ended(0).stdout.ends_with("; run regiontrack init for ./app\n"), "{}", ran.stdout);
    assert_eq!(text("build.gradle.kts"), written);
    // With the plugin there, another project names no version.
    fs::create_dir(folder.path().join("lib")).expect("a folder");
    fs::write(folder.path().join("lib/build.gradle.kts"), root).expect("written");
    folder.run(&["init", "--write", "lib"]).ended(0);
    assert_eq!(text("lib/build.gradle.kts"), "plugins {\n    java\n    id(\"dev.regiontrack\")\n}\n");
}

#[test]
fn a_gradle_build_whose_outermost_project_has_no_script_names_the_others() {
    let folder = Folder::new().with("settings.gradle", "include 'app', 'libs:core'\n");
    for project in ["app", "libs/core"] {
        fs::create_dir_all(folder.path().join(project)).expect("a folder");
        fs::write(folder.path().join(project).join("build.gradle"), "").expect("written");
    }
    let told = ".: no build.gradle of its own; each project that has tests needs the plugin; \
                run regiontrack init for ./app, ./libs/core";
    assert_eq!(folder.run(&["init"]).ended(0).stdout, format!("{told}\n"));
    folder.run(&["init", "--write"]).failed_with(&format!("regiontrack: {told}"));
}

#[test]
fn other_builds_are_told_the_command() {
    for (file, line) in [("build.xml", "ant test"), ("Makefile", "make test"), ("README", "java -jar app.jar")] {
        let folder = Folder::new().with(file, "");
        let ran = folder.run(&["init"]);
        assert!(ran.ended(0).stdout.ends_with(&format!("\n    regiontrack run -- {line}\n")), "{}", ran.stdout);
    }
}
