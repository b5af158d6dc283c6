//! Where a settlement file and our ledger differ. It must take neither for the truth.

use super::rows::{FoldedRow, SettlementRows};
use crate::provider_reconciliation::{
    Fact, ProviderEntry, is_accounted_for, is_settled_as_delivered, settled, word,
};
use domain::money::Money;
use domain::provider::ProviderTransactionId;
use domain::reference::ProviderReference;
use ports::audit::{Booked, BookedState};
use ports::reconciliation::NotedReference;
use std::collections::{HashMap, HashSet};

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
        .filter_map(|it| Some((name_of(it, file)?, it)))
        .collect();
    let mut seen = HashSet::new();
    let names = ours.booked.iter().filter_map(|it| name_of(it, file));
    let twice: HashSet<&str> = names.filter(|name| !seen.insert(*name)).collect();
    let noted: HashMap<&str, &NotedReference> = ours
        .noted
        .iter()
        .map(|it| (it.reference.as_str(), it))
        .collect();
    let rows = file.by_reference.iter();
    let found = rows.filter_map(|(reference, row)| {
        let name = reference.as_str();
        let about = match (booked.get(name), noted.get(name)) {
            (Some(_), _) if twice.contains(name) => {
                Some("the name of several of our attempts there".to_owned())
            }
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
            name_of(it, file).is_none_or(|name| !file.by_reference.contains_key(name))
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

/// What the file would call an attempt of ours; `None` where only the provider could say.
fn name_of<'a>(booked: &'a Booked, file: &SettlementRows) -> Option<&'a str> {
    if file.by_provider_id {
        return booked.id.as_ref().map(ProviderTransactionId::as_str);
    }
    Some(booked.reference.as_str())
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
    if is_charged && differs && is_settled_as_delivered(booked.state) {
        return Some(format!(
            "{} in the settlement file, {} in our ledger",
            row.amount, booked.amount
        ));
    }
    // What was taken back costs nothing in the end, and files show that in different ways.
    let is_kept = row.fact == Fact::Delivered
        && matches!(booked.state, BookedState::Delivered | BookedState::Lost);
    let is_other = |cost: &Money| cost.currency() == booked.cost.currency() && *cost != booked.cost;
    let cost = row.cost.filter(|cost| is_kept && is_other(cost))?;
    Some(format!(
        "cost {cost} in the settlement file, {} in our ledger",
        booked.cost
    ))
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
        found_by("reference = \"r\"", &format!("r,a,s\n{file}"), ours)
    }

    fn found_by(name: &str, file: &str, ours: &[(&str, BookedState)]) -> Vec<String> {
        let columns = format!(
            "{name}\namount = \"a\"\nstatus = \"s\"\ndelivered = [\"ok\"]\nfailed = [\"no\"]\n\
             reversed = [\"back\"]\n"
        );
        let columns = SettlementColumns::parse(&columns).unwrap();
        let rows = read(file.as_bytes(), &columns, |_| ()).unwrap();
        let booked = ours.iter().map(|(reference, state)| Booked {
            reference: ProviderReference::from_echo(*reference),
            state: *state,
            amount: Money::from_minor(100, Currency::Ngn),
            id: ProviderTransactionId::parse(&format!("id-{reference}")),
            cost: Money::from_minor(97, Currency::Ngn),
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
    fn attempts_are_found_by_what_the_provider_calls_them_and_their_costs_compared() {
        use BookedState::{Delivered, Lost, Reversed};
        let columns = "provider_id = \"i\"\ncost = \"c\"";
        for (row, state, expected) in [
            ("id-x,1.00,0.97,ok", Delivered, &[][..]),
            ("id-x,1.00,,ok", Delivered, &[]),
            (
                "id-x,1.00,0.98,ok",
                Delivered,
                &["id-x: cost 0.98 in the settlement file, 0.97 in our ledger"],
            ),
            (
                "id-x,1.00,0.98,ok",
                Lost,
                &["id-x: cost 0.98 in the settlement file, 0.97 in our ledger"],
            ),
            ("id-x,1.00,0.00,back", Reversed, &[]),
            (
                "x,1.00,0.97,ok",
                Reversed,
                &["x: in the settlement file (delivered for 1.00), not among our attempts there"],
            ),
        ] {
            let file = format!("i,a,c,s\n{row}");
            assert_eq!(found_by(columns, &file, &[("x", state)]), expected, "{row}");
        }
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
