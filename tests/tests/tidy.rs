//! The rules of this repository that no compiler checks: doc comments, independence of engines, no leftovers, plain words.
//!
//! Each test checks every file of the repository and lists each breach as `file:line: what`. Forbidden words are assembled
//! at run time here, so that this file can mention them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use analysis_core::engines::ENGINES;

/// The folder of the engines, one subfolder each.
const ENGINES_FOLDER: &str = "analysis-core/src/engines";
/// The registry.
const REGISTRY: &str = "analysis-core/src/engines/mod.rs";
/// The product's name, which is also an engine's: as a literal it usually means the command.
const PRODUCT: &str = "regiontrack";
/// Folders whose modules have no circular imports, each with its layers, if any, the lowest first: a layer imports only
/// those before it.
const LAYERED: [(&str, &[&str]); 6] = [
    ("analysis-core/src/clock", &[]),
    ("analysis-core/src/graph", &[]),
    ("analysis-core/src/minimize", &[]),
    ("analysis-core/src/report", &["model", "judgement", "formats"]),
    ("analysis-core/src/trace", &["vocabulary", "files", "formats", "reading"]),
    ("analysis-core/src/workload", &[]),
];
/// A Rust source longer than this has two reasons to change.
const MOST_LINES: usize = 800;

/// A text file of the repository.
struct File {
    /// From the root, with `/`.
    path: String,
    text: String,
}

impl File {
    fn has_extension(&self, extensions: &[&str]) -> bool {
        self.path.rsplit_once('.').is_some_and(|(_, extension)| extensions.contains(&extension))
    }

    /// Whether the file is a source of tests or benches as a whole.
    fn is_test(&self) -> bool {
        let folders = ["tests", "test", "benches"];
        let segments: Vec<&str> = self.path.split('/').collect();
        let (name, above) = segments.split_last().expect("a path has a name");
        *name == "tests.rs" || above.iter().any(|folder| folders.contains(folder))
    }

    /// Returns the text up to the unit tests at its end.
    fn without_tests(&self) -> &str {
        let mark = "\n#[cfg(test)]\n";
        let opens =
            |at: &usize| self.text[at + mark.len()..].lines().next().is_some_and(|line| line.contains("mod tests {"));
        let end = self.text.match_indices(mark).map(|(at, _)| at).find(opens).unwrap_or(self.text.len());
        &self.text[..end]
    }

    /// Returns the engine in whose folder the file is.
    fn engine(&self) -> Option<&str> {
        Some(self.path.strip_prefix(ENGINES_FOLDER)?.strip_prefix('/')?.split_once('/')?.0)
    }
}

/// Inputs that fuzzing has found: arbitrary bytes, even if they look like text.
const CORPUS: &str = "tests/corpus/";

/// Returns every text file of the repository: those that git tracks or would add; in a source archive, all files.
fn files() -> Vec<File> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests is a folder of the workspace");
    let listing = Command::new("git").args(["ls-files", "-co", "--exclude-standard", "-z"]).current_dir(root).output();
    let mut paths: BTreeSet<PathBuf> = match listing {
        Ok(output) => String::from_utf8_lossy(&output.stdout).split_terminator('\0').map(PathBuf::from).collect(),
        Err(_) => BTreeSet::new(),
    };
    if paths.is_empty() {
        walk(root, Path::new(""), &mut paths);
    }
    let read = |path: PathBuf| {
        let text = String::from_utf8(std::fs::read(root.join(&path)).ok()?).ok().filter(|text| !text.contains('\0'))?;
        Some(File { path: path.to_str()?.replace('\\', "/"), text })
    };
    let texts = paths.into_iter().filter(|path| !path.starts_with(CORPUS));
    let files: Vec<File> = texts.filter_map(read).collect();
    assert!(files.iter().any(|file| file.path == REGISTRY), "{} is not the repository", root.display());
    files
}

fn walk(root: &Path, folder: &Path, paths: &mut BTreeSet<PathBuf>) {
    for entry in std::fs::read_dir(root.join(folder)).expect("a folder").map(|entry| entry.expect("an entry")) {
        let path = folder.join(entry.file_name());
        if !entry.path().is_dir() {
            paths.insert(path);
        } else if !is_generated(&entry.path()) {
            walk(root, &path, paths);
        }
    }
}

/// Cargo marks its target folder, wherever it is, with a `CACHEDIR.TAG`.
fn is_generated(folder: &Path) -> bool {
    let names = ["target", "dist", "build", ".git", ".gradle"];
    names.iter().any(|name| folder.ends_with(name)) || folder.join("CACHEDIR.TAG").exists()
}

fn sources() -> Vec<File> {
    files().into_iter().filter(|file| file.has_extension(&["rs", "java"])).collect()
}

/// Fails with all breaches, one per line.
fn expect_none(breaches: impl IntoIterator<Item = String>) {
    let list = breaches.into_iter().fold(String::new(), |mut list, breach| {
        let _ = writeln!(list, "{breach}");
        list
    });
    assert!(list.is_empty(), "\n{list}");
}

/// Returns `file:line: what` for each line for which `what` returns something.
fn breaches_by_line(file: &File, text: &str, what: impl Fn(&str) -> Option<String>) -> Vec<String> {
    let lines = text.lines().enumerate();
    lines.filter_map(|(index, line)| Some(format!("{}:{}: {}", file.path, index + 1, what(line)?))).collect()
}

#[test]
fn every_source_opens_with_a_doc_comment() {
    expect_none(sources().iter().filter(|file| !opens_with_doc(file)).map(|file| {
        format!("{}:1: say what the file is: open it with {}", file.path, if is_java(file) { "/**" } else { "//!" })
    }));
}

fn is_java(file: &File) -> bool {
    file.has_extension(&["java"])
}

/// In Java the package and the imports may come first.
fn opens_with_doc(file: &File) -> bool {
    let lines = file.text.lines().map(str::trim_start).filter(|line| !line.is_empty());
    if is_java(file) {
        let mut rest = lines.skip_while(|line| line.starts_with("package ") || line.starts_with("import "));
        file.text.trim_start().starts_with("/**") || rest.next().is_some_and(|line| line.starts_with("/**"))
    } else {
        lines.take(1).any(|line| line.starts_with("//!") || line.starts_with("/*!"))
    }
}

#[test]
fn engines_never_import_each_other() {
    let sources = sources();
    let engines: BTreeSet<&str> = sources.iter().filter_map(File::engine).collect();
    expect_none(sources.iter().flat_map(|file| imports_of_engines(file, &engines)));
}

/// Returns where a file of one engine mentions another engine by a path.
fn imports_of_engines(file: &File, engines: &BTreeSet<&str>) -> Vec<String> {
    let Some(own) = file.engine() else { return Vec::new() };
    let is_other = |name: &str| name != own && engines.contains(name);
    let names_one = |path: &str| {
        let segments: Vec<&str> = path.split("::").collect();
        let absolute = segments.windows(2).any(|pair| pair[0] == "engines" && (pair[1] == "*" || is_other(pair[1])));
        let supers = segments.iter().take_while(|segment| **segment == "super").count();
        absolute || (supers >= depth(&file.path) && segments.get(supers).is_some_and(|name| is_other(name)))
    };
    let paths = paths_in(&file.text).into_iter().filter(|(_, path)| names_one(path));
    paths.map(|(line, path)| format!("{}:{line}: an engine imports no other: {path}", file.path)).collect()
}

/// Returns how many `super` lead from a file of an engine to the module of all engines.
fn depth(path: &str) -> usize {
    let below = path.strip_prefix(ENGINES_FOLDER).map_or(0, |rest| rest.matches('/').count());
    below - usize::from(path.ends_with("/mod.rs"))
}

/// Returns every path of a Rust source with its line. Groups are expanded: `a::{b, c::{d}}` gives `a::b` and `a::c::d`.
fn paths_in(text: &str) -> Vec<(usize, String)> {
    let mut paths = Vec::new();
    let mut groups: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut line = 1;
    for c in text.chars().chain(['\n']) {
        if c.is_alphanumeric() || c == '_' || c == ':' || (c == '*' && word.ends_with("::")) {
            word.push(c);
            continue;
        }
        let path = format!("{}{word}", groups.last().map_or("", String::as_str));
        let opens_group = c == '{' && word.ends_with("::");
        if !word.is_empty() && !opens_group {
            paths.push((line, path.clone()));
        }
        match c {
            '{' => groups.push(if opens_group { path } else { String::new() }),
            '}' => drop(groups.pop()),
            '\n' => line += 1,
            _ => {}
        }
        word.clear();
    }
    paths
}

#[test]
fn layers_import_only_those_below_them() {
    let sources = sources();
    let breaches = |(folder, layers)| breaches_of_layers(&modules_in(&sources, folder), folder, layers);
    expect_none(LAYERED.into_iter().flat_map(breaches));
}

#[test]
fn no_module_of_a_layered_folder_imports_itself_in_a_circle() {
    let sources = sources();
    expect_none(LAYERED.iter().flat_map(|(folder, _)| circle(&imports(&modules_in(&sources, folder)))));
}

/// Modules by their paths from the root of the crate: `["trace", "formats"]`.
type Modules<'a> = BTreeMap<Vec<&'a str>, &'a File>;

/// Returns the modules of a folder without their tests.
fn modules_in<'a>(sources: &'a [File], folder: &str) -> Modules<'a> {
    let is_inside = |file: &&File| file.path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    let is_test = |file: &File| file.is_test() || file.path.ends_with("tests.rs");
    let files = sources.iter().filter(is_inside).filter(|file| !is_test(file));
    files.map(|file| (module_path(&file.path), file)).collect()
}

fn module_path(path: &str) -> Vec<&str> {
    let below = path.split_once("/src/").map_or(path, |(_, below)| below);
    let below = below.trim_end_matches(".rs");
    below.strip_suffix("/mod").unwrap_or(below).split('/').collect()
}

/// A module that names another one by a path.
struct Import {
    from: String,
    line: usize,
    to: String,
    path: String,
}

/// Returns the imports between the modules. A name that a `mod.rs` re-exports is imported from the `mod.rs`.
fn imports(modules: &Modules) -> Vec<Import> {
    let mut imports = Vec::new();
    for (own, file) in modules {
        for (line, path) in paths_in(&code_of(file)) {
            if let Some(other) = named_module(modules, own, &path).filter(|other| other.path != file.path) {
                imports.push(Import { from: file.path.clone(), line, to: other.path.clone(), path });
            }
        }
    }
    imports
}

/// Returns a source without comments, tests, and the paths in visibilities.
fn code_of(file: &File) -> String {
    let is_comment = |line: &str| line.trim_start().starts_with("//");
    let lines = file.without_tests().lines().map(|line| if is_comment(line) { "" } else { line });
    lines.collect::<Vec<_>>().join("\n").replace("pub(in crate::", "pub(")
}

/// Returns the innermost module on a path that occurs in module `own`.
fn named_module<'a>(modules: &Modules<'a>, own: &[&str], path: &str) -> Option<&'a File> {
    let segments: Vec<&str> = path.split("::").collect();
    if segments.len() == 1 {
        return None;
    }
    let supers = segments.iter().take_while(|segment| **segment == "super").count();
    let mut named: Vec<&str> = match segments[0] {
        "crate" => segments[1..].to_vec(),
        "self" => [own, &segments[1..]].concat(),
        "super" => [&own[..own.len().saturating_sub(supers)], &segments[supers..]].concat(),
        // A module's children can be named without a prefix. Any other first name is imported from elsewhere.
        child if modules.contains_key(&[own, &[child]].concat()) => [own, &segments].concat(),
        _ => return None,
    };
    while !modules.contains_key(&named) {
        named.pop()?;
    }
    modules.get(&named).copied()
}

/// Returns where a module imports one of a higher layer, or is in no layer.
fn breaches_of_layers(modules: &Modules, folder: &str, layers: &[&str]) -> Vec<String> {
    let layer = |path: &str| {
        let below = path.strip_prefix(folder)?.strip_prefix('/')?.split_once('/')?.0;
        layers.iter().position(|layer| *layer == below)
    };
    let is_outside = |path: &&str| !layers.is_empty() && layer(path).is_none() && **path != format!("{folder}/mod.rs");
    let paths = modules.values().map(|file| &*file.path);
    let outside = paths.filter(is_outside).map(|path| format!("{path}:1: is in no layer of {folder}: {layers:?}"));
    let upward = imports(modules).into_iter().filter(|import| match (layer(&import.from), layer(&import.to)) {
        (Some(from), Some(to)) => from < to,
        (from, _) => from.is_some(),
    });
    outside.chain(upward.map(|it| format!("{}:{}: imports a higher layer: {}", it.from, it.line, it.path))).collect()
}

/// Returns the imports of the shortest circle.
fn circle(imports: &[Import]) -> Vec<String> {
    let files: BTreeSet<&str> = imports.iter().map(|import| &*import.from).collect();
    let shortest = files.into_iter().filter_map(|file| way_back(imports, file)).min_by_key(Vec::len);
    let told = |it: &&Import| format!("{}:{}: imports {} in a circle: {}", it.from, it.line, it.to, it.path);
    shortest.iter().flatten().map(told).collect()
}

/// Returns the shortest path along imports from a file back to itself.
fn way_back<'a>(imports: &'a [Import], file: &str) -> Option<Vec<&'a Import>> {
    let of = |file: &str| imports.iter().filter(move |import| import.from == file).collect::<Vec<_>>();
    let mut ways: VecDeque<Vec<&Import>> = of(file).into_iter().map(|first| vec![first]).collect();
    let mut reached = BTreeSet::new();
    while let Some(way) = ways.pop_front() {
        let end = &*way.last().expect("a way has a first import").to;
        if end == file {
            return Some(way);
        }
        if reached.insert(end) {
            ways.extend(of(end).into_iter().map(|next| [&way[..], &[next]].concat()));
        }
    }
    None
}

#[test]
fn an_engine_is_named_only_in_its_folder_the_registry_and_tests() {
    let sources = sources();
    for name in ENGINES.iter().map(|spec| spec.name).filter(|name| *name != PRODUCT) {
        expect_none(misplaced_names(&sources, name));
    }
}

/// Returns where the name of an engine is a literal and must not be. Its folder is the one under the engines that has it.
fn misplaced_names(sources: &[File], name: &str) -> Vec<String> {
    let literal = format!("\"{name}\"");
    let is_comment = |line: &str| ["//", "*", "/*"].iter().any(|mark| line.trim_start().starts_with(mark));
    let places = |file: &File| {
        let stands =
            |line: &str| (line.contains(&literal) && !is_comment(line)).then(|| format!("names engine {name}"));
        breaches_by_line(file, file.without_tests(), stands)
    };
    let judged = sources.iter().filter(|file| !file.is_test() && file.path != REGISTRY);
    let found: Vec<(&File, Vec<String>)> = judged.map(|file| (file, places(file))).collect();
    let having = found.iter().filter(|(_, places)| !places.is_empty());
    let own = having.clone().find_map(|(file, _)| file.engine());
    having.filter(|(file, _)| file.engine().is_none() || file.engine() != own).flat_map(|(_, p)| p.clone()).collect()
}

#[test]
fn nothing_is_left_over_in_sources() {
    let words = [
        concat!("TO", "DO"),
        concat!("FIX", "ME"),
        concat!("dbg", "!("),
        concat!("to", "do!("),
        concat!("unimplemented", "!("),
        concat!("#[", "ignore"),
    ];
    let leftover =
        |line: &str| words.iter().find(|word| line.contains(**word)).map(|word| format!("left over: {word}"));
    let kinds = ["rs", "java", "gradle", "toml"];
    expect_none(
        files()
            .iter()
            .filter(|file| file.has_extension(&kinds))
            .flat_map(|file| breaches_by_line(file, &file.text, leftover)),
    );
}

/// Words that read as if translated, in pieces, with what to write instead.
const WORDS: [(&str, &str); 25] = [
    ("men|d", "fix"),
    ("men|ded", "fixed"),
    ("at n|eed", "if needed"),
    ("way o|ut", "exit, fix or path out"),
    ("ways o|ut", "exits, fixes or paths out"),
    ("what came o|f", "the result"),
    ("held t|o", "checked against"),
    ("for w|ho", "for those that"),
    ("let b|e", "left alone"),
    ("at h|and", "current"),
    ("who|ever", "the one that"),
    ("in sil|ence", "silently"),
    ("for e|ver", "forever"),
    ("to be h|ad", "available"),
    ("lets g|o of", "releases"),
    ("in the way o|f", "like"),
    ("is told o|f", "receives"),
    ("now and th|en", "periodically"),
    ("spoken o|f", "mentioned"),
    ("one a l|ine", "one per line"),
    ("comes to st|and", "is inserted"),
    ("held ag|ainst", "checked against"),
    ("tells ap|art", "distinguishes"),
    ("made an|ew", "rebuilt"),
    ("DES|IGN", "a document of this repository"),
];

#[test]
fn prose_is_plain_and_cites_only_what_is_in_the_repository() {
    let files = files();
    let prose = files.iter().filter(|file| file.has_extension(&["rs", "java", "md", "mutant", "toml", "gradle"]));
    expect_none(prose.flat_map(|file| breaches_by_line(file, &file.text, odd_word)));
}

/// Returns what is wrong with the first of [`WORDS`] in a line, if any.
fn odd_word(line: &str) -> Option<String> {
    let is_letter = |char: Option<char>| char.is_some_and(|char| char.is_alphanumeric() || char == '_');
    WORDS.iter().find_map(|(pieces, better)| {
        let word = pieces.replace('|', "");
        let is_alone = |at: usize| {
            !is_letter(line[..at].chars().next_back()) && !is_letter(line[at + word.len()..].chars().next())
        };
        let is_there = line.match_indices(&word).any(|(at, _)| is_alone(at));
        is_there.then(|| format!("do not write `{word}`: {better}"))
    })
}

#[test]
fn no_file_names_a_folder_of_somebodys_machine() {
    let what = |line: &str| machine_path(line).map(|path| format!("a path of one machine: {path}"));
    expect_none(files().iter().flat_map(|file| breaches_by_line(file, &file.text, what)));
}

/// Returns an absolute path into a folder where people work, if the line has one.
fn machine_path(line: &str) -> Option<String> {
    let continues = |c: char| c.is_alphanumeric() || "_.-~$*>})]".contains(c);
    ["work", "root", "home", "tmp"].iter().map(|folder| format!("/{folder}/")).find(|path| {
        line.match_indices(path.as_str()).any(|(at, _)| !line[..at].chars().next_back().is_some_and(continues))
    })
}

#[test]
fn no_rust_source_is_a_giant() {
    let sources = sources().into_iter().filter(|file| !is_java(file) && !file.is_test());
    expect_none(sources.filter_map(|file| {
        let lines = file.without_tests().lines().count();
        (lines > MOST_LINES).then(|| format!("{}: {lines} lines without tests; split it", file.path))
    }));
}

#[test]
fn no_line_ends_in_blanks() {
    expect_none(files().iter().filter(|file| !file.has_extension(&["bat"])).flat_map(|file| {
        let ended = |line: &str| line.ends_with(char::is_whitespace).then(|| "blanks at the end".to_owned());
        let lines = file.text.split('\n').enumerate();
        let found = lines.filter_map(|(index, line)| Some(format!("{}:{}: {}", file.path, index + 1, ended(line)?)));
        found.collect::<Vec<_>>()
    }));
}

mod the_rules_themselves {
    //! Each rule must find a breach, or the tests above prove nothing.

    use super::*;

    fn file(path: &str, text: &str) -> File {
        File { path: path.to_owned(), text: text.to_owned() }
    }

    #[test]
    fn groups_of_paths_are_written_out() {
        let text = "use a::{b, c::{d, e}, *};\nfn f() { x::y(); }";
        let paths: Vec<String> = paths_in(text).into_iter().map(|(line, path)| format!("{line} {path}")).collect();
        for path in ["1 a::b", "1 a::c::d", "1 a::c::e", "2 x::y"] {
            assert!(paths.iter().any(|p| p == path), "{path} not in {paths:?}");
        }
    }

    #[test]
    fn an_import_of_another_engine_is_found_in_every_form() {
        let engines = BTreeSet::from(["ours", "theirs"]);
        let breaches = |name: &str, text: &str| {
            imports_of_engines(&file(&format!("{ENGINES_FOLDER}/ours/{name}"), text), &engines).len()
        };
        for (name, text) in [
            ("mod.rs", "use crate::engines::theirs::Clock;"),
            ("mod.rs", "use crate::{engine::Engine, engines::{find, theirs}};"),
            ("mod.rs", "use crate::engines::*;"),
            ("mod.rs", "let x = super::theirs::new();"),
            ("rules.rs", "use super::super::{theirs::Clock};"),
            ("state/mod.rs", "super::super::theirs::new()"),
            ("state/clock.rs", "super::super::super::theirs::new()"),
        ] {
            assert_eq!(breaches(name, text), 1, "{name}: {text}");
        }
        for (name, text) in [
            ("mod.rs", "use crate::engines::ours::state; use super::find;"),
            ("rules.rs", "use super::theirs; // a function of ours that is called so"),
            ("tests.rs", "crate::engines::find(name)"),
        ] {
            assert_eq!(breaches(name, text), 0, "{name}: {text}");
        }
    }

    /// Two files of a folder with layers `low` and `high`, and the module list of the folder.
    fn layered(low: &str, high: &str) -> Vec<File> {
        let lists = "mod high;\nmod low;\n\npub use high::b::B;\npub use low::a::A;\n";
        vec![
            file("c/src/t/mod.rs", lists),
            file("c/src/t/low/mod.rs", "pub(super) mod a;"),
            file("c/src/t/low/a.rs", low),
            file("c/src/t/high/mod.rs", "pub(super) mod b;"),
            file("c/src/t/high/b.rs", high),
            file("c/src/t/high/b/tests.rs", "use crate::t::A;"),
        ]
    }

    #[test]
    fn an_import_of_a_higher_layer_is_found_in_every_form() {
        let breaches = |files: &[File]| breaches_of_layers(&modules_in(files, "c/src/t"), "c/src/t", &["low", "high"]);
        for low in [
            "use crate::t::high::b::B;",
            "use crate::{other, t::high::{b}};",
            "use super::super::high::b;",
            "fn f() { super::super::high::b::new() }",
            "use crate::t::B;",
        ] {
            assert_eq!(breaches(&layered(low, "")).len(), 1, "{low}");
        }
        let fine = "//! See [`super::super::high::b`].\npub(in crate::t) struct A;\nuse crate::u::C;\n";
        let tests = "\n#[cfg(test)]\npub(super) mod tests {\n    use crate::t::high::b::B;\n}\n";
        assert!(breaches(&layered(&format!("{fine}{tests}"), "use crate::t::low::a::A;")).is_empty());
        let mut files = layered("", "");
        files.push(file("c/src/t/middle.rs", ""));
        assert_eq!(breaches(&files), ["c/src/t/middle.rs:1: is in no layer of c/src/t: [\"low\", \"high\"]"]);
    }

    #[test]
    fn the_shortest_circle_is_told() {
        let told = |files: &[File]| circle(&imports(&modules_in(files, "c/src/t")));
        assert!(told(&layered("", "use crate::t::low::a::A;")).is_empty());
        let expected = [
            "c/src/t/high/b.rs:1: imports c/src/t/low/a.rs in a circle: crate::t::low::a::A",
            "c/src/t/low/a.rs:2: imports c/src/t/high/b.rs in a circle: super::super::high::b::B",
        ];
        assert_eq!(told(&layered("\nuse super::super::high::b::B;", "use crate::t::low::a::A;")), expected);
        let by_list = told(&layered("", "use crate::t::A;"));
        assert_eq!(by_list.len(), 2, "what a list re-exports is imported from the list: {by_list:?}");
    }

    #[test]
    fn the_name_of_an_engine_is_found_where_it_must_not_stand() {
        let engine = |folder: &str| format!("{ENGINES_FOLDER}/{folder}/mod.rs");
        let named = "//! Ours.\nname: \"ours\",\n";
        let places = |mut files: Vec<File>| {
            files.push(file(&engine("ours"), named));
            misplaced_names(&files, "ours").len()
        };
        assert_eq!(places(vec![file(REGISTRY, named), file("tests/a.rs", named), file("a/benches/b.rs", named)]), 0);
        assert_eq!(places(vec![file("cli/src/a.rs", "// \"ours\"\n\n#[cfg(test)]\nmod tests { \"ours\" }")]), 0);
        assert_eq!(places(vec![file("cli/src/a.rs", named), file(&engine("theirs"), named)]), 2);
    }

    #[test]
    fn a_source_without_a_doc_comment_is_found() {
        for (path, text, opens) in [
            ("a.rs", "\n//! A.\n", true),
            ("a.rs", "// A.\n", false),
            ("a.rs", "use b;\n//! A.\n", false),
            ("A.java", "package a;\n\nimport b.C;\n\n/** A. */\nclass A {}\n", true),
            ("package-info.java", "/** A. */\npackage a;\n", true),
            ("A.java", "package a;\n\nclass A {\n    /** b. */\n}\n", false),
        ] {
            assert_eq!(opens_with_doc(&file(path, text)), opens, "{path}: {text}");
        }
    }

    #[test]
    fn an_odd_word_is_found_alone_and_not_inside_another() {
        let who = "who".to_owned();
        assert!(odd_word(&format!("for {who}{} asks", "ever")).is_some());
        assert!(odd_word(&format!("given {}", ["at", "need"].join(" "))).is_some());
        for fine in ["recommended", "whose", "a shorthand", "is held together", "DESIGNS"] {
            assert_eq!(odd_word(fine), None, "{fine}");
        }
    }

    #[test]
    fn only_an_absolute_path_names_a_machine() {
        let home = format!("/{}/", "home");
        assert_eq!(machine_path(&format!("cd {home}me")), Some(home.clone()));
        assert_eq!(machine_path(&format!("file://{home}me")), Some(home.clone()));
        assert_eq!(machine_path(&format!("https://example.org{home}me, target{home}, {{dir}}{home}")), None);
    }
}
