//! What operators see over HTTP, and that nothing of it is shown to accounts.

use crate::testing::{RouteTestWorld, TestAnswer, bare, get, post};
use application::administration::Administration;
use application::operators::NotSigned;
use application::operators::change_requests::{NotRequested, TrackedRequest};
use application::operators::http_keys::mint_http_key;
use async_trait::async_trait;
use base64::prelude::{BASE64_STANDARD, Engine};
use domain::operations::change_request::{ChangeReason, ChangeRequestState, RequestedChange};
use domain::operations::{CaseOverview, FloatOverview};
use domain::operator::OperatorName;
use http::Request;
use http::header::AUTHORIZATION;
use ports::PortError;
use std::sync::Arc;
use testkit::builders::change_request;

const PATHS: [&str; 6] = [
    "providers",
    "routes",
    "float",
    "cases",
    "approvals",
    "maintenance",
];

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

    async fn ask(
        &self,
        credentials: (&str, &str),
        wanted: (RequestedChange, ChangeReason),
    ) -> Result<TrackedRequest, NotRequested> {
        if self.is_failing {
            return Err(NotRequested::TooMany);
        }
        let name = self.authenticate(credentials.0, credentials.1).await?;
        let mut request = change_request(1);
        request.by = name.ok_or(NotRequested::NoOperator)?;
        (request.change, request.reason) = wanted;
        let state = ChangeRequestState::Required;
        let decided_at = None;
        Ok(TrackedRequest {
            request,
            state,
            decided_at,
        })
    }

    async fn change_requests(&self) -> Result<Vec<TrackedRequest>, NotSigned> {
        Ok(self.nothing()?)
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

async fn send(world: &RouteTestWorld, path: &str, key: &str, body: &str) -> TestAnswer {
    let pair = BASE64_STANDARD.encode(format!("alpha:{key}"));
    let mut request = post(path, body.to_owned());
    let value = format!("Basic {pair}").parse().unwrap();
    request.headers_mut().insert(AUTHORIZATION, value);
    Box::pin(world.send(request)).await
}

const CHANGES: [(&str, &str, &str); 4] = [
    (
        "/operations/providers",
        r#"{"prvIdentifier": "stubs", "prvEnabled": false, "reason": "float"}"#,
        "provider-pause",
    ),
    (
        "/operations/providers",
        r#"{"prvIdentifier": "stubs", "prvEnabled": true, "reason": "float"}"#,
        "provider-resume",
    ),
    (
        "/operation/resolve",
        r#"{"caseIdentifier": "review:shop:order-1", "decision": "declined", "reason": "letter"}"#,
        "case-resolve",
    ),
    (
        "/operations/maintenance",
        r#"{"scope": "service", "service": "airtime", "from": "01-01-2020 00:00:00",
            "until": "01-01-2020 01:00:00", "reason": "switch"}"#,
        "",
    ),
];

#[tokio::test]
async fn a_change_is_asked_for_by_an_operator_and_by_no_account() {
    let (world, key) = world(false).await;
    for (path, body, action) in CHANGES {
        let refused = world.send(post(path, body)).await;
        refused.assert_error(403, Some(803), "/request");
        let asked = send(&world, path, &key, body).await;
        if action.is_empty() {
            // It is over.
            asked.assert_error(400, None, "/params/until");
            continue;
        }
        asked.assert_success(202);
        assert_eq!(asked.json["aprAction"], action);
        assert_eq!(asked.json["aprStatus"], "Required");
        assert_eq!(asked.json["aprAskedBy"], "alpha");
    }
    let unknown = r#"{"prvIdentifier": "nothing", "prvEnabled": true, "reason": "float"}"#;
    let unknown = send(&world, "/operations/providers", &key, unknown).await;
    unknown.assert_error(404, None, "/params/prvIdentifier");
}

#[tokio::test]
async fn nothing_is_asked_for_where_too_many_wait() {
    let (world, key) = world(true).await;
    let (path, body, _) = CHANGES[0];
    let refused = send(&world, path, &key, body).await;
    refused.assert_error(409, None, "/request");
}
