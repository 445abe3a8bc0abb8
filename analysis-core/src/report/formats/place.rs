//! The file of an event, as a tool finds it below a folder of sources: `com/acme/shop/PriceRange.java`.
//!
//! A run knows the name of the file without its folder, and the class, whose package is the folder. A recorded trace often has the
//! class and the method alone; the file is then named after the outermost class. The same holds for a method without line numbers,
//! where no line is known.

use std::fmt::Write;

use crate::report::model::report::Source;
use crate::report::model::witness::End;
use crate::trace::Position;

/// The extensions of sources that are compiled to classes.
const SOURCES: [&str; 6] = ["java", "kt", "kts", "scala", "groovy", "clj"];

/// A file, and a line of it if that is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) file: String,
    pub(super) line: Option<u64>,
}

impl Place {
    /// The place of an event at `location` in `method`; `None` if no file is known.
    pub(super) fn of(location: &str, method: Option<&str>, source: Source) -> Option<Place> {
        if let Some((instruction, _)) = Position::split_index(location) {
            let name = instruction.split('(').next().unwrap_or(instruction);
            return file_of_class(name, method).map(|file| Place { file, line: None });
        }
        let (name, line) = match location.rsplit_once(':') {
            Some((name, number)) => (name, Some(number.parse().ok().filter(|number: &u64| *number > 0)?)),
            None => (location, None),
        };
        let is_source = name.rsplit_once('.').is_some_and(|(_, end)| SOURCES.contains(&end));
        let file = match (is_source, name.contains(['/', '\\'])) {
            (true, true) => below(name),
            (true, false) => method.map_or(name.to_owned(), |method| in_package(name, method, source)),
            (false, _) => line.and_then(|_| file_of_class(name, method))?,
        };
        (!file.is_empty()).then_some(Place { file, line })
    }

    /// The place of one end of an edge.
    pub(super) fn of_end(end: &End, source: Source) -> Option<Place> {
        Place::of(&end.location, end.method.as_deref(), source)
    }

    /// The place as a reference in the form of a URI.
    pub(super) fn uri(&self) -> String {
        let mut uri = String::with_capacity(self.file.len());
        for byte in self.file.bytes() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' | b'$' => {
                    uri.push(byte.into())
                }
                byte => write!(uri, "%{byte:02X}").expect("a string takes all that is written"),
            }
        }
        uri
    }
}

/// A path without parts that would lead out of the folder of sources.
fn below(path: &str) -> String {
    let path = path.replace('\\', "/");
    path.split('/').filter(|part| !matches!(*part, "" | "." | "..")).collect::<Vec<_>>().join("/")
}

/// The class of a method, with dots between its packages.
pub(super) fn class_of(method: &str) -> Option<String> {
    let name = method.split('(').next().unwrap_or(method).replace('/', ".");
    name.rsplit_once('.').map(|(class, _)| class.to_owned())
}

/// The file below the package of `method`. In a trace the method is the block around an event, which can call into
/// another class: then the file alone is known.
fn in_package(file: &str, method: &str, source: Source) -> String {
    let class = class_of(method).unwrap_or_default();
    let (package, simple) = class.rsplit_once('.').unwrap_or(("", &class));
    let outer = outermost(simple);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let is_its_file = source == Source::Run || stem == outer || format!("{stem}Kt") == outer;
    if package.is_empty() || !is_its_file {
        return file.to_owned();
    }
    format!("{}/{file}", package.replace('.', "/"))
}

/// The file of a class: for `com.acme.Shop$Cart.add` that of `Shop`; for `Shop.add` alone, the method supplies the
/// package.
fn file_of_class(name: &str, method: Option<&str>) -> Option<String> {
    let name = name.replace('/', ".");
    let is_name =
        |part: &str| part.chars().all(|char| char.is_alphanumeric() || "_$-<>".contains(char)) && !part.is_empty();
    let (class, _) = name.rsplit_once('.').filter(|_| name.split('.').all(is_name))?;
    let known = method.and_then(class_of).filter(|known| known.ends_with(&format!(".{class}")));
    let class = known.unwrap_or_else(|| class.to_owned());
    let (package, simple) = class.rsplit_once('.').unwrap_or(("", &class));
    let outer = outermost(simple);
    if package.is_empty() {
        return Some(format!("{outer}.java"));
    }
    Some(format!("{}/{outer}.java", package.replace('.', "/")))
}

/// A name can begin with `$`.
fn outermost(simple: &str) -> &str {
    simple.char_indices().skip(1).find(|(_, char)| *char == '$').map_or(simple, |(at, _)| &simple[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(location: &str, method: &str, source: Source) -> Option<(String, Option<u64>)> {
        let method = (!method.is_empty()).then_some(method);
        Place::of(location, method, source).map(|place| (place.file, place.line))
    }

    #[test]
    fn the_package_of_the_class_is_the_folder_of_its_file() {
        let known = |file: &str, line| Some((file.to_owned(), line));
        for source in [Source::Run, Source::Trace] {
            let told = |location, method| file(location, method, source);
            assert_eq!(told("Range.java:31", "com.acme.Range.set(int)"), known("com/acme/Range.java", Some(31)));
            assert_eq!(told("Range.java", "com.acme.Range$Part.set(int)"), known("com/acme/Range.java", None));
            assert_eq!(told("main.kt:3", "MainKt.main()"), known("main.kt", Some(3)));
            assert_eq!(told("com.acme.Range$1.run:5", ""), known("com/acme/Range.java", Some(5)));
            assert_eq!(told("Range.set:5", "com.acme.Range.set(int)"), known("com/acme/Range.java", Some(5)));
            assert_eq!(told("src\\a/../B.java:7", "a.B.c()"), known("src/a/B.java", Some(7)));
            assert_eq!(told("Range.java:4", ""), known("Range.java", Some(4)));
            assert_eq!(told("Range.set(int,C$D[]):@5", "com.acme.Range.set(int)"), known("com/acme/Range.java", None));
            assert_eq!(told("com.acme.Range$1.run():@0", ""), known("com/acme/Range.java", None));
        }
        let second = |source| file("Range.java:31", "com.acme.Second.set(int)", source);
        assert_eq!(second(Source::Run), known("com/acme/Range.java", Some(31)));
        assert_eq!(second(Source::Trace), known("Range.java", Some(31)));
    }

    #[test]
    fn a_place_that_is_no_file_is_none() {
        for location in
            ["", "12", "a b.c:3", "x:y", "Range.java:0", "Range.java:-1", "..:7", "nowhere", "a b():@3", ":@3"]
        {
            assert_eq!(file(location, "a.B.c()", Source::Run), None, "{location}");
        }
    }

    #[test]
    fn a_uri_has_no_signs_of_its_own() {
        let place = Place { file: "a b/<c>%ü.java".to_owned(), line: None };
        assert_eq!(place.uri(), "a%20b/%3Cc%3E%25%C3%BC.java");
    }
}
