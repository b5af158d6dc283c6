//! Our ledger against the provider's own journal. It must take neither for the truth: whatever
//! only one of them has is shown.

pub(crate) mod settled;

use std::collections::{BTreeMap, HashMap, HashSet};

use std::time::Duration;

use domain::money::Money;
use domain::reference::ProviderReference;
use ports::audit::{Booked, BookedState, CheckOutcome, CheckResult, OFFENCES_MAX};
use ports::reconciliation::NotedReference;

/// What the provider's journal says of one reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ProviderEntry {
    pub(crate) reference: ProviderReference,
    pub(crate) fact: Fact,
    /// The amount the provider was asked for.
    pub(crate) ordered: Money,
    /// The amount it delivers wherever it delivers anything.
    pub(crate) delivered: Money,
}

/// How long after a delivery was taken back our ledger may still say that it was delivered, once
/// the provider's changes have been read: enough for a store that was busy or away for a while.
pub(crate) const GRACE: Duration = Duration::from_mins(2);

/// Whether our ledger must know of something by now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Judged {
    /// It is so recent, or the provider was not asked since, that they may not know of it.
    Young,
    /// They must know of it.
    Overdue,
}

/// What a request came to at the provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fact {
    /// Nothing yet.
    Awaited,
    /// Nothing, for good.
    Refused,
    /// The customer has it.
    Delivered,
    /// The customer had it, and has it no more.
    Reversed(Judged),
}

impl Fact {
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Awaited => "not delivered yet",
            Self::Refused => "refused",
            Self::Delivered => "delivered",
            Self::Reversed(_) => "taken back",
        }
    }
}

/// The ledger and the provider's journal. While a server works both grow: what the provider has
/// done, we must know of afterwards; what we have captured, the provider must have done before.
#[derive(Debug, Default)]
pub(crate) struct LedgerPair {
    /// Our attempts, read before the provider's journal.
    pub(crate) before: Vec<Booked>,
    /// The provider's journal.
    pub(crate) theirs: Vec<ProviderEntry>,
    /// Our attempts, read after it.
    pub(crate) after: Vec<Booked>,
    /// References of theirs that our ledger did not have when they were compared, read last.
    pub(crate) noted: Vec<NotedReference>,
}

/// What cannot be compared, because the provider's journal is not here.
pub(crate) fn skipped() -> CheckResult {
    let reason =
        "skipped: the provider's journal is not in this data folder; run the audit where the \
                  sandbox's journal is, or give its file back"
            .to_owned();
    CheckResult {
        invariant: INVARIANT,
        rule: RULE,
        outcome: CheckOutcome::NotApplicable { reason },
    }
}

const INVARIANT: &str = "I7";
const RULE: &str = "The provider delivered nothing twice, and its journal agrees with the ledger.";

/// Compares the two: invariant I7, by the record of the provider itself.
pub(crate) fn compare(books: &LedgerPair) -> CheckResult {
    let mut offences = doubled(&books.theirs);
    offences.extend(unexplained(&books.theirs, (&books.after, &books.noted)));
    offences.extend(undelivered(&books.before, &books.theirs));
    offences.extend(settled::unknown(&books.noted, &books.theirs));
    let examined = books.theirs.len().saturating_add(books.before.len());
    let outcome = if offences.is_empty() {
        let examined = u64::try_from(examined).unwrap_or(u64::MAX);
        CheckOutcome::Holds { examined }
    } else {
        offences.truncate(OFFENCES_MAX);
        CheckOutcome::Broken { offences }
    };
    CheckResult {
        invariant: INVARIANT,
        rule: RULE,
        outcome,
    }
}

/// References that are in the provider's journal twice, and transactions delivered twice.
fn doubled(theirs: &[ProviderEntry]) -> Vec<String> {
    let mut seen = HashSet::new();
    let mut delivered: BTreeMap<&str, u32> = BTreeMap::new();
    let mut offences = Vec::new();
    for entry in theirs {
        let reference = entry.reference.as_str();
        if !seen.insert(reference) {
            offences.push(format!("{reference}: in the provider's journal twice"));
        }
        // The number of the attempt follows the last dot; what is before it is the transaction.
        let transaction = reference
            .rsplit_once('.')
            .map_or(reference, |(name, _)| name);
        if entry.fact == Fact::Delivered {
            let count = delivered.entry(transaction).or_default();
            *count = count.saturating_add(1);
        }
    }
    let twice = delivered.into_iter().filter(|(_, count)| *count > 1);
    offences.extend(twice.map(|(name, count)| format!("{name}: delivered {count} times")));
    offences
}

/// What the provider did and our ledger does not account for.
fn unexplained(
    theirs: &[ProviderEntry],
    (ours, noted): (&[Booked], &[NotedReference]),
) -> Vec<String> {
    let noted: HashMap<&ProviderReference, &NotedReference> =
        noted.iter().map(|it| (&it.reference, it)).collect();
    let ours: HashMap<&ProviderReference, &Booked> = ours
        .iter()
        .map(|booked| (&booked.reference, booked))
        .collect();
    let explain = |entry: &ProviderEntry| {
        let reference = &entry.reference;
        let Some(booked) = ours.get(reference) else {
            if let Some(noted) = noted.get(reference) {
                return settled::offence(entry, noted.settled_as);
            }
            return Some(format!(
                "{reference}: in the provider's journal ({}), not in ours",
                entry.fact.word()
            ));
        };
        if booked.amount != entry.ordered {
            return Some(format!(
                "{reference}: the provider was asked for {}, our ledger says {}",
                entry.ordered, booked.amount
            ));
        }
        if entry.delivered != booked.amount && is_settled_as_delivered(booked.state) {
            return Some(format!(
                "{reference}: the provider delivered {}, our ledger says {}",
                entry.delivered, booked.amount
            ));
        }
        (!is_accounted_for(entry.fact, booked.state)).then(|| {
            format!(
                "{reference}: {} at the provider, {} in our ledger",
                entry.fact.word(),
                word(booked.state)
            )
        })
    };
    theirs.iter().filter_map(explain).collect()
}

/// Whether our ledger may say so of what the provider did.
pub(crate) const fn is_accounted_for(fact: Fact, booked: BookedState) -> bool {
    match (fact, booked) {
        // The outcome may not have reached us yet.
        (Fact::Delivered, BookedState::Open | BookedState::Delivered | BookedState::Lost)
        | (Fact::Awaited | Fact::Refused, BookedState::Open | BookedState::Disproven)
        // A reversal that was booked; one that came before the delivery was known disproves the
        // attempt, as does one after a loss was booked, which is undone then; and one of a delivery
        // that a person must decide about leaves that open.
        | (
            Fact::Reversed(_),
            BookedState::Reversed | BookedState::Disproven | BookedState::Open,
        )
        // It may not have reached us yet.
        | (Fact::Reversed(Judged::Young), BookedState::Delivered | BookedState::Lost) => true,
        (Fact::Delivered, BookedState::Reversed | BookedState::Disproven)
        | (Fact::Reversed(Judged::Overdue), BookedState::Delivered | BookedState::Lost)
        | (
            Fact::Awaited | Fact::Refused,
            BookedState::Delivered | BookedState::Reversed | BookedState::Lost,
        ) => false,
    }
}

/// Whether our ledger has taken the delivery for what was ordered. While it is open or under
/// review, its amount is still in question.
pub(crate) const fn is_settled_as_delivered(booked: BookedState) -> bool {
    match booked {
        BookedState::Delivered | BookedState::Reversed | BookedState::Lost => true,
        BookedState::Open | BookedState::Disproven => false,
    }
}

/// What our ledger says was delivered and the provider does not know of. What it knows of and says
/// otherwise is found the other way round.
fn undelivered(ours: &[Booked], theirs: &[ProviderEntry]) -> Vec<String> {
    let theirs: HashSet<&ProviderReference> = theirs.iter().map(|entry| &entry.reference).collect();
    let missing = ours.iter().filter(|booked| match booked.state {
        BookedState::Delivered | BookedState::Reversed | BookedState::Lost => {
            !theirs.contains(&booked.reference)
        }
        BookedState::Open | BookedState::Disproven => false,
    });
    let describe = |booked: &Booked| {
        format!(
            "{}: {} in our ledger, not in the provider's",
            booked.reference,
            word(booked.state)
        )
    };
    missing.map(describe).collect()
}

pub(crate) const fn word(state: BookedState) -> &'static str {
    match state {
        BookedState::Open => "open",
        BookedState::Delivered => "captured",
        BookedState::Reversed => "reversed",
        BookedState::Disproven => "disproven",
        BookedState::Lost => "booked as a loss",
    }
}

#[cfg(test)]
mod tests {
    use domain::money::Currency;

    use super::*;

    const FACTS: [Fact; 5] = [
        Fact::Awaited,
        Fact::Refused,
        Fact::Delivered,
        Fact::Reversed(Judged::Young),
        Fact::Reversed(Judged::Overdue),
    ];

    fn naira(minor: i64) -> Money {
        Money::from_minor(minor, Currency::Ngn)
    }

    fn ours(reference: &str, state: BookedState) -> Booked {
        Booked {
            reference: ProviderReference::from_echo(reference),
            state,
            amount: naira(100),
            id: None,
            cost: naira(97),
        }
    }

    fn theirs(reference: &str, fact: Fact) -> ProviderEntry {
        ProviderEntry {
            reference: ProviderReference::from_echo(reference),
            fact,
            ordered: naira(100),
            delivered: naira(100),
        }
    }

    /// Everything that is found when nothing moves meanwhile.
    fn offences(ours: &[Booked], theirs: &[ProviderEntry]) -> Vec<String> {
        let books = LedgerPair {
            before: ours.to_vec(),
            theirs: theirs.to_vec(),
            after: ours.to_vec(),
            noted: Vec::new(),
        };
        match compare(&books).outcome {
            CheckOutcome::Broken { offences } => offences,
            CheckOutcome::Holds { .. } | CheckOutcome::NotApplicable { .. } => Vec::new(),
        }
    }

    #[test]
    fn books_that_agree_are_clean_and_say_how_much_was_looked_at() {
        let books = LedgerPair {
            before: vec![ours("a.x.1", BookedState::Delivered)],
            theirs: vec![theirs("a.x.1", Fact::Delivered)],
            after: vec![ours("a.x.1", BookedState::Delivered)],
            noted: vec![],
        };
        let holds = CheckOutcome::Holds { examined: 2 };
        assert_eq!(compare(&books).outcome, holds);
    }

    #[test]
    fn an_effect_is_captured_open_or_a_loss_and_nothing_else() {
        let offending = |fact| {
            let states = [
                BookedState::Open,
                BookedState::Delivered,
                BookedState::Reversed,
                BookedState::Disproven,
                BookedState::Lost,
            ];
            states.map(|state| offences(&[ours("a.x.1", state)], &[theirs("a.x.1", fact)]).len())
        };
        assert_eq!(offending(Fact::Delivered), [0, 0, 1, 1, 0]);
        assert_eq!(offending(Fact::Refused), [0, 1, 1, 0, 1]);
        assert_eq!(offending(Fact::Awaited), [0, 1, 1, 0, 1]);
        assert_eq!(offending(Fact::Reversed(Judged::Young)), [0, 0, 0, 0, 0]);
        assert_eq!(offending(Fact::Reversed(Judged::Overdue)), [0, 1, 0, 0, 1]);
    }

    #[test]
    fn a_captured_attempt_that_was_never_delivered_is_found() {
        for state in [
            BookedState::Delivered,
            BookedState::Reversed,
            BookedState::Lost,
        ] {
            let found = offences(&[ours("a.x.1", state)], &[]);
            assert_eq!(found.len(), 1, "{state:?}");
            assert!(found[0].ends_with("not in the provider's"), "{found:?}");
        }
        for state in [BookedState::Open, BookedState::Disproven] {
            assert_eq!(offences(&[ours("a.x.1", state)], &[]), [""; 0]);
        }
    }

    #[test]
    fn anything_the_provider_knows_and_we_do_not_is_found() {
        for fact in FACTS {
            assert_eq!(offences(&[], &[theirs("a.x.1", fact)]).len(), 1, "{fact:?}");
        }
    }

    #[test]
    fn a_second_effect_of_one_transaction_is_found() {
        let found = offences(
            &[
                ours("a.x.1", BookedState::Lost),
                ours("a.x.2", BookedState::Delivered),
            ],
            &[
                theirs("a.x.1", Fact::Delivered),
                theirs("a.x.2", Fact::Delivered),
            ],
        );
        assert_eq!(found, ["a.x: delivered 2 times"]);
    }

    #[test]
    fn a_second_attempt_after_a_refused_first_is_no_second_effect() {
        let found = offences(
            &[
                ours("a.x.1", BookedState::Disproven),
                ours("a.x.2", BookedState::Delivered),
            ],
            &[
                theirs("a.x.1", Fact::Refused),
                theirs("a.x.2", Fact::Delivered),
            ],
        );
        assert_eq!(found, [""; 0]);
    }

    #[test]
    fn a_reference_that_is_booked_twice_is_found() {
        let entry = theirs("a.x.1", Fact::Refused);
        let found = offences(
            &[ours("a.x.1", BookedState::Disproven)],
            &[entry.clone(), entry],
        );
        assert_eq!(found, ["a.x.1: in the provider's journal twice"]);
    }

    #[test]
    fn another_amount_is_found() {
        let entry = ProviderEntry {
            ordered: naira(101),
            ..theirs("a.x.1", Fact::Delivered)
        };
        let found = offences(&[ours("a.x.1", BookedState::Delivered)], &[entry]);
        assert_eq!(
            found,
            ["a.x.1: the provider was asked for 1.01, our ledger says 1.00"]
        );
    }

    #[test]
    fn a_delivery_of_another_amount_is_found_once_it_is_settled() {
        let found = |state, fact| {
            let entry = ProviderEntry {
                delivered: naira(200),
                ..theirs("a.x.1", fact)
            };
            offences(&[ours("a.x.1", state)], &[entry])
        };
        assert_eq!(
            found(BookedState::Delivered, Fact::Delivered),
            ["a.x.1: the provider delivered 2.00, our ledger says 1.00"]
        );
        assert_eq!(found(BookedState::Lost, Fact::Delivered).len(), 1);
        let reversed = Fact::Reversed(Judged::Young);
        assert_eq!(found(BookedState::Reversed, reversed).len(), 1);
        assert_eq!(found(BookedState::Open, Fact::Delivered), [""; 0]);
        assert_eq!(found(BookedState::Disproven, Fact::Refused), [""; 0]);
    }

    #[test]
    fn what_happens_while_the_books_are_read_is_no_difference() {
        // One was captured after the provider's journal was read, one was opened before it was.
        let books = LedgerPair {
            before: vec![],
            theirs: vec![theirs("a.new.1", Fact::Delivered)],
            after: vec![
                ours("a.new.1", BookedState::Open),
                ours("a.newer.1", BookedState::Delivered),
            ],
            noted: vec![],
        };
        let check = compare(&books);
        assert!(
            matches!(check.outcome, CheckOutcome::Holds { .. }),
            "{check:?}"
        );
    }

    #[test]
    fn a_broken_book_shows_a_readable_number_of_rows() {
        let many: Vec<ProviderEntry> = (0..100)
            .map(|n| theirs(&format!("a.{n}.1"), Fact::Delivered))
            .collect();
        assert_eq!(offences(&[], &many).len(), OFFENCES_MAX);
    }

    #[test]
    fn what_our_ledger_says_is_reported_in_words() {
        for (state, expected) in [
            (BookedState::Delivered, "captured"),
            (BookedState::Reversed, "reversed"),
            (BookedState::Lost, "booked as a loss"),
        ] {
            let found = offences(&[ours("a.x.1", state)], &[]);
            let line = format!("a.x.1: {expected} in our ledger, not in the provider's");
            assert_eq!(found, [line]);
        }
        let found = offences(
            &[ours("a.x.1", BookedState::Disproven)],
            &[theirs("a.x.1", Fact::Delivered)],
        );
        assert_eq!(
            found,
            ["a.x.1: delivered at the provider, disproven in our ledger"]
        );
    }
}
