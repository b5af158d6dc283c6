//! Equal orders at one account: a provider that takes an equal order for a copy of an earlier one
//! is not sent a second within that time. It is pure; moments are uptimes. It keeps no number of a
//! customer, only a hash of what makes two orders equal.

use domain::messaging::MessageParties;
use domain::order::Order;
use sha2::{Digest as _, Sha256};
use std::collections::HashMap;
use std::time::Duration;

/// Most orders that are remembered: a thousand a second for a minute and a half. With more, an
/// order finds no place: sending it unspaced could have it taken for a copy.
const REMEMBERED_MAX: usize = 100_000;

/// What makes two orders equal: the product, its biller and plan, the customer, the amount, and of
/// a message its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct OrderLikeness([u8; 32]);

impl OrderLikeness {
    pub(crate) fn of(order: &Order) -> Self {
        let amount = order.amount();
        let minor = amount.minor().to_string();
        let (customer, detail) = customer(order);
        let parts = [
            order.service().code(),
            order.biller().unwrap_or_default(),
            amount.currency().code(),
            &minor,
            &customer,
            &detail,
        ];
        let mut hash = Sha256::new();
        for part in parts {
            // Each after its length, so that no two orders are hashed alike.
            hash.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
            hash.update(part);
        }
        Self(hash.finalize().into())
    }
}

/// The number of a message's person, and everything that it says.
fn message(parties: &MessageParties, values: &[String]) -> (String, String) {
    (parties.number.to_string(), values.join("\u{0}"))
}

/// Who is served, and what else two equal orders share.
fn customer(order: &Order) -> (String, String) {
    match order {
        Order::Airtime(it) => (it.number.to_string(), it.billing.code().to_owned()),
        Order::CableTv(it) => (it.number.to_string(), String::new()),
        Order::Electricity(it) => (it.meter.number.to_string(), String::new()),
        Order::Internet(it) => (it.number.to_string(), it.plan.to_string()),
        Order::Sms(it) => (it.number.to_string(), it.content.as_str().to_owned()),
        Order::Whatsapp(it) => message(&it.parties, &it.content.values()),
        Order::Rcs(it) => message(&it.parties, &it.content.values()),
        Order::Voice(it) => message(&it.parties, &it.content.values()),
        Order::Ivr(it) => message(&it.parties, &it.flow.values()),
        Order::Bank(it) => (it.account.number.to_string(), String::new()),
        Order::Card(it) => (it.token.as_str().to_owned(), String::new()),
        Order::International(it) => (
            it.beneficiary.account.number().to_owned(),
            it.beneficiary
                .account
                .bank()
                .map(|bank| bank.as_str().to_owned())
                .unwrap_or_default(),
        ),
        Order::MobileMoney(it) => (it.number.to_string(), String::new()),
        // Never submitted.
        Order::Wallet(it) => (it.narration.to_string(), String::new()),
        Order::User(it) => (it.identity.to_string(), it.narration.to_string()),
        Order::Hlr(it) => (it.number.to_string(), String::new()),
        Order::Bill(it) => (it.number.to_string(), String::new()),
        Order::Lookup(it) => (it.number.clone(), it.code.to_string()),
    }
}

/// The orders that an account was given lately.
#[derive(Debug, Default)]
pub(crate) struct Lookalikes {
    /// Until when an equal one would be taken for a copy; none while it is under way.
    until: HashMap<OrderLikeness, Option<Duration>>,
}

/// What an equal order meets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LikenessVerdict {
    /// None like it.
    Unlike,
    /// An equal one was sent lately.
    Lookalike,
    /// There is no room to remember it.
    Full,
}

impl Lookalikes {
    pub(crate) fn judge(&self, likeness: OrderLikeness, uptime: Duration) -> LikenessVerdict {
        match self.until.get(&likeness) {
            Some(None) => LikenessVerdict::Lookalike,
            Some(Some(until)) if uptime < *until => LikenessVerdict::Lookalike,
            None if self.is_full(uptime) => LikenessVerdict::Full,
            Some(Some(_)) | None => LikenessVerdict::Unlike,
        }
    }

    fn is_full(&self, uptime: Duration) -> bool {
        let counts = |until: &Option<Duration>| until.is_none_or(|until| uptime < until);
        self.until.len() >= REMEMBERED_MAX
            && self.until.values().filter(|it| counts(it)).count() >= REMEMBERED_MAX
    }

    /// One begins.
    pub(crate) fn begin(&mut self, likeness: OrderLikeness, uptime: Duration) {
        if self.until.len() >= REMEMBERED_MAX {
            self.until
                .retain(|_, until| until.is_none_or(|until| uptime < until));
        }
        self.until.insert(likeness, None);
    }

    /// One ended that the provider may have: equal ones are copies until a moment. The time counts
    /// from its end, for the provider took it in before.
    pub(crate) fn keep_until(&mut self, likeness: OrderLikeness, until: Duration) {
        self.until.insert(likeness, Some(until));
    }

    /// One ended that the provider certainly does not have.
    pub(crate) fn forget(&mut self, likeness: OrderLikeness) {
        self.until.remove(&likeness);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn likeness(number: usize) -> OrderLikeness {
        OrderLikeness(Sha256::digest(number.to_be_bytes()).into())
    }

    #[test]
    fn an_equal_order_is_one_while_the_first_is_under_way_and_until_its_time_is_over() {
        let mut sent = Lookalikes::default();
        let order = likeness(1);
        assert_eq!(sent.judge(order, at(0)), LikenessVerdict::Unlike);
        sent.begin(order, at(0));
        assert_eq!(sent.judge(order, at(9_999)), LikenessVerdict::Lookalike);
        sent.keep_until(order, at(60));
        assert_eq!(sent.judge(order, at(59)), LikenessVerdict::Lookalike);
        assert_eq!(sent.judge(order, at(60)), LikenessVerdict::Unlike);
        assert_eq!(sent.judge(likeness(2), at(0)), LikenessVerdict::Unlike);
        sent.forget(order);
        assert_eq!(sent.judge(order, at(0)), LikenessVerdict::Unlike);
    }

    #[test]
    fn with_too_many_to_remember_nothing_goes_unspaced_and_room_comes_back() {
        let mut sent = Lookalikes::default();
        for number in 0..REMEMBERED_MAX {
            sent.begin(likeness(number), at(0));
            sent.keep_until(likeness(number), at(60));
        }
        let next = likeness(REMEMBERED_MAX);
        assert_eq!(sent.judge(next, at(59)), LikenessVerdict::Full);
        assert_eq!(sent.judge(next, at(60)), LikenessVerdict::Unlike);
        sent.begin(next, at(60));
        assert_eq!(sent.until.len(), 1);
    }
}
