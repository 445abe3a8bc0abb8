//! `own=`: which classes are the user's, wherever the main class is.

use std::fs;

use crate::machine::{machine, on_newest_jvm, on_two_jvms, utf8};

/// It has more than three findings, all in one package.
const PROGRAM: &str = "uses.Main";

#[test]
fn what_is_not_in_the_packages_of_the_named_folders_is_a_library() {
    on_newest_jvm(|jvm| {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let elsewhere = folder.path().join("test-classes");
        let own = elsewhere.join("com/acme/Own.class");
        fs::create_dir_all(elsewhere.join("com/acme")).and_then(|()| fs::write(own, "")).map_err(|e| e.to_string())?;
        let missing = folder.path().join("classes");
        let classes = utf8(&machine().classes);
        let hint = |own: &str| -> Result<(bool, String), String> {
            let (run, report) = jvm.reported(&format!("exclude=schedule.*,own={own}"), &[PROGRAM])?;
            let application = report["application"].to_string();
            let hints = report["hints"].to_string();
            if run.err.contains("own=") {
                return Err(format!("own={own}: {run:?}"));
            }
            Ok((hints.contains("findings are in uses: exclude=uses.*"), application))
        };
        let libraries = hint(&format!("{}:{}", missing.display(), elsewhere.display()))?;
        if libraries != (true, r#"["com.acme"]"#.to_owned()) {
            return Err(format!("its classes are a library's, which is said: {libraries:?}"));
        }
        let (is_said, application) = hint(&format!("{}:{classes}", elsewhere.display()))?;
        if is_said || !application.contains(r#""com.acme""#) || !application.contains(r#""uses""#) {
            return Err(format!("nobody says that the user's own is a library: {is_said}, {application}"));
        }
        Ok(())
    });
}

#[test]
fn where_the_named_folders_have_no_class_a_line_says_so_and_the_main_class_counts() {
    on_two_jvms(|jvm| {
        let (run, report) = jvm.reported("exclude=schedule.*,own=no/such/folder", &["violating.SplitUpdate"])?;
        let is_told =
            run.said().iter().any(|line| line.starts_with("regiontrack: own=no/such/folder: no class file there; "));
        let is_usual = report["application"].to_string().contains(r#""violating""#);
        if is_told && is_usual { Ok(()) } else { Err(format!("{run:?}, {}", report["application"])) }
    });
}
