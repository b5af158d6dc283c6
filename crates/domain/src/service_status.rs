//! How products and their billers are doing, as the gateway's own payments show it. It must say
//! neither which provider delivers one, nor how much of it is sold.

use crate::order::Service;
use crate::time::Timestamp;
use std::time::Duration;

/// Whether a product can be bought.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ServiceHealth {
    /// Nothing is known against it.
    Up,
    /// Some of what is bought fails, or one of its billers is not up.
    Degraded,
    /// Nothing of it can be delivered now, or nothing was of late.
    Down,
    /// Nothing of it can be delivered because of a maintenance that was announced.
    Maintenance,
}

impl ServiceHealth {
    /// Every one.
    pub const ALL: [Self; 4] = [Self::Up, Self::Degraded, Self::Down, Self::Maintenance];
}

/// A payment that became final.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FinalPayment {
    /// Whether it was delivered.
    pub is_delivered: bool,
    /// From its acceptance to its final status.
    pub took: Duration,
}

/// What the payments of a product show of it, rounded so that nothing else can be read from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ServiceTraffic {
    /// How many of a hundred final payments were delivered, rounded down; `None` where there were
    /// too few.
    pub success_rate: Option<u8>,
    /// Within what time 95 of a hundred payments became final, rounded up; `None` where there were
    /// too few.
    pub latency: Option<Duration>,
    /// How many payments wait for an answer that is definite, rounded down.
    pub pending: u64,
}

impl ServiceTraffic {
    /// Fewest final payments that a rate and a time are made of. One payment more or less moves the
    /// rate of twenty by five points: fewer would show what single payments of others did.
    pub const FINALS_MIN: usize = 20;

    /// Payments that wait are counted in tens: fewer are the payments of one merchant.
    pub const PENDING_STEP: u64 = 10;

    /// Times are rounded up to tenths of a second: a merchant decides nothing by less.
    pub const LATENCY_STEP: Duration = Duration::from_millis(100);

    /// Of a hundred payments, so many become final within the time that is shown.
    const PERCENTILE: usize = 95;

    /// What final payments and those that wait show.
    pub fn of(finals: &[FinalPayment], pending: u64) -> Self {
        let is_shown = finals.len() >= Self::FINALS_MIN;
        let shown = if is_shown { finals } else { &[] };
        Self {
            success_rate: success_rate(shown),
            latency: latency(shown),
            pending: pending.saturating_sub(pending.checked_rem(Self::PENDING_STEP).unwrap_or(0)),
        }
    }

    /// What the rate says by itself.
    pub const fn health(&self) -> ServiceHealth {
        match self.success_rate {
            Some(0) => ServiceHealth::Down,
            Some(rate) if rate < ServiceStatus::DEGRADED_BELOW => ServiceHealth::Degraded,
            Some(_) | None => ServiceHealth::Up,
        }
    }
}

fn success_rate(finals: &[FinalPayment]) -> Option<u8> {
    let delivered = finals.iter().filter(|it| it.is_delivered).count();
    let rate = delivered.checked_mul(100)?.checked_div(finals.len())?;
    u8::try_from(rate).ok()
}

fn latency(finals: &[FinalPayment]) -> Option<Duration> {
    let mut times: Vec<Duration> = finals.iter().map(|it| it.took).collect();
    times.sort_unstable();
    let place = times.len().checked_mul(ServiceTraffic::PERCENTILE)?;
    let place = place.div_ceil(100).checked_sub(1)?;
    let step = ServiceTraffic::LATENCY_STEP.as_millis();
    let steps = times.get(place)?.as_millis().div_ceil(step);
    let rounded = u64::try_from(steps.checked_mul(step)?).ok()?;
    Some(Duration::from_millis(rounded))
}

/// How a product, or one biller of it, is doing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceStatus {
    /// The product.
    pub service: Service,
    /// The biller, network or operator as orders name it; `None` for the product as a whole.
    pub biller: Option<String>,
    /// Whether it can be bought.
    pub health: ServiceHealth,
    /// What its payments show.
    pub traffic: ServiceTraffic,
    /// Until when it is under maintenance, where it is and the end is known.
    pub until: Option<Timestamp>,
}

impl ServiceStatus {
    /// Below this success rate a product is degraded: where every tenth payment fails, a merchant
    /// sees it in the complaints of customers.
    pub const DEGRADED_BELOW: u8 = 90;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finals(delivered: usize, failed: usize) -> Vec<FinalPayment> {
        let of = |is_delivered| FinalPayment {
            is_delivered,
            took: Duration::from_millis(130),
        };
        let delivered = std::iter::repeat_n(of(true), delivered);
        delivered
            .chain(std::iter::repeat_n(of(false), failed))
            .collect()
    }

    #[test]
    fn too_few_payments_show_nothing_and_are_up() {
        for known in [finals(0, 0), finals(0, 19), finals(19, 0)] {
            let traffic = ServiceTraffic::of(&known, 9);
            assert_eq!(traffic, ServiceTraffic::default());
            assert_eq!(traffic.health(), ServiceHealth::Up);
        }
    }

    #[test]
    fn a_rate_is_rounded_down_so_that_a_hundred_means_that_none_failed() {
        for (known, rate, health) in [
            (finals(20, 0), 100, ServiceHealth::Up),
            (finals(999, 1), 99, ServiceHealth::Up),
            (finals(90, 10), 90, ServiceHealth::Up),
            (finals(899, 101), 89, ServiceHealth::Degraded),
            (finals(1, 99), 1, ServiceHealth::Degraded),
            (finals(0, 20), 0, ServiceHealth::Down),
        ] {
            let traffic = ServiceTraffic::of(&known, 0);
            assert_eq!(traffic.success_rate, Some(rate));
            assert_eq!(traffic.health(), health, "{rate}");
        }
    }

    #[test]
    fn the_time_of_95_of_a_hundred_is_shown_in_tenths_of_a_second() {
        let mut known = finals(95, 5);
        assert_eq!(
            ServiceTraffic::of(&known, 0).latency,
            Some(Duration::from_millis(200))
        );
        for slow in known.iter_mut().rev().take(5) {
            slow.took = Duration::from_secs(40);
        }
        let all_but_five = ServiceTraffic::of(&known, 0).latency;
        assert_eq!(all_but_five, Some(Duration::from_millis(200)));
        known[0].took = Duration::from_secs(40);
        let one_more = ServiceTraffic::of(&known, 0).latency;
        assert_eq!(one_more, Some(Duration::from_secs(40)));
    }

    #[test]
    fn payments_that_wait_are_counted_in_tens() {
        let shown = |pending| ServiceTraffic::of(&[], pending).pending;
        assert_eq!([0, 9, 10, 19, 127].map(shown), [0, 0, 10, 10, 120]);
    }
}
