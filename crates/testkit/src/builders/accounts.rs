//! Accounts, keys, money paid in and senders. A key here must never be one that could open
//! anything.

use super::{START, account_id, credits, naira, reference, serial};
use domain::account::{Account, AccountContact, AccountName, AccountStatus, EmailAddress};
use domain::change_set::{Funding, adjustment_reference};
use domain::credential::{KeyHash, KeyId, KeyRecord};
use domain::environment::Environment;
use domain::money::{Currency, Money};
use domain::phone::PhoneNumber;
use domain::sms::{Sender, SenderName, SenderStatus};
use domain::time::Timestamp;
use ports::accounts::NewAccount;

/// An active account, its name its identity.
pub fn account(id: &str) -> AccountBuilder {
    AccountBuilder {
        account: Account {
            id: account_id(id),
            name: AccountName::parse(id).expect("a name"),
            contact: AccountContact::default(),
            environment: Environment::Test,
            status: AccountStatus::Active,
            currency: Currency::Ngn,
            message_currency: Currency::Ngn,
            time_zone: "Africa/Lagos".into(),
            opened_at: START,
        },
        key: key(1),
        balance: None,
    }
}

/// An account being described.
#[derive(Debug, Clone)]
#[must_use]
pub struct AccountBuilder {
    account: Account,
    key: KeyRecord,
    balance: Option<Money>,
}

impl AccountBuilder {
    /// What people call it.
    pub fn named(mut self, name: &str) -> Self {
        self.account.name = AccountName::parse(name).expect("a name");
        self
    }

    /// Reached by this e-mail address and this phone number.
    pub fn reached_by(mut self, email: &str, phone: &str) -> Self {
        self.account.contact = contact(email, phone);
        self
    }

    /// With real money.
    pub fn live(mut self) -> Self {
        self.account.environment = Environment::Live;
        self.key.hint = self.key.hint.replace("mk_test_", "mk_live_");
        self
    }

    /// Suspended from the start.
    pub fn suspended(mut self) -> Self {
        self.account.status = AccountStatus::Suspended;
        self
    }

    /// With its messages paid for in credits.
    pub fn messages_in_credits(mut self) -> Self {
        self.account.message_currency = Currency::Crd;
        self
    }

    /// Opened at another moment.
    pub fn opened_at(mut self, at: Timestamp) -> Self {
        self.account.opened_at = at;
        self
    }

    /// With another first key.
    pub fn with_key(mut self, key: KeyRecord) -> Self {
        self.key = key;
        self
    }

    /// With money paid in at once, such as `1,000.00`.
    pub fn with_balance(mut self, amount: &str) -> Self {
        self.balance = Some(naira(amount));
        self
    }

    /// With message credits given at once instead, such as `10.00`.
    pub fn with_credits(mut self, amount: &str) -> Self {
        self.balance = Some(credits(amount));
        self
    }

    /// The account alone.
    pub fn build(self) -> Account {
        self.account
    }

    /// The account as it is opened in a store.
    pub fn new_account(self) -> NewAccount {
        let id = self.account.id.as_str();
        let funding = self.balance.map(|amount| Funding {
            at: self.account.opened_at,
            amount,
            ..funding(id, "opening-balance", "0.00")
        });
        NewAccount {
            funding,
            account: self.account,
            key: self.key,
        }
    }
}

/// An e-mail address and a phone number; an empty text stands for none.
pub fn contact(email: &str, phone: &str) -> AccountContact {
    let email = (!email.is_empty()).then(|| EmailAddress::parse(email).expect("an address"));
    let phone = (!phone.is_empty()).then(|| PhoneNumber::parse(phone).expect("a number"));
    AccountContact { email, phone }
}

/// The `n`th key of an account: each has its own number, hint, hash and, rising with `n`, time of
/// making.
pub fn key(n: u8) -> KeyRecord {
    KeyRecord {
        id: KeyId(i64::from(n)),
        hint: format!("mk_test_K{n:03}"),
        hash: KeyHash([n; 32]),
        created_at: super::at(u64::from(n)),
    }
}

/// Money paid in by an operator at [`START`].
pub fn funding(account: &str, under: &str, amount: &str) -> Funding {
    Funding {
        account: account_id(account),
        reference: reference(under),
        amount: naira(amount),
        narration: format!("Paid in: {under}"),
        at: START,
    }
}

/// A correction by an operator at [`START`], upwards or downwards.
pub fn adjustment(account: &str, under: &str, amount: &str) -> Funding {
    let reference = adjustment_reference(&reference(under)).expect("a short reference");
    let (sign, amount) = match amount.strip_prefix('-') {
        Some(amount) => (-1, amount),
        None => (1, amount),
    };
    Funding {
        reference,
        amount: Money::from_minor(sign * naira(amount).minor(), Currency::Ngn),
        narration: format!("Adjustment {under}"),
        ..funding(account, under, amount)
    }
}

/// A sender that waits for the operator's decision since [`START`].
pub fn sender(account: &str, under: &str, name: &str) -> Sender {
    Sender {
        serial: serial(under),
        account: account_id(account),
        name: SenderName::recorded(name).expect("a sender name"),
        status: SenderStatus::Pending,
        requested_at: START,
        decided_at: None,
    }
}
