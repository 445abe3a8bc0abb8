//! Which rule decides, the default specification, comments and line ends, warnings.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::{method, spec};
use crate::spec::{Flag, Method, Rule, Selector, Signature, Specification};

/// Returns the line of the rule that decides, 0 for none; negative if it says "not atomic".
fn decider(spec: &Specification, method: &Method) -> i64 {
    let decision = spec.decide(method);
    let line = decision.rule.map_or(0, |rule| rule.line() as i64);
    if decision.atomic { line } else { -line }
}

fn calling(text: &str, called: &[&str]) -> Method {
    let mut caller = method(text);
    for called in called {
        caller.add_call(called.parse().unwrap());
    }
    caller
}

#[test]
fn the_last_match_wins() {
    let spec =
        spec("+ com.example.**\n- com.example.Cache.*\n+ com.example.Cache.get(...)\n- com.example.Cache.get()\n");
    for (name, expected) in [
        ("com.example.Queue.poll()", 1),
        ("com.example.Cache.put(int)", -2),
        ("com.example.Cache.get(int)", 3),
        ("com.example.Cache.get", 3),
        ("com.example.Cache.get()", -4),
    ] {
        assert_eq!(decider(&spec, &method(name)), expected, "{name}");
    }
}

#[test]
fn a_method_that_no_rule_matches_is_not_atomic() {
    let empty = spec("# nothing\n");
    let decision = empty.decide(&method("a.B.m()"));
    assert!(!decision.atomic && decision.rule.is_none());
    assert_eq!(decider(&spec("+ a.C.*"), &method("a.B.m()")), 0);
}

#[test]
fn a_later_rule_wins_whether_it_names_one_method_or_many() {
    let one_then_many = spec("+ a.B.m\n- a.B.*\n");
    assert_eq!(decider(&one_then_many, &method("a.B.m()")), -2);
    let many_then_one = spec("- a.B.*\n+ a.B.m\n- a.B.m(int)\n");
    assert_eq!(decider(&many_then_one, &method("a.B.m()")), 2);
    assert_eq!(decider(&many_then_one, &method("a.B.m(int)")), -3);
    assert_eq!(decider(&many_then_one, &method("a.B.n()")), -1);
}

#[test]
fn a_call_rule_speaks_of_the_caller() {
    let spec = spec("+ **\n- call:java.lang.Object.wait\n- call:**.join(long)\n");
    assert!(spec.needs_calls());
    for (caller, expected) in [
        (calling("a.B.m()", &[]), 1),
        (calling("java.lang.Object.wait(long)", &["a.B.m()"]), 1),
        (calling("a.B.m()", &["a.C.n()", "java/lang/Object.wait(J)V"]), -2),
        (calling("a.B.m()", &["java.lang.Object.wait", "Philo.join(long)"]), -3),
        (calling("a.B.m()", &["Philo.join()"]), 1),
    ] {
        assert_eq!(decider(&spec, &caller), expected, "{caller}");
    }
}

#[test]
fn a_flag_rule_speaks_of_methods_with_that_flag() {
    let spec = spec("+ **\n- flag:synthetic\n+ flag: bridge\n");
    assert!(!spec.needs_calls());
    let plain = method("a.B.m()");
    assert_eq!(decider(&spec, &plain), 1);
    assert_eq!(decider(&spec, &plain.clone().with_flag(Flag::Synthetic)), -2);
    assert_eq!(decider(&spec, &plain.clone().with_flag(Flag::Bridge)), 3);
    assert_eq!(decider(&spec, &plain.with_flag(Flag::Bridge).with_flag(Flag::Synthetic)), 3);
}

#[test]
fn the_decision_is_that_of_a_plain_walk_from_the_last_rule_on_random_specifications() {
    let selectors = [
        "a.B.m",
        "a.B.m()",
        "a.B.m(int)",
        "a.B.n",
        "a.B.*",
        "a.*.m",
        "**.n(int)",
        "**",
        "call:a.B.m",
        "call:**.n()",
        "flag:bridge",
        "flag:synthetic",
    ];
    let mut random = Pcg64Mcg::seed_from_u64(2);
    for _ in 0..3_000 {
        let mut pick = |n: usize| random.random_range(0..n);
        let lines: Vec<String> =
            (0..pick(8)).map(|_| format!("{} {}", ["+", "-"][pick(2)], selectors[pick(selectors.len())])).collect();
        let spec = spec(&lines.join("\n"));
        let names = ["a.B.m()", "a.B.m(int)", "a.B.n(int)", "a.B.n", "a.C.m()", "b.C.n()"];
        for name in names {
            let mut method = calling(name, &names[pick(names.len())..]);
            if pick(2) == 0 {
                method = method.with_flag(Flag::ALL[pick(2)]);
            }
            let expected: Option<&Rule> = spec.rules().iter().rev().find(|rule| rule.selector().matches(&method));
            let decision = spec.decide(&method);
            assert_eq!(decision.rule, expected, "{lines:?} {method}");
            assert_eq!(decision.atomic, expected.is_some_and(Rule::is_atomic));
        }
    }
}

#[test]
fn by_default_everything_is_atomic_but_programs_tasks_initializers_and_what_compilers_make() {
    let default = Specification::default_rules();
    for name in [
        "com.example.Cache.get(java.lang.Object)",
        "org.hsqldb.Record.<init>()",
        "montecarlo.AppDemo.runThread()",
        "org.dacapo.harness.Callback.start(java.lang.String)",
        "a.B.run(int)",
        "a.B.call(int)",
        "a.B.main(int)",
        "a.B.domain()",
        "avrora.actions.SimAction.run(java.lang.String[])",
        "a.B.equals(java.lang.Object)",
    ] {
        assert!(default.decide(&method(name)).atomic, "{name}");
        for flag in [Flag::Synthetic, Flag::Bridge] {
            assert!(!default.decide(&method(name).with_flag(flag)).atomic, "{name} {flag:?}");
        }
    }
    for name in [
        "avrora.Main.main(java.lang.String[])",
        "Tsp.main(java.lang.String[])",
        "Hello.main()",
        "TspSolver.run()",
        "org.dacapo.xalan.XSLTBench$XalanWorker.run()",
        "a.B$1.call()",
        "a.B.<clinit>()",
        "a.B.<clinit>",
    ] {
        assert!(!default.decide(&method(name)).atomic, "{name}");
    }
}

#[test]
fn the_default_has_no_warnings_and_needs_no_calls() {
    let default = Specification::default_rules();
    assert_eq!(default.warnings(), []);
    assert!(!default.needs_calls());
    assert_eq!(default.source_name(), "default.txt");
}

#[test]
fn comments_blank_lines_byte_order_mark_and_line_ends_do_not_matter() {
    let text = "\u{feff}# first\r\n\r\n \t+  a.B.*  # why\r\n-a.B.m(int)\t#x\r\n   # indented\n+ flag:bridge";
    let rules: Vec<_> = spec(text).rules().iter().map(|rule| (rule.line(), rule.text().to_owned())).collect();
    assert_eq!(rules, [(3, "+  a.B.*".into()), (4, "-a.B.m(int)".into()), (6, "+ flag:bridge".into())]);
    assert_eq!(spec("").rules(), []);
}

#[test]
fn a_rule_knows_its_parts_and_is_displayed_in_a_form_that_parses_to_it() {
    for (text, shown) in [
        ("+**", "+ **"),
        ("-   a.B.m ( int ,... )", "- a.B.m(int,...)"),
        ("- call: java.lang.Object.wait(...)", "- call:java.lang.Object.wait"),
        ("+ flag: synthetic", "+ flag:synthetic"),
    ] {
        let (spec, again) = (spec(text), spec(shown));
        assert_eq!(spec.rules()[0].to_string(), shown);
        assert_eq!(spec.rules()[0].text(), text);
        assert_eq!(again.rules()[0].selector(), spec.rules()[0].selector());
        assert_eq!(again.rules()[0].is_atomic(), text.starts_with('+'));
    }
    assert!(matches!(spec("- call:a.B.m").rules()[0].selector(), Selector::Calls(_)));
}

#[test]
fn a_rule_that_names_one_of_very_many_methods_is_found_at_once() {
    let lines: Vec<String> = (0..20_000).map(|i| format!("- a.Class{i}.method(int)")).collect();
    let spec = spec(&format!("+ **\n{}", lines.join("\n")));
    for i in 0..20_000 {
        let signature = Signature::from_class_file(&format!("a/Class{i}"), "method", "(I)V").unwrap();
        assert_eq!(spec.decide(&Method::new(signature)).rule.map(Rule::line), Some(i + 2));
    }
}

#[test]
fn rules_that_cannot_decide_and_names_that_look_misread_are_warned_of() {
    let text = "- a.B.m(int)\n+ call:a.B.w\n- a.B.m( int )\n- call:a.B.w(...)\n+ **\n- a.Cache\n- **.main(String[])\n\
        + **.f(Node,a.String)\n- a.B.Cache(int)\n- call:**.*Thread\n+ flag:bridge\n- flag:bridge\n";
    let warnings: Vec<String> = spec(text).warnings().iter().map(ToString::to_string).collect();
    let behind = "on line 5 matches every method and the last match wins; move it below line 5";
    assert_eq!(
        warnings,
        [
            "spec.txt:1: '- a.B.m(int)' stands again on line 3: remove one of the two".to_owned(),
            "spec.txt:2: '+ call:a.B.w' never decides: '- call:a.B.w(...)' on line 4 overrides it; remove one"
                .to_owned(),
            format!("spec.txt:3: '- a.B.m( int )' never decides: '+ **' {behind}"),
            format!("spec.txt:4: '- call:a.B.w(...)' never decides: '+ **' {behind}"),
            "spec.txt:6: 'a.Cache' reads as a method, and no method is likely to be called so: write a.Cache.* for a \
                class"
                .to_owned(),
            "spec.txt:7: 'String' is a class without a package here: write java.lang.String".to_owned(),
            "spec.txt:11: '+ flag:bridge' never decides: '- flag:bridge' on line 12 overrides it; remove one"
                .to_owned(),
        ]
    );
}

#[test]
fn only_a_pattern_for_every_method_hides_the_rules_before_it() {
    for hides in ["+ **", "- **(...)", "- **.*"] {
        assert_eq!(spec(&format!("+ a.B.m\n{hides}")).warnings().len(), 1, "{hides}");
    }
    for hides_not in ["+ **()", "- a.**", "+ call:**", "+ flag:bridge", "+ *.*"] {
        assert_eq!(spec(&format!("+ a.B.m\n{hides_not}")).warnings(), [], "{hides_not}");
    }
}

#[test]
fn a_hidden_rule_is_to_be_moved_below_the_last_rule_for_every_method() {
    let warnings = spec("+ a.B.m\n+ **\n- **.*").warnings();
    assert_eq!(warnings.iter().map(|warning| warning.line).collect::<Vec<_>>(), [1, 2]);
    assert!(warnings.iter().all(|warning| warning.message.ends_with("move it below line 3")), "{warnings:?}");
}

#[test]
fn a_rule_that_is_warned_of_as_overridden_never_decides() {
    let text = "+ a.B.m\n- a.B.m\n+ **\n+ a.*.m\n- a.*.m()\n- a.*.m\n+ a.*.m()\n- flag:bridge\n- call:**\n+ call:**";
    let spec = spec(text);
    let warned: Vec<usize> = spec.warnings().iter().map(|warning| warning.line).collect();
    assert_eq!(warned, [1, 2, 4, 5, 9]);
    for name in ["a.B.m", "a.B.m()", "a.C.m(int)", "b.C.n()"] {
        for method in [method(name), calling(name, &["a.B.m"]), method(name).with_flag(Flag::Bridge)] {
            let line = spec.decide(&method).rule.map_or(0, Rule::line);
            assert!(!warned.contains(&line), "{method} {line}");
        }
    }
}

#[test]
fn an_annotation_decides_by_its_class_wherever_it_stands_in_the_line() {
    let mut annotated = method("com.example.Cache.get(int)");
    annotated.add_annotation("com/example/Atomic");
    annotated.add_annotation("java/lang/Deprecated");
    for line in
        ["+@ com.example.Atomic", "+@com.example.Atomic", "+ @ com.example.Atomic", "+@ **.Atomic", "+@ com.*.At?mic"]
    {
        let spec = spec(line);
        assert!(spec.decide(&annotated).atomic, "{line}");
        assert!(!spec.decide(&method("com.example.Cache.get(int)")).atomic, "{line}");
        assert!(spec.rules()[0].to_string().starts_with("+@ "), "{line}");
    }
    assert!(!spec("+@ Atomic").decide(&annotated).atomic);
    assert!(!spec("+ com.example.**\n-@ java.lang.Deprecated").decide(&annotated).atomic);
    assert!(spec("-@ java.lang.Deprecated\n+ com.example.**").decide(&annotated).atomic);
}

#[test]
fn annotations_of_our_own_decide_over_the_default_and_lines_of_the_user_over_them() {
    let [atomic, not] = crate::spec::ANNOTATIONS;
    let mut run = method("com.example.Task.run()");
    run.add_annotation(atomic);
    let mut get = method("com.example.Cache.get(int)");
    get.add_annotation(not);
    let asked = |text: &str| [&run, &get].map(|method| spec(text).with_annotations().decide(method).atomic);
    assert_eq!(asked("default"), [true, false]);
    assert_eq!(asked("- com.example.Task.run()\ndefault\n+ com.example.Cache.get"), [true, true]);
    assert_eq!(asked("default\n- com.example.Task.*"), [false, false]);
    assert_eq!(asked("+ com.example.Other.*"), [true, false]);
    let spec = spec("default").with_annotations();
    let decision = spec.decide(&run);
    assert_eq!(decision.reason("app.spec"), "annotation: +@ dev.regiontrack.annotations.Atomic");
    assert!(!decision.is_by_default() && spec.keeps_by_default(None));
}

/// Returns whether a method is atomic by the default specification, and the name of the rule that decides.
#[test]
fn methods_that_compilers_make_are_no_blocks_by_name() {
    let default = Specification::default_rules();
    let taken_out = [
        "app.Main.lambda$main$0(java.lang.Object)",
        "app.Main.access$100(app.Main)",
        "app.MainKt.main$lambda$0(int)",
        "app.Greeter.greet$default(app.Greeter,java.lang.String,int,java.lang.Object)",
        "app.MainKt$main$1.invoke()",
        "app.MainKt$main$12.invoke(java.lang.Object)",
        "app.MainKt$work$2.invokeSuspend(java.lang.Object)",
        "app.Main$.$anonfun$main$1(scala.runtime.IntRef,int)",
        "app.Main$.$anonfun$main$1$adapted(java.lang.Object)",
        "app.Main$$anonfun$1.apply$mcVI$sp(int)",
        "scala.collection.immutable.Range.foreach$mVc$sp(scala.Function1)",
        "app.Box.get$mIc$sp()",
        "app.Main$.greet$default$1()",
        "app.Main$_main_closure1.doCall(java.lang.Object)",
        "app.Main$_main_closure1.call(java.lang.Object)",
        "app.Main.$getCallSiteArray()",
        "app.Main.$createCallSiteArray_1(java.lang.String[])",
        "app.Main.$getStaticMetaClass()",
        "app.core$fn__1234.invoke()",
        "app.core$transfer$fn__7.invokeStatic(java.lang.Object)",
        "app.core$transfer.invoke(java.lang.Object,java.lang.Object)",
        "app.core$all.doInvoke(java.lang.Object)",
        "app.core$sum.invokePrim(long)",
    ];
    for name in taken_out {
        assert!(!default.decide(&method(name)).atomic, "{name}");
    }
    let kept = [
        "app.Main.access(int)",
        "app.Cache$Entry.invoke(int)",
        "app.core$transfer.invokeStatic(java.lang.Object,java.lang.Object)",
        "app.Main.lambda(int)",
        "app.Box.get()",
        "app.Phone.call(java.lang.String)",
    ];
    for name in kept {
        assert!(default.decide(&method(name)).atomic, "{name}");
    }
}

#[test]
fn a_specification_can_start_from_the_default_in_one_line() {
    let own = spec("+ gone.Before.m\ndefault\n- a.B.m()\n+ a.Worker.run()\n");
    let default = Specification::default_rules();
    for name in ["a.B.main(java.lang.String[])", "a.B.n()", "a.C.run()", "a.B.m(int)", "gone.Before.m()"] {
        let (own, default) = (own.decide(&method(name)), default.decide(&method(name)));
        assert_eq!((own.atomic, own.is_by_default()), (default.atomic, default.atomic), "{name}");
    }
    assert!(!own.decide(&method("a.B.m()")).atomic);
    let run = own.decide(&method("a.Worker.run()"));
    assert!(run.atomic && !run.is_by_default(), "a method that is named is meant");
    assert_eq!(own.decide(&method("a.C.run()")).reason("app.spec"), "app.spec:2: default, line 13: - **.run()");
    assert_eq!(own.decide(&method("a.B.m()")).reason("app.spec"), "app.spec:3: - a.B.m()");
    let warnings: Vec<String> = own.warnings().iter().map(ToString::to_string).collect();
    let expected = "spec.txt:1: '+ gone.Before.m' never decides: 'default' on line 2 matches every method and the last \
                    match wins; move it below line 2";
    assert_eq!(warnings, [expected]);
}

#[test]
fn what_is_excluded_beside_a_specification_is_not_atomic_whatever_its_rules_say() {
    let mut spec = spec("default\n+ a.B.m()\n");
    spec.exclude("a.B.m()").expect("a pattern");
    spec.exclude(" label:12").expect("a selector");
    let decision = spec.decide(&method("a.B.m()"));
    assert!(!decision.atomic);
    assert_eq!(decision.reason("app.spec"), "exclude-method: - a.B.m()");
    assert!(!spec.keeps_block(Some("12")) && spec.keeps_block(Some("13")));
    assert!(spec.exclude("a..b").is_err());
}

#[test]
fn a_word_that_is_nearly_default_is_guessed() {
    let error = Specification::parse("defualt\n- a.B.m()\n", "spec").expect_err("no rule").to_string();
    assert!(error.ends_with("write + for atomic, - for not atomic; did you mean default?"), "{error}");
}
