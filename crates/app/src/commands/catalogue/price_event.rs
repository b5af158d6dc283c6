//! The event of a publication: what the signed entry of the operators' log says was changed. It
//! must stay short: the whole difference is kept with the versions.

use catalogue::CatalogueChange;

/// Most changes that an entry names; `manilla catalogue diff` shows all of them.
const NAMED_MAX: usize = 20;

/// Most characters of one of them: a name of a plan may be long.
const CHARACTERS_MAX: usize = 160;

/// The changes in one line, such as `internet.301 plan 30109: 1,500.00 -> 2,000.00`.
pub(super) fn changes_in_a_line(changes: &[CatalogueChange]) -> String {
    let named = changes.iter().take(NAMED_MAX).map(named);
    let mut named: Vec<String> = named.collect();
    let left = changes.len().saturating_sub(named.len());
    if left > 0 {
        named.push(format!("and {left} more"));
    }
    named.join("; ")
}

fn named(change: &CatalogueChange) -> String {
    let side = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
    let (before, after) = (side(&change.before), side(&change.after));
    let line = format!("{} {}: {before} -> {after}", change.product, change.what);
    // A name may hold anything that a document may; the log is read line by line.
    let shown = line
        .chars()
        .map(|it| if it.is_control() { ' ' } else { it });
    shown.take(CHARACTERS_MAX).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(number: usize, after: &str) -> CatalogueChange {
        CatalogueChange {
            product: "internet.301".to_owned(),
            what: format!("plan {number}"),
            before: Some("1,500.00".to_owned()),
            after: Some(after.to_owned()),
        }
    }

    #[test]
    fn changes_are_named_and_those_beyond_are_counted() {
        let two = [change(1, "2,000.00"), change(2, "a\nb")];
        assert_eq!(
            changes_in_a_line(&two),
            "internet.301 plan 1: 1,500.00 -> 2,000.00; internet.301 plan 2: 1,500.00 -> a b"
        );
        let many: Vec<_> = (0..25).map(|it| change(it, &"9".repeat(500))).collect();
        let line = changes_in_a_line(&many);
        assert!(line.ends_with("; and 5 more"), "{line}");
        assert!(line.len() < 4_000);
    }
}
