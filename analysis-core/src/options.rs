//! The names of the agent's options, what kind of value each has, and how a string of them is split.
//!
//! The agent and the commands that look into its options share this, so that they split in the same way. What a value means, and whether it
//! is a good one, only the agent knows.

/// An option's name and the kind of its value.
#[derive(Debug, PartialEq, Eq)]
pub struct AgentOption {
    /// The name, as users write it.
    pub name: &'static str,
    /// The kind of its value.
    pub value: Value,
}

/// What a value looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// True or false; the name alone means true.
    Switch,
    /// A method, with commas between its arguments.
    Method,
    /// Names of algorithms, with commas between them.
    List,
    /// A word without commas, in this form.
    Word(&'static str),
}

impl Value {
    /// The form, for a person.
    pub fn form(self) -> &'static str {
        match self {
            Value::Switch => "true|false",
            Value::Method => "METHOD",
            Value::List => "ALGORITHM,..",
            Value::Word(form) => form,
        }
    }
}

/// The prefix of environment variables that are options.
pub const ENVIRONMENT: &str = "REGIONTRACK_";

/// All options, in the order of the agent's help. To add one, add it here and to the agent's table, which says what it does.
pub const OPTIONS: &[AgentOption] = &[
    option("spec", Value::Word("FILE")),
    option("exclude-method", Value::Method),
    option("engine", Value::Word("NAME")),
    option("include", Value::Word("PATTERNS")),
    option("exclude", Value::Word("PATTERNS")),
    option("sources", Value::Word("PATHS|none")),
    option("own", Value::Word("PATHS")),
    option("arrays", Value::Word("refs|all|none")),
    option("models", Value::Word("FILE|none")),
    option("keys", Value::Switch),
    option("reads", Value::Word("used|all")),
    option("nested", Value::Switch),
    option("sample", Value::Word("PERCENT")),
    option("profile", Value::Word("FILE")),
    option("slice", Value::Word("N")),
    option("candidates", Value::Word("FILE")),
    option("provoke", Value::Word("FILE")),
    option("priorities", Value::Word("SEED")),
    option("provoke-share", Value::Word("PERCENT")),
    option("provoke-turn", Value::Word("N")),
    option("schedules", Value::Word("FOLDER")),
    option("replay", Value::Word("FILE")),
    option("replay-patience", Value::Word("SECONDS")),
    option("record", Value::Word("FILE")),
    option("redundant", Value::Switch),
    option("predict", Value::List),
    option("sections", Value::Switch),
    option("report", Value::Word("FILE")),
    option("overwrite", Value::Switch),
    option("format", Value::Word("NAME")),
    option("exitcode", Value::Word("N")),
    option("halt_on_violation", Value::Switch),
    option("max_reports", Value::Word("N")),
    option("details", Value::Word("N")),
    option("suppressions", Value::Word("FILE")),
    option("baseline", Value::Word("FILE")),
    option("config", Value::Word("FILE")),
    option("verbose", Value::Switch),
    option("progress", Value::Word("SECONDS")),
    option("help", Value::Switch),
    option("mode", Value::Word("dependencies|stream")),
    option("attached", Value::Switch),
    option("vm_death", Value::Switch),
    option("fail_after", Value::Word("N")),
    option("ring", Value::Word("N")),
];

const fn option(name: &'static str, value: Value) -> AgentOption {
    AgentOption { name, value }
}

/// The option of this name. Names of environment variables cannot contain a hyphen, so an underscore stands for one, too.
pub fn named(key: &str) -> Option<&'static AgentOption> {
    OPTIONS.iter().find(|option| option.name == key || option.name.replace('-', "_") == key)
}

/// Splits a string of options at commas, except at those between the arguments of a method and between the elements of a list.
pub fn words(options: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in options.split(',').map(str::trim) {
        let is_open = |before: &&mut String| {
            let value = before.split_once('=').and_then(|(key, _)| named(key)).map(|option| option.value);
            match value {
                Some(Value::Method) => before.matches('(').count() > before.matches(')').count(),
                Some(Value::List) => !word.contains('=') && named(word).is_none(),
                _ => false,
            }
        };
        match words.last_mut().filter(is_open) {
            Some(before) => *before = format!("{before},{word}"),
            None => words.push(word.to_owned()),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The option that a word or a line is about, if there is one of that name.
pub fn of_word(word: &str) -> Option<&'static AgentOption> {
    named(word.split('=').next().unwrap_or_default().trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_between_arguments_and_in_lists_split_nothing() {
        let options = "include=a.*:b.*,exclude-method=a.B.c(int,long),exclude_method=a.B.d(int, long),arrays=all";
        assert_eq!(
            words(options),
            ["include=a.*:b.*", "exclude-method=a.B.c(int,long)", "exclude_method=a.B.d(int,long)", "arrays=all"]
        );
        let options = "predict=block, commit-node-conflict,sections=true,exclude-method=a.B.c(int";
        let expected = ["predict=block,commit-node-conflict", "sections=true", "exclude-method=a.B.c(int"];
        assert_eq!(words(options), expected);
        // A switch without a value ends a list, too; a word that is no option is one of its elements.
        assert_eq!(words("predict=block,verbose,keys=false"), ["predict=block", "verbose", "keys=false"]);
        assert_eq!(words("predict=block,recrod"), ["predict=block,recrod"]);
        assert!(words("").is_empty() && words(" , ,").is_empty());
    }

    #[test]
    fn a_word_is_about_the_option_before_its_first_equals_sign() {
        let name = |word| of_word(word).map(|option| option.name);
        assert_eq!(name(" provoke_share = 3=4"), Some("provoke-share"));
        assert_eq!(name("halt_on_violation"), Some("halt_on_violation"));
        assert_eq!([name("halt-on-violation=true"), name("# profile=p"), name("")], [None; 3]);
    }

    #[test]
    fn each_name_is_there_once() {
        let names: std::collections::BTreeSet<&str> = OPTIONS.iter().map(|option| option.name).collect();
        assert_eq!(names.len(), OPTIONS.len());
    }
}
