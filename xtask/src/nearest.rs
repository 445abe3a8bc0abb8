//! The known word that a mistyped one was probably meant to be.

/// The word of `known` with the smallest edit distance to `word`, the first such; `None` if there are none.
pub(crate) fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    known.min_by_key(|candidate| distance(word, candidate))
}

/// Levenshtein's distance: insertions, deletions and substitutions, one row of the table at a time.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_counts_single_character_edits() {
        for (a, b, edits) in [("", "", 0), ("", "abc", 3), ("test", "tset", 2), ("mutant", "mutants", 1), ("a", "b", 1)]
        {
            assert_eq!((distance(a, b), distance(b, a)), (edits, edits), "{a} {b}");
        }
    }

    #[test]
    fn the_nearest_is_the_first_of_the_closest() {
        assert_eq!(nearest("biuld", ["test", "build", "help"].into_iter()), Some("build"));
        assert_eq!(nearest("x", ["a", "b"].into_iter()), Some("a"));
        assert_eq!(nearest("x", [].into_iter()), None);
    }
}
