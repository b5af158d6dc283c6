//! The rules for the report of every family, tested through the paths of one family. Nothing here
//! may hold for a single family only.

use super::{RouteTestWorld, bare, get, post, request_of};

/// The payment and report of a family.
#[derive(Debug)]
pub(crate) struct Reported {
    /// The path of its payments.
    pub(crate) pay: &'static str,
    /// A payment under `order-1`.
    pub(crate) order: &'static str,
    /// The path of its reports.
    pub(crate) report: &'static str,
    /// The path of another family's reports.
    pub(crate) elsewhere: &'static str,
}

impl Reported {
    fn of(path: &str, reference: &str) -> String {
        format!("{path}?mrcReference={reference}")
    }

    pub(crate) async fn shows_what_the_payment_showed(&self) {
        let world = RouteTestWorld::new().await;
        let paid = world.send(post(self.pay, self.order)).await;
        paid.assert_success(200);
        let report = world.send(get(&Self::of(self.report, "order-1"))).await;
        report.assert_success(200);
        for (name, value) in paid.json.as_object().unwrap() {
            assert_eq!(&report.json[name], value, "{name}");
        }
    }

    pub(crate) async fn shows_one_merchant_nothing_of_another(&self) {
        let world = RouteTestWorld::new().await;
        let paid = world.send(post(self.pay, self.order)).await;
        paid.assert_success(200);
        let ours = Self::of(self.report, "order-1");
        let foreign = bare(request_of("other", "GET", &ours));
        let answers = [
            world.send(get(&Self::of(self.report, "order-2"))).await,
            world.send(get(&Self::of(self.elsewhere, "order-1"))).await,
            world.send(foreign).await,
        ];
        let shown = answers.map(|answer| {
            answer.assert_error(404, None, "/params/mrcReference");
            let id = answer.header("x-request-id").to_owned();
            answer.text.replace(&id, "the id")
        });
        assert_eq!(shown[0], shown[1]);
        assert_eq!(shown[0], shown[2]);
    }

    pub(crate) async fn needs_a_reference(&self) {
        let world = RouteTestWorld::new().await;
        let missing = world.send(get(self.report)).await;
        missing.assert_error(405, None, "/params/mrcReference");
        assert_eq!(missing.header("allow"), "GET, HEAD, OPTIONS");
        let invalid = world.send(get(&Self::of(self.report, "a%20b"))).await;
        invalid.assert_error(400, None, "/params/mrcReference");
    }
}
