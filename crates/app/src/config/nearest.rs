//! Finding the name that was probably meant. It must never act on the guess.

/// Most changes between a name and what may have been meant: more is another word.
const CHANGES_MAX: usize = 4;

/// The candidate that is fewest changes away from `name`.
pub(crate) fn nearest<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    candidates
        .into_iter()
        .map(|candidate| (changes(name, candidate), candidate))
        .min_by_key(|(changes, _)| *changes)
        .filter(|(changes, _)| *changes <= CHANGES_MAX)
        .map(|(_, candidate)| candidate)
}

/// How many characters must be added, dropped or replaced (Levenshtein), one row at a time.
fn changes(from: &str, to: &str) -> usize {
    let mut row: Vec<usize> = (0..=to.chars().count()).collect();
    for (index, left) in from.chars().enumerate() {
        let mut diagonal = index;
        let mut before = index.saturating_add(1);
        let mut next = vec![before];
        for (right, above) in to.chars().zip(row.iter().skip(1)) {
            let replaced = diagonal.saturating_add(usize::from(left != right));
            before = replaced.min(before.min(*above).saturating_add(1));
            next.push(before);
            diagonal = *above;
        }
        row = next;
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_counted() {
        for (from, to, expected) in [
            ("", "", 0),
            ("", "abc", 3),
            ("abc", "", 3),
            ("kitten", "sitting", 3),
            ("flaw", "lawn", 2),
            ("listen", "listen", 0),
        ] {
            assert_eq!(changes(from, to), expected, "{from} {to}");
        }
    }

    #[test]
    fn a_name_far_from_every_other_has_no_nearest() {
        assert_eq!(nearest("lisen", ["log", "listen"]), Some("listen"));
        assert_eq!(nearest("completely-else", ["log", "listen"]), None);
    }
}
