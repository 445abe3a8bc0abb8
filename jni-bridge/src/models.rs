//! The table of models: what calls of the platform's library do.
//!
//! `models.txt` is the table, `models/` has those of libraries outside the platform, which hold for classes that are not watched, and
//! `models=FILE` adds to them. The text is checked here and interpreted by `ModelTable.java`. Line based, `#` begins a comment:
//!
//! ```text
//! file   = { "class" NAME { NAME } | "group" NAME | "like" GROUP | EFFECT METHOD { METHOD } | arguments }
//! METHOD = name [ "/" parameters ]
//! arguments = ( "arguments" | "passing" ) NAME { NAME } { CALL PASSED { PASSED } }
//! CALL   = name "/" parameters [ "-if-" ( "true" | "false" | "nonzero" | "filled" ) ]
//! PASSED = name "/" parameters [ "@" position ]
//! ```
//!
//! `like` and effects belong to the class or group line above them. In an `arguments` line, PASSED is a constructor (`new`) or a static
//! method of the classes: it does with an argument, the first unless `@` says which, what CALL does with its receiver. In a `passing` line,
//! PASSED is a method of objects of the classes, and does so in addition to its own effects. With a condition it does so only if it
//! returned that; `filled`: true, or the receiver had elements.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::sync::LazyLock;

/// Interfaces whose calls can have a model: by the class of the receiver, at run time.
const INTERFACES: [&str; 8] = [
    "java/util/concurrent/BlockingDeque",
    "java/util/concurrent/BlockingQueue",
    "java/util/concurrent/ConcurrentMap",
    "java/util/concurrent/ConcurrentNavigableMap",
    "java/util/concurrent/locks/Condition",
    "java/util/concurrent/locks/Lock",
    "java/util/concurrent/locks/ReadWriteLock",
    "java/util/concurrent/TransferQueue",
];

/// The table that is used without an option.
const SHIPPED: &str = include_str!("../models.txt");
/// The tables of libraries outside the platform.
const LIBRARIES: [(&str, &str); 2] =
    [("caffeine.txt", include_str!("../models/caffeine.txt")), ("guava.txt", include_str!("../models/guava.txt"))];
/// The effects, each with its possible conditions on the result.
const EFFECTS: &[(&str, &[&str])] = &[
    ("read", &["nonnull"]),
    ("write", WRITES),
    ("key-read", &[]),
    ("key-update", &[]),
    ("key-write", &["null", "nonnull", "true", "nonzero", "loaded", "refreshed"]),
    ("element-read", &[]),
    ("element-write", WRITES),
    ("each-read", &["true"]),
    ("each-write", &["true", "loaded", "refreshed"]),
    ("each-update", &["true"]),
    ("keys-read", &["null", "true", "false"]),
    ("keys-update", &["true"]),
    ("result-read", &[]),
    ("last-read", &[]),
    ("last-write", &[]),
    ("entry-write", &[]),
    ("owner-read", &[]),
    ("owner-write", &[]),
    ("target-read", &[]),
    ("part-read", &[]),
    ("part-write", WRITES),
    ("parts-read", &[]),
    ("parts-write", WRITES),
    ("added-write", QUEUES),
    ("taken-write", QUEUES),
    ("queue-read", &["true"]),
    ("queue-iterate", &[]),
    ("atomic-read", &[]),
    ("atomic-write", &["true"]),
    ("element-atomic-read", &[]),
    ("element-atomic-write", &["true"]),
    ("target-atomic-read", &[]),
    ("target-atomic-write", &["true"]),
    ("view", &[]),
    ("some-read", &["true", "false", "empty"]),
    ("some-view", &[]),
    ("iterate", &[]),
    ("step", &["true"]),
    ("split", &[]),
    ("over", &["false"]),
    ("acquire", &["true"]),
    ("release", &[]),
    ("share", LOCKS),
    ("unshare", &[]),
    ("exclude", LOCKS),
    ("include", &[]),
    ("unlock", &[]),
    ("downgrade", &["nonzero"]),
    ("await", &[]),
    ("give", &["true"]),
    ("await-give", &["true"]),
    ("take", &[]),
    ("take-argument", &["true"]),
    ("see", &[]),
    ("await-take", &[]),
    ("exchange", &["true"]),
    ("await-exchange", &["true"]),
    ("counts", COUNTS),
    ("unknown", &[]),
    ("none", &[]),
];
const WRITES: &[&str] = &["null", "nonnull", "true", "nonzero"];
const COUNTS: &[&str] = &["null", "nonnull", "true"];
const QUEUES: &[&str] = &["true", "nonzero"];
const LOCKS: &[&str] = &["true", "nonzero"];
/// The conditions on what is done with an argument.
const PASSED: &[&str] = &["true", "false", "nonzero", "filled"];
/// How similar a word must be to an effect to be taken for a misspelling.
const ALIKE: f64 = 0.75;

/// The shipped table, in the form that the Java side reads.
pub(crate) fn shipped() -> &'static str {
    static TABLE: LazyLock<String> = LazyLock::new(|| table(&mut HashSet::new()));
    &TABLE
}

fn table(groups: &mut HashSet<String>) -> String {
    parse(SHIPPED, "models.txt", groups).expect("the shipped table is right")
}

/// The table in a file of the user, which comes after the shipped ones.
///
/// # Errors
/// The first line that is wrong, with the place and the reason.
pub(crate) fn own(text: &str, name: &str) -> Result<String, String> {
    let mut groups = HashSet::new();
    table(&mut groups);
    parse(text, name, &mut groups)
}

/// The shipped tables of libraries, for those classes that are not watched according to `is_left_out`: what a watched class does is seen
/// inside. Empty if all are watched.
pub(crate) fn libraries(is_left_out: impl Fn(&str) -> bool) -> String {
    let mut groups = HashSet::new();
    table(&mut groups);
    let parsed = LIBRARIES.map(|(name, text)| parse(text, name, &mut groups).expect("the shipped tables are right"));
    let (mut found, mut is_any, mut is_open) = (String::new(), false, true);
    for line in parsed.iter().flat_map(|table| table.lines()) {
        if let Some(classes) = line.strip_prefix("class ") {
            let classes: Vec<&str> = classes.split(' ').filter(|class| is_left_out(class)).collect();
            is_open = !classes.is_empty();
            is_any |= is_open;
            if is_open {
                let _ = writeln!(found, "class {}", classes.join(" "));
            }
        } else {
            is_open |= line.starts_with("group ");
            if is_open {
                let _ = writeln!(found, "{line}");
            }
        }
    }
    if is_any { found } else { String::new() }
}

/// Warnings about entries of the user's table that matched nothing. `table` is from [`own`]; `found` has the loaded classes and, for each
/// method of one, `class name/parameters`.
pub(crate) fn unmatched(table: &str, found: &HashSet<String>) -> Vec<String> {
    let mut warnings = Vec::new();
    let mut classes: Vec<&str> = Vec::new();
    for (first, rest) in table.lines().filter_map(|line| line.split_once(' ')) {
        match first {
            "class" => {
                let (loaded, missing): (Vec<_>, Vec<_>) = rest.split(' ').partition(|class| found.contains(*class));
                warnings.extend(missing.iter().map(|class| {
                    format!("models: no class {class} was loaded, so its entries have had no effect; is that its name?")
                }));
                classes = loaded;
            }
            "group" | "arguments" | "passing" => classes.clear(),
            "like" => {}
            _ if classes.is_empty() => {}
            _ => warnings.extend(rest.split(' ').filter(|method| !has(&classes, method, found)).map(|method| {
                format!(
                    "models: {} has no method {method}, nor has what is above it; is that its name?",
                    classes.join(", ")
                )
            })),
        }
    }
    let mut known = HashSet::new();
    warnings.retain(|warning| known.insert(warning.clone()));
    warnings
}

/// True if one of the classes has the method, `name` or `name/parameters`.
fn has(classes: &[&str], method: &str, found: &HashSet<String>) -> bool {
    let is_exact = method.contains('/');
    classes.iter().any(|class| {
        if is_exact {
            return found.contains(&format!("{class} {method}"));
        }
        let start = format!("{class} {method}/");
        found.iter().any(|known| known.starts_with(&start))
    })
}

/// Checks a table; `groups` are the names of those before it. Returns its lines without comments, words one space apart.
fn parse(text: &str, name: &str, groups: &mut HashSet<String>) -> Result<String, String> {
    let mut lines = String::new();
    let mut wanted = Vec::new();
    let mut is_open = false;
    let mut is_group = false;
    let mut is_passing = false;
    for (number, line) in (1..).zip(text.lines()) {
        let words: Vec<&str> = line.split('#').next().unwrap_or_default().split_whitespace().collect();
        let Some((&first, rest)) = words.split_first() else { continue };
        let wrong = |reason: String| Err(format!("{name}:{number}: {reason}"));
        match (first, rest) {
            (_, []) => return wrong(format!("'{first}' needs a name after it")),
            (header @ ("class" | "arguments" | "passing"), classes) => {
                if let Some(bad) = classes.iter().find(|class| !is_class(class)) {
                    return wrong(format!("'{bad}' is no class name, such as java.util.Map$Entry"));
                }
                is_open = true;
                is_group = false;
                is_passing = header != "class";
            }
            ("group", [group]) => {
                if !groups.insert((*group).to_owned()) {
                    return wrong(format!("there is a group '{group}' already"));
                }
                is_open = true;
                is_group = true;
                is_passing = false;
            }
            (call, passed) if is_passing => {
                if let Some(bad) = passed.iter().find(|passed| !is_passed(passed)) {
                    return wrong(format!(
                        "'{bad}' is no call; write new/1, or join/2@2 if the second argument counts"
                    ));
                }
                let (call, condition) = call.split_once("-if-").unwrap_or((call, "true"));
                if !is_call(call) {
                    return wrong(format!("'{call}' is no call of an argument; write forEach/1"));
                }
                if !PASSED.contains(&condition) {
                    return wrong(format!("'{call}' cannot depend on '{condition}'{}", list(PASSED)));
                }
            }
            ("like", [group]) => wanted.push((number, (*group).to_owned())),
            ("group" | "like", _) => return wrong(format!("'{first}' takes one name")),
            (counts, _) if is_group && counts.starts_with("counts") => {
                return wrong(format!("'{counts}' stands in a group; only a class can have it"));
            }
            (effect, methods) => {
                check_effect(effect).map_err(|reason| format!("{name}:{number}: {reason}"))?;
                if let Some(bad) = methods.iter().find(|method| !is_method(method)) {
                    return wrong(format!("'{bad}' is no method; write get, or get/1 for the one with one parameter"));
                }
            }
        }
        if !is_open {
            return wrong(format!("'{first}' stands before the first class or group"));
        }
        let _ = writeln!(lines, "{}", words.join(" "));
    }
    match wanted.iter().find(|(_, group)| !groups.contains(group)) {
        Some((number, group)) => Err(format!("{name}:{number}: there is no group '{group}'")),
        None => Ok(lines),
    }
}

/// The words of tables, as the Java side reads them: nothing after each line, and once more after each table.
pub(crate) fn words<'a>(tables: &[&'a str]) -> Vec<Option<&'a str>> {
    let mut words = Vec::new();
    for table in tables {
        for line in table.lines() {
            words.extend(line.split(' ').map(Some));
            words.push(None);
        }
        words.push(None);
    }
    words
}

/// The methods that have a model, as `owner.name` with internal names; for interfaces every name of the table. `table` has the form
/// that the Java side reads.
pub(crate) fn modelled(table: &str) -> HashSet<String> {
    let mut groups: HashMap<&str, Vec<&str>> = HashMap::new();
    let mut found = HashSet::new();
    let mut into = Vec::new();
    let mut group = None;
    let mut is_passing = false;
    for (first, rest) in table.lines().filter_map(|line| line.split_once(' ')) {
        let names: Vec<&str> = match first {
            "class" => {
                into = rest.split(' ').map(|class| class.replace('.', "/")).collect();
                group = None;
                is_passing = false;
                continue;
            }
            "group" => {
                is_passing = false;
                into.clear();
                group = Some(rest);
                continue;
            }
            "arguments" | "passing" => {
                into.clear();
                group = None;
                is_passing = true;
                continue;
            }
            _ if is_passing => continue,
            "like" => groups.get(rest).cloned().unwrap_or_default(),
            _ => rest.split(' ').map(|method| method.split('/').next().unwrap_or(method)).collect(),
        };
        if let Some(group) = group {
            groups.entry(group).or_default().extend(&names);
        }
        let owners = into.iter().map(String::as_str).chain(INTERFACES.iter().copied().filter(|_| group.is_none()));
        found.extend(owners.flat_map(|owner| names.iter().map(move |name| format!("{owner}.{name}"))));
    }
    found
}

fn check_effect(word: &str) -> Result<(), String> {
    let (effect, condition) = match word.split_once("-if-") {
        Some((effect, condition)) => (effect, Some(condition)),
        None => (word, None),
    };
    let Some((_, conditions)) = EFFECTS.iter().find(|(known, _)| *known == effect) else {
        let alike = EFFECTS.iter().map(|(known, _)| (known, strsim::jaro_winkler(effect, known)));
        let (nearest, how) = alike.max_by(|a, b| a.1.total_cmp(&b.1)).expect("there are effects");
        let meant = if how >= ALIKE { format!("; did you mean {nearest}?") } else { String::new() };
        return Err(format!("unknown effect '{effect}'{meant}"));
    };
    match condition {
        None if effect == "counts" => Err(format!("'counts' needs a condition{}", list(conditions))),
        Some(condition) if !conditions.contains(&condition) => {
            Err(format!("'{effect}' cannot depend on '{condition}'{}", list(conditions)))
        }
        _ => Ok(()),
    }
}

fn list(conditions: &[&str]) -> String {
    if conditions.is_empty() { String::new() } else { format!("; on {}", conditions.join(", ")) }
}

fn is_class(name: &str) -> bool {
    name.split(['.', '$']).all(|part| !part.is_empty() && part.chars().all(is_letter))
}

fn is_method(name: &str) -> bool {
    let (name, parameters) = name.split_once('/').unwrap_or((name, "0"));
    !name.is_empty() && name.chars().all(is_letter) && parameters.parse::<u8>().is_ok()
}

fn is_call(call: &str) -> bool {
    call.contains('/') && is_method(call)
}

fn is_passed(passed: &str) -> bool {
    let (call, position) = passed.split_once('@').unwrap_or((passed, "1"));
    let parameters = call.split_once('/').and_then(|(_, parameters)| parameters.parse::<u8>().ok());
    is_call(call) && position.parse::<u8>().is_ok_and(|at| at > 0 && parameters.is_some_and(|all| at <= all))
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        own(text, "own.txt").expect_err("this table is wrong")
    }

    #[test]
    fn the_shipped_tables_are_right_and_a_file_can_use_groups_of_that_of_the_platform() {
        let text = "class a.B$C   # ours\n  key-write-if-null  putIfAbsent/2\n like map\n";
        let own = own(text, "own.txt").expect("a table");
        assert_eq!(own, "class a.B$C\nkey-write-if-null putIfAbsent/2\nlike map\n");
        assert!(shipped().contains("class java.util.ArrayList"));
    }

    #[test]
    fn what_is_done_with_an_argument_can_depend_on_some_results() {
        assert!(own("passing a.B\nforEach/1-if-true all/1\ncontains/1-if-filled any/1\n", "own.txt").is_ok());
        let wrong = refused("passing a.B\nforEach/1-if-null all/1\n");
        assert_eq!(wrong, "own.txt:2: 'forEach/1' cannot depend on 'null'; on true, false, nonzero, filled");
    }

    #[test]
    fn models_of_libraries_hold_for_the_classes_that_are_not_watched() {
        assert_eq!(libraries(|_| false), "");
        let caffeine = libraries(|class| class.starts_with("com.github.benmanes."));
        assert!(caffeine.contains("class com.github.benmanes.caffeine.cache.Cache\n"), "{caffeine}");
        assert!(!caffeine.contains("class com.google."), "{caffeine}");
        let one = libraries(|class| class == "com.google.common.util.concurrent.AtomicDouble");
        let entries = one.split("class ").nth(1).expect("the class");
        assert!(entries.starts_with("com.google.common.util.concurrent.AtomicDouble\natomic-read "), "{one}");
        assert_eq!(one.matches("class ").count(), 1, "{one}");
    }

    #[test]
    fn what_nothing_was_there_for_is_named_once() {
        let table = "class a.B a.C\nread get size/1\nwrite put/2\nclass a.D\nread of\nclass a.B\nread gte\nlike map\nclass a.D\nread on\n\
                     group own\nread nothing\nclass a.D\nread on\narguments java.util.ArrayList\ntoArray/0 new/1\n";
        let found = |texts: &[&str]| unmatched(table, &texts.iter().map(|&text| text.to_owned()).collect());
        let missing = |class: &str| {
            format!("models: no class {class} was loaded, so its entries have had no effect; is that its name?")
        };
        assert_eq!(found(&[]), ["a.B", "a.C", "a.D"].map(missing));
        let no_method = |class: &str, method: &str| {
            format!("models: {class} has no method {method}, nor has what is above it; is that its name?")
        };
        let some =
            found(&["a.B", "a.B get/0", "a.B size/0", "a.B put/2", "a.C", "a.C size/1", "a.D", "a.D of/1", "a.D on/0"]);
        assert_eq!(some, [no_method("a.B", "gte")]);
        let fewer = found(&["a.B", "a.B get/0", "a.B size/0", "a.B put/3", "a.D", "a.D of/1", "a.D on/0"]);
        let expected = [missing("a.C"), no_method("a.B", "size/1"), no_method("a.B", "put/2"), no_method("a.B", "gte")];
        assert_eq!(fewer, expected);
        assert!(unmatched("", &HashSet::new()).is_empty());
    }

    #[test]
    fn the_methods_that_have_a_model_are_named_by_their_classes_and_interfaces() {
        let found = modelled(shipped());
        for known in [
            "java/util/concurrent/locks/ReentrantLock.lock",
            "java/util/concurrent/locks/Lock.tryLock",
            "java/util/concurrent/ConcurrentMap.putIfAbsent",
            "java/util/concurrent/CopyOnWriteArrayList.size",
            "java/util/concurrent/BlockingQueue.put",
        ] {
            assert!(found.contains(known), "{known}");
        }
        for unknown in
            ["java/util/concurrent/Semaphore.acquire", "java/util/concurrent/ConcurrentSkipListMap.sequencedKeySet"]
        {
            assert!(!found.contains(unknown), "{unknown}");
        }
        assert!(modelled("").is_empty());
    }

    #[test]
    fn the_words_of_tables_keep_lines_and_tables_apart() {
        let found = words(&["class a.B\nread get\n", "", "like map\n"]);
        let expected = "class a.B , read get , , , like map , ,";
        assert_eq!(found, expected.split(' ').map(|word| (word != ",").then_some(word)).collect::<Vec<_>>());
    }

    #[test]
    fn an_error_names_the_line_and_the_reason() {
        for (text, error) in [
            ("\nread get", "own.txt:2: 'read' stands before the first class or group"),
            ("class a.B\n raed get", "own.txt:2: unknown effect 'raed'; did you mean read?"),
            ("class a.B\n read-if-true get", "own.txt:2: 'read' cannot depend on 'true'; on nonnull"),
            ("class a.B\n acquire-if-null lock", "own.txt:2: 'acquire' cannot depend on 'null'; on true"),
            ("class a.B\n counts put", "own.txt:2: 'counts' needs a condition; on null, nonnull, true"),
            (
                "group own\n counts-if-null put",
                "own.txt:2: 'counts-if-null' stands in a group; only a class can have it",
            ),
            ("class a.B\n read-if-nonzero get", "own.txt:2: 'read' cannot depend on 'nonzero'; on nonnull"),
            ("class a.B\n target-write set", "own.txt:2: unknown effect 'target-write'; did you mean target-read?"),
            ("arguments a.B\n toArray new/1", "own.txt:2: 'toArray' is no call of an argument; write forEach/1"),
            (
                "arguments a.B\n toArray/0 new/1@2",
                "own.txt:2: 'new/1@2' is no call; write new/1, or join/2@2 if the second argument counts",
            ),
            ("class a..B", "own.txt:1: 'a..B' is no class name, such as java.util.Map$Entry"),
            ("class", "own.txt:1: 'class' needs a name after it"),
            ("group map", "own.txt:1: there is a group 'map' already"),
            ("class a.B\n like sets", "own.txt:2: there is no group 'sets'"),
            ("class a.B\n like map list", "own.txt:2: 'like' takes one name"),
            (
                "class a.B\n read get/x",
                "own.txt:2: 'get/x' is no method; write get, or get/1 for the one with one parameter",
            ),
        ] {
            assert_eq!(refused(text), error);
        }
    }
}
