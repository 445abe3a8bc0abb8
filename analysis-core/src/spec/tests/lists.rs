//! The exclusion lists of other tools, read directly and imported.

use super::{method, spec};
use crate::spec::Specification;
use crate::spec::list::import;

const DOUBLECHECKER: &str = "\
# Tsp
LTsp;.main ([Ljava/lang/String;)V:27(0)
LTspSolver;.run ()V:33(0)   # the solver

Lorg/sunflow/core/LightServer$1;.build (ZJ[[ILjava/lang/Object;)Lorg/X;:202(-2)
";

const ROADRUNNER: &str = "\
# the same
Tsp.main([Ljava/lang/String;)V
TspSolver.run()V
org/sunflow/core/LightServer$1.build(ZJ[[ILjava/lang/Object;)Lorg/X;
pkg/C.noReturnType(I)
";

#[test]
fn the_methods_of_a_list_are_not_atomic_and_all_others_are() {
    for text in [DOUBLECHECKER, ROADRUNNER] {
        let list = spec(text);
        for (name, line) in [
            ("Tsp.main(java.lang.String[])", 2),
            ("TspSolver.run()", 3),
            ("org.sunflow.core.LightServer$1.build(boolean,long,int[][],java.lang.Object)", 5),
        ] {
            let method = method(name);
            let decision = list.decide(&method);
            assert!(!decision.atomic, "{name}");
            let line = if text == DOUBLECHECKER { line } else { line.min(4) };
            assert_eq!(decision.rule.map(|rule| rule.line()), Some(line), "{name}");
        }
        for name in ["Tsp.main(int)", "TspSolver.run(int)", "TspSolver.runs()", "a.B.c()"] {
            assert!(list.decide(&method(name)).atomic, "{name}");
        }
        assert_eq!(list.warnings(), [], "{text}");
    }
    assert!(!spec(ROADRUNNER).decide(&method("pkg.C.noReturnType(int)")).atomic);
}

#[test]
fn a_list_becomes_a_specification_with_the_same_decisions_and_the_comments() {
    let imported = import(DOUBLECHECKER, "tsp.txt").expect("a list").expect("well-formed");
    assert_eq!(
        imported.text,
        "+ **\n\
         # Tsp\n\
         - Tsp.main(java.lang.String[])\n\
         - TspSolver.run()  # the solver\n\
         \n\
         - org.sunflow.core.LightServer$1.build(boolean,long,int[][],java.lang.Object)\n"
    );
    let (list, written) = (spec(DOUBLECHECKER), spec(&imported.text));
    let selectors = |spec: &Specification| spec.rules().iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(selectors(&list), selectors(&written));
}

#[test]
fn a_stray_parenthesis_is_a_warning() {
    let text = "Lsor/sor_first_row_odd;.run ()V:171(0))\n";
    let warnings = spec(text).warnings();
    let warnings: Vec<String> = warnings.iter().map(ToString::to_string).collect();
    assert_eq!(warnings, ["spec.txt:1: ')' after the entry is ignored; remove it"]);
    assert_eq!(import(text, "spec.txt").expect("a list").expect("well-formed").warnings.len(), 1);
}

#[test]
fn a_line_of_a_list_that_is_no_entry_is_an_error() {
    let text = "LTsp;.main ([Ljava/lang/String;)V:27(0)\nLTspSolver;.run\nTsp.run()\nLTsp;.run ()V:x(0)\n";
    let errors = Specification::parse(text, "tsp.txt").unwrap_err().to_string();
    let expected = |line: usize, entry: &str| {
        format!(
            "tsp.txt:{line}: '{entry}' is no entry of an exclusion list: write Lpkg/C;.method (descriptor)return:line(index) \
             or pkg/C.method(descriptor)return"
        )
    };
    let lines = [expected(2, "LTspSolver;.run"), expected(3, "Tsp.run()"), expected(4, "LTsp;.run ()V:x(0)")];
    assert_eq!(errors, lines.join("\n"));
}

#[test]
fn a_specification_is_no_list() {
    for text in ["", "# nothing\n", "- a.B.m()\n", "a.B.m()\n", "+ **\nLTsp;.run ()V:33(0)\n"] {
        assert_eq!(import(text, "a.spec"), None, "{text}");
    }
}
