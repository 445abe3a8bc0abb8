//! The work of the JIT compilers, as HotSpot prints it at the end of a run.

/// The flags that make HotSpot print it, on standard error, so that the program's output stays unchanged.
pub(super) const FLAGS: &[&str] = &["-XX:+CITime", "-XX:+DisplayVMOutputToStderr"];

/// Time and size of all compilations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Jit {
    /// Seconds of the compiler threads.
    pub(super) seconds: f64,
    /// Machine code in KiB, without its metadata.
    pub(super) code: f64,
}

impl Jit {
    /// Reads the figures from the JVM's output, if they are there.
    pub(super) fn read(text: &str) -> Option<Jit> {
        Some(Jit { seconds: value(text, "Total compilation time")?, code: value(text, "nmethod code size")? / 1024.0 })
    }
}

/// The number in a line such as `  nmethod code size  :  18848 bytes`.
fn value(text: &str, key: &str) -> Option<f64> {
    let line = text.lines().map(str::trim_start).find(|line| line.starts_with(key))?;
    line.split_once(':')?.1.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_and_size_are_those_of_both_compilers() {
        let text = "  C1 {speed: 2.7 bytes/s; nmethods_size: 19368 bytes; nmethods_code_size: 13320 bytes}\n\
            Accumulated compiler times\n  Total compilation time   :   0.127 s\n    Standard compilation   :   0.036 s\n\
            \x20 Total compiled methods    :       33 methods\n\n  nmethod code size         :    18432 bytes\n\
            \x20 nmethod total size        :    27408 bytes\n";
        assert_eq!(Jit::read(text), Some(Jit { seconds: 0.127, code: 18.0 }));
        assert_eq!(Jit::read("Exception in thread \"main\""), None);
    }
}
