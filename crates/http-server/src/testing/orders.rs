//! The rules for the order of every family, tested through the path of one family. Nothing here may
//! hold for a single family only.

use super::{RouteTestWorld, TestAnswer, bare, get, post, post_of, request_of};
use crate::layers::body::Body;
use bytes::Bytes;
use http::{HeaderValue, Request};
use ports::PortErrorKind;
use testkit::faults::Fault;

/// The order of a family.
#[derive(Debug)]
pub(crate) struct Ordered {
    /// The path it is sent to.
    pub(crate) path: &'static str,
    /// The path of its report.
    pub(crate) report: &'static str,
    /// An order of `shop` under `order-1` that is delivered at once.
    pub(crate) order: &'static str,
    /// The number it is delivered to.
    pub(crate) number: &'static str,
    /// A number for which it is refused.
    pub(crate) refused: &'static str,
    /// A number for which it never finishes.
    pub(crate) pending: &'static str,
    /// A part of the order, and another spelling of the same.
    pub(crate) respelt: (&'static str, &'static str),
    /// A part of the order, and a replacement that changes the order.
    pub(crate) changed: (&'static str, &'static str),
}

impl Ordered {
    /// The order with another text in one of its parts, which must be there.
    fn with(&self, (part, other): (&str, &str)) -> String {
        let order = self.order.replace(part, other);
        assert_ne!(order, self.order, "{part} is no part of the order");
        order
    }

    fn post(&self, body: impl Into<Bytes>) -> Request<Body> {
        post(self.path, body)
    }

    /// The same order of another account, which sends messages under a sender of its own.
    fn post_of(&self, account: &str, sender: &str) -> Request<Body> {
        let order = self.order.replace("100000000001", sender);
        post_of(account, self.path, order)
    }

    fn keyed(&self, body: impl Into<Bytes>) -> Request<Body> {
        let mut request = self.post(body);
        let key = HeaderValue::from_static("try-1");
        request.headers_mut().insert("idempotency-key", key);
        request
    }

    #[track_caller]
    fn assert_leads_to_its_report(&self, answer: &TestAnswer) {
        let report = format!("{}?mrcReference=order-1", self.report);
        assert_eq!(answer.header("location"), report);
    }

    pub(crate) async fn refused_was_accepted_and_failed(&self) {
        let world = RouteTestWorld::new().await;
        let refused = self.with((self.number, self.refused));
        let answer = world.send(self.post(refused)).await;
        answer.assert_success(200);
        assert_eq!(answer.json["txnStatus"], "Failed");
        let balance = world.send(get("/account/balance")).await;
        assert_eq!(balance.json["accBalance"], "10,000.00");
    }

    pub(crate) async fn pending_leads_to_its_report(&self) {
        let world = RouteTestWorld::new().await;
        let pending = self.with((self.number, self.pending));
        let answer = world.send_and_wait(self.post(pending)).await;
        answer.assert_success(202);
        assert_eq!(answer.json["txnStatus"], "Pending");
        self.assert_leads_to_its_report(&answer);
        let report = world.send(get(answer.header("location"))).await;
        report.assert_success(200);
        assert_eq!(report.json["txnStatus"], "Pending");
        assert_eq!(report.json["txnReference"], answer.json["txnReference"]);
    }

    pub(crate) async fn a_retry_returns_the_first(&self) {
        let world = RouteTestWorld::new().await;
        let made = world.send(self.keyed(self.order)).await;
        made.assert_success(200);
        assert!(!made.headers.contains_key("idempotency-replayed"));
        let retried = world.send(self.keyed(self.with(self.respelt))).await;
        retried.assert_success(200);
        assert_eq!(retried.header("idempotency-replayed"), "true");
        assert_eq!(retried.json, made.json);
        for other in [self.changed, ("order-1", "order-2")] {
            let answer = world.send(self.keyed(self.with(other))).await;
            answer.assert_error(422, None, "/params/Idempotency-Key");
        }
    }

    pub(crate) async fn repeated_leads_to_its_report(&self) {
        let world = RouteTestWorld::new().await;
        let first = world.send(self.post(self.order)).await;
        first.assert_success(200);
        let again = world.send(self.post(self.order)).await;
        again.assert_error(422, None, "/params/mrcReference");
        self.assert_leads_to_its_report(&again);
        assert!(!again.text.contains("txn"), "{}", again.text);
        let others = world.send(self.post_of("other", "100000000002")).await;
        others.assert_success(200);
    }

    pub(crate) async fn untaken_costs_nothing(&self) {
        let world = RouteTestWorld::new().await;
        for (trouble, seconds) in [
            (PortErrorKind::Busy, "1"),
            (PortErrorKind::Unreachable, "5"),
        ] {
            world.ledger.on_next(Fault::Refused(trouble));
            let answer = world.send(self.post(self.order)).await;
            answer.assert_untaken(seconds);
        }
        world.store.hold_openings();
        world.send(self.post(self.order)).await.assert_untaken("60");
        let report = format!("{}?mrcReference=order-1", self.report);
        let report = world.send(get(&report)).await;
        report.assert_error(404, None, "/params/mrcReference");
        let balance = world.send(get("/account/balance")).await;
        assert_eq!(balance.json["accBalance"], "10,000.00");
        world.store.allow_openings();
        let answer = world.send(self.post(self.order)).await;
        answer.assert_success(200);
    }

    pub(crate) async fn unaffordable_is_named_and_uses_nothing_up(&self) {
        let world = RouteTestWorld::new().await;
        let answer = world.send(self.post_of("poor", "100000000003")).await;
        answer.assert_error(400, Some(807), "/request");
        let report = format!("{}?mrcReference=order-1", self.report);
        let report = request_of("poor", "GET", &report);
        let report = world.send(bare(report)).await;
        report.assert_error(404, None, "/params/mrcReference");
    }
}

/// The tests of these rules for one family.
macro_rules! laws {
    ($ordered:expr) => {
        #[tokio::test]
        async fn a_refused_order_was_accepted_and_failed_and_costs_nothing() {
            $ordered.refused_was_accepted_and_failed().await;
        }

        #[tokio::test]
        async fn an_order_without_an_outcome_in_time_is_accepted_and_leads_to_its_report() {
            $ordered.pending_leads_to_its_report().await;
        }

        #[tokio::test]
        async fn a_retry_under_its_key_is_a_replay_of_the_first_and_says_so() {
            $ordered.a_retry_returns_the_first().await;
        }

        #[tokio::test]
        async fn a_reference_used_before_leads_to_its_report_and_reveals_nothing_else() {
            $ordered.repeated_leads_to_its_report().await;
        }

        #[tokio::test]
        async fn an_order_that_cannot_be_taken_now_costs_nothing_and_says_when_to_come_back() {
            $ordered.untaken_costs_nothing().await;
        }

        #[tokio::test]
        async fn a_balance_that_does_not_cover_the_price_is_named() {
            $ordered.unaffordable_is_named_and_uses_nothing_up().await;
        }
    };
}
pub(crate) use laws;
