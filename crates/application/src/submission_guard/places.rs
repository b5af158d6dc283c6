//! How many submissions of an account are under way, and how many began within a second: what a
//! provider takes no more of is not sent. Nothing waits here: an order that finds no place goes to
//! another route or is refused. It is pure; moments are uptimes.

use domain::order::Service;
use ports::provider_limits::ProviderLimits;
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

/// In which the rate is counted: any second, not one that begins with a clock's.
const RATE_SPAN: Duration = Duration::from_secs(1);

/// The submissions of one account.
#[derive(Debug, Default)]
pub(crate) struct Places {
    of_service: BTreeMap<&'static str, Used>,
}

/// The submissions of one product.
#[derive(Debug, Default)]
struct Used {
    under_way: u32,
    /// When those of the last second began, oldest first.
    begun: VecDeque<Duration>,
}

impl Used {
    fn within(&self, uptime: Duration) -> u32 {
        let counts = |begun: &Duration| uptime.saturating_sub(*begun) < RATE_SPAN;
        let older = self.begun.partition_point(|begun| !counts(begun));
        let recent = self.begun.len().saturating_sub(older);
        u32::try_from(recent).unwrap_or(u32::MAX)
    }
}

impl Places {
    /// Whether one more of a product may begin: by the limits of the whole account, and by those
    /// that its provider promises for the product.
    pub(crate) fn has_room(
        &self,
        service: Service,
        (account, product): (&ProviderLimits, &ProviderLimits),
        uptime: Duration,
    ) -> bool {
        let all = self.of_service.values();
        let (under_way, recent) = all.fold((0_u32, 0_u32), |(under_way, recent), it| {
            (
                under_way.saturating_add(it.under_way),
                recent.saturating_add(it.within(uptime)),
            )
        });
        let used = self.of_service.get(service.code());
        let of_product = used.map_or((0, 0), |it| (it.under_way, it.within(uptime)));
        fits(account, (under_way, recent)) && fits(product, of_product)
    }

    /// One more begins.
    pub(crate) fn begin(&mut self, service: Service, uptime: Duration) {
        let used = self.of_service.entry(service.code()).or_default();
        used.under_way = used.under_way.saturating_add(1);
        // Older ones are counted no more, so at most a second's worth is kept.
        while used
            .begun
            .pop_front_if(|begun| uptime.saturating_sub(*begun) >= RATE_SPAN)
            .is_some()
        {}
        used.begun.push_back(uptime);
    }

    /// One of them ended.
    pub(crate) fn end(&mut self, service: Service) {
        if let Some(used) = self.of_service.get_mut(service.code()) {
            used.under_way = used.under_way.saturating_sub(1);
        }
    }
}

/// Whether one more fits, beside those under way and those of the last second.
fn fits(limits: &ProviderLimits, (under_way, recent): (u32, u32)) -> bool {
    limits
        .max_concurrent
        .is_none_or(|max| under_way < max.get())
        && limits.per_second.is_none_or(|max| recent < max.get())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::num::NonZeroU32;

    const fn limits(concurrent: u32, per_second: u32) -> ProviderLimits {
        ProviderLimits {
            max_concurrent: NonZeroU32::new(concurrent),
            per_second: NonZeroU32::new(per_second),
            ..ProviderLimits::NONE
        }
    }

    const fn at(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    const NONE: &ProviderLimits = &ProviderLimits::NONE;

    #[test]
    fn no_more_are_under_way_than_the_account_takes_whatever_the_product() {
        let account = &limits(2, 0);
        let mut places = Places::default();
        let has_room = |places: &Places| places.has_room(Service::Sms, (account, NONE), at(0));
        places.begin(Service::Sms, at(0));
        assert!(has_room(&places));
        places.begin(Service::Airtime, at(0));
        assert!(!has_room(&places));
        places.end(Service::Airtime);
        assert!(has_room(&places));
    }

    #[test]
    fn a_promise_about_a_product_is_no_limit_of_another() {
        let product = &limits(1, 0);
        let mut places = Places::default();
        places.begin(Service::Sms, at(0));
        assert!(!places.has_room(Service::Sms, (NONE, product), at(0)));
        assert!(places.has_room(Service::Airtime, (NONE, product), at(0)));
    }

    #[test]
    fn no_second_has_more_than_the_rate_wherever_it_begins() {
        let account = &limits(0, 3);
        let mut places = Places::default();
        let mut begun: Vec<u64> = Vec::new();
        for now in (0..5_000).step_by(70) {
            if places.has_room(Service::Sms, (account, NONE), at(now)) {
                places.begin(Service::Sms, at(now));
                places.end(Service::Sms);
                begun.push(now);
            }
        }
        for first in &begun {
            let second = begun
                .iter()
                .filter(|it| (*first..first + 1_000).contains(*it));
            assert!(second.count() <= 3, "{begun:?}");
        }
        assert!(begun.len() >= 14, "{begun:?}");
    }
}
