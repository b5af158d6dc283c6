//! What the tests of the adapter share: keys, clocks and orders.

use domain::provider::{ProviderId, QueryOutcome, Submission};
use domain::time::Timestamp;
use outbound_http::PlainHttp;
use ports::provider::{AttemptQuery, Provider};
use provider_http::{HttpProvider, HttpProviderSettings};
use provider_protocol::signature::SignatureKeys;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use testkit::builders::{airtime, submission};
use testkit::clock::ManualClock;

pub(crate) const KEYS: &str = "key-1 AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

/// The present moment: the other side has a clock of its own.
#[expect(
    clippy::disallowed_methods,
    reason = "the other side is a process with the clock of the machine"
)]
pub(crate) fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    Timestamp::from_millis(i64::try_from(since.as_millis()).unwrap())
}

pub(crate) fn adapter(url: &str, keys: &str) -> HttpProvider {
    let settings = HttpProviderSettings {
        id: ProviderId::parse("remote").unwrap(),
        url: url.to_owned(),
        plain: PlainHttp::ToLoopback,
        authorities: Vec::new(),
        keys: SignatureKeys::parse(keys).unwrap(),
        review_after: Duration::from_hours(24),
    };
    HttpProvider::new(settings, Arc::new(ManualClock::at(now()))).unwrap()
}

/// An order of airtime for a number with these last digits.
pub(crate) fn sent(under: &str, ending: &str) -> Submission {
    let mut sent = submission(under, airtime().to(&format!("234803555{ending}")).order());
    sent.not_after = now().plus(Duration::from_mins(1));
    sent
}

/// Asks about one of ours, as recovery does.
pub(crate) async fn ask(provider: &HttpProvider, sent: &Submission) -> QueryOutcome {
    let asked = AttemptQuery {
        order: Some(&sent.order),
        started_at: Some(sent.started_at),
        ..AttemptQuery::by(&sent.reference)
    };
    provider.query(&asked).await.outcome
}
