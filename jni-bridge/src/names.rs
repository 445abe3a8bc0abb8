//! Names of places in the program, of types and of threads, as the Java side describes them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use analysis_core::profile::FactKind;
use analysis_core::report::{Application, Call, Hand, last_segments, short, short_signature};
use analysis_core::spec::Signature;
use analysis_core::trace::Position;
use dashmap::{DashMap, DashSet};

use crate::rings::Record;

/// What kind of place a site is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SiteKind {
    /// A field is read.
    Read,
    /// A field is written.
    Write,
    /// An array's element is read.
    ArrayRead,
    /// An array's element is written.
    ArrayWrite,
    /// A monitor is entered or left.
    Monitor,
    /// A method is entered or left.
    Method,
    /// A wait.
    Wait,
    /// A thread is started.
    Fork,
    /// A thread is joined.
    Join,
    /// The store buffer is emptied.
    Fence,
    /// Not described.
    Unknown,
}

impl SiteKind {
    fn of(word: &str) -> SiteKind {
        match word {
            "read" => SiteKind::Read,
            "write" => SiteKind::Write,
            "array-read" => SiteKind::ArrayRead,
            "array-write" => SiteKind::ArrayWrite,
            "monitor" | SECTION => SiteKind::Monitor,
            "method" => SiteKind::Method,
            "wait" => SiteKind::Wait,
            "fork" => SiteKind::Fork,
            "join" => SiteKind::Join,
            "fence" => SiteKind::Fence,
            _ => SiteKind::Unknown,
        }
    }
}

/// A place in the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Site {
    /// What happens there.
    pub kind: SiteKind,
    /// The method in source form, `com.example.Cache.get(java.lang.Object)`; empty if unknown.
    pub method: String,
    /// File and line for a person, `Cache.java:14`; without a line `Cache.get(Object):@7`.
    pub location: String,
    /// `class.method:line` or `class.method(arguments):@index`, for traces, with the call if one is made there.
    pub place: String,
    /// The field, `com.example.Cache.size`, or the class of a lock; empty where the record says more.
    pub what: String,
    /// The call of the platform's library that is made there, if one is.
    pub call: Option<Call>,
}

/// A part of an object of the platform's library that is a variable of its own, and has a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// The number of the object.
    pub receiver: u64,
    /// `key "k"`, `element 3`.
    pub text: String,
}

/// The kind of a place where a monitor is entered for a section that may write nothing.
const SECTION: &str = "section";
/// Which field of a site's text names what is called.
const CALLED: usize = 6;
/// What separates, in this field, the call by which the program hands something over.
const BY: &str = " by ";
/// Which field of a site's text is the name of the variable in profiles.
const KEY: usize = 8;
/// Stands for the file if the place is the agent's own, for what the platform does inside (`JdkSites.java`).
const NO_FILE: &str = "-";
/// How many sites a call can have: of a read, of a write, and perhaps of a wait.
const MOST_SITES: u32 = 3;

impl Site {
    /// Parses what `SiteText.java` writes: kind, class, method, descriptor, file, line or index, what, field and, for
    /// profiles, the variable, separated by tabs.
    pub fn parse(text: &str) -> Site {
        let mut fields = text.split('\t');
        let mut next = || fields.next().unwrap_or_default();
        let (kind, class, method, descriptor) = (next(), next(), next(), next());
        let (file, line, what, field) = (next(), next(), next(), next());
        // What the platform does inside has no place that the program's author would know.
        if file == NO_FILE {
            return Site { kind: SiteKind::of(kind), what: what.to_owned(), ..Site::unknown() };
        }
        let name = format!("{class}.{method}");
        let (what, caller) = what.split_once(BY).map_or((what, what), |(what, call)| (what, call));
        let hand = (caller != what).then(|| Hand::of(what)).flatten();
        let source =
            Signature::from_class_file(class, method, descriptor).map_or_else(|_| name.clone(), |s| s.to_string());
        let position = Position::read(line);
        let line = position.map_or(String::new(), |position| format!(":{position}"));
        let is_index = matches!(position, Some(Position::Index(_)));
        let call = called(caller, field).map(|call| hand.map_or(call.clone(), |hand| call.handing(hand)));
        let place = format!("{}{line}", if is_index { &source } else { &name });
        let location = match (is_index, file.is_empty()) {
            (true, _) => short_signature(&source),
            (false, true) => short(&name).to_owned(),
            (false, false) => file.to_owned(),
        };
        Site {
            kind: SiteKind::of(kind),
            location: location + &line,
            place: call.as_ref().map_or_else(|| place.clone(), |call| call.placed(&place)),
            call,
            what: what.to_owned(),
            method: source,
        }
    }

    fn unknown() -> Site {
        Site {
            kind: SiteKind::Unknown,
            method: String::new(),
            location: String::new(),
            place: String::new(),
            what: String::new(),
            call: None,
        }
    }
}

/// The method of a site's text.
fn method(fields: &[&str]) -> Option<String> {
    let [_, class, method, descriptor, ..] = fields else { return None };
    Some(format!("{class}.{method}{descriptor}"))
}

/// The call that a site names as `java.util.Map.get()`, of an object that the program has loaded from `field`, if that is
/// not empty.
fn called(what: &str, field: &str) -> Option<Call> {
    let (owner, method) = what.strip_suffix("()")?.rsplit_once('.')?;
    let field = (!field.is_empty()).then(|| field.to_owned());
    Some(Call { field, ..Call::new(last_segments(owner, 1), method) })
}

/// The descriptions: written by the threads that load classes, read by the analysis.
#[derive(Default)]
pub struct Names {
    sites: DashMap<u32, Box<str>>,
    types: DashMap<u32, Arc<str>>,
    /// By block number: the site of the method.
    blocks: DashMap<u32, u32>,
    threads: DashMap<u32, Arc<str>>,
    /// By the number of the variable. The Java side bounds how many it names.
    parts: DashMap<u64, Arc<Part>>,
    /// Methods that a rule of the user makes atomic, while the default specification holds for others.
    named: DashSet<String>,
    /// By the site of an access: the class that declares the field, if the instruction names another.
    declared: DashMap<u32, Box<str>>,
    /// By the site of a call of a handle, or at an offset: the field that it accesses; empty if there are several.
    targets: DashMap<u32, Arc<str>>,
    application: OnceLock<Box<str>>,
    has_sections: AtomicBool,
}

impl Names {
    /// Describes site `number` by a text.
    pub fn site(&self, number: u32, text: &str) {
        if text.starts_with(SECTION) {
            self.has_sections.store(true, Ordering::Release);
        }
        self.sites.insert(number, text.into());
    }

    /// True if there may be critical sections that write nothing.
    pub fn has_sections(&self) -> bool {
        self.has_sections.load(Ordering::Acquire)
    }

    /// Sets the class whose method is called at site `number` and the sites of the same call that follow it. This is
    /// called before any record of the call.
    pub fn owner(&self, number: u32, class: &str) {
        let Some(called) = self.sites.get(&number).and_then(|text| Some(text.split('\t').nth(CALLED)?.to_owned()))
        else {
            return;
        };
        let Some((_, method)) = called.rsplit_once('.') else { return };
        for number in number..number.saturating_add(MOST_SITES) {
            let Some(mut text) = self.sites.get_mut(&number) else { continue };
            let mut fields: Vec<&str> = text.split('\t').collect();
            let own = format!("{class}.{method}");
            if fields.get(CALLED) == Some(&called.as_str()) {
                fields[CALLED] = &own;
                *text = fields.join("\t").into();
            }
        }
    }

    /// Sets the field that the call of a handle, or at an offset, accesses at site `number` and at the next one, a read and a write; empty if it
    /// accesses several.
    pub fn target(&self, number: u32, field: &str) {
        for number in [number, number.saturating_add(1)] {
            self.targets.insert(number, field.into());
        }
    }

    /// The field that such a call at site `number` accesses, if it has accessed only one so far.
    pub fn target_of(&self, number: u32) -> Option<Arc<str>> {
        self.targets.get(&number).map(|field| Arc::clone(&field)).filter(|field| !field.is_empty())
    }

    /// Sets the class that declares the field accessed at a site.
    pub fn declared(&self, number: u32, class: &str) {
        self.declared.insert(number, class.into());
    }

    /// What a profile calls the variable, the lock or the block at a site; `None` if that is not the program's.
    pub fn fact_of(&self, number: u32) -> Option<(FactKind, String)> {
        let text = self.sites.get(&number)?;
        let fields: Vec<&str> = text.split('\t').collect();
        if fields[0] == "method" {
            return method(&fields).map(|method| (FactKind::Block, method));
        }
        let (kind, name) = fields.get(KEY)?.split_once(' ')?;
        let kind = FactKind::named(kind)?;
        let declared = self.declared.get(&number).filter(|_| kind == FactKind::Field);
        let field = declared.and_then(|class| Some(format!("{}.{}", &**class, name.rsplit_once('.')?.1)));
        Some((kind, field.unwrap_or_else(|| name.to_owned())))
    }

    /// What is known of a site; `None` if it was not described.
    pub(crate) fn site_at(&self, number: u32) -> Option<Site> {
        self.sites.get(&number).map(|text| Site::parse(&text))
    }

    /// True for a place where threads start, join or wait for each other, or for one of the platform, such as the result of a
    /// task.
    pub fn is_between_threads(&self, number: u32) -> bool {
        let Some(text) = self.sites.get(&number) else { return false };
        let mut fields = text.split('\t');
        let (kind, class) = (fields.next().unwrap_or_default(), fields.next().unwrap_or_default());
        let is_handed = fields.nth(CALLED - 2).is_some_and(|what| what.contains(BY));
        matches!(kind, "wait" | "fork" | "join") || class.starts_with("java.") || is_handed
    }

    /// The method that a site is in, as profiles call it: `com.example.Cache.get(Ljava/lang/String;)I`.
    pub fn method_at(&self, number: u32) -> Option<String> {
        method(&self.sites.get(&number)?.split('\t').collect::<Vec<_>>())
    }

    /// Notes that a rule names this method as atomic.
    pub fn add_named(&self, method: String) {
        self.named.insert(method);
    }

    /// True if a rule names this method as atomic.
    pub fn is_named(&self, method: &str) -> bool {
        self.named.contains(method)
    }

    /// Sets the packages of the application, separated by `:`.
    pub fn set_application(&self, packages: &str) {
        // It is reported once.
        let _ = self.application.set(packages.into());
    }

    /// The application, which is unknown as long as its packages are.
    pub(crate) fn own(&self) -> Application {
        self.application().map(Application::parse).unwrap_or_default()
    }

    /// The packages of the application, if they are known.
    pub fn application(&self) -> Option<&str> {
        self.application.get().map(|packages| &**packages)
    }

    /// Sets the name of the class that type `number` is.
    pub fn type_name(&self, number: u32, name: &str) {
        self.types.insert(number, name.into());
    }

    /// Names a part of an object. `text` has the number of the variable, the number of the object, and the name, separated
    /// by tabs.
    pub fn part(&self, text: &str) {
        let mut fields = text.splitn(3, '\t');
        let mut next = || fields.next().unwrap_or_default();
        let (variable, receiver, text) = (next(), next(), next());
        if let (Ok(variable), Ok(receiver)) = (variable.parse(), receiver.parse()) {
            self.parts.insert(variable, Arc::new(Part { receiver, text: text.to_owned() }));
        }
    }

    /// The part of its receiver that a call accesses, by the record of the access; `None` for the whole, and for a part
    /// without a name.
    pub fn part_of(&self, call: &Call, record: Record) -> Option<Arc<Part>> {
        if call.is_of_elements() {
            let text = format!("element {}", record.extra);
            return Some(Arc::new(Part { receiver: record.object(), text }));
        }
        self.parts.get(&record.object()).map(|part| Arc::clone(&part))
    }

    /// Makes block `number` the method that a site, given as a decimal number, is in.
    pub fn block(&self, number: u32, site: &str) {
        if let Ok(site) = site.parse() {
            self.blocks.insert(number, site);
        }
    }

    /// The site of block `number`; 0, the unknown site, if it was not described.
    pub fn site_of_block(&self, number: u32) -> u32 {
        self.blocks.get(&number).map_or(0, |site| *site)
    }

    /// How many blocks were described.
    pub fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// Sets the name of the thread that the FORK with this number forks.
    pub fn thread_name(&self, number: u32, name: &str) {
        self.threads.insert(number, name.into());
    }

    /// Removes and returns the name of the thread that a FORK with this number forks, if it was described. No other
    /// FORK has the number.
    pub fn take_thread(&self, number: u32) -> Option<Arc<str>> {
        self.threads.remove(&number).map(|(_, name)| name)
    }
}

/// The analysis's own view, which looks each site up once.
pub struct Lookup {
    names: Arc<Names>,
    sites: Vec<Option<Arc<Site>>>,
    unknown: Arc<Site>,
}

impl Lookup {
    /// Looks up in `names`.
    pub fn new(names: Arc<Names>) -> Lookup {
        Lookup { names, sites: Vec::new(), unknown: Arc::new(Site::unknown()) }
    }

    /// What is known about a site.
    pub fn site(&mut self, number: u32) -> Arc<Site> {
        let index = number as usize;
        if index >= self.sites.len() {
            self.sites.resize(index + 1, None);
        }
        if self.sites[index].is_none() {
            // A site is described before its first record, so a missing description is not cached: it may come later.
            let Some(text) = self.names.sites.get(&number) else { return Arc::clone(&self.unknown) };
            self.sites[index] = Some(Arc::new(Site::parse(&text)));
        }
        self.sites[index].clone().expect("just put there")
    }

    /// What [`Names::part_of`] says.
    pub fn part_of(&self, call: &Call, record: Record) -> Option<Arc<Part>> {
        self.names.part_of(call, record)
    }

    /// What [`Names::target_of`] says of either of two sites that access one variable.
    pub fn target_of(&mut self, sites: [u32; 2]) -> Option<Arc<str>> {
        let has_target = |site: &Site| site.call.as_ref().is_some_and(Call::is_of_variable);
        sites.into_iter().find_map(|number| has_target(&self.site(number)).then(|| self.names.target_of(number))?)
    }

    /// True if a thread waits for others at this site.
    pub fn is_wait(&mut self, number: u32) -> bool {
        match self.sites.get(number as usize) {
            Some(Some(site)) => site.kind == SiteKind::Wait,
            _ => self.site(number).kind == SiteKind::Wait,
        }
    }

    /// The name of a type; `None` for 0 and for a type that was not described.
    pub fn type_name(&self, number: u32) -> Option<Arc<str>> {
        self.names.types.get(&number).map(|name| Arc::clone(&name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> [String; 3] {
        let Site { method, location, place, .. } = Site::parse(&text.replace(' ', "\t"));
        [method, location, place]
    }

    #[test]
    fn a_site_has_a_line_or_an_index_or_neither() {
        let of = |file: &str, position: &str| {
            parsed(&format!("read a.B$C get (ILjava/lang/Object;)V {file} {position} a.B$C.x"))
        };
        let method = "a.B$C.get(int,java.lang.Object)";
        assert_eq!(of("B.java", "12"), [method, "B.java:12", "a.B$C.get:12"]);
        assert_eq!(of("", "12"), [method, "B$C.get:12", "a.B$C.get:12"]);
        for file in ["", "B.java"] {
            assert_eq!(of(file, "@0"), [method, "B$C.get(int,Object):@0", "a.B$C.get(int,java.lang.Object):@0"]);
        }
        assert_eq!(of("B.java", "0"), [method, "B.java", "a.B$C.get"]);
        assert_eq!(of("", "0"), [method, "B$C.get", "a.B$C.get"]);
    }

    #[test]
    fn a_call_without_a_line_is_named_in_traces() {
        let [_, location, place] = parsed("read a.B get ()V  @7 java.util.Map.get() a.B.map");
        assert_eq!([&*location, &*place], ["B.get():@7", "a.B.get():@7 [Map.get of a.B.map]"]);
        let (call, at) = Call::parse("HashMap@3", &place).expect("a call");
        assert_eq!((call.method.as_str(), at), ("get", "a.B.get():@7"));
    }
}
