//! Tables of text: sorted lines, the key before the first tab. It must not copy them.

/// The lines of a table without its comments.
#[cfg(test)]
pub(super) fn of(table: &str) -> impl Iterator<Item = &str> {
    rows(table).lines()
}

/// The first line whose key is not before the key that is looked up; `before` decides that for a
/// key.
pub(super) fn first_not(table: &str, before: impl Fn(&str) -> bool) -> Option<&str> {
    let rows = rows(table);
    // Lines that begin before `low` have smaller keys, and no line that begins at `high` or later
    // has.
    let (mut low, mut high) = (0_usize, rows.len());
    while low < high {
        let middle = low.midpoint(high);
        let feed = rows
            .as_bytes()
            .get(low..middle)?
            .iter()
            .rposition(|byte| *byte == b'\n');
        let begin = feed.map_or(low, |at| low.saturating_add(at).saturating_add(1));
        let line = rows.get(begin..)?.lines().next()?;
        if before(line.split('\t').next()?) {
            low = begin.saturating_add(line.len()).saturating_add(1);
        } else {
            high = begin;
        }
    }
    rows.get(low..)?.lines().next()
}

/// What follows the comments.
fn rows(table: &str) -> &str {
    let mut rest = table;
    while rest.starts_with('#') {
        rest = rest.split_once('\n').map_or("", |(_, rest)| rest);
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_line_is_found_by_its_key_and_comments_are_no_lines() {
        let table = "# a comment\n# another\nb\tone\nd\ttwo\nf\t\n";
        let found = |key: &str| first_not(table, |line| line < key);
        assert_eq!(found("a"), Some("b\tone"));
        assert_eq!(found("b"), Some("b\tone"));
        assert_eq!(found("c"), Some("d\ttwo"));
        assert_eq!(found("f"), Some("f\t"));
        assert_eq!(found("g"), None);
        assert_eq!(first_not("# nothing else", |_| false), None);
        assert_eq!(first_not("", |_| false), None);
    }

    proptest! {
        #[test]
        fn a_search_by_halves_finds_what_reading_every_line_finds(
            mut keys: Vec<u16>,
            wanted: u16,
        ) {
            keys.sort_unstable();
            keys.dedup();
            let lines = keys.iter().map(|key| format!("{key}\tvalue of {key}\n"));
            let table: String = ["# comment\n".to_owned()].into_iter().chain(lines).collect();
            let before = |key: &str| key.parse::<u16>().unwrap() < wanted;
            let expected = keys.iter().find(|key| **key >= wanted);
            let expected = expected.map(|key| format!("{key}\tvalue of {key}"));
            prop_assert_eq!(first_not(&table, before), expected.as_deref());
        }
    }
}
