//! What was not seen because the agent was attached to a program that ran already, in one line.

use crate::report::model::attached::Attached;

/// The summary in one line.
pub(super) fn summary(attached: &Attached) -> String {
    let Attached { hooked, left, packages } = attached;
    let mut text = "attached to a running program: what it did before was not watched".to_owned();
    if *hooked > 0 {
        let is = if *hooked == 1 { "is" } else { "are" };
        text += &format!("; {} loaded before {is} from the next call of a method on", classes(*hooked));
    }
    if *left > 0 {
        let is = if *left == 1 { "is" } else { "are" };
        let packages: Vec<String> = packages.iter().map(|(name, count)| format!("{name} ({count})")).collect();
        text += &format!("; {} loaded before {is} not: {}", classes(*left), packages.join(", "));
    }
    text
}

fn classes(count: u64) -> String {
    format!("{count} {}", if count == 1 { "class" } else { "classes" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_names_what_is_not_watched() {
        let text = "attached to a running program: what it did before was not watched";
        assert_eq!(summary(&Attached::default()), text);
        let more = "; 40 classes loaded before are from the next call of a method on; 1 class loaded before is not: com.acme (1)";
        assert_eq!(summary(&Attached::parse("40\ncom.acme\t1\n")), format!("{text}{more}"));
    }
}
