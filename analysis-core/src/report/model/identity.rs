//! What makes two findings of different runs the same: the method, the variable or lock of the event at which its violation
//! shows, and the method that contains this event. So a method has a finding for each cause: a counter that races does not hide
//! the check-then-act beside it. What the block did before, which thread came between and what led from its events back to the
//! block differ from run to run, and are no part of the identity. If nobody is to blame, the variables, locks and places of all
//! edges of the cycle count; for a warning, those of its two events.
//!
//! Lines, indices of instructions, kinds, counts, threads, keys of maps and numbers of objects are no part of the identity, so it survives
//! edits elsewhere in a file. The agent knows names in full (`com.acme.Shop.total`), a recorded trace their ends (`Shop.total@17`), so only
//! the ends count: two segments of a field, one of a class.
//!
//! The id is a hash of this text in UTF-8, each line ended by a line feed, names in the order of their bytes and each once:
//!
//! ```text
//! com.acme.Shop.sell(int)
//! lock Shop
//! variable Shop.total
//! at com.acme.Shop.sell
//! ```
//!
//! The first line is `-` where there is no method. The hash is FNV-1a of 64 bits, of which the upper 16 are added to the
//! lower ones by exclusive or, as its authors advise; the id is the lower 48 as 12 hexadecimal digits.

use std::collections::{BTreeMap, BTreeSet};

use super::call::{Call, Hand, last_segments};
use super::finding::Finding;
use super::witness::{End, Witness, WitnessEdge};
use crate::profile::sum;
use crate::spec::Method;

/// Stands for the method if there is none.
pub const NO_METHOD: &str = "-";
/// The subject of an edge that a start or a join makes.
const THREAD: &str = "thread";
/// What the agent calls an element of an array whose class it does not know.
const SOME_ELEMENT: &str = "an array's element";
/// The name of such an element in an identity.
const ELEMENT: &str = "array element";
/// What follows the class of an array.
const OF_ARRAY: &str = " element";
/// Locations that end like this name a file, and no method.
const SOURCES: [&str; 5] = [".java", ".kt", ".kts", ".scala", ".groovy"];
/// How many bits of the hash are kept.
const BITS: u32 = 48;

/// What makes two findings the same one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The method, in source form; `None` for a cycle that blames nobody and for blocks without a label.
    pub method: Option<String>,
    /// The variable or lock at which the violation shows, in order if there are several.
    pub touched: Vec<Touched>,
    /// What the block had touched before the other thread came, if that is something else. It is no part of the id.
    pub before: Vec<Touched>,
    /// The methods of the places, without arguments.
    pub places: BTreeSet<String>,
}

/// A variable or a lock of a witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Touched {
    /// Whether it is a lock.
    pub is_lock: bool,
    /// The name that the agent and recorded traces have in common.
    pub name: String,
    /// The name in full, if known: of a field, or of the field that holds the object.
    pub full: Option<String>,
}

impl Identity {
    /// The identity of what happened to a method, or to nobody.
    pub fn of(method: Option<&str>, witness: &Witness) -> Identity {
        let mut touched = Names::default();
        let mut places = BTreeSet::new();
        for (edge, own) in telling(witness) {
            touched.add_edge(edge, own);
            places.extend(ends_with_places(edge, own).filter_map(place));
        }
        for end in witness.pair.iter().flatten() {
            touched.add(touched_by(end));
            places.extend(place(end));
        }
        let mut before = Names::default();
        if let (Some(_), Some(out)) = (&witness.begin, witness.edges.first()) {
            before.add_edge(out, Own::From);
        }
        let (touched, before) = (touched.all(), before.all());
        let before = before.into_iter().filter(|one| !touched.iter().any(|other| other.is_same(one))).collect();
        Identity { method: method.map(source_form), touched, before, places }
    }

    /// The hash of the identity.
    pub fn id(&self) -> String {
        let hash = sum(self.text().as_bytes());
        format!("{:012x}", (hash >> BITS) ^ (hash & ((1 << BITS) - 1)))
    }

    /// The common names of the variables and locks, including those that the block had touched before.
    pub fn variables(&self) -> Vec<String> {
        let name = |touched: &Touched| match touched.is_lock {
            true => format!("lock {}", touched.name),
            false => touched.name.clone(),
        };
        self.touched.iter().chain(&self.before).map(name).collect()
    }

    fn text(&self) -> String {
        let mut lines = vec![self.method.clone().unwrap_or_else(|| NO_METHOD.to_owned())];
        let word = |is_lock: bool| if is_lock { "lock" } else { "variable" };
        let mut touched: Vec<String> =
            self.touched.iter().map(|touched| format!("{} {}", word(touched.is_lock), touched.name)).collect();
        touched.sort();
        lines.extend(touched);
        lines.extend(self.places.iter().map(|place| format!("at {place}")));
        lines.iter().fold(String::new(), |text, line| text + line + "\n")
    }
}

/// Which ends of an edge count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Own {
    From,
    To,
    Both,
}

/// The edges that count: the edge at which the violation of a block shows, or all edges of a cycle.
fn telling(witness: &Witness) -> Vec<(&WitnessEdge, Own)> {
    match (&witness.begin, witness.edges.last()) {
        (Some(_), Some(back)) => vec![(back, Own::To)],
        _ => witness.edges.iter().map(|edge| (edge, Own::Both)).collect(),
    }
}

/// Variables and locks, each once.
#[derive(Default)]
struct Names(BTreeMap<(bool, String), Option<String>>);

impl Names {
    fn add(&mut self, found: Option<Touched>) {
        let Some(Touched { is_lock, name, full }) = found else { return };
        let known = self.0.entry((is_lock, name)).or_default();
        *known = known.take().or(full);
    }

    /// Adds what an edge is about. One of its ends can know the name better than the other.
    fn add_edge(&mut self, edge: &WitnessEdge, own: Own) {
        if is_of_thread(edge) {
            self.add(Some(Touched { is_lock: false, name: THREAD.to_owned(), full: None }));
            return;
        }
        let [from, to] = [&edge.from, &edge.to].map(touched_by);
        let (known, other) = if own == Own::To { (to, from) } else { (from, to) };
        let is_told = match (&known, &other) {
            (Some(known), Some(other)) => own == Own::Both || known.is_same(other),
            _ => true,
        };
        self.add(known);
        self.add(other.filter(|_| is_told));
    }

    fn all(self) -> Vec<Touched> {
        self.0.into_iter().map(|((is_lock, name), full)| Touched { is_lock, name, full }).collect()
    }
}

impl Touched {
    /// True if both name the same variable or lock, one of them perhaps in full.
    fn is_same(&self, other: &Touched) -> bool {
        (self.is_lock, &self.name) == (other.is_lock, &other.name)
    }

    /// The short name for a line: the field that holds the object, if known.
    pub(in crate::report) fn briefly(&self) -> String {
        let field = self.name.split_once(FIELD).and_then(|(_, rest)| rest.strip_suffix(')'));
        let word = if self.is_lock { "lock " } else { "" };
        format!("{word}{}", field.unwrap_or(&self.name))
    }
}

/// Separates the class of an object from the field that the program has it from.
const FIELD: &str = " (field ";

impl Finding {
    /// What makes the finding the same in another run.
    pub fn identity(&self) -> Identity {
        Identity::of(self.method.as_deref(), &self.witness)
    }
}

/// A method as source code names it, whatever wrote it.
pub fn source_form(method: &str) -> String {
    Method::parse(method).map_or_else(|_| method.to_owned(), |method| method.to_string())
}

/// True if a start or a join of a thread makes the edge. In a trace the other end is any event of that thread.
fn is_of_thread(edge: &WitnessEdge) -> bool {
    let starts = |end: &End| end.access.starts_with("fork ") || end.access.starts_with("start of ");
    let joins = |end: &End| end.access.starts_with("join ") || end.access.starts_with("end of the thread");
    starts(&edge.from) || starts(&edge.to) || joins(&edge.from) || joins(&edge.to)
}

/// The ends whose places count for an edge. If a start or a join makes the edge, only that end counts.
fn ends_with_places(edge: &WitnessEdge, own: Own) -> impl Iterator<Item = &End> {
    let is_thread = is_of_thread(edge);
    let tells = |end: &End| end.access.starts_with("fork ") || end.access.starts_with("join ");
    let ends = match (is_thread, own) {
        (true, _) | (false, Own::Both) => [Some(&edge.from), Some(&edge.to)],
        (false, Own::From) => [Some(&edge.from), None],
        (false, Own::To) => [None, Some(&edge.to)],
    };
    ends.into_iter().flatten().filter(move |end| !is_thread || tells(end))
}

/// The variable or lock that an end accesses.
fn touched_by(end: &End) -> Option<Touched> {
    let (verb, subject) = end.access.split_once(' ')?;
    let call = end.call.as_ref().filter(|_| subject.starts_with("of "));
    match (verb, call) {
        ("read" | "write" | "acquire" | "release", Some(call)) => Some(touched_by_call(call)),
        ("read" | "write", None) => Some(variable(subject)),
        ("acquire" | "release", None) => Some(lock(subject)),
        _ => None,
    }
}

fn touched_by_call(call: &Call) -> Touched {
    if let Some(field) = call.target() {
        return variable(field);
    }
    // Which key, element or part it was depends on the run; what is handed over does not. A trace does not say that a queue
    // hands an element over.
    let is_told = call.hand.is_some_and(|hand| hand != Hand::Element);
    let handed = call.part.as_deref().filter(|_| is_told);
    let part = handed.map_or(String::new(), |part| format!("{part} of "));
    let is_lock = call.is_of_shared_lock();
    Touched { is_lock, name: part + &call.holder(), full: call.field.clone() }
}

/// The variable of a name in the agent or a trace: `com.acme.Shop.total`, `Shop.total@17`, `int[] element`,
/// `int[]@17[3]`.
fn variable(name: &str) -> Touched {
    if name == SOME_ELEMENT {
        return Touched { is_lock: false, name: ELEMENT.to_owned(), full: None };
    }
    let (whole, number) = without_number(name);
    let is_element = number.is_some_and(|rest| rest.starts_with('['));
    let class = whole.strip_suffix(OF_ARRAY).or(is_element.then_some(whole));
    let name = match class {
        Some(class) => format!("{}{OF_ARRAY}", last_segments(class, 1)),
        None => last_segments(whole, 2).to_owned(),
    };
    Touched { is_lock: false, name, full: (number.is_none() && class.is_none()).then(|| whole.to_owned()) }
}

/// The lock of a name in the agent or a trace, perhaps with the call that gives it up: `com.acme.Shop by wait`,
/// `Shop@17`.
fn lock(name: &str) -> Touched {
    let name = name.split_once(" by ").map_or(name, |(name, _)| name);
    let (whole, number) = without_number(name);
    let full = number.is_none().then(|| whole.to_owned());
    Touched { is_lock: true, name: last_segments(whole, 1).to_owned(), full }
}

/// The name before the number of an object, and what follows the number.
fn without_number(name: &str) -> (&str, Option<&str>) {
    let numbered = name.split_once('@').and_then(|(whole, rest)| {
        let after = rest.trim_start_matches(|char: char| char.is_ascii_digit());
        (after.len() < rest.len()).then_some((whole, Some(after)))
    });
    numbered.unwrap_or((name, None))
}

/// The method that contains an end. The agent knows it; a trace of the agent's has it as the place, with parameters and an index if
/// there are no lines; other traces have it at best as the block.
fn place(end: &End) -> Option<String> {
    let method = match (end.event, called_in(&end.location)) {
        (Some(_), Place::Method(method)) => method,
        (Some(_), Place::Unknown) => return None,
        (None, _) | (Some(_), Place::File) => end.method.as_deref()?,
    };
    let name = method.split('(').next().unwrap_or(method);
    (!name.is_empty()).then(|| name.replace('/', "."))
}

/// What the location of an event of a trace is.
enum Place<'a> {
    /// `com.acme.Shop.sell:12`, `com.acme.Shop.sell(int):@7`.
    Method(&'a str),
    /// `Shop.java:12`, or something else that a person understands.
    File,
    /// Nothing, or a number.
    Unknown,
}

fn called_in(location: &str) -> Place<'_> {
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let name = location.rsplit_once(':').filter(|(_, line)| is_number(line)).map_or(location, |(name, _)| name);
    match name {
        _ if is_number(name) => Place::Unknown,
        _ if name.contains('/') || SOURCES.iter().any(|end| name.ends_with(end)) || !name.contains('.') => Place::File,
        _ => Place::Method(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::model::data::Data;

    fn end(event: Option<u64>, access: &str, method: &str, location: &str) -> End {
        End {
            event,
            thread: "worker".to_owned(),
            method: Some(method.to_owned()),
            location: location.to_owned(),
            access: access.to_owned(),
            locks: None,
            call: None,
            hand: None,
        }
    }

    /// Of a cycle.
    fn identity(edges: Vec<[End; 2]>) -> Identity {
        let edges = edges.into_iter().map(|[from, to]| WitnessEdge { from, to }).collect();
        Identity::of(Some("com.acme.Shop.sell(int)"), &witness(edges))
    }

    fn witness(edges: Vec<WitnessEdge>) -> Witness {
        let (rows, columns, delays) = (Vec::new(), Vec::new(), Vec::new());
        Witness {
            begin: None,
            edges,
            rows,
            ends: Vec::new(),
            first: None,
            columns,
            delays,
            pair: None,
            data: Data::None,
        }
    }

    fn live(access: &str, method: &str) -> End {
        end(None, access, method, "Shop.java:12")
    }

    fn recorded(access: &str, location: &str) -> End {
        end(Some(7), access, "com.acme.Shop.outer()", location)
    }

    #[test]
    fn the_agent_and_its_trace_call_one_finding_the_same() {
        let pairs = [
            ("read com.acme.Shop.total", "read Shop.total@17", "Shop.total"),
            ("write int[] element", "write int[]@17[3]#2", "int[] element"),
            ("write com.acme.Shop[] element", "write Shop[]@17[3]", "Shop[] element"),
            ("read an array's element", "read array@17[3]", "array element"),
            ("release com.acme.Shop", "release Shop@3", "lock Shop"),
            ("acquire com.acme.Shop by wait", "acquire Shop@3", "lock Shop"),
            ("read result of a future", "read result of a future@9", "result of a future"),
        ];
        for (agents, traces, name) in pairs {
            let own = identity(vec![[live(agents, "com.acme.Shop.sell(int)"), live(agents, "com.acme.Shop.buy()")]]);
            let its =
                identity(vec![[recorded(traces, "com.acme.Shop.sell:99"), recorded(traces, "com.acme.Shop.buy:3")]]);
            assert_eq!((own.variables(), own.id()), (vec![name.to_owned()], its.id()), "{agents}: {own:?} {its:?}");
        }
    }

    #[test]
    fn a_call_is_known_by_its_object_and_by_what_it_hands_over_and_not_by_a_key() {
        let call = |class: &str, part: &str, hand| Call {
            part: Some(part.to_owned()),
            field: Some("com.acme.Shop.held".to_owned()),
            hand,
            ..Call::new(class, "get")
        };
        let of = |call: Call| {
            let end = End { call: Some(call), ..live("read of something by get", "a.B.c()") };
            let all = identity(vec![[end.clone(), end]]);
            (all.variables().join(", "), all.touched[0].full.clone())
        };
        let held = Some("com.acme.Shop.held".to_owned());
        for (call, name, full) in [
            (call("HashMap", "key \"k\"", None), "HashMap (field Shop.held)", held.clone()),
            (
                call("ArrayBlockingQueue", "an element", Some(Hand::Element)),
                "ArrayBlockingQueue (field Shop.held)",
                held.clone(),
            ),
            (
                call("FutureTask", "the result", Some(Hand::Result)),
                "the result of FutureTask (field Shop.held)",
                held.clone(),
            ),
            (call("StampedLock", "x", None), "lock StampedLock (field Shop.held)", held),
            (call("VarHandle", "com.acme.Shop.total", None), "Shop.total", Some("com.acme.Shop.total".to_owned())),
            (call("VarHandle", "Shop.total@17", None), "Shop.total", None),
        ] {
            assert_eq!(of(call), (name.to_owned(), full));
        }
    }

    #[test]
    fn an_edge_of_a_thread_is_known_by_its_start_or_its_join() {
        let fork =
            identity(vec![[live("fork worker-1", "a.B.go()"), live("start of the thread", "java.lang.X.run()")]]);
        let same = identity(vec![[recorded("fork worker-2", "a.B.go:3"), recorded("read Shop.total@17", "a.B.run:4")]]);
        assert_eq!((fork.variables(), fork.id()), (vec!["thread".to_owned()], same.id()));
        let join = identity(vec![[live("end of the thread", ""), live("join worker-1", "a.B.go()")]]);
        assert_eq!(join.id(), fork.id());
    }

    #[test]
    fn a_violation_is_known_by_where_it_shows() {
        let end = |access: &str, method: &str| live(access, method);
        let of = |edges: Vec<[End; 2]>| {
            let edges = edges.into_iter().map(|[from, to]| WitnessEdge { from, to }).collect();
            Identity::of(Some("a.B.buy()"), &Witness { begin: Some(end("begin", "a.B.buy()")), ..witness(edges) })
        };
        let hits = || [end("write a.B.hits", "a.B.buy()"), end("read a.B.hits", "a.B.sell()")];
        let lock = || [end("release a.B", "a.B.get()"), end("acquire a.B", "a.B.log()")];
        let stock = |by: &str| [end("write a.B.stock", by), end("read a.B.stock", "a.B.take()")];
        let one =
            of(vec![[end("read a.B.stock", "a.B.buy()"), end("write a.B.stock", "a.B.sell()")], stock("a.B.sell()")]);
        assert_eq!((one.variables(), one.before.len()), (vec!["B.stock".to_owned()], 0));
        assert_eq!(one.text(), "a.B.buy()\nvariable B.stock\nat a.B.take\n");
        let after = of(vec![hits(), lock(), stock("a.B.fill()")]);
        assert_eq!((after.variables(), after.id()), (vec!["B.stock".to_owned(), "B.hits".to_owned()], one.id()));
        let other = of(vec![stock("a.B.buy()"), hits()]);
        assert_ne!(other.id(), one.id());
        let joined = of(vec![hits(), [end("end of the thread", ""), end("join worker-1", "a.B.buy()")]]);
        assert_eq!(joined.text(), "a.B.buy()\nvariable thread\nat a.B.buy\n");
        // Of one end the other can know the name better.
        let full = |is_known: bool| {
            let own = end(if is_known { "read a.B.stock" } else { "read B.stock@7" }, "a.B.buy()");
            of(vec![hits(), [end("write a.B.stock", "a.B.sell()"), own]]).touched[0].full.clone()
        };
        assert_eq!([full(true), full(false)], [Some("a.B.stock".to_owned()), Some("a.B.stock".to_owned())]);
    }

    #[test]
    fn lines_threads_and_numbers_are_no_part_of_it_and_methods_and_variables_are() {
        let of =
            |access: &str, location: &str| identity(vec![[recorded(access, location), recorded(access, location)]]);
        let one = of("read Shop.total@17", "com.acme.Shop.sell:12");
        assert_eq!(one.id(), of("write Shop.total@4", "com.acme.Shop.sell:99").id());
        for index in ["com.acme.Shop.sell(int,a.B[]):@0", "com.acme.Shop.sell():@65534"] {
            assert_eq!(one.id(), of("read Shop.total@17", index).id(), "{index}");
        }
        assert_ne!(one.id(), of("read Shop.count@17", "com.acme.Shop.sell:12").id());
        assert_ne!(one.id(), of("read Shop.total@17", "com.acme.Shop.buy:12").id());
        assert_ne!(one.id(), of("read Shop.total@17", "").id());
    }

    #[test]
    fn a_place_that_names_a_file_is_that_of_the_block() {
        let of = |location: &str| place(&recorded("read x", location));
        let block = Some("com.acme.Shop.outer".to_owned());
        assert_eq!([of("Shop.java:12"), of("src/Shop:12"), of("somewhere")], [block.clone(), block.clone(), block]);
        assert_eq!([of("12"), of("")], [None, None]);
        assert_eq!(of("com.acme.Shop.<init>"), Some("com.acme.Shop.<init>".to_owned()));
    }

    #[test]
    fn the_id_is_specified() {
        let shop = identity(vec![[
            live("read com.acme.Shop.total", "com.acme.Shop.sell(int)"),
            live("acquire com.acme.Shop", "com.acme.Shop.sell(int)"),
        ]]);
        let text = "com.acme.Shop.sell(int)\nlock Shop\nvariable Shop.total\nat com.acme.Shop.sell\n";
        assert_eq!(shop.text(), text);
        let hash = sum(text.as_bytes());
        assert_eq!(shop.id(), format!("{:012x}", (hash ^ (hash >> 48)) & 0xffff_ffff_ffff));
        let nobody = Identity { method: None, ..shop };
        assert!(nobody.text().starts_with("-\n"));
    }
}
