//! Records of the routes that attempts took. An attempt without one, such as one from before they
//! were recorded, writes nothing. They are read by people alone, so a word that a later version
//! wrote must not make a payment unreadable.

use super::RecordError;
use super::scalar::{Text, valid};
use domain::percent::Percent;
use domain::provider::ProviderId;
use domain::transaction::{
    AttemptNumber, AttemptRoute, PassedOver, PassedOverReason, PreparedAttempts, RouteReason,
    Transaction,
};
use serde::{Deserialize, Serialize};

/// The routes of the first and of the second attempt.
pub(super) type RestoredRoutes = [Option<AttemptRoute>; 2];

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct RouteRecord<'a> {
    number: u32,
    #[serde(default, skip_serializing_if = "is_zero")]
    priority: u16,
    #[serde(borrow)]
    reason: Text<'a>,
    #[serde(default, skip_serializing_if = "is_zero")]
    place: u16,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    cost: Option<Text<'a>>,
    #[serde(borrow, default, skip_serializing_if = "Vec::is_empty")]
    passed_over: Vec<PassedOverRecord<'a>>,
}

#[derive(Debug, Serialize, Deserialize)]
struct PassedOverRecord<'a> {
    #[serde(borrow)]
    provider: Text<'a>,
    #[serde(borrow)]
    reason: Text<'a>,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands fields over by reference"
)]
const fn is_zero(number: &u16) -> bool {
    *number == 0
}

impl<'a> From<&'a AttemptRoute> for RouteRecord<'a> {
    fn from(route: &'a AttemptRoute) -> Self {
        let passed_over = route.passed_over.iter();
        Self {
            number: route.number,
            priority: route.priority,
            reason: route.reason.code().into(),
            place: route.place,
            cost: route.cost.map(|cost| cost.value().to_string().into()),
            passed_over: passed_over
                .map(|it| PassedOverRecord {
                    provider: it.provider.as_str().into(),
                    reason: it.reason.code().into(),
                })
                .collect(),
        }
    }
}

impl RouteRecord<'_> {
    fn restore(self) -> Result<Option<AttemptRoute>, RecordError> {
        let Some(reason) = RouteReason::from_code(&self.reason) else {
            return Ok(None);
        };
        let cost = self.cost.map(|cost| valid(Percent::parse(&cost), "routes"));
        let mut passed_over = Vec::new();
        for it in self.passed_over {
            if let Some(reason) = PassedOverReason::from_code(&it.reason) {
                let provider = valid(ProviderId::parse(&it.provider), "routes")?;
                passed_over.push(PassedOver { provider, reason });
            }
        }
        Ok(Some(AttemptRoute {
            number: self.number,
            priority: self.priority,
            reason,
            place: self.place,
            cost: cost.transpose()?,
            passed_over,
        }))
    }
}

/// The records of the routes of a transaction's attempts, first to last.
pub(super) fn of(tx: &Transaction) -> Vec<Option<RouteRecord<'_>>> {
    let first = tx.prepared.route_of(AttemptNumber::FIRST);
    let second = AttemptNumber::FIRST.next();
    let second = second.and_then(|second| tx.prepared.route_of(second));
    let mut records = vec![first.map(Into::into), second.map(Into::into)];
    while records.pop_if(|last| last.is_none()).is_some() {}
    records
}

/// The routes, from their records.
pub(super) fn restored(
    records: Vec<Option<RouteRecord<'_>>>,
) -> Result<RestoredRoutes, RecordError> {
    let mut records = records.into_iter();
    let mut next = || match records.next().flatten() {
        Some(record) => record.restore(),
        None => Ok(None),
    };
    let routes = [next()?, next()?];
    match records.next() {
        None => Ok(routes),
        Some(_) => Err(RecordError::Value("routes")),
    }
}

/// Attempts with the routes they took.
pub(super) fn routed(attempts: PreparedAttempts, routes: RestoredRoutes) -> PreparedAttempts {
    let [first, second] = routes;
    let attempts = attempts.routed(AttemptNumber::FIRST, first);
    match AttemptNumber::FIRST.next() {
        Some(number) => attempts.routed(number, second),
        None => attempts,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::StoredProgress;
    use testkit::builders::{airtime, provider_id, second_at};

    fn route(number: u32) -> AttemptRoute {
        AttemptRoute {
            number,
            priority: 2,
            reason: RouteReason::Weight,
            place: 1,
            cost: Some(Percent::parse("2.5").unwrap()),
            passed_over: vec![PassedOver {
                provider: provider_id("paused"),
                reason: PassedOverReason::Paused,
            }],
        }
    }

    fn written(routes: [Option<AttemptRoute>; 2]) -> String {
        let mut tx = airtime().transaction();
        let second = second_at(&tx, provider_id("other"));
        let attempts = tx.prepared.clone().followed_by(second);
        tx.prepared = routed(attempts, routes);
        serde_json::to_string(&StoredProgress::of(&tx)).unwrap()
    }

    #[test]
    fn the_routes_of_both_attempts_read_back_and_an_unknown_one_stays_unknown() {
        for routes in [
            [Some(route(3)), Some(route(4))],
            [Some(route(3)), None],
            [None, Some(route(4))],
            [None, None],
        ] {
            let text = written(routes.clone());
            let restored = StoredProgress::restore(&text, None).unwrap();
            assert_eq!(restored.routes, routes, "{text}");
        }
        assert!(!written([None, None]).contains("routes"));
    }

    #[test]
    fn words_of_a_later_version_make_no_payment_unreadable() {
        let routes = [Some(route(3)), None];
        let text = written(routes).replace("\"weight\"", "\"moon\"");
        let restored = StoredProgress::restore(&text, None).unwrap();
        assert_eq!(restored.routes, [None, None]);
        let routes = [Some(route(3)), None];
        let text = written(routes).replace("\"paused\"}", "\"moon\"}");
        let restored = StoredProgress::restore(&text, None).unwrap();
        let [Some(first), None] = restored.routes else {
            panic!("{text}");
        };
        assert_eq!(first.passed_over, []);
    }
}
