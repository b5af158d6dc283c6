//! References that only the provider knew, against its book: each must be settled as what the
//! provider says came of it. What was booked is compared with what was delivered: what was ordered
//! is in no book of ours.

use super::{Fact, Judged, ProviderEntry};
use domain::money::Money;
use domain::reference::ProviderReference;
use domain::reference_settlement::SettledAs;
use ports::reconciliation::NotedReference;
use std::collections::HashSet;

/// What is wrong with an entry of theirs that our attempts do not have.
pub(crate) fn offence(entry: &ProviderEntry, settled_as: Option<SettledAs>) -> Option<String> {
    let (reference, word) = (&entry.reference, entry.fact.word());
    let Some(settled_as) = settled_as else {
        return Some(format!(
            "{reference}: {word} at the provider, not settled in our ledger; see \
             `manilla reconcile settle`"
        ));
    };
    if let Some(booked) = settled_as.amount()
        && booked != entry.delivered
    {
        return Some(format!(
            "{reference}: the provider delivered {}, our ledger settled {booked}",
            entry.delivered
        ));
    }
    (!is_accounted_for(entry.fact, settled_as)).then(|| {
        let settled = settled_as.code().replace('_', " ");
        format!("{reference}: {word} at the provider, settled as {settled} in our ledger")
    })
}

/// What was settled with money and is not in their book.
pub(super) fn unknown(noted: &[NotedReference], theirs: &[ProviderEntry]) -> Vec<String> {
    let theirs: HashSet<&ProviderReference> = theirs.iter().map(|entry| &entry.reference).collect();
    let booked = noted.iter().filter_map(|it| {
        let amount: Money = it.settled_as?.amount()?;
        (!theirs.contains(&it.reference)).then_some((&it.reference, amount))
    });
    let offence = |(reference, amount): (&ProviderReference, Money)| {
        format!("{reference}: settled for {amount} in our ledger, not in the provider's")
    };
    booked.map(offence).collect()
}

const fn is_accounted_for(fact: Fact, settled_as: SettledAs) -> bool {
    match (fact, settled_as) {
        (Fact::Delivered, SettledAs::Charged(_) | SettledAs::Absorbed(_))
        | (Fact::Refused | Fact::Reversed(_), SettledAs::NotDelivered)
        // It was taken back after it was booked: as for any loss, that stays booked.
        | (Fact::Reversed(_), SettledAs::Absorbed(_))
        | (Fact::Reversed(Judged::Young), SettledAs::Charged(_)) => true,
        (Fact::Reversed(Judged::Overdue), SettledAs::Charged(_))
        | (Fact::Delivered, SettledAs::NotDelivered)
        | (Fact::Refused, SettledAs::Charged(_) | SettledAs::Absorbed(_))
        | (Fact::Awaited, _)
        // Its attempt would be among ours.
        | (_, SettledAs::Reopened) => false,
    }
}

#[cfg(test)]
mod tests {
    use domain::money::Currency;

    use super::*;

    fn naira(minor: i64) -> Money {
        Money::from_minor(minor, Currency::Ngn)
    }

    fn theirs(fact: Fact) -> ProviderEntry {
        ProviderEntry {
            reference: ProviderReference::from_echo("a.x.1"),
            fact,
            ordered: naira(100),
            delivered: naira(200),
        }
    }

    #[test]
    fn a_reference_is_settled_as_what_came_of_it() {
        let found = |settled_as| {
            let facts = [
                Fact::Awaited,
                Fact::Refused,
                Fact::Delivered,
                Fact::Reversed(Judged::Young),
                Fact::Reversed(Judged::Overdue),
            ];
            facts.map(|fact| offence(&theirs(fact), Some(settled_as)).is_some())
        };
        let charged = found(SettledAs::Charged(naira(200)));
        assert_eq!(charged, [true, true, false, false, true]);
        let absorbed = found(SettledAs::Absorbed(naira(200)));
        assert_eq!(absorbed, [true, true, false, false, false]);
        let not_delivered = found(SettledAs::NotDelivered);
        assert_eq!(not_delivered, [true, false, true, false, false]);
        assert_eq!(found(SettledAs::Reopened), [true; 5]);
    }

    #[test]
    fn one_that_waits_or_was_settled_for_another_amount_is_found() {
        let found = offence(&theirs(Fact::Delivered), None).unwrap();
        assert!(found.contains("manilla reconcile settle"), "{found}");
        let other = SettledAs::Charged(naira(100));
        assert_eq!(
            offence(&theirs(Fact::Delivered), Some(other)).unwrap(),
            "a.x.1: the provider delivered 2.00, our ledger settled 1.00"
        );
    }

    #[test]
    fn what_was_settled_with_money_is_in_their_book() {
        let noted = |settled_as| NotedReference {
            reference: ProviderReference::from_echo("a.x.1"),
            settled_as,
        };
        let charged = [noted(Some(SettledAs::Charged(naira(200))))];
        assert_eq!(unknown(&charged, &[theirs(Fact::Delivered)]), [""; 0]);
        assert_eq!(unknown(&charged, &[]).len(), 1);
        let nothing = [noted(None), noted(Some(SettledAs::NotDelivered))];
        assert_eq!(unknown(&nothing, &[]), [""; 0]);
    }
}
