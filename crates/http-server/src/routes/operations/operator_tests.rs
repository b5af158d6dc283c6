//! What operators see over HTTP, and that nothing of it is shown to accounts.

use crate::testing::{RouteTestWorld, TestAnswer, bare, get};
use application::administration::Administration;
use application::operators::NotSigned;
use application::operators::http_keys::mint_http_key;
use async_trait::async_trait;
use base64::prelude::{BASE64_STANDARD, Engine};
use domain::operations::{CaseOverview, FloatOverview};
use domain::operator::OperatorName;
use http::Request;
use http::header::AUTHORIZATION;
use ports::PortError;
use std::sync::Arc;

const PATHS: [&str; 4] = ["providers", "routes", "float", "cases"];

/// Lets one operator in, and shows nothing, or fails.
#[derive(Debug)]
struct OneOperator {
    key: String,
    is_failing: bool,
}

impl OneOperator {
    fn nothing<T>(&self) -> Result<Vec<T>, PortError> {
        if self.is_failing {
            return Err(PortError::new("books", "away"));
        }
        Ok(Vec::new())
    }
}

#[async_trait]
impl Administration for OneOperator {
    async fn authenticate(&self, name: &str, key: &str) -> Result<Option<OperatorName>, NotSigned> {
        let is_it = (name, key) == ("alpha", self.key.as_str());
        Ok(is_it.then(|| OperatorName::parse(name).unwrap()))
    }

    async fn cases(&self) -> Result<Vec<CaseOverview>, PortError> {
        self.nothing()
    }

    async fn floats(&self) -> Result<Vec<FloatOverview>, PortError> {
        self.nothing()
    }
}

async fn world(is_failing: bool) -> (RouteTestWorld, String) {
    let key = mint_http_key([5; 32]);
    let operators = Arc::new(OneOperator {
        key: key.clone(),
        is_failing,
    });
    let world = RouteTestWorld::with(|settings| settings.administration = Some(operators)).await;
    (world, key)
}

async fn ask(world: &RouteTestWorld, path: &str, (name, key): (&str, &str)) -> TestAnswer {
    let pair = BASE64_STANDARD.encode(format!("{name}:{key}"));
    let request = Request::builder().uri(path);
    let request = request.header(AUTHORIZATION, format!("Basic {pair}"));
    world.send(bare(request)).await
}

#[tokio::test]
async fn what_is_for_operators_is_403_for_accounts_and_shown_to_operators() {
    let (world, key) = world(false).await;
    for path in PATHS {
        for family in ["operations", "operation"] {
            let path = format!("/{family}/{path}");
            let refused = world.send(get(&path)).await;
            refused.assert_error(403, Some(803), "/request");
            let shown = ask(&world, &path, ("alpha", &key)).await;
            shown.assert_success(200);
            assert!(shown.headers.contains_key("ratelimit-remaining"));
        }
    }
    let providers = ask(&world, "/operations/providers", ("alpha", &key)).await;
    assert_eq!(providers.json["providers"][0]["prvEnabled"], true);
    let routes = ask(&world, "/operations/routes?length=1", ("alpha", &key)).await;
    assert_eq!(routes.json["routes"][0]["rteIdentifier"], 1);
    assert_ne!(routes.header("total"), "1");
}

#[tokio::test]
async fn a_key_of_an_operator_opens_nothing_else() {
    let (world, key) = world(false).await;
    for path in ["/account/balance", "/operations/status", "/payment/airtime"] {
        let refused = ask(&world, path, ("alpha", &key)).await;
        refused.assert_error(403, Some(803), "/request");
    }
    // What there is not is the same for everyone.
    let none = ask(&world, "/operations/x", ("alpha", &key)).await;
    assert_eq!(none.status, 501);
    let unknown = ask(&world, "/nothing", ("alpha", &key)).await;
    assert_eq!(unknown.status, 404);
}

#[tokio::test]
async fn a_key_that_is_not_that_of_the_operator_is_401_and_throttled() {
    let (world, key) = world(false).await;
    let other = mint_http_key([6; 32]);
    for (name, key) in [
        ("alpha", &*other),
        ("beta", &key),
        ("shop", &key),
        ("", &key),
    ] {
        let refused = ask(&world, "/operations/cases", (name, key)).await;
        refused.assert_error(401, Some(802), "/request");
    }
    let mut last = 401;
    for _ in 0..30 {
        last = ask(&world, "/operations/cases", ("alpha", &other))
            .await
            .status;
    }
    assert_eq!(last, 429);
}

#[tokio::test]
async fn no_operator_is_let_in_where_none_is_served() {
    let world = RouteTestWorld::new().await;
    let key = mint_http_key([5; 32]);
    let refused = ask(&world, "/operations/cases", ("alpha", &key)).await;
    refused.assert_error(401, Some(802), "/request");
}

#[tokio::test]
async fn a_store_that_fails_is_503() {
    let (world, key) = world(true).await;
    for path in ["/operations/cases", "/operations/float"] {
        let failed = ask(&world, path, ("alpha", &key)).await;
        failed.assert_error(503, None, "/system");
    }
}
