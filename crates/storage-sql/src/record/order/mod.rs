//! Records of what was bought, one file per family. They must hold every value as it was frozen
//! when the transaction was opened.

mod airtime;
mod bank;
mod bill;
mod cabletv;
mod card;
mod electricity;
mod hlr;
mod international;
mod internet;
mod ivr;
mod messaging;
mod mobile_money;
mod paid_lookup;
mod rcs;
mod sms;
mod user;
mod voice;
mod wallet;
mod whatsapp;

use super::RecordError;
use super::scalar::{Text, valid};
use airtime::AirtimeRecord;
use bank::PayoutRecord;
use bill::BillRecord;
use cabletv::CableTvRecord;
use card::CardRecord;
use domain::order::Order;
use domain::phone::PhoneNumber;
use electricity::ElectricityRecord;
use hlr::HlrRecord;
pub(in crate::record) use international::DestinationRecord;
use international::InternationalRecord;
use internet::DataRecord;
use ivr::IvrRecord;
use mobile_money::MobileMoneyRecord;
use paid_lookup::LookupRecord;
use rcs::RcsRecord;
use serde::{Deserialize, Serialize};
use sms::MessageRecord;
use user::UserRecord;
pub use user::claim;
use voice::VoiceRecord;
use wallet::WalletRecord;
use whatsapp::WhatsappRecord;

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum OrderRecord<'a> {
    #[serde(borrow)]
    Airtime(AirtimeRecord<'a>),
    #[serde(borrow, rename = "cabletv")]
    CableTv(CableTvRecord<'a>),
    #[serde(borrow)]
    Electricity(ElectricityRecord<'a>),
    #[serde(borrow)]
    Internet(DataRecord<'a>),
    #[serde(borrow)]
    Sms(MessageRecord<'a>),
    #[serde(borrow)]
    Whatsapp(WhatsappRecord<'a>),
    #[serde(borrow)]
    Rcs(RcsRecord<'a>),
    #[serde(borrow)]
    Voice(VoiceRecord<'a>),
    #[serde(borrow)]
    Ivr(IvrRecord<'a>),
    #[serde(borrow)]
    Bank(PayoutRecord<'a>),
    #[serde(borrow)]
    Hlr(HlrRecord<'a>),
    #[serde(borrow)]
    Card(CardRecord<'a>),
    #[serde(borrow)]
    International(InternationalRecord<'a>),
    #[serde(borrow, rename = "mobilemoney")]
    MobileMoney(MobileMoneyRecord<'a>),
    #[serde(borrow)]
    Wallet(WalletRecord<'a>),
    #[serde(borrow)]
    User(UserRecord<'a>),
    #[serde(borrow)]
    Bill(BillRecord<'a>),
    #[serde(borrow)]
    Lookup(LookupRecord<'a>),
}

/// The telephone of a customer, where the merchant gave one.
fn customer_phone(stored: Option<&Text<'_>>) -> Result<Option<PhoneNumber>, RecordError> {
    let read = stored.map(|stored| valid(PhoneNumber::parse(stored), "customer_phone"));
    read.transpose()
}

impl<'a> From<&'a Order> for OrderRecord<'a> {
    fn from(order: &'a Order) -> Self {
        match order {
            Order::Airtime(order) => Self::Airtime(order.into()),
            Order::CableTv(order) => Self::CableTv(order.into()),
            Order::Electricity(order) => Self::Electricity(order.into()),
            Order::Internet(order) => Self::Internet(order.into()),
            Order::Sms(order) => Self::Sms(order.into()),
            Order::Whatsapp(order) => Self::Whatsapp(order.into()),
            Order::Rcs(order) => Self::Rcs(order.into()),
            Order::Voice(order) => Self::Voice(order.into()),
            Order::Ivr(order) => Self::Ivr(order.into()),
            Order::Bank(order) => Self::Bank(order.into()),
            Order::Hlr(order) => Self::Hlr(order.into()),
            Order::Card(order) => Self::Card(order.into()),
            Order::International(order) => Self::International(order.into()),
            Order::MobileMoney(order) => Self::MobileMoney(order.into()),
            Order::Wallet(order) => Self::Wallet(order.into()),
            Order::User(order) => Self::User(order.into()),
            Order::Bill(order) => Self::Bill(order.into()),
            Order::Lookup(order) => Self::Lookup(order.into()),
        }
    }
}

impl OrderRecord<'_> {
    pub(super) fn restore(self) -> Result<Order, RecordError> {
        match self {
            Self::Airtime(record) => record.restore().map(Order::Airtime),
            Self::CableTv(record) => record.restore().map(Order::CableTv),
            Self::Electricity(record) => record.restore().map(Order::Electricity),
            Self::Internet(record) => record.restore().map(Order::Internet),
            Self::Sms(record) => record.restore().map(Order::Sms),
            Self::Whatsapp(record) => record.restore().map(Order::Whatsapp),
            Self::Rcs(record) => record.restore().map(Order::Rcs),
            Self::Voice(record) => record.restore().map(Order::Voice),
            Self::Ivr(record) => record.restore().map(Order::Ivr),
            Self::Bank(record) => record.restore().map(Order::Bank),
            Self::Hlr(record) => record.restore().map(Order::Hlr),
            Self::Card(record) => record.restore().map(Order::Card),
            Self::International(record) => record.restore().map(Order::International),
            Self::MobileMoney(record) => record.restore().map(Order::MobileMoney),
            Self::Wallet(record) => record.restore().map(Order::Wallet),
            Self::User(record) => record.restore().map(Order::User),
            Self::Bill(record) => record.restore().map(Order::Bill),
            Self::Lookup(record) => record.restore().map(Order::Lookup),
        }
    }
}
