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
fn the_plugin_is_written_into_the_build_of_the_outermost_gradle_project() {
    let folder = Folder::new()
        .with("settings.gradle.kts", "include(\"app\")\n")
        .with("build.gradle.kts", "plugins {\n    java\n}\n");
    fs::create_dir(folder.path().join("app")).expect("a folder");
    fs::write(folder.path().join("app/build.gradle.kts"), "").expect("written");
    folder.run(&["init", "--write", "app"]).ended(0);
    let written = fs::read_to_string(folder.path().join("build.gradle.kts")).expect("text");
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(written, format!("plugins {{\n    java\n    id(\"dev.regiontrack\") version \"{version}\"\n}}\n"));
}

#[test]
fn other_builds_are_told_the_command() {
    for (file, line) in [("build.xml", "ant test"), ("Makefile", "make test"), ("README", "java -jar app.jar")] {
        let folder = Folder::new().with(file, "");
        let ran = folder.run(&["init"]);
        assert!(ran.ended(0).stdout.ends_with(&format!("\n    regiontrack run -- {line}\n")), "{}", ran.stdout);
    }
}
