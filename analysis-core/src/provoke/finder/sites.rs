//! Texts and their numbers: places, declarations, names.

use rustc_hash::FxHashMap;

/// Texts, numbered in the order in which they come.
#[derive(Default)]
pub(super) struct Texts {
    numbers: FxHashMap<Box<str>, u32>,
    texts: Vec<Box<str>>,
}

impl Texts {
    /// The number of a text.
    pub(super) fn number(&mut self, text: &str) -> u32 {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let number = u32::try_from(self.texts.len()).expect("fewer than 2^32 texts");
        self.texts.push(text.into());
        self.numbers.insert(text.into(), number);
        number
    }

    /// The text with this number.
    pub(super) fn text(&self, number: u32) -> &str {
        &self.texts[number as usize]
    }
}

/// The name before the number of an object: `Shop.total` of `Shop.total@17`, `int[]` of `int[]@17[3]`.
pub(super) fn without_number(name: &str) -> &str {
    let is_number = |rest: &str| rest.starts_with(|char: char| char.is_ascii_digit());
    name.split_once('@').filter(|(_, rest)| is_number(rest)).map_or(name, |(name, _)| name)
}

/// The number of the object: `17` of `Shop.total@17`, of `int[]@17[3]` and of `HashMap@17[key:"a"]`.
pub(super) fn object(name: &str) -> Option<&str> {
    let (_, rest) = name.split_once('@')?;
    let end = rest.find(|char: char| !char.is_ascii_digit()).unwrap_or(rest.len());
    (end > 0).then_some(&rest[..end])
}

/// What follows the name of an array to mean an element.
const ELEMENT: &str = " element";

/// A variable without its number, for a person: `Shop.total`, `int[] element`.
pub(super) fn declared(name: &str) -> String {
    if name.ends_with("[]") { format!("{name}{ELEMENT}") } else { name.to_owned() }
}

/// The name that an instruction uses: `total`, `[]`.
pub(super) fn simple(name: &str) -> &str {
    if name.ends_with("[]") { "[]" } else { name.rsplit('.').next().unwrap_or(name) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_is_known_by_its_name_without_its_object() {
        for (name, declaration, instruction, number) in [
            ("Shop.total@17", "Shop.total", "total", Some("17")),
            ("int[]@17[3]", "int[] element", "[]", Some("17")),
            ("x", "x", "x", None),
            ("Shop.a@b", "Shop.a@b", "a@b", None),
        ] {
            let bare = without_number(name);
            assert_eq!(object(name), number);
            assert_eq!((&*declared(bare), simple(bare)), (declaration, instruction));
        }
    }

    #[test]
    fn the_same_text_has_the_same_number() {
        let mut texts = Texts::default();
        assert_eq!([texts.number("a"), texts.number("b"), texts.number("a")], [0, 1, 0]);
        assert_eq!(texts.text(1), "b");
    }
}
