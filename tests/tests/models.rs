//! Every entry of the table of models is shown by a pair of small programs: one that is atomic and one that is not.
//!
//! The tests of the agent run the programs and compare their findings with those that they name. Here their sources are searched for calls with the
//! name and the number of arguments of each entry, and for the names of the classes. Sources in `modelled/` whose names end in `Calls` are parts of
//! programs of both kinds.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

const TABLE: &str = include_str!("../../jni-bridge/models.txt");
/// Entries that no atomic program calls: `method` or `method/parameters`, with the reason.
const NEVER_ATOMIC: &[(&str, &[&str])] = &[
    (
        "a method that calls it waits for another thread, whatever that does",
        &[
            "offer/3",
            "putFirst/1",
            "putLast/1",
            "offerFirst/3",
            "offerLast/3",
            "takeFirst",
            "takeLast",
            "pollFirst/2",
            "pollLast/2",
            "transfer",
            "tryTransfer/3",
            "exchange",
            "awaitNanos",
            "awaitUninterruptibly",
            "awaitUntil",
        ],
    ),
    (
        "it belongs to a section that begins with another call of the lock, or orders nothing",
        &["tryConvertToOptimisticRead", "tryConvertToReadLock", "isReadLocked", "isWriteLocked"],
    ),
];
/// Classes that programs do not name, by the calls that create their objects.
const MADE_BY: &[(&str, &str)] = &[
    ("ArrayList$Itr", "iterator"),
    ("LinkedList$ListItr", "listIterator"),
    ("Vector$Itr", "iterator"),
    ("Vector$1", "elements"),
    ("PriorityQueue$Itr", "iterator"),
    ("RegularEnumSet", "EnumSet"),
    ("JumboEnumSet", "EnumSet"),
    ("ConcurrentSkipListMap$SubMap", "subMap"),
    ("ConcurrentHashMap$KeySetView", "newKeySet"),
    ("ConcurrentSkipListMap$KeySet", "navigableKeySet"),
    ("ConcurrentHashMap$ValuesView", "values"),
    ("ConcurrentSkipListMap$Values", "values"),
    ("ConcurrentHashMap$EntrySetView", "entrySet"),
    ("ConcurrentSkipListMap$EntrySet", "entrySet"),
    ("HashMap$Node", "setValue"),
    ("TreeMap$Entry", "setValue"),
    ("Hashtable$Entry", "setValue"),
    ("WeakHashMap$Entry", "setValue"),
    ("IdentityHashMap$EntryIterator$Entry", "setValue"),
    ("EnumMap$EntryIterator$Entry", "setValue"),
    ("ConcurrentHashMap$MapEntry", "setValue"),
    ("ConcurrentHashMap$KeyIterator", "keySet"),
    ("ConcurrentHashMap$ValueIterator", "values"),
    ("ConcurrentHashMap$EntryIterator", "entrySet"),
    ("ConcurrentSkipListMap$KeyIterator", "keySet"),
    ("ConcurrentSkipListMap$ValueIterator", "values"),
    ("ConcurrentSkipListMap$EntryIterator", "entrySet"),
    ("ConcurrentSkipListMap$SubMap$SubMapKeyIterator", "subMap"),
    ("ConcurrentSkipListMap$SubMap$SubMapValueIterator", "subMap"),
    ("ConcurrentSkipListMap$SubMap$SubMapEntryIterator", "subMap"),
    ("CopyOnWriteArrayList$COWSubList", "subList"),
    ("CopyOnWriteArrayList$COWIterator", "iterator"),
    ("CopyOnWriteArrayList$COWSubListIterator", "listIterator"),
    ("Spliterators$1Adapter", "iterator"),
    ("Spliterators$2Adapter", "iterator"),
    ("Spliterators$3Adapter", "iterator"),
    ("Spliterators$4Adapter", "iterator"),
    ("ConcurrentLinkedQueue$Itr", "iterator"),
    ("ConcurrentLinkedDeque$Itr", "iterator"),
    ("ConcurrentLinkedDeque$DescendingItr", "descendingIterator"),
    ("ArrayBlockingQueue$Itr", "iterator"),
    ("LinkedBlockingQueue$Itr", "iterator"),
    ("LinkedBlockingDeque$Itr", "iterator"),
    ("LinkedBlockingDeque$DescendingItr", "descendingIterator"),
    ("LinkedTransferQueue$Itr", "iterator"),
    ("ConcurrentHashMap$KeySpliterator", "spliterator"),
    ("ConcurrentHashMap$ValueSpliterator", "spliterator"),
    ("ConcurrentHashMap$EntrySpliterator", "spliterator"),
    ("ConcurrentSkipListMap$KeySpliterator", "spliterator"),
    ("ConcurrentSkipListMap$ValueSpliterator", "spliterator"),
    ("ConcurrentSkipListMap$EntrySpliterator", "spliterator"),
    ("ConcurrentLinkedQueue$CLQSpliterator", "spliterator"),
    ("ConcurrentLinkedDeque$CLDSpliterator", "spliterator"),
    ("LinkedBlockingQueue$LBQSpliterator", "spliterator"),
    ("LinkedBlockingDeque$LBDSpliterator", "spliterator"),
    ("LinkedTransferQueue$LTQSpliterator", "spliterator"),
    ("CopyOnWriteArrayList$Reversed", "reversed"),
    ("Collections$SetFromMap", "newSetFromMap"),
    ("Collections$SynchronizedCollection", "synchronizedCollection"),
    ("Collections$SynchronizedList", "synchronizedList"),
    ("Collections$SynchronizedRandomAccessList", "synchronizedList"),
    ("Collections$SynchronizedMap", "synchronizedMap"),
    ("Collections$SynchronizedSortedMap", "synchronizedSortedMap"),
    ("Collections$SynchronizedNavigableMap", "synchronizedNavigableMap"),
    ("Collections$SynchronizedSet", "synchronizedSet"),
    ("Collections$SynchronizedSortedSet", "synchronizedSortedSet"),
    ("Collections$SynchronizedNavigableSet", "synchronizedNavigableSet"),
    ("AbstractQueuedSynchronizer$ConditionObject", "newCondition"),
    ("ReentrantReadWriteLock$ReadLock", "readLock"),
    ("ReentrantReadWriteLock$WriteLock", "writeLock"),
    ("StampedLock$ReadLockView", "asReadLock"),
    ("StampedLock$WriteLockView", "asWriteLock"),
    ("StampedLock$ReadWriteLockView", "asReadWriteLock"),
];

/// The same for superclasses and inner classes of these, whose methods are called with a collection.
const PASSED_BY: &[(&str, &str)] = &[
    ("AbstractCollection", "ArrayDeque"),
    ("AbstractList", "LinkedList"),
    ("AbstractList$SubList", "subList"),
    ("AbstractSet", "HashSet"),
    ("AbstractMap", "HashMap"),
    ("ArrayList$SubList", "subList"),
    ("ConcurrentHashMap$CollectionView", "newKeySet"),
    ("IdentityHashMap$KeySet", "keySet"),
    ("IdentityHashMap$EntrySet", "keySet"),
    ("ConcurrentHashMap$EntrySetView", "entrySet"),
    ("ConcurrentSkipListMap$KeySet", "navigableKeySet"),
    ("ConcurrentSkipListMap$EntrySet", "entrySet"),
];

/// The calls in some sources: their argument counts by name. A reference to a method counts for any number.
#[derive(Default)]
struct Calls(BTreeMap<String, BTreeSet<Option<usize>>>);

impl Calls {
    fn add(&mut self, source: &str) {
        let bytes = source.as_bytes();
        for (at, mark) in source.match_indices(['.', ':']) {
            let start = at + mark.len();
            let name: String = source[start..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            let arguments =
                (bytes.get(start + name.len()) == Some(&b'(')).then(|| arguments(&source[start + name.len()..]));
            if !name.is_empty() && (mark == ":" || arguments.is_some()) {
                self.0.entry(name).or_default().insert(arguments);
            }
        }
    }

    /// Whether there is a call of a method of the table, `name` or `name/parameters`.
    fn have(&self, method: &str) -> bool {
        let (name, parameters) = method.split_once('/').map_or((method, None), |(name, n)| (name, n.parse().ok()));
        self.0
            .get(name)
            .is_some_and(|found| parameters.is_none() || found.contains(&parameters) || found.contains(&None))
    }
}

/// Counts the arguments of a call. `text` begins with its parenthesis.
fn arguments(text: &str) -> usize {
    let mut depth = 0;
    let mut commas = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 1 => return if text[1..at].trim().is_empty() { 0 } else { commas + 1 },
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 1 => commas += 1,
            _ => {}
        }
    }
    0
}

fn programs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("programs")
}

/// Returns the sources of the programs in a folder, and of the parts of both kinds.
fn sources(folder: &str) -> Vec<String> {
    let read = |folder: &str| {
        let entries = std::fs::read_dir(programs().join(folder)).expect("a folder of programs");
        let paths = entries.map(|entry| entry.expect("a readable folder").path());
        paths.map(|path| (path.clone(), std::fs::read_to_string(path).expect("a source"))).collect::<Vec<_>>()
    };
    let is_part = |path: &Path| path.file_stem().is_some_and(|name| name.to_string_lossy().ends_with("Calls"));
    let parts = read("modelled").into_iter().filter(|(path, _)| is_part(path));
    // For Java versions that not every JVM has: programs with methods of both kinds.
    let newer = ["newer", "sequenced"].into_iter().flat_map(read);
    read(folder).into_iter().chain(parts).chain(newer).map(|(_, source)| source).collect()
}

/// Returns the table's lines with effects as owner and words.
fn entries() -> Vec<(&'static str, Vec<&'static str>)> {
    let mut owner = "";
    let mut entries = Vec::new();
    for line in TABLE.lines() {
        let words: Vec<&str> = line.split('#').next().unwrap_or_default().split_whitespace().collect();
        match words.first() {
            Some(&"class" | &"group") => owner = words[1],
            // These lines have their own test.
            Some(&"arguments" | &"passing") => owner = "",
            Some(_) if owner.is_empty() => {}
            Some(&"like") | None => {}
            Some(_) => entries.push((owner, words[1..].to_vec())),
        }
    }
    entries
}

fn missing(folder: &str, exempt: &[(&str, &[&str])]) -> Vec<String> {
    let mut calls = Calls::default();
    sources(folder).iter().for_each(|source| calls.add(source));
    let is_exempt = |method: &str| exempt.iter().any(|(_, methods)| methods.contains(&method));
    let entries =
        entries().into_iter().flat_map(|(owner, methods)| methods.into_iter().map(move |method| (owner, method)));
    let missing = entries.filter(|(_, method)| !is_exempt(method) && !calls.have(method));
    missing.map(|(owner, method)| format!("{owner}: {method}")).collect()
}

#[test]
fn every_entry_is_shown_by_a_program_that_is_not_atomic() {
    assert_eq!(missing("violating", &[]), [""; 0], "of the table's entries");
}

#[test]
fn every_entry_is_shown_by_an_atomic_program_or_cannot_be() {
    assert_eq!(missing("atomic", NEVER_ATOMIC), [""; 0], "of the table's entries");
    let needless: Vec<String> = NEVER_ATOMIC
        .iter()
        .flat_map(|(_, methods)| methods.iter())
        .filter(|method| !missing("atomic", &[]).iter().any(|entry| entry.ends_with(&format!(": {method}"))))
        .map(|method| (*method).to_owned())
        .collect();
    assert_eq!(needless, [""; 0], "exemptions that are not needed");
}

/// Returns the calls below the table's lines with this header, `arguments` or `passing`: class, method, and number of parameters.
fn calls_below(header: &str) -> Vec<(&'static str, &'static str, usize)> {
    let mut owners = Vec::new();
    let mut calls = Vec::new();
    for line in TABLE.lines() {
        let words: Vec<&str> = line.split('#').next().unwrap_or_default().split_whitespace().collect();
        match words.split_first() {
            Some((first, classes)) if *first == header => owners = classes.to_vec(),
            Some((&("class" | "group" | "arguments" | "passing"), _)) => owners.clear(),
            Some((_, passed)) => {
                for (owner, call) in owners.iter().flat_map(|owner| passed.iter().map(move |call| (owner, call))) {
                    let class = owner.rsplit('.').next().unwrap_or(owner);
                    let (name, parameters) = call.split('@').next().and_then(|c| c.split_once('/')).expect("a number");
                    calls.push((class, name, parameters.parse().expect("a number")));
                }
            }
            None => {}
        }
    }
    calls
}

/// Returns a program together with the table of calls that programs of both kinds make.
fn with_table(program: &str) -> String {
    let read = |program| std::fs::read_to_string(programs().join(program)).expect("a program");
    read(program) + &read("modelled/PassedCalls.java")
}

#[test]
fn every_call_that_acts_on_an_argument_is_shown_by_programs_of_both_kinds() {
    for program in ["violating/PassedCollections.java", "atomic/PassedCollectionsRead.java"] {
        let source = with_table(program);
        let is_there = |&(class, name, parameters): &(&str, &str, usize)| {
            let made = [format!("new {class}<>("), format!("new {class}(")];
            let called = [format!("{class}.{name}(")];
            let calls = if name == "new" { &made[..] } else { &called };
            let is_made = |call: &String| {
                source.match_indices(call).any(|(at, _)| arguments(&source[at + call.len() - 1..]) == parameters)
            };
            calls.iter().any(is_made)
        };
        let missing: Vec<_> = calls_below("arguments").into_iter().filter(|call| !is_there(call)).collect();
        assert!(missing.is_empty(), "{program}: {missing:?}");
    }
}

#[test]
fn every_call_that_acts_on_an_argument_besides_is_shown_by_programs_of_both_kinds() {
    for program in ["violating/PassedToCollections.java", "atomic/PassedToCollectionsRead.java"] {
        let source = with_table(program);
        let mut calls = Calls::default();
        calls.add(&source);
        let is_there = |&(class, name, parameters): &(&str, &str, usize)| {
            let call = format!(").{name}(");
            let made = |line: &&str| {
                let expression = line.trim_start();
                [format!("new {class}<"), format!("new {class}("), format!("{class}.noneOf(")]
                    .iter()
                    .any(|start| expression.starts_with(start.as_str()))
            };
            let made_by = PASSED_BY.iter().chain(MADE_BY).find(|(made, _)| *made == class).map_or(class, |(_, by)| by);
            let is_in_table = source.contains(made_by) && calls.have(&format!("{name}/{parameters}"));
            let is_new = || {
                let at = |line: &str| line.find(&call).map(|at| arguments(&line[at + call.len() - 1..]));
                source.lines().filter(made).any(|line| at(line) == Some(parameters))
            };
            // These have a row of their own.
            let is_alone =
                matches!(name, "addAll" | "putAll") && MADE_BY.iter().chain(PASSED_BY).all(|(made, _)| *made != class);
            if is_alone { is_new() } else { is_in_table }
        };
        let missing: Vec<_> = calls_below("passing").into_iter().filter(|call| !is_there(call)).collect();
        assert!(missing.is_empty(), "{program}: {missing:?}");
    }
}

#[test]
fn every_class_of_the_table_is_used_by_a_program() {
    let text = [sources("atomic"), sources("violating")].concat().concat();
    let words: BTreeSet<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let classes = TABLE.lines().filter_map(|line| line.strip_prefix("class ")).flat_map(str::split_whitespace);
    let is_used = |class: &&str| {
        let name = class.rsplit('.').next().unwrap_or(class);
        words.contains(MADE_BY.iter().find(|(made, _)| *made == name).map_or(name, |(_, by)| by))
    };
    let unused: Vec<&str> = classes.filter(|class| !is_used(class)).collect();
    assert_eq!(unused, [""; 0], "of the table's classes");
}

#[test]
fn there_are_at_least_eighty_programs_of_both_kinds() {
    let count = |folder: &str| std::fs::read_dir(programs().join(folder)).expect("a folder of programs").count();
    let (atomic, violating) = (count("atomic"), count("violating"));
    assert!(atomic >= 40 && violating >= 40 && atomic + violating >= 80, "{atomic} and {violating}");
}

/// The calls of a table and their orders: by the call without spaces, the words for its orders.
type Orders = BTreeMap<String, Vec<String>>;

/// Parses a table of `FutureTable.java`: rows of string literals, the first of which has the orders.
fn orders_in_code(table: &str) -> Orders {
    let source = include_str!("../programs/modelled/FutureTable.java");
    let start = source.find(&format!("String[][] {table} = {{")).expect("the table in the program");
    let text = source[start..].split("};").next().unwrap_or_default();
    let mut orders = Orders::new();
    for row in text.split('{').skip(2) {
        let mut words = row.split('"').skip(1).step_by(2);
        let has: Vec<String> = words.next().unwrap_or_default().split(' ').map(str::to_owned).collect();
        orders.extend(words.map(|call| (call.to_owned(), has.clone())));
    }
    orders
}

/// Parses the same table in the manual, under this class.
fn orders_in_manual(class: &str) -> Orders {
    let manual = include_str!("../../docs/models.md");
    let start = manual.find(&format!("| orders | calls of a `{class}` |")).expect("the table in the manual");
    let mut orders = Orders::new();
    for row in manual[start..].lines().skip(2).take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').collect();
        let has: Vec<String> = cells[0].split(',').map(|word| word.trim().to_owned()).collect();
        let calls = cells[1].split('`').skip(1).step_by(2).map(|call| call.replace(' ', ""));
        orders.extend(calls.map(|call| (call, has.clone())));
    }
    orders
}

#[test]
fn the_orders_of_futures_in_the_manual_are_those_that_programs_show() {
    let tables =
        [("COMPLETABLE", "CompletableFuture", 75), ("FORK_JOIN", "ForkJoinTask", 25), ("TASK", "FutureTask", 10)];
    for (table, class, at_least) in tables {
        let shown = orders_in_code(table);
        assert!(shown.len() >= at_least, "{} calls of a {class}", shown.len());
        assert_eq!(orders_in_manual(class), shown, "{class}");
    }
}
