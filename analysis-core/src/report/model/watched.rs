//! How much of a run was watched, if only a part was to be.

use serde::{Deserialize, Serialize};

/// How much was watched.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Watched {
    /// How much processor time watching was allowed to take, in per cent.
    pub percent: u8,
    /// How many blocks were entered.
    pub blocks: u64,
    /// How many of them were watched.
    pub watched: u64,
    /// The methods that are blocks, least watched first.
    pub methods: Vec<WatchedMethod>,
}

/// How many instances of a method were watched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WatchedMethod {
    /// The method.
    pub method: String,
    /// How often it was entered.
    pub instances: u64,
    /// How many of these instances were watched.
    pub watched: u64,
}

impl Watched {
    /// The sum of what both runs watched.
    pub fn and(self, other: Watched) -> Watched {
        let mut methods = self.methods;
        for method in other.methods {
            match methods.iter_mut().find(|known| known.method == method.method) {
                Some(known) => {
                    known.instances += method.instances;
                    known.watched += method.watched;
                }
                None => methods.push(method),
            }
        }
        Watched::new(self.percent.max(other.percent), methods)
    }

    /// The watched part of these methods.
    pub fn new(percent: u8, mut methods: Vec<WatchedMethod>) -> Watched {
        // Of two methods with the same share, the one with more instances has more unwatched ones.
        methods.sort_by(|a, b| {
            let shares = u128::from(a.watched) * u128::from(b.instances);
            let than = u128::from(b.watched) * u128::from(a.instances);
            shares.cmp(&than).then(b.instances.cmp(&a.instances)).then_with(|| a.method.cmp(&b.method))
        });
        let sum = |count: fn(&WatchedMethod) -> u64| methods.iter().map(count).sum();
        let (blocks, watched) = (sum(|method| method.instances), sum(|method| method.watched));
        Watched { percent, blocks, watched, methods }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn method(name: &str, instances: u64, watched: u64) -> WatchedMethod {
        WatchedMethod { method: name.to_owned(), instances, watched }
    }

    #[test]
    fn the_least_watched_method_comes_first() {
        let all = vec![method("a", 10, 10), method("b", 1000, 10), method("c", 5, 0), method("d", 50, 0)];
        let watched = Watched::new(30, all);
        let names: Vec<&str> = watched.methods.iter().map(|method| &*method.method).collect();
        assert_eq!(names, ["d", "c", "b", "a"]);
        assert_eq!((watched.watched, watched.blocks), (20, 1065));
    }
}
