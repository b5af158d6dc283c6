//! Authentication codes of rows. A role that may write rows but lacks the key ring must not be able
//! to make one that a writer accepts.
//!
//! A code is `generation:tag`, the tag in base64. It names its row, so that it fits no other. An
//! older code of the same row still fits the older values: what follows from them then meets the
//! statement line or the ledger step that was written since, and those are unique.

mod encoding;

use self::encoding::{
    CodeText, ProgressValues, PurchaseValues, progress_text, purchase_text, transaction_texts,
    wallet_text,
};
use crate::PART;
use crate::planner::WalletState;
use crate::record::{AccountRow, TransactionRow, state_code};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::freeze::FrozenServices;
use domain::money::Currency;
use domain::time::Timestamp;
use domain::transaction::Transaction;
use key_ring::{AuthenticationKeys, Error, KeyRing, Purpose};
use ports::PortError;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// Which rows are to be given their codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowsWithoutCode {
    /// Those that were written before there were codes, once.
    Earlier,
    /// Every one whose code does not fit: the key ring was lost, or a person has put right what was
    /// altered.
    Altered,
}

/// What giving rows their codes came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuthenticatedRows {
    /// Whether every row had to have its code before.
    pub was_done: bool,
    /// How many transactions were given theirs.
    pub transactions: u64,
    /// How many wallets were given theirs.
    pub wallets: u64,
    /// The account and currency of each wallet that is not what its transfers leave, and was given
    /// none.
    pub unbalanced: Vec<(String, String)>,
}

/// What the code of a row says of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RowAuthenticity {
    /// It was not checked.
    #[default]
    Unchecked,
    /// The gateway wrote the row as it is.
    Confirmed,
    /// The row was changed by other means, or has no code.
    Altered,
    /// The code is of a generation that is not in the key ring here.
    MissingKey(u32),
}

/// What a wallet's code covers.
#[derive(Debug, Clone, Copy)]
pub struct WalletValues<'a> {
    /// Whose it is.
    pub account: &'a str,
    /// `test` or `live`.
    pub environment: &'a str,
    /// The code of its currency.
    pub currency: &'a str,
    /// What can be spent and what is set aside, in minor units.
    pub balances: [i64; 2],
    /// How many debits and how many credits its statement has.
    pub lines: [i64; 2],
    /// From when on payments count against the limit of a day, in milliseconds, and their sum.
    pub spending: (Option<i64>, i64),
    /// What of the account is frozen.
    pub frozen: &'a FrozenServices,
}

impl<'a> WalletValues<'a> {
    /// Those of a wallet that was just opened.
    pub fn opened(
        (account, environment): (&'a str, &'a str),
        currency: Currency,
        frozen: &'a FrozenServices,
    ) -> Self {
        Self {
            account,
            environment,
            currency: currency.code(),
            balances: [0; 2],
            lines: [0; 2],
            spending: (None, 0),
            frozen,
        }
    }

    /// Those of a row, and what is frozen by it.
    pub fn stored(row: &'a AccountRow, frozen: &'a FrozenServices) -> Self {
        Self {
            account: &row.id,
            environment: &row.environment,
            currency: &row.currency,
            balances: [row.available, row.held],
            lines: [row.debits, row.credits],
            spending: (row.counted_from, row.spent),
            frozen,
        }
    }
}

impl<'a> From<&'a WalletState> for WalletValues<'a> {
    fn from(state: &'a WalletState) -> Self {
        let wallet = &state.wallet;
        let counted_from = wallet.spending.counted_from.map(Timestamp::as_millis);
        Self {
            account: wallet.account.as_str(),
            environment: state.environment.code(),
            currency: wallet.currency().code(),
            balances: [wallet.available.minor(), wallet.held.minor()],
            lines: [state.debits, state.credits].map(|it| i64::try_from(it).unwrap_or(i64::MAX)),
            spending: (counted_from, wallet.spending.spent.minor()),
            frozen: &state.frozen,
        }
    }
}

/// Makes and checks the codes of rows. One generation of the key ring makes them, at first the
/// newest; every one checks them.
#[derive(Debug)]
pub struct RowMacs {
    keys: AuthenticationKeys,
    making: AtomicU32,
    /// Whether rows must have their codes. Once they must, nothing in the database takes it back.
    required: AtomicBool,
}

impl RowMacs {
    /// Under the keys of a ring.
    pub fn new(ring: &KeyRing) -> Self {
        Self {
            keys: AuthenticationKeys::from(&ring.key(Purpose::Rows)),
            making: AtomicU32::new(ring.newest()),
            required: AtomicBool::new(false),
        }
    }

    /// Every row must have its code from now on.
    pub fn require(&self) {
        self.required.store(true, Ordering::Relaxed);
    }

    /// Whether every row must have its code.
    pub fn are_required(&self) -> bool {
        self.required.load(Ordering::Relaxed)
    }

    /// Makes codes under another generation from now on, or under the newest. Other processes over
    /// the same database may not have the newest yet.
    pub fn make_under(&self, generation: Option<u32>) {
        let generation = generation.unwrap_or(self.keys.newest());
        self.making.store(generation, Ordering::Relaxed);
    }

    /// The code of a wallet.
    ///
    /// # Errors
    /// Never with keys of a ring.
    pub fn wallet(&self, values: &WalletValues<'_>) -> Result<String, PortError> {
        self.code(&wallet_text(values))
    }

    /// The code of what never changes of a transaction, whose purchase is stored as this text.
    ///
    /// # Errors
    /// Never with keys of a ring.
    pub fn purchase(&self, tx: &Transaction, stored: &str) -> Result<String, PortError> {
        let idempotency = tx.idempotency.as_ref();
        let text = purchase_text(&PurchaseValues {
            account: tx.account.as_str(),
            number: i64::try_from(tx.number.get()).unwrap_or(i64::MAX),
            reference: tx.reference.as_str(),
            idempotency_key: idempotency.map(|it| it.key.as_str()),
            request_fingerprint: idempotency.map(|it| it.fingerprint.0.as_slice()),
            provider: tx.prepared.first().provider.as_str(),
            opened_at: tx.opened_at.as_millis(),
            stored,
        });
        self.code(&text)
    }

    /// The code of where a transaction stands, which is stored as this text.
    ///
    /// # Errors
    /// Never with keys of a ring.
    pub fn progress(&self, tx: &Transaction, stored: &str) -> Result<String, PortError> {
        let text = progress_text(&ProgressValues {
            account: tx.account.as_str(),
            number: i64::try_from(tx.number.get()).unwrap_or(i64::MAX),
            state: state_code(&tx.state),
            version: tx.version.into(),
            sequence: tx.sequence.into(),
            updated_at: tx.updated_at.as_millis(),
            stored,
        });
        self.code(&text)
    }

    /// The codes of a transaction as it is stored: of what never changes of it, and of where it
    /// stands. Its documents must be as they are stored, not opened.
    ///
    /// # Errors
    /// Never with keys of a ring.
    pub fn transaction(&self, row: &TransactionRow) -> Result<[String; 2], PortError> {
        let [purchase, progress] = transaction_texts(row);
        Ok([self.code(&purchase)?, self.code(&progress)?])
    }

    /// The code of a stored wallet of whose account something else is frozen from now on. One that
    /// was altered keeps the code that it has, so that it stays refused.
    ///
    /// # Errors
    /// Never with keys of a ring.
    pub fn frozen(
        &self,
        row: &AccountRow,
        frozen: &FrozenServices,
    ) -> Result<Option<String>, PortError> {
        match self.check_wallet(row) {
            RowAuthenticity::Confirmed => self.wallet(&WalletValues::stored(row, frozen)).map(Some),
            RowAuthenticity::Unchecked
            | RowAuthenticity::Altered
            | RowAuthenticity::MissingKey(_) => Ok(row.mac.clone()),
        }
    }

    /// What the code of a wallet says of it.
    pub fn check_wallet(&self, row: &AccountRow) -> RowAuthenticity {
        let frozen = row.frozen_services();
        let text = wallet_text(&WalletValues::stored(row, &frozen));
        self.check(row.mac.as_deref(), &text)
    }

    /// What the codes of a transaction say of it. Its documents must be as they are stored.
    pub fn check_transaction(&self, row: &TransactionRow) -> RowAuthenticity {
        let [purchase, progress] = transaction_texts(row);
        let bought = self.check(row.purchase_mac.as_deref(), &purchase);
        if bought == RowAuthenticity::Confirmed {
            return self.check(row.progress_mac.as_deref(), &progress);
        }
        bought
    }

    fn code(&self, text: &CodeText) -> Result<String, PortError> {
        let generation = self.making.load(Ordering::Relaxed);
        let tag = self.keys.tag(generation, &text.0);
        let tag = tag.map_err(|error| PortError::caused(PART, "authenticate a row", error))?;
        Ok(format!("{generation}:{}", URL_SAFE_NO_PAD.encode(tag)))
    }

    fn check(&self, code: Option<&str>, text: &CodeText) -> RowAuthenticity {
        let Some((generation, tag)) = code.and_then(parsed) else {
            return RowAuthenticity::Altered;
        };
        match self.keys.check(generation, &text.0, &tag) {
            Ok(()) => RowAuthenticity::Confirmed,
            Err(Error::Missing(generation)) => RowAuthenticity::MissingKey(generation),
            Err(Error::Mismatch(_) | Error::TooLong | Error::Exhausted) => RowAuthenticity::Altered,
        }
    }
}

/// The generation and the tag of a code.
fn parsed(code: &str) -> Option<(u32, key_ring::Tag)> {
    let (generation, tag) = code.split_once(':')?;
    let tag = URL_SAFE_NO_PAD.decode(tag).ok()?;
    Some((generation.parse().ok()?, tag.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    type Change<T> = fn(&mut T);

    fn ring() -> KeyRing {
        KeyRing::generate([0xc0; 32], "")
    }

    fn wallet() -> AccountRow {
        AccountRow {
            id: "shop".to_owned(),
            status: "active".to_owned(),
            environment: "live".to_owned(),
            currency: "NGN".to_owned(),
            available: 90_000,
            held: 10_000,
            debits: 3,
            credits: 1,
            low_balance_threshold: None,
            counted_from: Some(1_700_000_000_000),
            spent: 10_000,
            frozen: None,
            mac: None,
            authenticity: RowAuthenticity::Unchecked,
        }
    }

    fn authenticated(ring: &KeyRing) -> AccountRow {
        let row = wallet();
        let frozen = row.frozen_services();
        let code = RowMacs::new(ring).wallet(&WalletValues::stored(&row, &frozen));
        AccountRow {
            mac: Some(code.unwrap()),
            ..row
        }
    }

    fn transaction() -> TransactionRow {
        TransactionRow {
            id: 7,
            number: 1_001,
            account: "shop".to_owned(),
            reference: "order-1".to_owned(),
            idempotency_key: None,
            request_fingerprint: None,
            provider: "sandbox".to_owned(),
            state: "sending".to_owned(),
            purchase: "{\"v\":1}".to_owned(),
            progress: "{\"v\":2}".to_owned(),
            token: None,
            version: 1,
            sequence: 1,
            opened_at: 5,
            updated_at: 6,
            ..TransactionRow::default()
        }
    }

    fn bought(ring: &KeyRing) -> TransactionRow {
        let row = transaction();
        let [purchase, progress] = RowMacs::new(ring).transaction(&row).unwrap();
        TransactionRow {
            purchase_mac: Some(purchase),
            progress_mac: Some(progress),
            ..row
        }
    }

    #[test]
    fn no_value_of_a_wallet_is_changed_unseen() {
        let macs = RowMacs::new(&ring());
        let right = authenticated(&ring());
        assert_eq!(macs.check_wallet(&right), RowAuthenticity::Confirmed);
        let changes: [(&str, Change<AccountRow>); 12] = [
            ("account", |row| row.id = "shoq".to_owned()),
            ("environment", |row| row.environment = "test".to_owned()),
            ("currency", |row| row.currency = "CRD".to_owned()),
            ("available", |row| row.available += 1),
            ("held", |row| row.held -= 1),
            ("both balances", |row| {
                std::mem::swap(&mut row.available, &mut row.held);
            }),
            ("debits", |row| row.debits -= 1),
            ("credits", |row| row.credits += 1),
            ("counted_from", |row| row.counted_from = None),
            ("spent", |row| row.spent = 0),
            ("frozen", |row| row.frozen = Some("account".to_owned())),
            ("code", |row| row.mac = None),
        ];
        for (what, change) in changes {
            let mut row = right.clone();
            change(&mut row);
            assert_eq!(macs.check_wallet(&row), RowAuthenticity::Altered, "{what}");
        }
        // What is neither money nor authority.
        let other = AccountRow {
            low_balance_threshold: Some(5),
            ..right
        };
        assert_eq!(macs.check_wallet(&other), RowAuthenticity::Confirmed);
    }

    #[test]
    fn no_value_of_a_transaction_is_changed_unseen() {
        let macs = RowMacs::new(&ring());
        let right = bought(&ring());
        assert_eq!(macs.check_transaction(&right), RowAuthenticity::Confirmed);
        let changes: [(&str, Change<TransactionRow>); 16] = [
            ("account", |row| row.account = "shoq".to_owned()),
            ("number", |row| row.number += 1),
            ("reference", |row| row.reference = "order-2".to_owned()),
            ("key", |row| row.idempotency_key = Some(String::new())),
            ("fingerprint", |row| {
                row.request_fingerprint = Some(Vec::new());
            }),
            ("provider", |row| row.provider = "other".to_owned()),
            ("opened_at", |row| row.opened_at = 4),
            ("purchase", |row| row.purchase = "{\"v\":2}".to_owned()),
            ("state", |row| row.state = "failed".to_owned()),
            ("version", |row| row.version = 2),
            ("sequence", |row| row.sequence = 2),
            ("updated_at", |row| row.updated_at = 7),
            ("progress", |row| row.progress = "{\"v\":1}".to_owned()),
            ("code of the purchase", |row| row.purchase_mac = None),
            ("code of the progress", |row| row.progress_mac = None),
            ("codes", |row| {
                std::mem::swap(&mut row.purchase_mac, &mut row.progress_mac);
            }),
        ];
        for (what, change) in changes {
            let mut row = right.clone();
            change(&mut row);
            let said = macs.check_transaction(&row);
            assert_eq!(said, RowAuthenticity::Altered, "{what}");
        }
    }

    /// What separates two values is not a part of either.
    #[test]
    fn a_value_does_not_run_into_the_next() {
        let macs = RowMacs::new(&ring());
        let mut moved = bought(&ring());
        moved.account = "sho".to_owned();
        moved.reference = "porder-1".to_owned();
        assert_eq!(macs.check_transaction(&moved), RowAuthenticity::Altered);
    }

    #[test]
    fn a_code_of_another_generation_is_checked_where_the_ring_has_it() {
        let rotated = ring().rotated([7; 32], "").unwrap();
        let earlier = authenticated(&ring());
        let later = authenticated(&rotated);
        let macs = RowMacs::new(&rotated);
        assert_eq!(macs.check_wallet(&earlier), RowAuthenticity::Confirmed);
        assert_eq!(macs.check_wallet(&later), RowAuthenticity::Confirmed);
        let before = RowMacs::new(&ring());
        let missing = RowAuthenticity::MissingKey(2);
        assert_eq!(before.check_wallet(&later), missing);
        let stranger = RowMacs::new(&KeyRing::generate([1; 32], ""));
        assert_eq!(stranger.check_wallet(&earlier), RowAuthenticity::Altered);
    }

    #[test]
    fn a_generation_that_others_may_not_have_yet_makes_no_codes() {
        let rotated = ring().rotated([7; 32], "").unwrap();
        let macs = RowMacs::new(&rotated);
        macs.make_under(Some(1));
        let row = wallet();
        let frozen = row.frozen_services();
        let values = WalletValues::stored(&row, &frozen);
        assert!(macs.wallet(&values).unwrap().starts_with("1:"));
        macs.make_under(None);
        assert!(macs.wallet(&values).unwrap().starts_with("2:"));
    }

    #[test]
    fn a_wallet_that_was_altered_stays_altered_when_it_is_frozen() {
        let macs = RowMacs::new(&ring());
        let frozen = FrozenServices::from_record(Some("account"));
        let mut right = authenticated(&ring());
        right.mac = macs.frozen(&right, &frozen).unwrap();
        right.frozen = frozen.to_record();
        assert_eq!(macs.check_wallet(&right), RowAuthenticity::Confirmed);
        let mut forged = authenticated(&ring());
        forged.available += 1;
        forged.mac = macs.frozen(&forged, &frozen).unwrap();
        forged.frozen = frozen.to_record();
        assert_eq!(macs.check_wallet(&forged), RowAuthenticity::Altered);
    }

    /// Rows keep their codes for as long as they are kept.
    #[test]
    fn codes_are_the_same_for_ever() {
        // Computed with Python's hashlib, hmac and base64, apart from this code.
        let wallet = authenticated(&ring()).mac.unwrap();
        assert_eq!(wallet, "1:9sW8VxgpRrXnZuaUYhSTCQ");
        let bought = bought(&ring());
        assert_eq!(bought.purchase_mac.unwrap(), "1:kCJASaw6oQmozSY4cwul3Q");
        assert_eq!(bought.progress_mac.unwrap(), "1:1CYgqZ67t3sofxOVPe5FRQ");
    }
}
