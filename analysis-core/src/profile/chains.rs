//! Known superclasses, and the slices of a program that runs watch in turn.
//!
//! A field can be declared in a class and used by its subclasses. So all classes of one chain of superclasses are in
//! one slice, which the topmost known class decides. If a class has several versions, the one with the smallest
//! checksum decides its superclass. A manually edited file can have cycles; the least name in a cycle counts as its
//! top.

use std::collections::{BTreeMap, BTreeSet};

use super::model::Profile;

impl Profile {
    /// Returns the topmost known class above this one; the class itself if it is not known, or no known one is above
    /// it.
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

    /// Returns its superclass, if both are known.
    fn known_above(&self, name: &str) -> Option<&str> {
        let (_, class) = self.class(name).next()?;
        self.classes.get_key_value(class.superclass.as_str()).map(|(name, _)| name.as_str())
    }

    /// Returns the slice, of `n`, that contains a class: the same for all classes of a chain of superclasses, and in
    /// every run.
    ///
    /// # Panics
    /// If `n` is 0.
    pub fn slice_of(&self, name: &str, n: u64) -> u64 {
        sum(self.top(name).as_bytes()) % n
    }

    /// Returns the class itself, and all known classes that have it among their superclasses in some version; sorted.
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

/// The checksum of a text by which profiles detect changes: FNV-1a with 64 bits.
pub fn sum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::sum;

    #[test]
    fn the_hash_is_sum() {
        // From the test vectors of the authors of FNV.
        assert_eq!(sum(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(sum(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(sum(b"foobar"), 0x8594_4171_f739_67e8);
    }
}
