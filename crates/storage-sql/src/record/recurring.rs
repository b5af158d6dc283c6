//! Subscriptions and their runs read back. A row must pass every rule that a fresh one passes;
//! whether it was altered follows from its seal, which is not judged here.

use super::order::OrderRecord;
use super::scalar::{valid, word};
use super::{RecordError, VERSION, read};
use crate::PART;
use crate::field_cipher::FieldCipher;
use domain::access::AccountUserId;
use domain::account::AccountId;
use domain::credential::KeyId;
use domain::idempotency::RequestFingerprint;
use domain::order::Order;
use domain::recurring::{
    OnRunFailure, RECURRING_RUNS_MAX, RecurringInterval, RecurringPayment, RecurringProgress,
    RecurringRun, RecurringRunState, RecurringSchedule, RecurringStatus, RecurringTerms,
    RecurringVersion, RunRefusal,
};
use domain::reference::{MerchantReference, TransactionNumber};
use domain::time::Timestamp;
use domain::transaction::KeyHolder;
use ports::access_keys::RowSeal;
use ports::recurring::SealedRecurring;
use ports::{PortError, PortErrorKind};
use serde::{Deserialize, Serialize};

/// The order of one run.
#[derive(Debug, Serialize, Deserialize)]
struct StoredRecurringOrder<'a> {
    v: u32,
    #[serde(borrow)]
    order: OrderRecord<'a>,
}

/// What never changes of a subscription, as stored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RecurringRow {
    /// Whose it is.
    pub account: String,
    /// Its number.
    pub number: i64,
    /// The merchant's reference.
    pub reference: String,
    /// The word of the service.
    pub service: String,
    /// The order of one run, perhaps sealed.
    pub purchase: String,
    /// The word of the interval.
    pub run_interval: String,
    /// When the first run is due, in milliseconds.
    pub start_at: i64,
    /// How many runs there are.
    pub run_limit: Option<i64>,
    /// The time zone.
    pub time_zone: String,
    /// The word of what becomes of a failure.
    pub on_failure: String,
    /// The number of the key that asked.
    pub made_by: i64,
    /// The number of its user.
    pub made_by_user: Option<i64>,
    /// What the request said, hashed.
    pub asked: Vec<u8>,
    /// The seal.
    pub seal: Vec<u8>,
    /// When it was made, in milliseconds.
    pub created_at: i64,
    /// The version.
    pub version: i64,
    /// How far it has come.
    pub progress: RecurringProgressRow,
    /// The run in hand.
    pub open: Option<RecurringRunRow>,
}

/// How far a subscription has come, as stored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RecurringProgressRow {
    /// The word of the status.
    pub status: String,
    /// The first run that is not over.
    pub next_run: i64,
    /// The number of the run in hand.
    pub open_run: Option<i64>,
    /// How many runs were bought.
    pub bought: i64,
    /// When the last of them was due.
    pub last_at: Option<i64>,
    /// When it must be looked at.
    pub look_at: Option<i64>,
    /// Whether that is the end of a pause.
    pub is_pause: bool,
}

/// A run, as stored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RecurringRunRow {
    /// Its number.
    pub run: i64,
    /// When it was due.
    pub due_at: i64,
    /// How many of its payments have failed before.
    pub tries: i64,
    /// How often it was begun again.
    pub retries: i64,
    /// The word of its state.
    pub state: String,
    /// The word of why it was refused.
    pub refusal: Option<String>,
    /// When it came to that state.
    pub at: i64,
}

/// A column of a number.
pub fn stored_number(number: TransactionNumber) -> i64 {
    i64::try_from(number.get()).unwrap_or(i64::MAX)
}

impl RecurringProgressRow {
    /// The columns of how far a subscription has come.
    pub fn of(progress: &RecurringProgress) -> Self {
        Self {
            status: progress.status.code().to_owned(),
            next_run: progress.next_run.into(),
            open_run: progress.open.map(|run| run.number.into()),
            bought: progress.bought.into(),
            last_at: progress.last_at.map(Timestamp::as_millis),
            look_at: progress.look_at.map(Timestamp::as_millis),
            is_pause: progress.is_pause,
        }
    }

    fn restore(&self, open: Option<&RecurringRunRow>) -> Result<RecurringProgress, RecordError> {
        let open = open.map(RecurringRunRow::read).transpose()?;
        let numbered = open.map(|run| i64::from(run.number));
        if numbered != self.open_run {
            return Err(RecordError::Value("open_run"));
        }
        let next_run = valid(u32::try_from(self.next_run), "next_run")?;
        let bought = valid(u32::try_from(self.bought), "bought")?;
        let begun = next_run
            .checked_sub(1)
            .ok_or(RecordError::Value("next_run"))?;
        if bought > begun || open.is_some_and(|run| run.number > begun) {
            return Err(RecordError::Value("next_run"));
        }
        Ok(RecurringProgress {
            status: word(RecurringStatus::from_code(&self.status), "status")?,
            next_run,
            open,
            bought,
            last_at: self.last_at.map(Timestamp::from_millis),
            look_at: self.look_at.map(Timestamp::from_millis),
            is_pause: self.is_pause,
        })
    }
}

impl RecurringRunRow {
    /// The row of a run.
    pub fn of(run: &RecurringRun) -> Self {
        let refusal = run.state.refusal().map(RunRefusal::code);
        Self {
            run: run.number.into(),
            due_at: run.due_at.as_millis(),
            tries: run.tries.into(),
            retries: run.retries.into(),
            state: run.state.code().to_owned(),
            refusal: refusal.map(str::to_owned),
            at: run.at.as_millis(),
        }
    }

    /// The run.
    ///
    /// # Errors
    /// When the row breaks a rule; the error names the run.
    pub fn restore(&self) -> Result<RecurringRun, PortError> {
        self.read().map_err(|error| {
            let what = format!("run {} of a subscription cannot be read", self.run);
            PortError::caused(PART, what, error).with_trouble(PortErrorKind::Record)
        })
    }

    fn read(&self) -> Result<RecurringRun, RecordError> {
        let refusal = self.refusal.as_deref();
        let refusal = refusal.map(|code| word(RunRefusal::from_code(code), "refusal"));
        let refusal = refusal.transpose()?;
        let run = RecurringRun {
            number: valid(u32::try_from(self.run), "run")?,
            due_at: Timestamp::from_millis(self.due_at),
            tries: valid(u8::try_from(self.tries), "tries")?,
            retries: valid(u8::try_from(self.retries), "retries")?,
            state: word(RecurringRunState::restore(&self.state, refusal), "state")?,
            at: Timestamp::from_millis(self.at),
        };
        run.is_sound()
            .then_some(run)
            .ok_or(RecordError::Value("run"))
    }
}

impl RecurringRow {
    /// The row of a subscription, its order sealed where such orders are.
    ///
    /// # Errors
    /// When the order cannot be written or sealed.
    pub fn of(sealed: &SealedRecurring, cipher: &FieldCipher) -> Result<Self, PortError> {
        let payment = &sealed.payment;
        let terms = &payment.terms;
        let number = stored_number(terms.number);
        let record = StoredRecurringOrder {
            v: VERSION,
            order: (&terms.order).into(),
        };
        let json = serde_json::to_string(&record)
            .map_err(|error| PortError::caused(PART, "encode an order", error))?;
        let purchase = if terms.order.is_confidential() {
            cipher.seal(&place(terms.account.as_str(), &number.to_string()), &json)?
        } else {
            json
        };
        let user = terms.made_by.user;
        Ok(Self {
            account: terms.account.as_str().to_owned(),
            number,
            reference: terms.reference.as_str().to_owned(),
            service: terms.order.service().code().to_owned(),
            purchase,
            run_interval: terms.schedule.interval.code().to_owned(),
            start_at: terms.schedule.start.as_millis(),
            run_limit: terms.schedule.count.map(i64::from),
            time_zone: terms.time_zone.clone(),
            on_failure: terms.on_failure.code().to_owned(),
            made_by: terms.made_by.key.0,
            made_by_user: user.map(super::user_number),
            asked: terms.asked.0.to_vec(),
            seal: sealed.seal.0.to_vec(),
            created_at: terms.created_at.as_millis(),
            version: payment.version.get().into(),
            progress: RecurringProgressRow::of(&payment.progress),
            open: payment.progress.open.as_ref().map(RecurringRunRow::of),
        })
    }

    /// The subscription.
    ///
    /// # Errors
    /// When the row breaks a rule; the error names the subscription.
    pub fn restore(self, cipher: &FieldCipher) -> Result<SealedRecurring, PortError> {
        let named = format!("subscription {} of {}", self.number, self.account);
        self.read(cipher).map_err(|error| {
            PortError::caused(PART, format!("{named} cannot be read"), error)
                .with_trouble(PortErrorKind::Record)
        })
    }

    fn read(self, cipher: &FieldCipher) -> Result<SealedRecurring, RecordError> {
        let number = self.number.to_string();
        let purchase = cipher.open(&place(&self.account, &number), self.purchase);
        let order = order(&purchase)?;
        if order.service().code() != self.service {
            return Err(RecordError::Value("service"));
        }
        let limit = self.run_limit.map(u32::try_from).transpose();
        let count = valid(limit, "run_limit")?;
        if count.is_some_and(|count| !(1..=RECURRING_RUNS_MAX).contains(&count)) {
            return Err(RecordError::Value("run_limit"));
        }
        let number = u64::try_from(self.number).unwrap_or_default();
        let version = u32::try_from(self.version).ok();
        let user = self.made_by_user.map(user_of).transpose()?;
        let terms = RecurringTerms {
            account: valid(AccountId::parse(&self.account), "account")?,
            number: valid(TransactionNumber::try_new(number), "number")?,
            reference: valid(MerchantReference::parse(&self.reference), "reference")?,
            order,
            schedule: RecurringSchedule {
                interval: word(RecurringInterval::from_code(&self.run_interval), "interval")?,
                start: Timestamp::from_millis(self.start_at),
                count,
            },
            time_zone: self.time_zone,
            on_failure: word(OnRunFailure::from_code(&self.on_failure), "on_failure")?,
            made_by: KeyHolder {
                key: KeyId(self.made_by),
                user,
            },
            asked: RequestFingerprint(valid(self.asked.as_slice().try_into(), "asked")?),
            created_at: Timestamp::from_millis(self.created_at),
        };
        let seal = valid(self.seal.as_slice().try_into(), "seal")?;
        Ok(SealedRecurring {
            payment: RecurringPayment {
                terms,
                progress: self.progress.restore(self.open.as_ref())?,
                version: word(version.and_then(RecurringVersion::new), "version")?,
            },
            seal: RowSeal(seal),
        })
    }
}

fn order(purchase: &str) -> Result<Order, RecordError> {
    let record: StoredRecurringOrder<'_> =
        read("purchase", purchase, |record: &StoredRecurringOrder<'_>| {
            record.v
        })?;
    record.order.restore()
}

const fn place<'a>(account: &'a str, number: &'a str) -> [&'a str; 3] {
    ["subscriptions.purchase", account, number]
}

fn user_of(stored: i64) -> Result<AccountUserId, RecordError> {
    let number = u64::try_from(stored).unwrap_or_default();
    let number = valid(TransactionNumber::try_new(number), "made_by_user")?;
    Ok(AccountUserId::new(number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use key_ring::KeyRing;
    use testkit::builders::recurring;

    fn cipher() -> FieldCipher {
        FieldCipher::new(&KeyRing::generate([7; 32], ""), [7; 16])
    }

    #[test]
    fn a_subscription_is_read_back_as_it_was_written() {
        let made = recurring("shop", 7, "monthly");
        let row = RecurringRow::of(&made, &cipher()).unwrap();
        assert_eq!(row.restore(&cipher()).unwrap(), made);
    }

    #[test]
    fn a_row_that_breaks_a_rule_is_named() {
        let broken: [fn(&mut RecurringRow); 16] = [
            |row| row.account = "a b".into(),
            |row| row.number = 0,
            |row| row.reference = "a b".into(),
            |row| row.service = "sms".into(),
            |row| row.purchase = "{}".into(),
            |row| row.run_interval = "year".into(),
            |row| row.run_limit = Some(0),
            |row| row.on_failure = "hope".into(),
            |row| row.made_by_user = Some(0),
            |row| row.asked.clear(),
            |row| row.seal.clear(),
            |row| row.version = 0,
            |row| row.progress.status = "active".into(),
            |row| row.progress.next_run = 0,
            |row| row.progress.open_run = Some(1),
            |row| row.progress.bought = 1,
        ];
        for (nth, break_it) in broken.into_iter().enumerate() {
            let made = recurring("shop", 7, "monthly");
            let mut row = RecurringRow::of(&made, &cipher()).unwrap();
            break_it(&mut row);
            let error = row.restore(&cipher()).unwrap_err();
            assert!(error.to_string().contains("subscription"), "{nth}: {error}");
        }
    }
}
