//! Superclasses as far as they are known, and the slices of a program that runs watch in turn.
//!
//! A field can be declared in a class and used by those below it. So all classes of one chain of superclasses are in one slice,
//! which the topmost of them that is known decides. Of a class with several versions the one with the smallest checksum says what is
//! above it. A file that somebody has edited can have circles; the least name in one counts as its top.

use std::collections::{BTreeMap, BTreeSet};

use super::model::Profile;

impl Profile {
    /// The topmost known class above this one; itself if it is not known, or none above it is.
    pub fn top<'a>(&'a self, name: &'a str) -> &'a str {
        let mut path = vec![name];
        loop {
            let Some(above) = path.last().and_then(|name| self.known_above(name)) else {
                return path.last().expect("the class itself");
            };
            if let Some(first) = path.iter().position(|name| *name == above) {
                return path[first..].iter().min().expect("a circle has a class");
            }
            path.push(above);
        }
    }

    /// Its superclass, if both are known.
    fn known_above(&self, name: &str) -> Option<&str> {
        let (_, class) = self.class(name).next()?;
        self.classes.get_key_value(class.superclass.as_str()).map(|(name, _)| name.as_str())
    }

    /// Which of `n` slices a class is in: the same for all classes of a chain of superclasses, and in every run.
    ///
    /// # Panics
    /// If `n` is 0.
    pub fn slice_of(&self, name: &str, n: u64) -> u64 {
        sum(self.top(name).as_bytes()) % n
    }

    /// The class itself, and all known ones that have it among their superclasses by some version; sorted.
    pub fn below<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let mut children: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (class, versions) in &self.classes {
            let above: BTreeSet<&str> = versions.values().map(|version| version.superclass.as_str()).collect();
            above.into_iter().for_each(|above| children.entry(above).or_default().push(class));
        }
        let mut found = BTreeSet::from([name]);
        let mut pending = vec![name];
        while let Some(class) = pending.pop() {
            let new = children.get(class).into_iter().flatten().filter(|child| found.insert(child));
            pending.extend(new);
        }
        found.into_iter()
    }
}

/// A sum of a text by which profiles tell whether it has changed: FNV-1a with 64 bits.
pub fn sum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::sum;

    #[test]
    fn the_hash_is_sum() {
        // From the test vectors of its authors.
        assert_eq!(sum(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(sum(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(sum(b"foobar"), 0x8594_4171_f739_67e8);
    }
}
