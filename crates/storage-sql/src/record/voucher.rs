//! Codes, their batches and their redemptions read back. A row must pass every rule that a
//! fresh one passes.

use super::RecordError;
use super::scalar::{valid, word};
use crate::PART;
use domain::account::AccountId;
use domain::money::{Currency, Money};
use domain::order::Service;
use domain::percent::Percent;
use domain::reference::{MerchantReference, TransactionNumber};
use domain::time::Timestamp;
use domain::voucher::{
    Voucher, VoucherBatch, VoucherId, VoucherKind, VoucherLeft, VoucherPrefix, VoucherRedemption,
    VoucherRollback, VoucherRules, VoucherSeed, VoucherTerms, VoucherWorth,
};
use ports::{PortError, PortErrorKind};

/// A batch of codes as stored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VoucherBatchRow {
    /// Whose it is.
    pub account: String,
    /// Its number.
    pub number: i64,
    /// The merchant's reference.
    pub reference: String,
    /// The word of its kind.
    pub kind: String,
    /// The code of its currency.
    pub currency: String,
    /// What each code is worth, in minor units.
    pub amount: Option<i64>,
    /// Or which share.
    pub percent: Option<String>,
    /// How many codes.
    pub issued: i64,
    /// How often each may be redeemed.
    pub uses: Option<i64>,
    /// When they end, in milliseconds.
    pub expires_at: i64,
    /// The words of the services that they lower, with commas between.
    pub services: String,
    /// The least amount, in minor units.
    pub minimum: Option<i64>,
    /// The most.
    pub maximum: Option<i64>,
    /// What they begin with.
    pub prefix: Option<String>,
    /// What they are made from, 32 bytes.
    pub seed: Vec<u8>,
    /// When they were made, in milliseconds.
    pub created_at: i64,
}

/// A code as stored, with its batch.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VoucherRow {
    /// Its batch.
    pub batch: VoucherBatchRow,
    /// Its place there.
    pub position: i64,
    /// What it holds, in minor units.
    pub balance: i64,
    /// How often it may be redeemed still.
    pub uses_left: Option<i64>,
    /// Its version.
    pub version: i64,
    /// When it was ended, in milliseconds.
    pub voided_at: Option<i64>,
}

/// A redemption as stored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VoucherRedemptionRow {
    /// Whose it is.
    pub account: String,
    /// The merchant's reference.
    pub reference: String,
    /// The number of the batch of the code.
    pub batch: i64,
    /// The place of the code.
    pub position: i64,
    /// The code of the currency of the code.
    pub currency: String,
    /// What it was redeemed for, in minor units.
    pub amount: i64,
    /// The number of the payment that it lowers.
    pub target: Option<i64>,
    /// What was taken off, in minor units.
    pub discount: i64,
    /// What the code gave back besides.
    pub returned: i64,
    /// What the code held afterwards.
    pub balance_left: i64,
    /// How often it could be redeemed afterwards.
    pub uses_left: Option<i64>,
    /// When, in milliseconds.
    pub at: i64,
    /// How it was rolled back.
    pub rollback: Option<VoucherRollbackRow>,
}

/// How a redemption was rolled back.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VoucherRollbackRow {
    /// The merchant's reference.
    pub reference: String,
    /// Why.
    pub reason: String,
    /// What the code held afterwards, in minor units.
    pub balance_left: i64,
    /// How often it could be redeemed afterwards.
    pub uses_left: Option<i64>,
    /// When, in milliseconds.
    pub at: i64,
}

impl VoucherBatchRow {
    /// The row of a batch.
    pub fn of(batch: &VoucherBatch) -> Self {
        let terms = &batch.terms;
        let (amount, percent) = match terms.worth {
            VoucherWorth::Amount(amount) => (Some(amount.minor()), None),
            VoucherWorth::Percent(percent) => (None, Some(percent.value().normalize().to_string())),
        };
        Self {
            account: batch.account.as_str().to_owned(),
            number: key(batch.number),
            reference: batch.reference.as_str().to_owned(),
            kind: terms.kind.code().to_owned(),
            currency: terms.currency.code().to_owned(),
            amount,
            percent,
            issued: i64::from(batch.count),
            uses: terms.uses.map(i64::from),
            expires_at: terms.expires_at.as_millis(),
            services: service_codes(&terms.rules.services),
            minimum: terms.rules.minimum.map(Money::minor),
            maximum: terms.rules.maximum.map(Money::minor),
            prefix: batch.prefix.as_ref().map(|it| it.as_str().to_owned()),
            seed: batch.seed.0.to_vec(),
            created_at: batch.created_at.as_millis(),
        }
    }

    /// The batch.
    ///
    /// # Errors
    /// When the row breaks a rule; the error names the batch.
    pub fn restore(&self) -> Result<VoucherBatch, PortError> {
        let what = || format!("batch {} of codes of {}", self.number, self.account);
        self.read().map_err(|error| unreadable(&what(), error))
    }

    fn read(&self) -> Result<VoucherBatch, RecordError> {
        let seed = <[u8; 32]>::try_from(self.seed.as_slice());
        let prefix = self.prefix.as_deref().map(VoucherPrefix::parse);
        let kind = word(VoucherKind::from_code(&self.kind), "kind")?;
        let count = valid(u32::try_from(self.issued), "issued")?;
        if !(1..=VoucherBatch::count_max(kind)).contains(&count) {
            return Err(RecordError::Value("issued"));
        }
        Ok(VoucherBatch {
            account: valid(AccountId::parse(&self.account), "account")?,
            number: number(self.number)?,
            reference: valid(MerchantReference::parse(&self.reference), "reference")?,
            terms: self.terms(kind)?,
            count,
            prefix: prefix.map(|it| valid(it, "prefix")).transpose()?,
            seed: VoucherSeed(valid(seed, "seed")?),
            created_at: Timestamp::from_millis(self.created_at),
        })
    }

    fn terms(&self, kind: VoucherKind) -> Result<VoucherTerms, RecordError> {
        let currency = word(Currency::from_code(&self.currency), "currency")?;
        let amount = |minor, field| money((minor, currency), field);
        let percent = self.percent.as_deref().map(Percent::parse);
        let worth = match (self.amount, percent) {
            (Some(minor), None) => VoucherWorth::Amount(amount(minor, "amount")?),
            (None, Some(percent)) => VoucherWorth::Percent(valid(percent, "percent")?),
            (Some(_), Some(_)) | (None, None) => return Err(RecordError::Value("amount")),
        };
        let words = self.services.split(',').filter(|word| !word.is_empty());
        let services = words.map(|code| word(Service::from_code(code), "services"));
        let bound = |minor: Option<i64>, field| minor.map(|it| amount(it, field)).transpose();
        let terms = VoucherTerms {
            kind,
            worth,
            currency,
            uses: count(self.uses, "uses")?,
            expires_at: Timestamp::from_millis(self.expires_at),
            rules: VoucherRules {
                services: services.collect::<Result<_, _>>()?,
                minimum: bound(self.minimum, "minimum")?,
                maximum: bound(self.maximum, "maximum")?,
            },
        };
        valid(terms.check(), "terms")?;
        Ok(terms)
    }
}

impl VoucherRow {
    /// The code.
    ///
    /// # Errors
    /// When the row breaks a rule; the error names the code.
    pub fn restore(&self) -> Result<Voucher, PortError> {
        let (batch, account) = (self.batch.number, &self.batch.account);
        let what = || format!("code {batch}-{} of {account}", self.position);
        self.read().map_err(|error| unreadable(&what(), error))
    }

    fn read(&self) -> Result<Voucher, RecordError> {
        let batch = self.batch.read()?;
        Ok(Voucher {
            id: VoucherId {
                batch: batch.number,
                position: valid(u32::try_from(self.position), "position")?,
            },
            left: left((self.balance, batch.terms.currency), self.uses_left)?,
            voided_at: self.voided_at.map(Timestamp::from_millis),
            version: valid(u32::try_from(self.version), "version")?,
            account: batch.account,
            terms: batch.terms,
        })
    }
}

impl VoucherRedemptionRow {
    /// The redemption.
    ///
    /// # Errors
    /// When the row breaks a rule; the error names the redemption.
    pub fn restore(&self) -> Result<VoucherRedemption, PortError> {
        let what = || format!("redemption {} of {}", self.reference, self.account);
        self.read().map_err(|error| unreadable(&what(), error))
    }

    fn read(&self) -> Result<VoucherRedemption, RecordError> {
        let currency = word(Currency::from_code(&self.currency), "currency")?;
        let rollback = self.rollback.as_ref().map(|it| {
            Ok(VoucherRollback {
                reference: valid(MerchantReference::parse(&it.reference), "rollback")?,
                reason: it.reason.clone(),
                left: left((it.balance_left, currency), it.uses_left)?,
                at: Timestamp::from_millis(it.at),
            })
        });
        Ok(VoucherRedemption {
            account: valid(AccountId::parse(&self.account), "account")?,
            reference: valid(MerchantReference::parse(&self.reference), "reference")?,
            voucher: VoucherId {
                batch: number(self.batch)?,
                position: valid(u32::try_from(self.position), "position")?,
            },
            amount: money((self.amount, currency), "amount")?,
            target: self.target.map(number).transpose()?,
            discount: money((self.discount, currency), "discount")?,
            returned: whole((self.returned, currency), "returned")?,
            left: left((self.balance_left, currency), self.uses_left)?,
            at: Timestamp::from_millis(self.at),
            rollback: rollback.transpose()?,
        })
    }
}

fn service_codes(services: &[Service]) -> String {
    let codes: Vec<_> = services.iter().map(|service| service.code()).collect();
    codes.join(",")
}

fn key(number: TransactionNumber) -> i64 {
    i64::try_from(number.get()).unwrap_or(i64::MAX)
}

fn number(stored: i64) -> Result<TransactionNumber, RecordError> {
    let number = TransactionNumber::try_new(u64::try_from(stored).unwrap_or_default());
    valid(number, "number")
}

fn count(stored: Option<i64>, field: &'static str) -> Result<Option<u32>, RecordError> {
    stored
        .map(|count| valid(u32::try_from(count), field))
        .transpose()
}

/// An amount above zero.
fn money(stored: (i64, Currency), field: &'static str) -> Result<Money, RecordError> {
    let amount = whole(stored, field)?;
    let fits = amount.is_positive();
    fits.then_some(amount).ok_or(RecordError::Value(field))
}

/// An amount that may be zero.
fn whole((minor, currency): (i64, Currency), field: &'static str) -> Result<Money, RecordError> {
    let fits = (0..=Money::MAX_MINOR).contains(&minor);
    let amount = fits.then_some(Money::from_minor(minor, currency));
    amount.ok_or(RecordError::Value(field))
}

fn left(balance: (i64, Currency), uses: Option<i64>) -> Result<VoucherLeft, RecordError> {
    Ok(VoucherLeft {
        balance: whole(balance, "balance")?,
        uses: count(uses, "uses_left")?,
    })
}

fn unreadable(what: &str, error: RecordError) -> PortError {
    PortError::caused(PART, format!("{what} cannot be read"), error)
        .with_trouble(PortErrorKind::Record)
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::builders::{coupons, gift_cards, voucher_redemption};

    #[test]
    fn a_batch_and_its_codes_read_back() {
        let mut narrow = coupons("shop", 7, "batch-1");
        narrow.terms.rules = VoucherRules {
            services: vec![Service::Airtime, Service::Bank],
            minimum: Some(testkit::builders::kobo(100)),
            maximum: Some(testkit::builders::kobo(900)),
        };
        for batch in [gift_cards("shop", 7, "batch-1"), narrow] {
            let row = VoucherBatchRow::of(&batch);
            assert_eq!(row.restore().unwrap(), batch);
            let code = Voucher::of(&batch, 1);
            let row = VoucherRow {
                batch: row,
                position: 1,
                balance: code.left.balance.minor(),
                uses_left: code.left.uses.map(i64::from),
                version: 1,
                voided_at: None,
            };
            assert_eq!(row.restore().unwrap(), code);
        }
    }

    #[test]
    fn a_row_that_breaks_a_rule_is_an_error_with_its_name() {
        let good = VoucherBatchRow::of(&gift_cards("shop", 7, "batch-1"));
        let changes: [fn(&mut VoucherBatchRow); 9] = [
            |it| it.kind = "token".to_owned(),
            |it| it.currency = "EUR".to_owned(),
            |it| it.amount = Some(0),
            |it| it.percent = Some("5".to_owned()),
            |it| it.issued = 1_001,
            |it| it.uses = Some(1),
            |it| it.services = "airtime,yachts".to_owned(),
            |it| it.seed = vec![1],
            |it| it.number = 0,
        ];
        for (nth, change) in changes.into_iter().enumerate() {
            let mut row = good.clone();
            change(&mut row);
            let error = row.restore().unwrap_err();
            let named = format!("batch {} of codes of shop", row.number);
            assert!(error.to_string().contains(&named), "change {nth}: {error}");
        }
    }

    #[test]
    fn a_redemption_reads_back_with_its_rollback() {
        let made = voucher_redemption("shop", "use-1");
        let row = VoucherRedemptionRow {
            account: "shop".to_owned(),
            reference: "use-1".to_owned(),
            batch: key(made.voucher.batch),
            position: i64::from(made.voucher.position),
            currency: "NGN".to_owned(),
            amount: made.amount.minor(),
            target: made.target.map(key),
            discount: made.discount.minor(),
            returned: 0,
            balance_left: made.left.balance.minor(),
            uses_left: None,
            at: made.at.as_millis(),
            rollback: None,
        };
        assert_eq!(row.restore().unwrap(), made);
        let back = VoucherRollbackRow {
            reference: "back-1".to_owned(),
            reason: "Returned".to_owned(),
            balance_left: 5,
            uses_left: None,
            at: 9,
        };
        let rolled_back = VoucherRedemptionRow {
            rollback: Some(back),
            ..row.clone()
        };
        let rollback = rolled_back.restore().unwrap().rollback.unwrap();
        assert_eq!(rollback.reference.as_str(), "back-1");
        let wrong = VoucherRedemptionRow { discount: 0, ..row };
        assert!(wrong.restore().is_err());
    }
}
