//! An order of any family, frozen as it was priced. It must never be changed after the transaction
//! was opened. The families and what they bring are listed in [`crate::family`].

pub use crate::family::{Order, Service};

use crate::account::AccountIdentity;
use crate::billing::Billing;
use crate::country::CountryCode;
use crate::family::{AbsenceEnds, FamilyOrder, Fulfilment};
use crate::money::Money;
use crate::pricing::Use;
use crate::provider::ProviderId;
use crate::time::Timestamp;
use crate::user::Recipient;

impl Service {
    /// Reads the word of a record; `None` for any other word.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::all().find(|service| service.code() == code)
    }

    /// Every family that providers deliver.
    pub fn delivered() -> impl Iterator<Item = Self> + Clone {
        Self::all().filter(|service| service.has_provider())
    }

    /// What absence at the provider ends.
    pub const fn absence(self) -> AbsenceEnds {
        for_service!(self, It => <It as FamilyOrder>::ABSENCE)
    }

    /// How price overrides name what is sold, after the family's word.
    pub const fn products(self) -> &'static [&'static str] {
        for_service!(self, It => <It as FamilyOrder>::PRODUCTS)
    }
}

impl Order {
    /// The family.
    pub fn service(&self) -> Service {
        for_order!(self, order => order.service())
    }

    /// The value bought; a provider must echo exactly this.
    pub fn amount(&self) -> Money {
        for_order!(self, order => order.amount())
    }

    /// One line for statements, such as `Airtime MTN 2348031234567`.
    pub fn narration(&self) -> String {
        for_order!(self, order => order.narration())
    }

    /// The digits it is for: a telephone, meter, card or account number.
    pub fn digits(&self) -> &str {
        for_order!(self, order => order.digits())
    }

    /// The code of the biller, network, operator or bank it is for; `None` in a family without any.
    pub fn biller(&self) -> Option<&str> {
        for_order!(self, order => order.biller())
    }

    /// The number as lists of transactions show it; `None` where they show none.
    pub fn listed_number(&self) -> Option<&str> {
        for_order!(self, order => order.listed_number())
    }

    /// Whether it is paid in advance or afterwards; `None` in a family without the difference.
    pub fn billing(&self) -> Option<Billing> {
        for_order!(self, order => order.billing())
    }

    /// The country, where the order itself names it; that of others is their biller's.
    pub fn country(&self) -> Option<CountryCode> {
        for_order!(self, order => order.country())
    }

    /// The moment before which it is not sent, where the order itself names it.
    pub fn send_from(&self) -> Option<Timestamp> {
        for_order!(self, order => order.send_from())
    }

    /// The moment from which no attempt may begin any more, where the order itself names it.
    pub fn send_before(&self) -> Option<Timestamp> {
        for_order!(self, order => order.send_before())
    }

    /// For how many units the price is held, where what was used is charged by the unit.
    pub fn units(&self) -> u8 {
        for_order!(self, order => order.units())
    }

    /// How many of these units were used, where it were fewer; `None` where all are charged.
    pub fn used(&self, fulfilment: &Fulfilment) -> Option<Use> {
        for_order!(self, order => order.used(fulfilment))
    }

    /// What the gateway's own books credit for it; `None` where a provider delivers it.
    pub fn arrives(&self) -> Option<Money> {
        for_order!(self, order => order.arrives())
    }

    /// Who is paid, where it pays another account.
    pub fn recipient(&self) -> Option<&Recipient> {
        for_order!(self, order => order.recipient())
    }

    /// The address that it waits for an account to have.
    pub fn awaited(&self) -> Option<&AccountIdentity> {
        for_order!(self, order => order.awaited())
    }

    /// The line on the statement of another account that it pays.
    pub fn narration_at_payee(&self) -> String {
        for_order!(self, order => order.narration_at_payee())
    }

    /// Whose quote it goes by, where it does: no other provider may be given it.
    pub fn quoted_by(&self) -> Option<&ProviderId> {
        for_order!(self, order => order.quoted_by())
    }

    /// Whether what a provider says it handed over is what was ordered.
    pub fn agrees_with(&self, fulfilment: &Fulfilment) -> bool {
        for_order!(self, order => order.agrees_with(fulfilment))
    }

    /// Whether its parts agree with one another, where they can be worked out again.
    pub fn is_exact(&self) -> bool {
        for_order!(self, order => order.is_exact())
    }

    /// Whether its provider hands over a token after the payment.
    pub fn takes_token(&self) -> bool {
        for_order!(self, order => order.takes_token())
    }

    /// Whether its records are sealed.
    pub fn is_confidential(&self) -> bool {
        for_service!(self.service(), It => <It as FamilyOrder>::IS_CONFIDENTIAL)
    }

    /// What is recorded where a person says that it was delivered and no details are known.
    pub fn fulfilment_without_details(&self) -> Option<Fulfilment> {
        for_order!(self, order => order.fulfilment_without_details())
    }
}

impl Fulfilment {
    /// The same with what a later receipt adds; `None` where that is nothing. Only messages have
    /// receipts after they were handed over.
    pub fn after(&self, observed: &Self) -> Option<Self> {
        match (self, observed) {
            (Self::Sms(known), Self::Sms(received)) => known.after(received).map(Self::Sms),
            (Self::Whatsapp(known), Self::Whatsapp(received)) => {
                known.after(*received).map(Self::Whatsapp)
            }
            (Self::Rcs(known), Self::Rcs(received)) => known.after(*received).map(Self::Rcs),
            (_, _) => None,
        }
    }

    /// Whether this completes the order: the same family, and all the details there must be.
    pub fn completes(&self, order: &Order) -> bool {
        for_order!(order, order => order.is_completed_by(self))
    }
}
