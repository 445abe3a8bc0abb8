//! Every message that a bad specification can cause, word for word.

use crate::spec::Specification;

fn message(line: &str) -> String {
    match Specification::parse(line, "spec.txt") {
        Ok(_) => panic!("accepted: {line}"),
        Err(errors) => errors.to_string(),
    }
}

fn assert_messages(expected: &[(&str, &str)]) {
    for (line, reason) in expected {
        assert_eq!(message(line), format!("spec.txt:1: {reason}"), "{line}");
    }
}

#[test]
fn all_bad_lines_are_reported_each_with_its_number() {
    let errors = Specification::parse("+ **\nrun\r\n\n# x\n- a/B.m\n+ ok.**\n- call:\n", "my.spec").unwrap_err();
    assert_eq!(errors.lines().iter().map(|error| error.line).collect::<Vec<_>>(), [2, 5, 7]);
    assert_eq!(
        errors.to_string(),
        "my.spec:2: expected '+' or '-' before 'run': write + for atomic, - for not atomic\n\
         my.spec:5: '/' in 'a/B.m': write dots, a.B.m\n\
         my.spec:7: the pattern is missing: write package.Class.method, or com.example.** for all methods below a package"
    );
}

#[test]
fn a_line_starts_with_a_sign() {
    assert_messages(&[
        ("com.example.** # all", "expected '+' or '-' before 'com.example.**': write + for atomic, - for not atomic"),
        ("call:a.B.m", "expected '+' or '-' before 'call:a.B.m': write + for atomic, - for not atomic"),
    ]);
}

#[test]
fn an_annotation_is_a_class() {
    let missing = "the annotation is missing: write its class, as in +@ com.example.Atomic";
    let list = "'a.Atomic()' is no annotation: write its class alone, as in +@ com.example.Atomic";
    assert_messages(&[
        ("+@", missing),
        ("-@  # all", missing),
        ("+@ a.Atomic()", list),
        ("+@ a/Atomic", "'/' in 'a/Atomic': write dots, a.Atomic"),
        ("-@ @a.Atomic", "'@' in the name '@a.Atomic': write ? for this character"),
    ]);
}

#[test]
fn a_sign_and_a_kind_want_a_pattern() {
    let reason =
        "the pattern is missing: write package.Class.method, or com.example.** for all methods below a package";
    assert_messages(&[("+", reason), ("-   # all", reason), ("- call:", reason), ("- (int)", reason)]);
}

#[test]
fn an_unknown_kind_or_flag_is_answered_with_the_nearest() {
    assert_messages(&[
        ("- calls:a.B.m", "unknown kind of rule 'calls:'; did you mean call:?; known are call:, flag:, label:"),
        ("- Flag:bridge", "unknown kind of rule 'Flag:'; did you mean flag:?; known are call:, flag:, label:"),
        ("- annotation:a.B", "unknown kind of rule 'annotation:'; known are call:, flag:, label:"),
        (
            "- flag:syntetic",
            "unknown flag 'syntetic'; did you mean synthetic?; known are synthetic, bridge, unlabelled",
        ),
        ("- flag:static", "unknown flag 'static'; known are synthetic, bridge, unlabelled"),
        ("- flag:", "unknown flag ''; known are synthetic, bridge, unlabelled"),
    ]);
}

#[test]
fn parentheses_are_balanced_and_end_the_pattern() {
    assert_messages(&[
        ("- a.B.m(int", "no ')' in 'a.B.m(int': close the argument list, or leave it out for every overload"),
        ("- a.B.m)", "')' without '(' in 'a.B.m)': write an argument list, or leave it out for every overload"),
        ("- a.B.m(int) void", "text after ')': 'void'; end the pattern there, return types are not matched"),
        ("- a.B.m())", "text after ')': ')'; end the pattern there, return types are not matched"),
        ("- a.B.m((int)", "'(' in the argument type '(int': write the type alone, as in java.lang.Object[]"),
        ("- call:a.B.m(int", "no ')' in 'a.B.m(int': close the argument list, or leave it out for every overload"),
    ]);
}

#[test]
fn a_descriptor_is_answered_with_its_types() {
    assert_messages(&[
        ("- a.B.m(I)V", "'(I)V' is a descriptor: write (int)"),
        ("- a.B.m()V", "'()V' is a descriptor: write ()"),
        ("- a.B.m([[J)[I", "'([[J)[I' is a descriptor: write (long[][])"),
        (
            "- a.B.m(ILjava/lang/Object;)Ljava/lang/String;",
            "'(ILjava/lang/Object;)Ljava/lang/String;' is a descriptor: write (int,java.lang.Object)",
        ),
        ("- a.B.m(Ljava/lang/Object;)", "'(Ljava/lang/Object;)' is a descriptor: write (java.lang.Object)"),
        ("- a.B.m([I)", "'([I)' is a descriptor: write (int[])"),
    ]);
}

#[test]
fn a_name_is_dotted() {
    assert_messages(&[
        ("- java/lang/Object.wait", "'/' in 'java/lang/Object.wait': write dots, java.lang.Object.wait"),
        ("- java/lang/Object", "'/' in 'java/lang/Object': write dots, java.lang.Object"),
        ("- call:a.B::m", "'::' in 'a.B::m': write dots, a.B.m"),
        ("- a.B#m(int)", "'#' in 'a.B#m': write dots, a.B.m"),
        ("- B::m", "'::' in 'B::m': write dots, B.m"),
    ]);
}

#[test]
fn a_name_is_one_word_of_characters_that_names_have() {
    let space = |name: &str| {
        format!("white space in '{name}': write the name alone, without modifiers and return type; ? matches a space")
    };
    assert_messages(&[
        ("- public void a.B.m()", &space("public void a.B.m")),
        ("- a.B.m a.B.n", &space("a.B.m a.B.n")),
        ("- a.B.%", "'%' in the name 'a.B.%': write ? for this character"),
        ("- LTsp;.main", "';' in the name 'LTsp;.main': write ? for this character"),
        ("- call:flag:bridge", "':' in the name 'flag:bridge': write ? for this character"),
    ]);
}

#[test]
fn a_name_has_a_class_and_a_method_and_no_empty_segment() {
    let empty = |name: &str| format!("empty segment in '{name}': write one dot between names, none at either end");
    assert_messages(&[
        ("- a..B.m", &empty("a..B.m")),
        ("- .m", &empty(".m")),
        ("- a.B.(int)", &empty("a.B.")),
        ("- run()", "'run' names a class or a method, not both: write **.run for the method, run.* for the class"),
        ("+ *", "'*' names a class or a method, not both: write **.* for the method, *.* for the class"),
        ("- a.***", "'***' in the name 'a.***': write **"),
    ]);
}

#[test]
fn an_argument_type_is_written_as_in_source_and_erased() {
    let missing = "an argument type is missing: write one between commas, or () for no arguments";
    let brackets =
        |item: &str| format!("unbalanced brackets in '{item}': write [] once for each dimension, after the type");
    for (list, reason) in [
        ("int,,int", missing),
        ("int,", missing),
        (",", missing),
        ("[]", missing),
        ("void", "'void' is no argument type: write () for no arguments"),
        ("java.lang.String...", "'java.lang.String...' is an array in the class file: write java.lang.String[]"),
        ("...,int", "'...' stands for all further arguments: put it last"),
        ("int[", &brackets("int[")),
        ("int]", &brackets("int]")),
        ("int[]x", &brackets("int[]x")),
        ("int[3]", &brackets("int[3]")),
        ("java/lang/Object", "'/' in 'java/lang/Object': write dots, java.lang.Object"),
        ("int,Ljava/lang/Object;", "'/' in 'Ljava/lang/Object;': write dots, java.lang.Object"),
        ("java..Object", "empty segment in 'java..Object': write one dot between names, none at either end"),
        ("java.***", "'***' within 'java.***': write **, or *** alone for any type"),
        ("java.util.List<T>", "type arguments in 'java.util.List<T>': write the erased type, java.util.List"),
        ("final int x", "' ' in the argument type 'final int x': write the type alone, as in java.lang.Object[]"),
        ("%x", "'%' in the argument type '%x': write the type alone, as in java.lang.Object[]"),
    ] {
        assert_eq!(message(&format!("- a.B.m({list})")), format!("spec.txt:1: {reason}"), "{list}");
    }
}
