//! A specification decides which methods are blocks: by annotations, and by other tools' exclusion lists.

use std::collections::BTreeSet;

use crate::machine::{Jvm, on_two_jvms};
use crate::recorded::{self, Recorded};

const PROGRAM: &str = "marked.Marks";

/// Checks that under this specification exactly these methods are blocks, and exactly the first `violated` of them are violated.
fn has_blocks(jvm: &Jvm, spec: &str, blocks: &[&str], violated: usize) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let path = folder.path().join("app.spec");
    std::fs::write(&path, spec).map_err(|e| e.to_string())?;
    let run = recorded::run(jvm, PROGRAM, &format!("spec={}", path.display()))?;
    let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<String>>();
    let Recorded { report, trace } = &run;
    let reported: BTreeSet<String> = run.violated().into_keys().collect();
    if trace.blocks() == set(blocks) && reported == set(&blocks[..violated]) {
        Ok(())
    } else {
        Err(format!("{spec:?}: blocks {:?}, report {report}", trace.blocks()))
    }
}

#[test]
fn an_annotation_of_either_retention_makes_a_method_or_all_of_a_class_atomic_and_nothing_else() {
    let (method, slow, add) = ("marked.Marks.marked()", "marked.Marks$Whole.slow()", "marked.Marks$Whole.add(int)");
    on_two_jvms(|jvm| {
        has_blocks(jvm, "+@ marked.Atomic\n", &[method], 1)?;
        has_blocks(jvm, "+@ marked.*Atomic\n- marked.Marks$Whole.add(int)\n", &[method, slow], 2)?;
        has_blocks(jvm, "+@ marked.AllAtomic\n", &[slow, add], 1)
    });
}

#[test]
fn a_list_of_exclusions_is_a_specification() {
    let list = "\
# as DoubleChecker writes it
Lmarked/Marks;.main ([Ljava/lang/String;)V:62(3)
Lmarked/Marks;.marked ()V:13(1)
Lmarked/Marks;.lambda$main$0 (Lmarked/Marks;Lmarked/Marks$Whole;)V:54(1)
Lmarked/Marks;.lambda$main$1 (Lmarked/Marks;Lmarked/Marks$Whole;)V:58(1)
";
    let blocks = ["marked.Marks$Whole.slow()", "marked.Marks.unmarked()", "marked.Marks.add(int)"];
    let blocks = [&blocks[..], &["marked.Marks$Whole.add(int)"]].concat();
    on_two_jvms(|jvm| has_blocks(jvm, list, &blocks, 2));
}
