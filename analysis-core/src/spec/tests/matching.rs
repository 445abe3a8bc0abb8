//! The matcher against its definition, and argument lists.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::{matches, method, pattern};
use crate::spec::Pattern;
use crate::spec::glob::Glob;

/// The definition, word for word: slow, recursive, obviously right.
fn definition(pattern: &[char], name: &[char]) -> bool {
    match pattern {
        [] => name.is_empty(),
        ['*', '*', rest @ ..] => (0..=name.len()).any(|run| definition(rest, &name[run..])),
        ['*', rest @ ..] => (0..=name.len()).any(|run| !name[..run].contains(&'.') && definition(rest, &name[run..])),
        ['?', rest @ ..] => name.first().is_some_and(|c| *c != '.') && definition(rest, &name[1..]),
        [c, rest @ ..] => name.first() == Some(c) && definition(rest, &name[1..]),
    }
}

/// Every text over `alphabet` of at most `length` characters.
fn all_texts(alphabet: &[char], length: usize) -> Vec<Vec<char>> {
    let mut texts = vec![Vec::new()];
    let mut newest = 0..1;
    for _ in 0..length {
        for index in newest.clone() {
            for c in alphabet {
                let mut longer = texts[index].clone();
                longer.push(*c);
                texts.push(longer);
            }
        }
        newest = newest.end..texts.len();
    }
    texts
}

fn assert_is_the_definition(pattern: &[char], names: &[Vec<char>], seen: &mut [u64; 2]) {
    let text: String = pattern.iter().collect();
    let glob = Glob::new(&text);
    for name in names {
        let name_text: String = name.iter().collect();
        let expected = definition(pattern, name);
        assert_eq!(glob.matches(&name_text), expected, "pattern {text:?}, name {name_text:?}");
        seen[usize::from(expected)] += 1;
    }
}

#[test]
fn the_matcher_is_the_definition_on_all_small_patterns_and_names() {
    let names = all_texts(&['a', 'b', '.'], 5);
    let mut seen = [0, 0];
    for pattern in all_texts(&['a', 'b', '.', '?', '*'], 5) {
        assert_is_the_definition(&pattern, &names, &mut seen);
    }
    assert!(seen[0] > 100_000 && seen[1] > 10_000, "{seen:?}");
}

#[test]
fn the_matcher_is_the_definition_on_all_small_patterns_of_one_letter_and_longer_names() {
    let names = all_texts(&['a', '.'], 7);
    let mut seen = [0, 0];
    for pattern in all_texts(&['a', '.', '*'], 8) {
        assert_is_the_definition(&pattern, &names, &mut seen);
    }
    assert!(seen[0] > 100_000 && seen[1] > 100_000, "{seen:?}");
}

#[test]
fn the_matcher_is_the_definition_on_random_patterns_and_names() {
    let mut random = Pcg64Mcg::seed_from_u64(1);
    let mut pick = |from: &[char]| from[random.random_range(0..from.len())];
    let letters = ['a', 'a', 'b', 'é', '€', '𝄞', '.', '.'];
    let lengths: Vec<char> = (0..14).map(|length| char::from(b'a' + length)).collect();
    let mut seen = [0, 0];
    for _ in 0..200_000 {
        let length = pick(&lengths) as usize - 'a' as usize;
        let pattern: Vec<char> = (0..length).map(|_| pick(&['a', 'a', 'b', 'é', '€', '.', '?', '*', '*'])).collect();
        // A name made from the pattern, so that many match, and then one wrong character in half of them.
        let mut name = Vec::new();
        for c in &pattern {
            match c {
                '?' => name.push(pick(&letters)),
                '*' => name.extend((0..pick(&lengths) as usize % 4).map(|_| pick(&letters))),
                c => name.push(*c),
            }
        }
        if !name.is_empty() && pick(&['y', 'n']) == 'y' {
            let last = name.len() - 1;
            name[last / 2] = pick(&letters);
        }
        assert_is_the_definition(&pattern, &[name], &mut seen);
    }
    assert!(seen[0] > 20_000 && seen[1] > 20_000, "{seen:?}");
}

#[test]
fn matching_takes_no_exponential_time() {
    let glob = Glob::new(&format!("{}b", "**a*a".repeat(40)));
    assert!(!glob.matches(&"a".repeat(5_000)));
}

#[test]
fn a_star_stays_within_a_segment_and_two_stars_cross_dots() {
    for (pattern, yes, no) in [
        ("**", "LTsp.main", ""),
        ("**.*", "TspSolver.run", ""),
        ("com.example.**", "com.example.Cache.get", "com.Example.Cache.get"),
        ("com.example.**", "com.example.cache.Lru$Node.unlink", "com.examples.Cache.get"),
        ("com.example.*", "com.example.get", "com.example.Cache.get"),
        ("com.example.*.*", "com.example.Cache.get", "com.example.cache.Lru.get"),
        (
            "org.sunflow.**Thread.run",
            "org.sunflow.core.renderer.BucketRenderer$BucketThread.run",
            "org.sunflow.Main.run",
        ),
        ("**.ConcurrentMergeScheduler$*.run", "org.apache.ConcurrentMergeScheduler$MergeThread.run", "a.B$C.run"),
        ("montecarlo.AppDemo?", "montecarlo.AppDemo1", "montecarlo.AppDemo"),
        ("**.<init>", "org.hsqldb.Record.<init>", "org.hsqldb.Record.<clinit>"),
        ("**.<*init>", "org.hsqldb.Record.<clinit>", "org.hsqldb.Record.init"),
        ("**run", "Philo.run", "Philo.runs"),
    ] {
        assert!(matches(pattern, yes), "{pattern} {yes}");
        assert!(no.is_empty() || !matches(pattern, no), "{pattern} {no}");
    }
}

#[test]
fn a_dollar_is_a_dollar() {
    assert!(matches("a.Outer$Inner.m", "a.Outer$Inner.m"));
    assert!(!matches("a.Outer$Inner.m", "a.Outer.m"));
    assert!(!matches("a.Outer$Inner.m", "a.Outer.Inner.m"));
    assert!(matches("a.Outer$**", "a.Outer$1.run"));
}

/// Returns each type pattern with the types, of those in `TYPES`, that it matches.
const TYPES: &[&str] = &["int", "int[]", "boolean", "Top", "Top[]", "a.B", "a.B[][]", "a.b.C", "long[][]"];
const TYPE_PATTERNS: &[(&str, &[&str])] = &[
    ("int", &["int"]),
    ("in?", &[]),
    ("i*", &[]),
    ("int[]", &["int[]"]),
    ("int [ ]", &["int[]"]),
    ("%", &["int", "boolean"]),
    ("%[]", &["int[]"]),
    ("%[][]", &["long[][]"]),
    ("*", &["Top"]),
    ("*[]", &["Top[]"]),
    ("**", &["Top", "a.B", "a.b.C"]),
    ("**[][]", &["a.B[][]"]),
    ("a.*", &["a.B"]),
    ("a.**", &["a.B", "a.b.C"]),
    ("a.?", &["a.B"]),
    ("T??", &["Top"]),
    ("***", TYPES),
    ("***[]", &["int[]", "Top[]", "a.B[][]", "long[][]"]),
    ("***[][]", &["a.B[][]", "long[][]"]),
];

#[test]
fn each_type_pattern_matches_its_types_and_no_others() {
    for (item, expected) in TYPE_PATTERNS {
        let pattern = format!("a.B.m({item})");
        let matched: Vec<&str> =
            TYPES.iter().copied().filter(|given| matches(&pattern, &format!("a.B.m({given})"))).collect();
        assert_eq!(matched, *expected, "{item}");
    }
}

#[test]
fn an_argument_list_is_matched_item_by_item() {
    for (list, yes, no) in [
        ("()", "()", "(int)"),
        ("( )", "()", "(int)"),
        ("(***)", "(int)", "()"),
        ("(***)", "(int[])", "(int,int)"),
        ("(int, java.lang.Object[], *)", "(int,java.lang.Object[],Node)", "(int,java.lang.Object[],a.Node)"),
        ("(int,java.lang.Object[],*)", "(int,java.lang.Object[],Node)", "(int,java.lang.Object[])"),
        ("(int,...)", "(int)", "()"),
        ("(int,...)", "(int,long,a.B[])", "(long,int)"),
        ("(int,%,...)", "(int,long)", "(int)"),
    ] {
        assert!(matches(&format!("a.B.m{list}"), &format!("a.B.m{yes}")), "{list} {yes}");
        assert!(!matches(&format!("a.B.m{list}"), &format!("a.B.m{no}")), "{list} {no}");
    }
    for given in ["", "()", "(int)", "(a.B[],long)"] {
        assert!(matches("a.B.m", &format!("a.B.m{given}")), "{given}");
        assert!(matches("a.B.m(...)", &format!("a.B.m{given}")), "{given}");
    }
}

#[test]
fn unknown_arguments_match_only_any_arguments() {
    assert!(matches("a.B.m", "a.B.m"));
    assert!(matches("a.B.m(...)", "a.B.m"));
    for list in ["()", "(int)", "(***)", "(***,...)"] {
        assert!(!matches(&format!("a.B.m{list}"), "a.B.m"), "{list}");
    }
}

#[test]
fn a_pattern_is_displayed_in_a_form_that_parses_to_it() {
    for (text, shown) in [
        ("**", "**"),
        ("**(...)", "**"),
        (" a.B.m ( int , java.lang.Object [] , ... ) ", "a.B.m(int,java.lang.Object[],...)"),
        ("a.B.<init>( )", "a.B.<init>()"),
        ("a.*.?et**(%,***[],*,**)", "a.*.?et**(%,***[],*,**)"),
    ] {
        assert_eq!(pattern(text).to_string(), shown);
        assert_eq!(pattern(shown), pattern(text));
    }
    for (item, _) in TYPE_PATTERNS {
        let parsed = pattern(&format!("a.B.m({item},...)"));
        assert_eq!(pattern(&parsed.to_string()), parsed);
    }
}

#[test]
fn the_pattern_that_names_a_method_matches_it_alone() {
    let methods = [
        "org.apache.xalan.transformer.TransformerImpl.applyTemplateToNode(int,a.B[])",
        "org.hsqldb.Record.<init>()",
        "org.hsqldb.Record.<init>(int)",
        "elevator.Lift.sleep(long)",
        "elevator.Lift.sleep",
        "a.KotlinTest.adds (and removes), twice(java.lang.Object)",
    ];
    for (index, text) in methods.iter().enumerate() {
        let naming = Pattern::naming(method(text).signature());
        assert_eq!(pattern(&naming.to_string()), naming);
        for (other, other_text) in methods.iter().enumerate() {
            let expected = other == index || (index == 4 && other == 3);
            assert_eq!(naming.matches(method(other_text).signature()), expected, "{text} {other_text}");
        }
    }
    assert_eq!(Pattern::naming(method(methods[0]).signature()).to_string(), methods[0]);
    assert_eq!(
        Pattern::naming(method(methods[5]).signature()).to_string(),
        "a.KotlinTest.adds??and?removes???twice(java.lang.Object)"
    );
}
