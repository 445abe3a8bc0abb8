//! The variable that stands, in a recorded trace, for the critical sections under a lock ([`crate::filter::sections`]): a report describes
//! its accesses as those of the lock.

/// What follows the name of a lock.
const SUFFIX: &str = ".lock";

/// Which end of a section an access stands for: other sections follow its release, and its acquire follows others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The section is left.
    Release,
    /// The section is entered.
    Acquire,
}

impl End {
    /// The operation in words.
    pub fn verb(self) -> &'static str {
        match self {
            End::Release => "release",
            End::Acquire => "acquire",
        }
    }

    /// The operation as a trace would write it.
    pub(super) fn written(self, lock: &str) -> String {
        match self {
            End::Release => format!("rel({lock})"),
            End::Acquire => format!("acq({lock})"),
        }
    }
}

/// The name of the variable of a lock that a trace calls `Cache@17`.
pub fn variable(lock: &str) -> String {
    format!("{lock}{SUFFIX}")
}

/// The lock whose variable has this name, if any.
pub fn lock(variable: &str) -> Option<&str> {
    let lock = variable.strip_suffix(SUFFIX)?;
    let (_, number) = lock.rsplit_once('@')?;
    (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(lock)
}

/// True if this is the name of such a variable.
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
