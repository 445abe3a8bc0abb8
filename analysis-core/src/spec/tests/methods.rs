//! Methods from class files and from labels.

use super::method;
use crate::spec::{Flag, JavaType, Method, Primitive, Signature, Specification};

#[test]
fn a_method_reads_the_same_from_a_class_file_a_label_and_road_runner() {
    let from_class_file = Signature::from_class_file("com/example/Cache", "put", "(Ljava/lang/Object;I[[J)V").unwrap();
    assert_eq!(from_class_file.to_string(), "com.example.Cache.put(java.lang.Object,int,long[][])");
    for label in [
        "com.example.Cache.put(java.lang.Object,int,long[][])",
        " com.example.Cache.put( java.lang.Object , int, long [] [] ) ",
        "com/example/Cache.put(Ljava/lang/Object;I[[J)V",
        "com.example.Cache.put(Ljava/lang/Object;I[[J)Ljava/lang/Object;",
        "com/example/Cache.put(java.lang.Object,int,long[][])",
    ] {
        assert_eq!(*method(label).signature(), from_class_file, "{label}");
    }
    assert_eq!(from_class_file.class(), "com.example.Cache");
    assert_eq!(from_class_file.name(), "com.example.Cache.put");
}

#[test]
fn a_label_without_an_argument_list_has_unknown_arguments() {
    for label in ["com.example.Cache.get", "com/example/Cache.get"] {
        assert_eq!(method(label).signature().arguments(), None);
        assert_eq!(method(label).to_string(), "com.example.Cache.get");
    }
    assert_eq!(method("com.example.Cache.get()").signature().arguments(), Some(&[][..]));
    assert_eq!(method("com/example/Cache.get()I").to_string(), "com.example.Cache.get()");
}

#[test]
fn names_that_only_class_files_have_are_read() {
    for (label, name) in [
        ("Philo.run()", "Philo.run"),
        ("Philo.run()V", "Philo.run"),
        ("a/B$1.<init>(La/B;)V", "a.B$1.<init>"),
        ("a.KotlinTest.adds (and removes)(int)", "a.KotlinTest.adds (and removes)"),
        ("a.B.m-impl$default(int)", "a.B.m-impl$default"),
    ] {
        assert_eq!(method(label).signature().name(), name, "{label}");
    }
}

#[test]
fn every_letter_of_a_descriptor_is_its_type() {
    let types = "boolean,byte,char,short,int,long,float,double,a.B,int[],a.B[][]";
    let signature = Signature::from_class_file("a/B", "m", "(ZBCSIJFDLa/B;[I[[La/B;)[La/B;").unwrap();
    assert_eq!(signature.to_string(), format!("a.B.m({types})"));
    for name in types.split(',').take(8) {
        assert_eq!(Primitive::named(name).map(Primitive::name), Some(name));
        assert_eq!(JavaType::parse(name).unwrap().to_string(), name);
    }
    assert_eq!(Primitive::named("void"), None);
}

#[test]
fn a_call_on_an_array_names_the_array() {
    let clone = Signature::from_class_file("[Ljava/lang/Object;", "clone", "()Ljava/lang/Object;").unwrap();
    assert_eq!(clone.to_string(), "java.lang.Object[].clone()");
    let spec = Specification::parse("- call:**.clone()", "s").unwrap();
    let mut caller = method("a.B.copy()");
    caller.add_call(clone);
    assert!(spec.decide(&caller).rule.is_some());
}

#[test]
fn a_class_may_be_called_like_a_letter_of_a_descriptor() {
    assert_eq!(Signature::from_class_file("I", "m", "()V").unwrap().to_string(), "I.m()");
}

#[test]
fn access_flags_are_those_of_the_class_file() {
    let of = |access| Method::from_class_file("a/B", "m", "()V", access).unwrap();
    assert!(of(0x1000).has(Flag::Synthetic) && !of(0x1000).has(Flag::Bridge));
    assert!(of(0x0041).has(Flag::Bridge) && !of(0x0041).has(Flag::Synthetic));
    assert_eq!(of(0x0001 | 0x2_0000), of(0));
    assert_eq!(of(0x1040), of(0).with_flag(Flag::Bridge).with_flag(Flag::Synthetic));
}

#[test]
fn a_bad_descriptor_is_refused_with_its_place() {
    for (descriptor, at, expected) in [
        ("", 1, "'('"),
        ("V", 1, "'('"),
        ("(", 2, "an argument type or ')'"),
        ("(I", 3, "an argument type or ')'"),
        ("(IV)V", 3, "an argument type or ')'"),
        ("(L;)V", 2, "an argument type or ')'"),
        ("(Lé;Ljava/lang/Object)V", 5, "an argument type or ')'"),
        ("(I[)V", 3, "an argument type or ')'"),
        ("(I)", 4, "one return type and the end"),
        ("(I)VV", 4, "one return type and the end"),
        ("(I)[V", 4, "one return type and the end"),
    ] {
        assert_eq!(
            Signature::from_class_file("a/B", "m", descriptor).unwrap_err().to_string(),
            format!(
                "bad descriptor '{descriptor}' at character {at}: expected {expected}, as in (ILjava/lang/Object;)V"
            )
        );
    }
}

#[test]
fn a_text_that_is_no_method_is_refused_with_the_fix() {
    let mixed =
        "both '/' and '.' in the class, or '/' in the method; write package.Class.method or package/Class.method";
    let empty = "empty segment; write one dot between names, none at either end";
    for (text, reason) in [
        ("", "write package.Class.method"),
        ("(int)", "write package.Class.method"),
        ("m1", "no dot between class and method; write package.Class.method"),
        ("com/example/Cache", "no dot between class and method; write package.Class.method"),
        ("java.base/java.lang.Thread.run", mixed),
        ("a.B/m()", mixed),
        ("a..B.m", empty),
        ("a//B.m", empty),
        ("a.B.", empty),
        ("a.B.m(int", "no ')'; close the argument list, or leave it out"),
        ("a.B.m(int,)", "an argument type is missing: write one between commas, or () for no arguments"),
        (
            "a.B.m(Ljava/lang/Object;)",
            "(Ljava/lang/Object;) is a descriptor without its return type; write (java.lang.Object)",
        ),
        ("a.B.m(int,java/lang/Object)", "'/' in 'java/lang/Object': write dots, java.lang.Object"),
        (
            "a.B.m(I)X",
            "bad descriptor '(I)X' at character 4: expected one return type and the end, as in (ILjava/lang/Object;)V",
        ),
        ("a.B.m(...)", "wildcard '...' among the argument types of a method: write the type, or leave the list out"),
        ("a.B.m(**)", "wildcard '**' among the argument types of a method: write the type, or leave the list out"),
    ] {
        assert_eq!(Method::parse(text).unwrap_err().to_string(), format!("'{text}' is no method: {reason}"));
    }
}
