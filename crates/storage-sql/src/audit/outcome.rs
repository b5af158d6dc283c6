//! What an audit makes of the rows its questions found. It must not ask for any.

use crate::PART;
use crate::field_cipher::FieldCipher;
use crate::record::{AccountRow, TransactionRow, claim, opened_progress, reported_of};
use crate::row_macs::{RowAuthenticity, RowMacs};
use domain::ledger::{CostDifferences, actual_cost};
use domain::money::{Currency, Money};
use domain::reference::ProviderReference;
use domain::transaction::{AttemptNumber, State, Transaction};
use ports::PortError;
use ports::audit::{Booked, BookedState, CheckOutcome, CheckResult, OFFENCES_MAX};
use std::error::Error;

/// What the answers to the two questions of a check come to.
pub fn found(offences: Vec<String>, examined: i64) -> CheckOutcome {
    if offences.is_empty() {
        let examined = u64::try_from(examined).unwrap_or_default();
        CheckOutcome::Holds { examined }
    } else {
        CheckOutcome::Broken { offences }
    }
}

/// What a check that needs a server comes to where none runs.
pub fn not_serving() -> CheckOutcome {
    CheckOutcome::NotApplicable {
        reason: "no server runs, so what is due rightly waits".to_owned(),
    }
}

/// The check of the schema (I36): what differs from so many objects that the migrations make.
pub fn schema(mut offences: Vec<String>, examined: usize) -> CheckResult {
    offences.truncate(OFFENCES_MAX);
    let examined = i64::try_from(examined).unwrap_or(i64::MAX);
    schema_result(found(offences, examined))
}

/// The same of a schema that this program does not know.
pub fn unknown_schema(version: i64) -> CheckResult {
    schema_result(CheckOutcome::NotApplicable {
        reason: format!("the schema is of version {version}, which this program does not know"),
    })
}

const fn schema_result(outcome: CheckOutcome) -> CheckResult {
    CheckResult {
        invariant: "I36",
        rule: "Tables, indexes, triggers and views are those that the migrations make, and over \
               PostgreSQL rights are those that roles were given.",
        outcome,
    }
}

/// Adds offences found by other means than SQL.
pub fn add(result: &mut CheckResult, more: Vec<String>) {
    if more.is_empty() {
        return;
    }
    match &mut result.outcome {
        CheckOutcome::Broken { offences } => offences.extend(more),
        CheckOutcome::Holds { .. } | CheckOutcome::NotApplicable { .. } => {
            result.outcome = CheckOutcome::Broken { offences: more };
        }
    }
    if let CheckOutcome::Broken { offences } = &mut result.outcome {
        offences.truncate(OFFENCES_MAX);
    }
}

/// An attempt as stored: its provider reference, the word of its state, whether a loss is booked
/// for it, the value ordered with its currency, the quoted cost, the progress of its transaction,
/// its number in it, and the account and the number of the transaction.
pub type AttemptColumns = (
    String,
    String,
    bool,
    i64,
    String,
    i64,
    String,
    i16,
    String,
    i64,
);

/// The attempt that columns hold.
///
/// # Errors
/// When a word is none the gateway knows.
pub fn booked(columns: AttemptColumns, cipher: &FieldCipher) -> Result<Booked, PortError> {
    let (reference, state, is_loss, amount, currency, quoted, progress, number, account, of) =
        columns;
    let unknown =
        |what: &str| PortError::new(PART, format!("attempt {reference} has an unknown {what}"));
    let state = match state.as_str() {
        "sending" | "in_doubt" | "review" => BookedState::Open,
        "delivered" => BookedState::Delivered,
        "reversed" => BookedState::Reversed,
        "disproven" if is_loss => BookedState::Lost,
        "disproven" => BookedState::Disproven,
        _ => return Err(unknown("state")),
    };
    let currency = Currency::from_code(&currency).ok_or_else(|| unknown("currency"))?;
    let number = u8::try_from(number).ok().map(AttemptNumber::try_new);
    let number = number.and_then(Result::ok);
    let number = number.ok_or_else(|| unknown("number"))?;
    let progress = opened_progress(cipher, (&account, of), progress);
    let reported = reported_of(&progress, number).map_err(|_| unknown("report"))?;
    Ok(Booked {
        reference: ProviderReference::from_echo(reference),
        state,
        amount: Money::from_minor(amount, currency),
        id: reported.id,
        cost: actual_cost(Money::from_minor(quoted, currency), reported.cost),
    })
}

/// The columns of a transaction that repeat what its records say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Repeated {
    /// The word of the service.
    pub service: String,
    /// The code of the price's currency.
    pub currency: String,
    /// Amount, price, cost, fee, VAT and levy in minor units.
    pub sums: [i64; 6],
    /// The other account that it is said to have paid.
    pub payee: Option<String>,
    /// The e-mail address or the phone number that its place in the queue waits for.
    pub claim: (Option<String>, Option<String>),
}

/// What is booked for a transaction, in minor units: of costs beside the quoted one, what went to
/// the float of its first provider and to all of them; and what it brought, earned and gave back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BookedCosts {
    /// At the provider of the first attempt.
    pub first: i64,
    /// At every provider.
    pub all: i64,
    /// What a transfer of the gateway's own books brought.
    pub arrived: i64,
    /// What the gateway earned as it was captured; negative where it paid.
    pub margin: i64,
    /// What was given back of the hold, since it was not used.
    pub unused: i64,
}

/// What is wrong with stored transactions, as far as their records say.
#[derive(Debug, Default)]
pub struct RecordFindings {
    /// Those that cannot be read back, or whose columns say otherwise than their records.
    pub unreadable: Vec<String>,
    /// Those whose providers took another cost than is booked.
    pub costs: Vec<String>,
    /// Those that were written by other means than the gateway.
    pub altered: Vec<String>,
    /// Wallets that were.
    pub altered_wallets: Vec<String>,
    /// How many were read.
    pub read: u64,
    /// How many wallets were.
    pub wallets: u64,
}

impl RecordFindings {
    /// Judges one transaction.
    pub fn take_in(&mut self, stored: &TransactionRow, columns: &Repeated, booked: BookedCosts) {
        self.read = self.read.saturating_add(1);
        match restored(stored) {
            Err(unreadable) => self.unreadable.push(unreadable),
            Ok(tx) => {
                self.unreadable.extend(differs(&tx, columns));
                if self.costs.len() < OFFENCES_MAX {
                    self.costs.extend(unbooked(&tx, booked));
                    self.costs.extend(unlike_its_order(&tx, booked));
                    self.costs.extend(unlike_its_use(&tx, booked));
                }
            }
        }
    }

    /// Judges whether the gateway wrote a transaction as it is stored; nothing of it may be opened.
    pub fn authenticate(&mut self, stored: &TransactionRow, macs: &RowMacs) {
        let row = format_args!("transaction {} of {}", stored.number, stored.account);
        if self.altered.len() < OFFENCES_MAX {
            self.altered
                .extend(altered(macs.check_transaction(stored), row));
        }
    }

    /// Judges whether the gateway wrote a wallet as it is stored.
    pub fn authenticate_wallet(&mut self, stored: &AccountRow, macs: &RowMacs) {
        self.wallets = self.wallets.saturating_add(1);
        let row = format_args!("the wallet of {} in {}", stored.id, stored.currency);
        if self.altered_wallets.len() < OFFENCES_MAX {
            self.altered_wallets
                .extend(altered(macs.check_wallet(stored), row));
        }
    }

    /// The check of the authentication codes, where rows must have them.
    pub fn codes(&mut self, are_required: bool) -> CheckResult {
        let mut altered = std::mem::take(&mut self.altered_wallets);
        altered.append(&mut self.altered);
        altered.truncate(OFFENCES_MAX);
        let outcome = if !are_required {
            CheckOutcome::NotApplicable {
                reason: "rows of before there were codes have none yet; `manilla key-ring \
                         authenticate` gives them theirs"
                    .to_owned(),
            }
        } else if altered.is_empty() {
            CheckOutcome::Holds {
                examined: self.read.saturating_add(self.wallets),
            }
        } else {
            CheckOutcome::Broken { offences: altered }
        };
        CheckResult {
            invariant: "I35",
            rule: "Every wallet and every transaction is as a gateway wrote it.",
            outcome,
        }
    }

    /// Whether enough was found.
    pub fn is_full(&self) -> bool {
        self.unreadable.len() >= OFFENCES_MAX
    }

    /// The check of what is booked as costs.
    pub fn costs(self) -> CheckResult {
        let outcome = if self.costs.is_empty() {
            CheckOutcome::Holds {
                examined: self.read,
            }
        } else {
            CheckOutcome::Broken {
                offences: self.costs,
            }
        };
        CheckResult {
            invariant: "I21",
            rule: "Where a provider took another cost for a delivery than was quoted, the \
                   difference is booked; what the gateway books alone brings what its amount \
                   buys; what was not used of a price is given back.",
            outcome,
        }
    }
}

/// What is wrong with a row whose code says so.
fn altered(said: RowAuthenticity, row: std::fmt::Arguments<'_>) -> Option<String> {
    match said {
        RowAuthenticity::Unchecked | RowAuthenticity::Confirmed => None,
        RowAuthenticity::Altered => {
            Some(format!("{row} was written by other means than the gateway"))
        }
        RowAuthenticity::MissingKey(generation) => Some(format!(
            "{row} was written under generation {generation} of the key ring, which is not here"
        )),
    }
}

/// Costs of deliveries that are not booked as their providers reported them.
fn unbooked(tx: &Transaction, booked: BookedCosts) -> Option<String> {
    let differences = CostDifferences::of(tx);
    let of = |attempt: Option<AttemptNumber>| {
        let difference = attempt.and_then(|it| differences.get(it));
        difference.map_or(0, Money::minor)
    };
    let (first, second) = (AttemptNumber::FIRST, AttemptNumber::FIRST.next());
    let (one, other) = (of(Some(first)), of(second));
    let same = second.is_some_and(|it| tx.provider_of(it) == tx.provider_of(first));
    let all = one.saturating_add(other);
    let expected = BookedCosts {
        first: if same { all } else { one },
        all,
        ..booked
    };
    (booked != expected).then(|| {
        format!(
            "transaction {} has {} booked beside its cost, {} of it at {}; what was reported makes \
             {} and {}",
            tx.number,
            booked.all,
            booked.first,
            tx.provider_of(first),
            expected.all,
            expected.first
        )
    })
}

/// A transfer of the gateway's own books that brought something else than its order says.
fn unlike_its_order(tx: &Transaction, booked: BookedCosts) -> Option<String> {
    let (number, arrived) = (tx.number, booked.arrived);
    let ordered = tx.order.arrives().map_or(0, Money::minor);
    if arrived != ordered {
        return Some(format!(
            "transaction {number} brought {arrived}; its order says {ordered}"
        ));
    }
    let is_exact = tx.order.is_exact() && tx.order.amount() == tx.quote.amount;
    (!is_exact).then(|| format!("transaction {number} brought {arrived}, not what its amount buys"))
}

/// A price of which another part was given back than was not used, or that earned otherwise.
fn unlike_its_use(tx: &Transaction, booked: BookedCosts) -> Option<String> {
    let charged = tx.charged();
    let is_captured = matches!(tx.state, State::Successful(_) | State::Reversed(_));
    let earned = charged.margin().filter(|_| is_captured);
    let earned = earned.map_or(0, Money::minor);
    let unused = tx.quote.price.checked_sub(charged.price);
    let unused = unused.map_or(0, Money::minor);
    ((booked.margin, booked.unused) != (earned, unused)).then(|| {
        format!(
            "transaction {} earned {} and gave {} of its hold back; what was used makes {earned} \
             and {unused}",
            tx.number, booked.margin, booked.unused
        )
    })
}

fn restored(stored: &TransactionRow) -> Result<Transaction, String> {
    stored.restore().map_err(|error| {
        let cause = error.source().map(ToString::to_string).unwrap_or_default();
        format!("{}: {cause}", error.what)
    })
}

/// The address that the place of a transaction in the queue waits for.
fn waits_for(tx: &Transaction) -> (Option<&str>, Option<&str>) {
    if matches!(tx.state, State::Queued(_)) {
        claim(&tx.order)
    } else {
        (None, None)
    }
}

/// That the columns of a transaction say otherwise than its records.
fn differs(tx: &Transaction, columns: &Repeated) -> Option<String> {
    let quote = &tx.quote;
    let quoted = [
        quote.amount,
        quote.price,
        quote.cost,
        quote.fee,
        quote.vat,
        quote.levy,
    ];
    let alike = columns.service == tx.order.service().code()
        && columns.currency == quote.price.currency().code()
        && columns.sums == quoted.map(Money::minor)
        && columns.payee.as_deref() == tx.payee().map(|payee| payee.account.as_str())
        && (columns.claim.0.as_deref(), columns.claim.1.as_deref()) == waits_for(tx);
    (!alike).then(|| {
        format!(
            "transaction {}: its columns differ from its records",
            tx.number
        )
    })
}
