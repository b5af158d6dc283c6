//! Whatever is heard, in whatever order, at whatever time, however often and however silence is
//! read: money and numbers stay right. It must not know what a sensible sequence is.
#![cfg(test)]

mod sample;

use domain::change_set::Advance;
use domain::event::EventKind;
use domain::ledger::{LedgerAccount, Transfer, TransferKind, Wallet};
use domain::money::Money;
use domain::provider::{Finding, Fulfilment, Outcome, Profile, Receipt, UnknownCause};
use domain::sms::{DeliveryStatus, Dispatch};
use domain::time::Timestamp;
use domain::transaction::{
    AttemptNumber, Disproven, Learned, News, Proof, State, Status, Transaction, Verdict,
};
use proptest::collection::vec;
use proptest::prelude::*;
use sample::Product;
use std::collections::BTreeMap;
use std::time::Duration;

/// Something said, before it is known of which transaction.
#[derive(Debug, Clone, Copy)]
enum Word {
    Yes,
    OtherAmount,
    WithoutToken,
    No,
    NotSent,
    Pending,
    NotFound,
    Reversed,
    Unknown,
    Takeover,
    RuledYes,
    RuledNo,
    /// What became of the two parts of a message.
    Told(DeliveryStatus, DeliveryStatus),
}

const WORDS: [Word; 18] = [
    Word::Yes,
    Word::OtherAmount,
    Word::WithoutToken,
    Word::No,
    Word::NotSent,
    Word::Pending,
    Word::NotFound,
    Word::Reversed,
    Word::Unknown,
    Word::Takeover,
    Word::RuledYes,
    Word::RuledNo,
    Word::Told(DeliveryStatus::Submitted, DeliveryStatus::Unknown),
    Word::Told(DeliveryStatus::Buffered, DeliveryStatus::Pending),
    Word::Told(DeliveryStatus::Delivered, DeliveryStatus::Buffered),
    Word::Told(DeliveryStatus::Submitted, DeliveryStatus::Delivered),
    Word::Told(DeliveryStatus::Delivered, DeliveryStatus::Delivered),
    Word::Told(DeliveryStatus::Expired, DeliveryStatus::Delivered),
];

/// A word, of which attempt, as an answer or a finding, and when.
#[derive(Debug, Clone, Copy)]
struct Said {
    word: Word,
    attempt: AttemptNumber,
    asked: bool,
    minutes: u64,
}

fn said() -> impl Strategy<Value = Said> {
    // Two days, so that quarantine and review are passed both ways; clocks may go back.
    let word = proptest::sample::select(&WORDS[..]);
    (word, 1_u8..=2, any::<bool>(), 0_u64..2_880).prop_map(|(word, attempt, asked, minutes)| Said {
        word,
        attempt: AttemptNumber::try_new(attempt).unwrap(),
        asked,
        minutes,
    })
}

fn profile() -> impl Strategy<Value = Profile> {
    let minutes = |most| (0_u64..most).prop_map(Duration::from_mins);
    (minutes(60), 0_u32..6, minutes(30), minutes(2_880)).prop_map(
        |(quarantine, not_found_min, not_found_spacing, review_after)| Profile {
            quarantine,
            not_found_min,
            not_found_spacing,
            review_after,
        },
    )
}

fn product() -> impl Strategy<Value = Product> {
    proptest::sample::select(&Product::ALL[..])
}

impl Said {
    fn news(self, tx: &Transaction) -> News {
        let attempt = self.attempt;
        let delivered =
            |receipt: Receipt| self.either(Outcome::Delivered, Finding::Delivered, receipt);
        match self.word {
            Word::Yes => delivered(sample::receipt(tx, attempt)),
            Word::OtherAmount => delivered(sample::other_amount(tx, attempt)),
            Word::WithoutToken => delivered(sample::without_token(tx, attempt)),
            Word::No => self.either(Outcome::Declined, Finding::Declined, sample::refusal()),
            Word::NotSent => self.answer(Outcome::NotSent),
            Word::Pending => self.either(|()| Outcome::Pending, |()| Finding::Pending, ()),
            Word::NotFound => self.finding(Finding::NotFound),
            Word::Reversed => self.finding(Finding::Reversed),
            Word::Unknown => {
                let cause = UnknownCause::ConnectionLost;
                self.either(Outcome::Unknown, |_| Finding::Unknown, cause)
            }
            Word::Takeover => News::Takeover { attempt },
            Word::RuledYes => {
                News::Ruling(sample::ruling(Verdict::Delivered(sample::fulfilment(tx))))
            }
            Word::Told(first, second) => delivered(sample::told(tx, attempt, &[first, second])),
            Word::RuledNo => News::Ruling(sample::ruling(Verdict::NotDelivered)),
        }
    }

    fn either<T>(self, answer: fn(T) -> Outcome, finding: fn(T) -> Finding, what: T) -> News {
        if self.asked {
            self.finding(finding(what))
        } else {
            self.answer(answer(what))
        }
    }

    fn answer(self, outcome: Outcome) -> News {
        let attempt = self.attempt;
        News::Answer { attempt, outcome }
    }

    fn finding(self, finding: Finding) -> News {
        let attempt = self.attempt;
        News::Finding { attempt, finding }
    }

    fn at(self) -> Timestamp {
        Timestamp::from_millis(0).plus(Duration::from_mins(self.minutes))
    }
}

/// A transaction with all that its steps moved and told.
struct History {
    tx: Transaction,
    wallet: Wallet,
    transfers: Vec<Transfer>,
    events: Vec<EventKind>,
}

const FUNDED: i64 = 1_000_000;

impl History {
    fn open(product: Product) -> Self {
        let start = Timestamp::from_millis(0);
        let opening = sample::draft(product).open(start, start);
        let currency = opening.transaction.quote.price.currency();
        let mut wallet = Wallet::new(sample::account(), currency);
        wallet.available = Money::from_minor(FUNDED, currency);
        Self {
            tx: opening.transaction,
            wallet: wallet.after(&opening.hold).unwrap(),
            transfers: vec![opening.hold],
            events: vec![opening.event.kind],
        }
    }

    /// Hears something, checks the step it leads to, and goes on from there.
    fn hear(&mut self, said: Said, profile: &Profile) -> Result<(), TestCaseError> {
        let before = self.tx.clone();
        match before
            .clone()
            .learn(&said.news(&before), said.at(), profile)
        {
            Learned::Unchanged(same) => prop_assert_eq!(*same, before),
            Learned::Changed(advance) => {
                check_step(&before, &advance)?;
                let Advance {
                    transaction,
                    transfers,
                    event,
                    ..
                } = *advance;
                for transfer in transfers {
                    let after = self.wallet.after(&transfer);
                    prop_assert!(after.is_ok(), "{transfer:?} does not fit {:?}", self.wallet);
                    self.wallet = after.unwrap();
                    self.transfers.push(transfer);
                }
                self.events.extend(event.map(|event| event.kind));
                self.tx = transaction;
            }
        }
        Ok(())
    }

    fn count(&self, kind: TransferKind) -> usize {
        let of_kind = |transfer: &&Transfer| transfer.kind == kind;
        self.transfers.iter().filter(of_kind).count()
    }

    fn told(&self, kind: EventKind) -> usize {
        self.events.iter().filter(|told| **told == kind).count()
    }

    /// What every account holds after all transfers, each of which must be a transfer at all.
    fn balances(&self) -> Result<BTreeMap<LedgerAccount, i64>, TestCaseError> {
        let mut balances = BTreeMap::new();
        for transfer in &self.transfers {
            prop_assert!(transfer.amount.is_positive());
            prop_assert_ne!(&transfer.debit, &transfer.credit);
            prop_assert_eq!(transfer.transaction, Some(self.tx.number));
            let amount = transfer.amount.minor();
            *balances.entry(transfer.debit.clone()).or_default() -= amount;
            *balances.entry(transfer.credit.clone()).or_default() += amount;
        }
        Ok(balances)
    }

    /// Every attempt that is held to be disproven.
    fn disproven(&self) -> Vec<&Disproven> {
        let failed = match &self.tx.state {
            State::Failed(disproven) => Some(disproven),
            State::Sending(_)
            | State::InDoubt(_)
            | State::Review(_)
            | State::Successful(_)
            | State::Reversed(_) => None,
        };
        self.tx.earlier.iter().chain(failed).collect()
    }
}

/// Versions rise by one, events by one where there is one, final states absorb, and nobody is told
/// less than what happened.
fn check_step(before: &Transaction, advance: &Advance) -> Result<(), TestCaseError> {
    let after = &advance.transaction;
    prop_assert_eq!(after.version, before.version + 1);
    prop_assert_eq!(advance.expected_version(), before.version);
    if let Some(event) = &advance.event {
        prop_assert_eq!(event.sequence, before.sequence + 1);
        prop_assert_eq!(after.sequence, event.sequence);
        prop_assert_eq!(event.transaction, after.number);
    } else {
        prop_assert_eq!(after.sequence, before.sequence);
        prop_assert_eq!(after.status(), before.status());
        prop_assert!(advance.transfers.is_empty());
    }
    match before.status() {
        Status::Pending => {}
        Status::Successful => {
            prop_assert!(matches!(
                after.status(),
                Status::Successful | Status::Reversed
            ));
        }
        Status::Failed | Status::Reversed => prop_assert_eq!(after.status(), before.status()),
    }
    if let (Some(known), Some(after)) = (way(before), way(after)) {
        let ended = known.overall().is_final();
        prop_assert!(!ended || after == known, "{known:?} became {after:?}");
        for (known, after) in known.parts().iter().zip(after.parts()) {
            prop_assert!(!known.is_final() || after == known);
        }
        let told = advance.event.map(|event| event.kind) == Some(EventKind::MessageStatus);
        prop_assert_eq!(after != known, told);
    }
    let frozen = |tx: &Transaction| (tx.order.clone(), tx.quote.clone(), tx.reference.clone());
    prop_assert_eq!(frozen(after), frozen(before));
    Ok(())
}

/// What is known of a message that was delivered to the network.
fn way(tx: &Transaction) -> Option<&Dispatch> {
    let delivered = match &tx.state {
        State::Successful(delivered) => delivered,
        State::Reversed(reversed) => &reversed.delivered,
        State::Sending(_) | State::InDoubt(_) | State::Review(_) | State::Failed(_) => return None,
    };
    match &delivered.fulfilment {
        Fulfilment::Sms(dispatch) => Some(dispatch),
        Fulfilment::Airtime
        | Fulfilment::CableTv
        | Fulfilment::Electricity(_)
        | Fulfilment::Internet
        | Fulfilment::Bank
        | Fulfilment::Hlr(_) => None,
    }
}

/// The money is exactly where the state says (I1, I2, I3, I16).
fn check_money(history: &History) -> Result<(), TestCaseError> {
    let tx = &history.tx;
    let (price, cost) = (tx.quote.price.minor(), tx.quote.cost.minor());
    let (held, charged, sold) = match tx.status() {
        Status::Pending => (price, price, 0),
        Status::Successful => (0, price, 1),
        Status::Failed | Status::Reversed => (0, 0, 0),
    };
    let losses = i64::try_from(history.count(TransferKind::Loss)).unwrap();
    let balances = history.balances()?;
    let balance = |account| balances.get(&account).copied().unwrap_or_default();
    prop_assert_eq!(balances.values().sum::<i64>(), 0);
    prop_assert_eq!(history.wallet.held.minor(), held);
    prop_assert_eq!(history.wallet.available.minor(), FUNDED - charged);
    prop_assert_eq!(
        balance(LedgerAccount::Available(tx.account.clone())),
        -charged
    );
    prop_assert_eq!(balance(LedgerAccount::Held(tx.account.clone())), held);
    let float = balance(LedgerAccount::Float(tx.provider.clone()));
    prop_assert_eq!(float, cost * (sold + losses));
    prop_assert_eq!(balance(LedgerAccount::Loss), -cost * losses);
    let quote = &tx.quote;
    let shares = [
        (LedgerAccount::ChargesRevenue, quote.fee),
        (LedgerAccount::VatPayable, quote.vat),
        (LedgerAccount::LevyPayable, quote.levy),
        (LedgerAccount::CommissionRevenue, quote.margin().unwrap()),
    ];
    for (account, share) in shares {
        prop_assert_eq!(balance(account), share.minor() * sold);
    }
    let settled = history.count(TransferKind::Capture) + history.count(TransferKind::Release);
    prop_assert_eq!(history.count(TransferKind::Hold), 1);
    prop_assert_eq!(settled, usize::from(tx.status() != Status::Pending));
    let reversed = usize::from(tx.status() == Status::Reversed);
    prop_assert_eq!(history.count(TransferKind::Reversal), reversed);
    Ok(())
}

/// One attempt at a time, the second only after proof against the first (I4, I5, I6), one event per
/// change without a gap (I11), and one loss for each attempt that was delivered against its proof.
fn check_attempts(history: &History) -> Result<(), TestCaseError> {
    let tx = &history.tx;
    let retried = tx.attempt() != AttemptNumber::FIRST;
    prop_assert_eq!(tx.earlier.len(), usize::from(retried));
    prop_assert!(tx.earlier.iter().all(|ended| ended.proof == Proof::NotSent));
    prop_assert_eq!(history.told(EventKind::Resent), usize::from(retried));
    let disproven = history.disproven();
    let contradicted = disproven
        .iter()
        .filter(|ended| ended.contradicted_at.is_some());
    let contradicted = contradicted.count();
    prop_assert_eq!(history.told(EventKind::LateDelivered), contradicted);
    prop_assert_eq!(history.count(TransferKind::Loss), contradicted);
    prop_assert_eq!(usize::try_from(tx.sequence).unwrap(), history.events.len());
    let ended = match tx.status() {
        Status::Pending => None,
        Status::Successful => Some(EventKind::Successful),
        Status::Failed => Some(EventKind::Failed),
        Status::Reversed => Some(EventKind::Reversed),
    };
    prop_assert!(ended.is_none_or(|kind| history.told(kind) == 1));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn no_sequence_of_news_breaks_the_books(
        product in product(), profile in profile(), words in vec(said(), 0..40),
    ) {
        let mut history = History::open(product);
        for said in words {
            history.hear(said, &profile)?;
            check_money(&history)?;
            check_attempts(&history)?;
        }
    }

    #[test]
    fn what_a_final_state_has_heard_it_does_not_hear_again(
        product in product(), profile in profile(), words in vec(said(), 1..40),
    ) {
        let mut history = History::open(product);
        for said in words {
            history.hear(said, &profile)?;
            if history.tx.status() != Status::Pending {
                let (tx, transfers) = (history.tx.clone(), history.transfers.len());
                history.hear(said, &profile)?;
                prop_assert_eq!(&history.tx, &tx);
                prop_assert_eq!(history.transfers.len(), transfers);
            }
        }
    }

    #[test]
    fn however_late_and_often_a_delivery_is_told_it_is_one_loss(
        product in product(), profile in profile(), words in vec(said(), 0..20),
        repeats in vec((any::<bool>(), 0_u64..100_000), 1..8),
    ) {
        let mut history = History::open(product);
        for said in words {
            history.hear(said, &profile)?;
        }
        let State::Failed(failed) = history.tx.state.clone() else {
            return Ok(());
        };
        let before = history.count(TransferKind::Loss);
        let (attempt, word) = (failed.attempt, Word::Yes);
        for (asked, minutes) in repeats {
            history.hear(Said { word, attempt, asked, minutes }, &profile)?;
        }
        let expected = match (failed.proof, failed.contradicted_at) {
            (Proof::TakenBack, _) | (_, Some(_)) => before,
            (_, None) => before + 1,
        };
        prop_assert_eq!(history.count(TransferKind::Loss), expected);
        prop_assert_eq!(history.tx.status(), Status::Failed);
    }

    #[test]
    fn silence_moves_no_money(
        words in vec((0_u64..100_000, any::<bool>(), 0_usize..4), 0..60),
    ) {
        let silent = [Word::Pending, Word::Unknown, Word::Takeover, Word::WithoutToken];
        let mut history = History::open(Product::PrepaidMeter);
        for (minutes, asked, word) in words {
            let attempt = AttemptNumber::FIRST;
            let said = Said { word: silent[word], attempt, asked, minutes };
            history.hear(said, &Profile::CAUTIOUS)?;
        }
        prop_assert_eq!(history.tx.status(), Status::Pending);
        prop_assert_eq!(history.transfers.len(), 1);
    }
}
