//! What this instance has of our money at an account, and has not spent. It is pure; moments are
//! uptimes. What is not certain counts as spent: the next count of the ledger finds it.

use domain::float_reserve::{FloatReserve, TrancheGrant};
use domain::money::{Currency, Money};
use domain::order::Order;
use std::time::Duration;

/// The part of a lease after which it is renewed.
const RENEWED_AFTER: u32 = 2;

/// How long the store is left alone after it gave less than was wanted, or failed: each question
/// is a commit.
const SHORT_PAUSE: Duration = Duration::from_secs(5);

/// What is left of a tranche.
#[derive(Debug, Default)]
pub(crate) struct HeldTranche {
    /// In kobo.
    left: i64,
    /// From when on nothing of it is ours.
    until: Duration,
    /// Raised by every answer of the store, for it counted what had been taken before as gone: that
    /// is not given back.
    lease: u64,
    /// The question whose answer is awaited.
    asked: Option<TrancheQuestion>,
    /// The store is asked no sooner.
    next: Duration,
}

/// What the store was asked with, in kobo.
#[derive(Debug, Clone, Copy)]
struct TrancheQuestion {
    unspent: i64,
    wanted: i64,
}

/// What an order took of a tranche.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TakenFloat {
    minor: i64,
    lease: u64,
}

/// What an order needs of the float, in kobo: its amount, since the cost is known to the ledger
/// alone. One in another currency needs nothing.
fn needed(order: &Order) -> i64 {
    let amount = order.amount();
    match amount.currency() {
        Currency::Ngn => amount.minor(),
        Currency::Crd => 0,
    }
}

impl HeldTranche {
    /// Whether an order can be sold.
    pub(crate) fn covers(&self, order: &Order, uptime: Duration) -> bool {
        let needed = needed(order);
        needed == 0 || (uptime < self.until && needed <= self.left)
    }

    /// Takes what an order needs, which must be there.
    pub(crate) fn take(&mut self, order: &Order) -> TakenFloat {
        let minor = needed(order);
        self.left = self.left.saturating_sub(minor);
        TakenFloat {
            minor,
            lease: self.lease,
        }
    }

    /// Gives back what an order took that certainly was not delivered. Not while the store is
    /// asked, for it may have counted it as free.
    pub(crate) fn give_back(&mut self, taken: TakenFloat) {
        if taken.lease == self.lease && self.asked.is_none() {
            self.left = self.left.saturating_add(taken.minor);
        }
    }

    /// Has nothing any more, whatever the store says.
    pub(crate) fn forget(&mut self) {
        self.left = 0;
        self.lease = self.lease.wrapping_add(1);
    }

    /// Whether the store should be asked now, and with which unspent: where half of what is wanted
    /// is spent, or half of the time is over.
    pub(crate) fn ask(&mut self, wanted: Money, uptime: Duration) -> Option<Money> {
        if self.until <= uptime {
            self.forget();
        }
        let half = wanted.minor().checked_div(2).unwrap_or(0);
        let rest = self.until.saturating_sub(uptime);
        let is_due = self.left <= half || rest <= FloatReserve::LEASE / RENEWED_AFTER;
        if !is_due || uptime < self.next || self.asked.is_some() {
            return None;
        }
        self.asked = Some(TrancheQuestion {
            unspent: self.left,
            wanted: wanted.minor(),
        });
        Some(Money::from_minor(self.left, Currency::Ngn))
    }

    /// Takes in what the store answered to a question of an uptime; `None` where it failed: what
    /// is there stays until its time is over.
    pub(crate) fn answered(&mut self, grant: Option<TrancheGrant>, asked_at: Duration) {
        let Some(TrancheQuestion { unspent, wanted }) = self.asked.take() else {
            return;
        };
        self.next = asked_at.saturating_add(SHORT_PAUSE);
        self.lease = self.lease.wrapping_add(1);
        let Some(TrancheGrant { kept, granted }) = grant else {
            return;
        };
        if kept.minor().saturating_add(granted.minor()) >= wanted {
            self.next = asked_at;
        }
        let lost = unspent.saturating_sub(kept.minor());
        self.left = self
            .left
            .saturating_sub(lost)
            .saturating_add(granted.minor());
        let lasts = FloatReserve::LEASE.saturating_sub(FloatReserve::MARGIN);
        self.until = asked_at.saturating_add(lasts);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::float_reserve::{TrancheHolder, TrancheRequest};
    use domain::time::Timestamp;
    use proptest::prelude::*;
    use testkit::builders::{airtime, naira, provider_id, sms};

    const fn at(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn grant(kept: &str, granted: &str) -> TrancheGrant {
        TrancheGrant {
            kept: naira(kept),
            granted: naira(granted),
        }
    }

    /// One that has so much since the beginning.
    fn held(amount: &str) -> HeldTranche {
        let mut held = HeldTranche::default();
        assert_eq!(held.ask(naira(amount), at(0)), Some(naira("0.00")));
        held.answered(Some(grant("0.00", amount)), at(0));
        held
    }

    fn order(amount: &str) -> Order {
        airtime().worth(amount).order()
    }

    #[test]
    fn orders_are_sold_within_what_is_held_and_while_it_is() {
        let none = HeldTranche::default();
        assert!(!none.covers(&order("50.00"), at(0)));
        let mut held = held("100.00");
        assert!(held.covers(&order("100.00"), at(284)));
        assert!(!held.covers(&order("100.01"), at(0)));
        assert!(!held.covers(&order("100.00"), at(285)));
        let taken = held.take(&order("60.00"));
        assert!(!held.covers(&order("40.01"), at(0)));
        held.give_back(taken);
        assert!(held.covers(&order("100.00"), at(0)));
    }

    #[test]
    fn an_order_in_another_currency_needs_nothing() {
        let order = sms().in_credits().order();
        assert!(HeldTranche::default().covers(&order, at(0)));
    }

    #[test]
    fn the_store_is_asked_once_half_is_spent_or_half_of_the_time_is_over() {
        let mut held = held("100.00");
        assert_eq!(held.ask(naira("100.00"), at(134)), None);
        assert_eq!(held.ask(naira("100.00"), at(135)), Some(naira("100.00")));
        assert_eq!(held.ask(naira("100.00"), at(135)), None, "it is asked");
        held.answered(None, at(150));
        held.take(&order("50.00"));
        assert_eq!(held.ask(naira("100.00"), at(154)), None, "it failed");
        assert_eq!(held.ask(naira("100.00"), at(155)), Some(naira("50.00")));
        // What is sold meanwhile stays sold.
        held.take(&order("50.00"));
        held.answered(Some(grant("50.00", "50.00")), at(155));
        assert!(held.covers(&order("50.00"), at(439)));
        assert!(!held.covers(&order("50.01"), at(439)));
    }

    #[test]
    fn the_store_is_left_alone_for_a_while_once_it_gave_less_than_was_wanted() {
        let mut held = HeldTranche::default();
        assert!(held.ask(naira("100.00"), at(10)).is_some());
        held.answered(Some(grant("0.00", "30.00")), at(10));
        assert_eq!(held.ask(naira("100.00"), at(14)), None);
        assert_eq!(held.ask(naira("100.00"), at(15)), Some(naira("30.00")));
    }

    #[test]
    fn nothing_is_given_back_that_the_store_may_have_given_away() {
        let mut held = held("100.00");
        let while_asked = held.take(&order("60.00"));
        assert!(held.ask(naira("100.00"), at(1)).is_some());
        held.give_back(while_asked);
        held.answered(Some(grant("40.00", "0.00")), at(1));
        assert!(!held.covers(&order("50.00"), at(1)));
        // After the lease ended, and after the store said that it had.
        let before = held.take(&order("40.00"));
        assert!(held.ask(naira("100.00"), at(400)).is_some());
        held.answered(Some(grant("0.00", "0.00")), at(400));
        held.give_back(before);
        assert!(!held.covers(&order("50.00"), at(400)));
    }

    /// What happens to one of two instances, or at the provider.
    #[derive(Debug, Clone)]
    enum Step {
        /// It asks; the store answers after some of the steps that follow.
        Ask(usize),
        Answer(usize),
        Lose(usize),
        Sell(usize, i64),
        /// One of its orders is certainly not delivered.
        Refuse(usize, prop::sample::Index),
        Deliver(usize, prop::sample::Index),
        Wait(u64),
    }

    fn steps() -> impl Strategy<Value = Vec<Step>> {
        let which = || 0..2_usize;
        let index = || any::<prop::sample::Index>();
        let step = prop_oneof![
            4 => which().prop_map(Step::Ask),
            4 => which().prop_map(Step::Answer),
            1 => which().prop_map(Step::Lose),
            6 => (which(), 10..60_i64).prop_map(|(who, amount)| Step::Sell(who, amount)),
            3 => (which(), index()).prop_map(|(who, order)| Step::Refuse(who, order)),
            3 => (which(), index()).prop_map(|(who, order)| Step::Deliver(who, order)),
            3 => Just(Step::Wait(SHORT_PAUSE.as_secs())),
            1 => (1..200_u64).prop_map(Step::Wait),
        ];
        prop::collection::vec(step, 0..120)
    }

    /// An instance, its open orders, and the question whose answer is on its way.
    #[derive(Default)]
    struct Seller {
        held: HeldTranche,
        open: Vec<(i64, TakenFloat)>,
        asked: Option<(TrancheRequest, Duration)>,
    }

    /// The books of both: what was delivered, and the reserve.
    struct Books {
        paid_in: i64,
        delivered: i64,
        reserve: FloatReserve,
    }

    impl Books {
        fn answers(
            &mut self,
            request: &TrancheRequest,
            open: i64,
            uptime: Duration,
        ) -> TrancheGrant {
            let now = Timestamp::from_millis(i64::try_from(uptime.as_millis()).unwrap());
            if self.reserve.must_count(request, now) {
                let left = Money::from_minor(self.paid_in - self.delivered - open, Currency::Ngn);
                self.reserve = self.reserve.clone().counted(left, request, now);
            }
            let (reserve, grant) = self.reserve.clone().lease(request, now);
            self.reserve = reserve;
            grant
        }
    }

    fn all_open(sellers: &[Seller; 2]) -> i64 {
        let open = sellers.iter().flat_map(|it| &it.open);
        open.map(|(amount, _)| amount).sum()
    }

    proptest! {
        #[test]
        fn two_instances_never_sell_more_than_was_paid_in(
            paid_in in 60..140_i64,
            steps in steps(),
        ) {
            let wanted = Money::from_minor(80, Currency::Ngn);
            let mut books = Books { paid_in, delivered: 0, reserve: FloatReserve::UNKNOWN };
            let mut sellers = [Seller::default(), Seller::default()];
            let mut uptime = Duration::ZERO;
            for step in steps {
                match step {
                    Step::Wait(seconds) => uptime += at(seconds),
                    Step::Ask(who) => {
                        if let Some(unspent) = sellers[who].held.ask(wanted, uptime) {
                            let request = TrancheRequest {
                                provider: provider_id("shop"),
                                holder: TrancheHolder(i64::try_from(who).unwrap()),
                                unspent,
                                wanted,
                            };
                            sellers[who].asked = Some((request, uptime));
                        }
                    }
                    Step::Answer(who) | Step::Lose(who) => {
                        let open = all_open(&sellers);
                        let Some((request, asked_at)) = sellers[who].asked.take() else { continue };
                        let grant = books.answers(&request, open, uptime);
                        let grant = matches!(step, Step::Answer(_)).then_some(grant);
                        sellers[who].held.answered(grant, asked_at);
                    }
                    Step::Sell(who, minor) => {
                        let order = order(&Money::from_minor(minor, Currency::Ngn).to_string());
                        let seller = &mut sellers[who];
                        if seller.held.covers(&order, uptime) {
                            let taken = seller.held.take(&order);
                            seller.open.push((minor, taken));
                        }
                    }
                    Step::Refuse(who, which) | Step::Deliver(who, which) => {
                        let seller = &mut sellers[who];
                        if seller.open.is_empty() { continue }
                        let (minor, taken) = seller.open.remove(which.index(seller.open.len()));
                        if matches!(step, Step::Deliver(..)) {
                            books.delivered += minor;
                        } else {
                            seller.held.give_back(taken);
                        }
                    }
                }
                let sold = books.delivered + all_open(&sellers);
                prop_assert!(sold <= paid_in, "{sold} of {paid_in}");
            }
        }
    }
}
