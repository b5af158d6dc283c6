//! Where a settlement file and our ledger differ. It must take neither for the truth.

use super::rows::{FoldedRow, SettlementRows};
use crate::provider_reconciliation::{
    Fact, ProviderEntry, is_accounted_for, is_settled_as_delivered, settled, word,
};
use domain::money::Money;
use domain::reference::ProviderReference;
use ports::audit::{Booked, BookedState};
use ports::reconciliation::NotedReference;
use std::collections::HashMap;

/// What our ledger has of a provider.
#[derive(Debug)]
pub(crate) struct LedgerSide {
    /// Our attempts.
    pub(crate) booked: Vec<Booked>,
    /// References that only the provider knew, settled or not.
    pub(crate) noted: Vec<NotedReference>,
}

/// One difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SettlementDifference {
    pub(crate) reference: ProviderReference,
    /// What differs, the same for the same difference in any file.
    pub(crate) about: String,
    /// The money in question.
    pub(crate) amount: Money,
    /// The line of the file, where it has one.
    pub(crate) line: Option<u64>,
}

/// What the file says and our ledger does not, and what our ledger says was delivered that is not
/// in the file. Whether the second kind had to be in it depends on when it was opened.
pub(crate) fn compare(
    ours: &LedgerSide,
    file: &SettlementRows,
) -> (Vec<SettlementDifference>, Vec<SettlementDifference>) {
    let booked: HashMap<&str, &Booked> = ours
        .booked
        .iter()
        .map(|it| (it.reference.as_str(), it))
        .collect();
    let noted: HashMap<&str, &NotedReference> = ours
        .noted
        .iter()
        .map(|it| (it.reference.as_str(), it))
        .collect();
    let rows = file.by_reference.iter();
    let found = rows.filter_map(|(reference, row)| {
        let name = reference.as_str();
        let about = match (booked.get(name), noted.get(name)) {
            (Some(booked), _) => differing(row, booked),
            (None, Some(noted)) => differing_from_settled(reference, row, noted),
            (None, None) => Some(format!(
                "in the settlement file ({} for {}), not among our attempts there",
                row.fact.word(),
                row.amount
            )),
        };
        Some(SettlementDifference {
            reference: ProviderReference::from_echo(reference.clone()),
            about: about?,
            amount: row.amount,
            line: Some(row.line),
        })
    });
    let absent = ours.booked.iter().filter(|it| match it.state {
        BookedState::Delivered | BookedState::Lost => {
            !file.by_reference.contains_key(it.reference.as_str())
        }
        BookedState::Open | BookedState::Disproven | BookedState::Reversed => false,
    });
    let absent = absent.map(|it| SettlementDifference {
        reference: it.reference.clone(),
        about: format!(
            "{} for {} in our ledger, not in the settlement file",
            word(it.state),
            it.amount
        ),
        amount: it.amount,
        line: None,
    });
    (found.collect(), absent.collect())
}

/// How a row differs from an attempt of ours.
fn differing(row: &FoldedRow, booked: &Booked) -> Option<String> {
    if row.deliveries > 1 {
        return Some(format!(
            "delivered {} times in the settlement file",
            row.deliveries
        ));
    }
    if !is_accounted_for(row.fact, booked.state) {
        return Some(format!(
            "{} in the settlement file, {} in our ledger",
            row.fact.word(),
            word(booked.state)
        ));
    }
    let is_charged = matches!(row.fact, Fact::Delivered | Fact::Reversed(_));
    // What is billed in another currency, such as message credits, has no amount to compare.
    let is_comparable = row.amount.currency() == booked.amount.currency();
    let differs = is_comparable && row.amount != booked.amount;
    (is_charged && differs && is_settled_as_delivered(booked.state)).then(|| {
        format!(
            "{} in the settlement file, {} in our ledger",
            row.amount, booked.amount
        )
    })
}

/// How a row differs from a reference that only the provider knew.
fn differing_from_settled(
    reference: &str,
    row: &FoldedRow,
    noted: &NotedReference,
) -> Option<String> {
    // One that waits to be settled is a case of its own already.
    let settled_as = noted.settled_as?;
    let entry = ProviderEntry {
        reference: ProviderReference::from_echo(reference),
        fact: row.fact,
        ordered: row.amount,
        delivered: row.amount,
    };
    let about = settled::offence(&entry, Some(settled_as))?;
    let prefix = format!("{reference}: ");
    Some(about.strip_prefix(&prefix).unwrap_or(&about).to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::{SettlementColumns, read};
    use super::*;
    use domain::money::Currency;

    fn found(file: &str, ours: &[(&str, BookedState)]) -> Vec<String> {
        let columns = "reference = \"r\"\namount = \"a\"\nstatus = \"s\"\ndelivered = [\"ok\"]\n\
                       failed = [\"no\"]\nreversed = [\"back\"]\n";
        let columns = SettlementColumns::parse(columns).unwrap();
        let file = format!("r,a,s\n{file}");
        let rows = read(file.as_bytes(), &columns, |_| ()).unwrap();
        let booked = ours.iter().map(|(reference, state)| Booked {
            reference: ProviderReference::from_echo(*reference),
            state: *state,
            amount: Money::from_minor(100, Currency::Ngn),
        });
        let ours = LedgerSide {
            booked: booked.collect(),
            noted: Vec::new(),
        };
        let (found, absent) = compare(&ours, &rows);
        let all = found.iter().chain(&absent);
        all.map(|it| format!("{}: {}", it.reference, it.about))
            .collect()
    }

    #[test]
    fn a_file_that_agrees_shows_nothing_and_each_difference_is_named() {
        use BookedState::{Delivered, Disproven, Lost, Open, Reversed};
        for (file, ours, expected) in [
            ("x,1.00,ok", &[("x", Delivered)][..], &[][..]),
            ("x,1.00,ok", &[("x", Open)], &[]),
            ("x,1.00,ok\nx,1.00,back", &[("x", Reversed)], &[]),
            ("x,0.00,no", &[("x", Disproven)], &[]),
            (
                "x,2.00,ok",
                &[("x", Delivered)],
                &["x: 2.00 in the settlement file, 1.00 in our ledger"],
            ),
            (
                "x,1.00,no",
                &[("x", Delivered)],
                &["x: refused in the settlement file, captured in our ledger"],
            ),
            (
                "x,1.00,ok",
                &[("x", Disproven)],
                &["x: delivered in the settlement file, disproven in our ledger"],
            ),
            (
                "x,1.00,ok\nx,1.00,ok",
                &[("x", Delivered)],
                &["x: delivered 2 times in the settlement file"],
            ),
            (
                "y,1.00,ok",
                &[("x", Lost), ("z", Reversed)],
                &[
                    "y: in the settlement file (delivered for 1.00), not among our attempts there",
                    "x: booked as a loss for 1.00 in our ledger, not in the settlement file",
                ],
            ),
        ] {
            assert_eq!(found(file, ours), expected, "{file}");
        }
    }
}
