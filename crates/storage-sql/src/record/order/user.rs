//! The record of a transfer to another account. It must say who was paid by the identity of the
//! account: an address may become another's.

use crate::record::RecordError;
use crate::record::payee::PayeeRecord;
use crate::record::scalar::{MoneyRecord, StoredTimestamp, Text, valid};
use domain::account::{AccountId, AccountIdentity, AccountName, EmailAddress};
use domain::bank::Narration;
use domain::order::Order;
use domain::phone::PhoneNumber;
use domain::user::{Recipient, UserOrder};
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
pub(in crate::record) struct UserRecord<'a> {
    #[serde(borrow)]
    identity: IdentityRecord<'a>,
    #[serde(borrow)]
    amount: MoneyRecord<'a>,
    #[serde(borrow)]
    narration: Text<'a>,
    #[serde(borrow)]
    from: Text<'a>,
    #[serde(borrow)]
    recipient: RecipientRecord<'a>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum IdentityRecord<'a> {
    #[serde(borrow)]
    Id(Text<'a>),
    #[serde(borrow)]
    Email(Text<'a>),
    #[serde(borrow)]
    Phone(Text<'a>),
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum RecipientRecord<'a> {
    #[serde(borrow)]
    Account(PayeeRecord<'a>),
    Unclaimed {
        until: StoredTimestamp,
    },
}

impl<'a> From<&'a UserOrder> for UserRecord<'a> {
    fn from(order: &'a UserOrder) -> Self {
        Self {
            identity: match &order.identity {
                AccountIdentity::Id(id) => IdentityRecord::Id(id.as_str().into()),
                AccountIdentity::Email(email) => IdentityRecord::Email(email.as_str().into()),
                AccountIdentity::Phone(phone) => IdentityRecord::Phone(phone.digits().into()),
            },
            amount: order.amount.into(),
            narration: order.narration.as_str().into(),
            from: order.from.as_str().into(),
            recipient: match &order.recipient {
                Recipient::Account(payee) => RecipientRecord::Account(payee.into()),
                Recipient::Unclaimed { until } => RecipientRecord::Unclaimed {
                    until: (*until).into(),
                },
            },
        }
    }
}

impl UserRecord<'_> {
    pub(super) fn restore(self) -> Result<UserOrder, RecordError> {
        Ok(UserOrder {
            identity: self.identity.restore()?,
            amount: self.amount.restore("amount")?,
            narration: valid(Narration::parse(&self.narration), "narration")?,
            from: valid(AccountName::parse(&self.from), "from")?,
            recipient: match self.recipient {
                RecipientRecord::Account(payee) => Recipient::Account(payee.restore()?),
                RecipientRecord::Unclaimed { until } => Recipient::Unclaimed {
                    until: until.into(),
                },
            },
        })
    }
}

/// The e-mail address or the phone number that an order waits for an account to have.
pub fn claim(order: &Order) -> (Option<&str>, Option<&str>) {
    match order.awaited() {
        Some(AccountIdentity::Email(email)) => (Some(email.as_str()), None),
        Some(AccountIdentity::Phone(phone)) => (None, Some(phone.digits())),
        Some(AccountIdentity::Id(_)) | None => (None, None),
    }
}

impl IdentityRecord<'_> {
    fn restore(self) -> Result<AccountIdentity, RecordError> {
        Ok(match self {
            Self::Id(id) => AccountIdentity::Id(valid(AccountId::parse(&id), "identity")?),
            Self::Email(email) => {
                AccountIdentity::Email(valid(EmailAddress::parse(&email), "identity")?)
            }
            Self::Phone(phone) => {
                AccountIdentity::Phone(valid(PhoneNumber::parse(&phone), "identity")?)
            }
        })
    }
}
