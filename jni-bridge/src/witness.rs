//! Details, without a trace, of the events that findings name: they come from the sites attached to each edge.

use std::sync::Arc;

use analysis_core::engine::{Edge, Sites, Violation};
use analysis_core::event::{LabelId, LockId, Op, Stamp, ThreadId, VarId};
use analysis_core::report::{Call, Ends, EventDetail, last_segments};
use analysis_core::trace::symbols::Interner;
use rustc_hash::FxHashMap;

use crate::codes;
use crate::names::{Lookup, Part, Site, SiteKind};
use crate::rings::Record;

/// The places of both ends of edges, as numbered pairs: one for each pair of conflicting places.
#[derive(Default)]
pub(crate) struct Pairs {
    numbers: FxHashMap<Key, u32>,
    pairs: Vec<Pair>,
    /// Named parts of library objects: by variable the number that is their subject, and the parts by number.
    numbers_of_parts: FxHashMap<(u64, u32), u32>,
    parts: Vec<Arc<Part>>,
}

/// What distinguishes pairs of places: the two sites, the type, the code of the later event, the field that a handle or an offset leads to, and whether the later event's thread holds a lock.
type Key = (u32, u32, u32, u8, Option<Arc<str>>, Option<bool>);

/// Subjects from here on are the numbers of named parts. Those below are [`subject`]s.
const NAMED: u32 = 1 << 31;
/// A lock of which nothing more is known.
const SOME_LOCK: &str = "a lock";
/// How many parts can have a name in a report.
const MOST_PARTS: usize = 1 << 16;

/// The places of both ends of an edge.
pub(crate) struct Pair {
    from: Arc<Site>,
    to: Arc<Site>,
    /// The class of the array, or of the lock's object.
    class: Option<Arc<str>>,
    /// The code of the later event.
    code: u8,
    /// The field that a handle or an offset leads to at one of the places, if known.
    target: Option<Arc<str>>,
    /// Whether the thread of the later event holds a lock other than the one that the event is about; `None` if
    /// unknown.
    locked: Option<bool>,
}

impl Pairs {
    /// The numbers for an edge from an event at `from` to `record`; `locked` says whether the thread of `record` holds a lock, if known.
    pub(crate) fn sites(&mut self, from: u32, record: Record, locked: Option<bool>, lookup: &mut Lookup) -> Sites {
        let class = record.class();
        let pairs = &mut self.pairs;
        let target = lookup.target_of([from, record.site]);
        let key = (from, record.site, class, record.code, target.clone(), locked);
        let pair = *self.numbers.entry(key).or_insert_with(|| {
            pairs.push(Pair {
                from: lookup.site(from),
                to: lookup.site(record.site),
                class: lookup.type_name(class),
                code: record.code,
                target,
                locked,
            });
            u32::try_from(pairs.len()).expect("fewer than 2^32 pairs")
        });
        let call = self.pairs[pair as usize - 1].to.call.as_ref();
        let part = call.and_then(|call| lookup.part_of(call, record));
        let named = part.and_then(|part| self.number_of(part, record));
        Sites { pair, subject: named.unwrap_or_else(|| subject(record)) }
    }

    /// The subject that stands for a named part, if there is room for one more.
    fn number_of(&mut self, part: Arc<Part>, record: Record) -> Option<u32> {
        let Pairs { numbers_of_parts, parts, .. } = self;
        let variable = (record.word, record.extra);
        if !numbers_of_parts.contains_key(&variable) && parts.len() < MOST_PARTS {
            numbers_of_parts.insert(variable, NAMED | parts.len() as u32);
            parts.push(part);
        }
        numbers_of_parts.get(&variable).copied()
    }

    /// The part that both ends of an edge access, if it has a name.
    fn part(&self, sites: Sites) -> Option<&Part> {
        let number = sites.subject.checked_sub(NAMED)?;
        self.parts.get(number as usize).map(|part| &**part)
    }

    /// The library call that the end of an edge at `own` stands for.
    fn call(&self, sites: Sites, own: &Site) -> Option<Call> {
        let mut call = own.call.clone()?;
        if call.is_of_variable() {
            let pair = self.get(sites)?;
            let plain = [&pair.from, &pair.to].into_iter().find(|site| site.call.is_none()).map(|site| &*site.what);
            let known = pair.target.as_deref().or(plain.filter(|field| !field.is_empty()));
            if let Some(field) = known {
                return Some(call.of_target(field));
            }
            if call.is_of_handle() {
                return Some(call);
            }
        }
        if let Some(class) = self.get(sites).and_then(|pair| pair.class.as_deref()) {
            call.class = last_segments(class, 1).to_owned();
        }
        if let Some(part) = self.part(sites) {
            call.part = Some(part.text.clone());
            call.receiver = Some(part.receiver);
        }
        Some(call)
    }

    fn get(&self, sites: Sites) -> Option<&Pair> {
        self.pairs.get((sites.pair as usize).checked_sub(1)?)
    }
}

/// A variable or lock as a few bits: enough to tell two of them apart.
pub(crate) fn subject(record: Record) -> u32 {
    let slot = if matches!(record.code, codes::READ | codes::WRITE) { record.extra } else { 0 };
    let mixed = (record.word ^ (u64::from(slot) << 40)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 33) as u32
}

/// A source of knowledge about the threads.
pub(crate) trait Threads {
    /// The name of the thread that made an event.
    fn name(&self, stamp: Stamp) -> Arc<str>;
    /// The transaction that an event is in, if that is known: its begin and its method's label.
    fn transaction(&self, stamp: Stamp) -> Option<(u64, LabelId)>;
}

/// The ends of edges whose sites are numbers of `pairs`.
pub(crate) struct View<'a, T> {
    pub(crate) threads: &'a T,
    pub(crate) pairs: &'a Pairs,
    pub(crate) labels: &'a Interner,
    /// Where the violated block begins.
    pub(crate) begin: &'a Site,
    /// Whether several events of a thread can have the same stamp.
    pub(crate) has_epochs: bool,
}

impl<T: Threads> Ends for View<'_, T> {
    fn begin(&self, violation: &Violation) -> EventDetail {
        let stamp = Stamp::new(violation.thread, violation.begin);
        self.detail(stamp, Some(self.begin), Op::Begin(violation.label), "begin", "")
    }

    fn from(&self, edge: &Edge) -> EventDetail {
        let pair = self.pairs.get(edge.sites);
        let site = pair.map(|pair| &*pair.from);
        let (code, kind) = pair.map_or((0, SiteKind::Unknown), |pair| (pair.code, pair.from.kind));
        let (op, verb) = from_op(code, kind, edge);
        let subject = match op {
            Op::Fork(_) => self.threads.name(edge.to).to_string(),
            _ => pair.map_or(String::new(), |pair| pair.subject(&pair.from, &pair.to)),
        };
        let call = pair.and_then(|pair| self.pairs.call(edge.sites, &pair.from));
        self.detail(edge.from, site, op, verb, &subject).calling(call)
    }

    fn to(&self, edge: &Edge) -> EventDetail {
        let pair = self.pairs.get(edge.sites);
        let (op, verb) = to_op(pair.map_or(0, |pair| pair.code), edge);
        let subject = match op {
            Op::Join(_) => self.threads.name(edge.from).to_string(),
            _ => pair.map_or(String::new(), |pair| pair.subject(&pair.to, &pair.from)),
        };
        let call = pair.and_then(|pair| self.pairs.call(edge.sites, &pair.to));
        let locked = pair.and_then(|pair| pair.locked);
        let locks = locked.map(|locked| if locked { vec![SOME_LOCK.to_owned()] } else { Vec::new() });
        EventDetail { locks, ..self.detail(edge.to, pair.map(|pair| &*pair.to), op, verb, &subject) }.calling(call)
    }

    fn has_epochs(&self) -> bool {
        self.has_epochs
    }
}

impl<T: Threads> View<'_, T> {
    fn detail(&self, stamp: Stamp, site: Option<&Site>, op: Op, verb: &str, subject: &str) -> EventDetail {
        let transaction = self.threads.transaction(stamp);
        let label = transaction.map(|(_, label)| label).filter(|label| *label != LabelId::NONE);
        EventDetail {
            stamp,
            number: None,
            thread: stamp.thread(),
            thread_name: self.threads.name(stamp).to_string(),
            op,
            operation: said(verb, shortened(op, subject)),
            access: said(verb, subject),
            call: None,
            locks: None,
            location: site.map_or(String::new(), |site| site.location.clone()),
            transaction: transaction.map(|(begin, _)| begin),
            transaction_method: label.map(|label| self.labels.name(label.0).into_owned()),
            method: site.map(|site| site.method.clone()).filter(|method| !method.is_empty()),
        }
    }
}

impl Pair {
    /// What an end of an edge touches: taken from its own site, the class, or else the other end's site.
    fn subject(&self, own: &Site, other: &Site) -> String {
        let is_access = matches!(self.code, codes::READ | codes::WRITE);
        match &self.class {
            _ if is_access && !own.what.is_empty() => own.what.clone(),
            Some(class) if is_access => format!("{class} element"),
            Some(class) => class.to_string(),
            None if is_access && other.what.is_empty() => "an array's element".to_owned(),
            None if is_access => other.what.clone(),
            None => own.what.clone(),
        }
    }
}

/// The operation of the earlier event: its record is gone, but its place and the later event show it.
fn from_op(code: u8, kind: SiteKind, edge: &Edge) -> (Op, &'static str) {
    let var = VarId(edge.sites.subject);
    match (kind, code) {
        (SiteKind::Fork, _) => (Op::Fork(edge.to.thread()), "fork"),
        (_, codes::JOIN) => (Op::Nop, "end of the thread"),
        (SiteKind::Read | SiteKind::ArrayRead, _) => (Op::Read(var), "read"),
        (SiteKind::Write | SiteKind::ArrayWrite, _) | (_, codes::READ | codes::WRITE) => (Op::Write(var), "write"),
        (_, codes::ACQUIRE) => (Op::Release(LockId(edge.sites.subject)), "release"),
        _ => (Op::Nop, "an earlier event"),
    }
}

fn to_op(code: u8, edge: &Edge) -> (Op, &'static str) {
    let subject = edge.sites.subject;
    match code {
        codes::READ => (Op::Read(VarId(subject)), "read"),
        codes::WRITE => (Op::Write(VarId(subject)), "write"),
        codes::ACQUIRE => (Op::Acquire(LockId(subject)), "acquire"),
        codes::RELEASE => (Op::Release(LockId(subject)), "release"),
        codes::FORK => (Op::Fork(ThreadId(0)), "start of a thread"),
        codes::BEGIN_THREAD => (Op::Nop, "start of the thread"),
        codes::JOIN => (Op::Join(edge.from.thread()), "join"),
        codes::BEGIN => (Op::Begin(LabelId::NONE), "begin"),
        codes::END => (Op::End, "end"),
        _ => (Op::Nop, "a later event"),
    }
}

fn said(verb: &str, subject: &str) -> String {
    if subject.is_empty() || verb == "begin" || verb == "end" || verb.contains(' ') {
        return verb.to_owned();
    }
    format!("{verb} {subject}")
}

/// The subject for the table: a field with its class, a class without its package.
fn shortened(op: Op, subject: &str) -> &str {
    match op {
        Op::Read(_) | Op::Write(_) if !subject.ends_with(" element") => last_segments(subject, 2),
        Op::Fork(_) | Op::Join(_) => subject,
        // The lock of a class.
        _ if subject.ends_with(".class") => last_segments(subject, 2),
        _ => last_segments(subject, 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::Names;

    /// A plain write, a call at an offset, one in a method that is called with several, and a plain write of an element.
    const SITES: [&str; 4] = [
        "write\tcom.example.Cache\tclear\t()V\tCache.java\t11\tcom.example.Cache.size\t",
        "write\tcom.example.Cache\tput\t()V\tCache.java\t12\tsun.misc.Unsafe.compareAndSwapInt()\tcom.example.Cache.U",
        "read\tcom.example.Cache\tany\t(J)I\tCache.java\t13\tsun.misc.Unsafe.getInt()\tcom.example.Cache.U",
        "array-write\tcom.example.Cache\tfill\t()V\tCache.java\t14\t\t",
    ];

    /// What both ends of an edge are told as, where the later event is a write of a variable of this class.
    fn told(from: u32, to: u32, class: u32) -> [String; 2] {
        let names = Arc::new(Names::default());
        (1..).zip(SITES).for_each(|(number, text)| names.site(number, text));
        names.type_name(7, "java.lang.String[]");
        names.target(2, "number com.example.Cache.size");
        names.target(3, "");
        let (mut pairs, mut lookup) = (Pairs::default(), Lookup::new(names));
        let record = Record { code: codes::WRITE, site: to, extra: 0, word: u64::from(class) << 44 | 9 };
        let sites = pairs.sites(from, record, None, &mut lookup);
        let pair = pairs.get(sites).expect("a pair");
        [&pair.from, &pair.to].map(|own| {
            let subject = pair.subject(own, own);
            pairs.call(sites, own).map_or(subject, |call| call.subject())
        })
    }

    #[test]
    fn what_is_accessed_at_an_offset_has_the_name_of_the_field_if_either_end_knows_it() {
        let (size, unknown) = ("com.example.Cache.size".to_owned(), "Unsafe (field Cache.U)".to_owned());
        for (from, to) in [(2, 1), (1, 2), (2, 2), (3, 1), (1, 3), (2, 3), (3, 2)] {
            assert_eq!(told(from, to, 0), [size.clone(), size.clone()], "{from} {to}");
        }
        assert_eq!(
            told(3, 3, 0),
            [unknown.clone(), unknown],
            "another method may say which field it was, and none does"
        );
        let elements = "String[] (field Cache.U)".to_owned();
        assert_eq!(told(3, 4, 7), [elements, "java.lang.String[] element".to_owned()]);
    }
}
