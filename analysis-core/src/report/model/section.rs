//! The variable that stands, in a recorded trace, for the critical sections under a lock ([`crate::filter::sections`]): what a report says of its accesses is what it
//! says of the lock.

/// What stands behind the name of a lock.
const SUFFIX: &str = ".lock";

/// Which end of a section an access stands for: others follow its release, and its acquire follows others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It is left.
    Release,
    /// It is entered.
    Acquire,
}

impl End {
    /// What it does, in words.
    pub fn verb(self) -> &'static str {
        match self {
            End::Release => "release",
            End::Acquire => "acquire",
        }
    }

    /// How a trace would write it.
    pub(super) fn written(self, lock: &str) -> String {
        match self {
            End::Release => format!("rel({lock})"),
            End::Acquire => format!("acq({lock})"),
        }
    }
}

/// The variable of a lock that a trace calls `Cache@17`.
pub fn variable(lock: &str) -> String {
    format!("{lock}{SUFFIX}")
}

/// The lock whose variable has this name, if it is one.
pub fn lock(variable: &str) -> Option<&str> {
    let lock = variable.strip_suffix(SUFFIX)?;
    let (_, number) = lock.rsplit_once('@')?;
    (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(lock)
}

/// True for the name of such a variable.
pub fn is_variable(name: &str) -> bool {
    lock(name).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variable_of_a_lock_tells_the_lock() {
        assert_eq!(lock(&variable("Cache@17")), Some("Cache@17"));
        assert!(is_variable("Cache@17.lock"));
    }

    #[test]
    fn other_variables_are_not_of_locks() {
        for name in ["Cache.lock@17", "Cache@17", "a.lock", "x@.lock", "Cache[]@18[3]"] {
            assert_eq!(lock(name), None, "{name}");
        }
    }
}
