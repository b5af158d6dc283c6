//! The gateway's own adapter and callbacks: what is not authentic is refused, and what a callback
//! claims is asked. No callback may settle anything by itself.

use super::adapter::{AdapterWorld, FaultPlace, RelayFault};
use crate::bench::Bench;
use crate::call_reply::{CheckStep, broken};
use crate::checked_service::CheckedService;
use crate::scenario::ExpectedEnd;
use domain::provider::QueryOutcome;
use domain::time::Timestamp;
use ports::callbacks::{CallbackContent, CallbackHint, CallbackRefused, ProviderCallback};
use ports::provider::Provider as _;
use provider_protocol::signature::SignatureKeys;
use provider_protocol::{
    CALLBACK_ID_HEADER, CALLBACK_SIGNATURE_HEADER, CALLBACK_TIMESTAMP_HEADER, CallbackParts,
    sign_callback,
};
use serde_json::json;
use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

/// Longer than a callback may be on its way.
const OLD: Duration = Duration::from_mins(10);

const ID: &str = "cb_check";

/// A callback as it would come: what it says, who signs it, and when.
struct ForgedCallback<'a> {
    keys: &'a SignatureKeys,
    signed_body: &'a [u8],
    sent_body: &'a [u8],
    sent_at: Timestamp,
}

impl ForgedCallback<'_> {
    fn read(
        &self,
        world: &AdapterWorld,
        now: Timestamp,
    ) -> Result<Vec<CallbackHint>, CallbackRefused> {
        let timestamp = self.sent_at.as_millis().div_euclid(1_000).to_string();
        let parts = CallbackParts {
            id: ID,
            timestamp: &timestamp,
            body: self.signed_body,
        };
        let signature = sign_callback(self.keys, parts);
        let headers = [
            (CALLBACK_ID_HEADER, ID.as_bytes()),
            (CALLBACK_TIMESTAMP_HEADER, timestamp.as_bytes()),
            (CALLBACK_SIGNATURE_HEADER, signature.as_bytes()),
        ];
        let callbacks = world.adapter.callbacks();
        let callback = ProviderCallback {
            headers: &headers,
            body: self.sent_body,
            source: IpAddr::V4(Ipv4Addr::LOCALHOST),
            received_at: now,
        };
        let read = callbacks.map(|it| it.read(&callback)).transpose()?;
        Ok(read.map_or_else(Vec::new, CallbackContent::into_attempts))
    }
}

async fn world(bench: &Bench, of: &CheckedService) -> CheckStep<AdapterWorld> {
    bench.profile(of)?;
    let order = of.order(ExpectedEnd::Delivered)?;
    let world = AdapterWorld::start(bench, order, (RelayFault::Cut, FaultPlace::BeforeProvider));
    let world = world.await?;
    world.heal();
    Ok(world)
}

/// A claim by the shared key about an attempt that was never sent.
fn claim(world: &AdapterWorld, state: &str) -> Vec<u8> {
    let reference = world.reference().as_str();
    let data = json!({"reference": reference, "state": state, "sequence": 9});
    json!({"type": "attempt.changed", "data": data})
        .to_string()
        .into_bytes()
}

/// A callback that claims a delivery is a hint alone: the adapter asks, and there was none.
pub(crate) async fn claims_nothing(bench: &Bench, of: &CheckedService) -> CheckStep {
    let world = world(bench, of).await?;
    for state in ["delivered", "declined"] {
        let body = claim(&world, state);
        let now = bench.now();
        let forged = ForgedCallback {
            keys: bench.keys.shared(),
            signed_body: &body,
            sent_body: &body,
            sent_at: now,
        };
        let hint = CallbackHint {
            reference: world.reference().clone(),
        };
        let read = forged.read(&world, now);
        if read != Ok(vec![hint]) {
            return broken(format!(
                "a callback that says `{state}` is read as {read:?} and not as a hint"
            ));
        }
    }
    match world.ask().await {
        QueryOutcome::NotFound | QueryOutcome::Declined(_) => Ok(()),
        found @ (QueryOutcome::Delivered(_)
        | QueryOutcome::Pending
        | QueryOutcome::Reversed
        | QueryOutcome::Unknown) => broken(format!(
            "an attempt that a callback alone claims is found {found:?}"
        )),
    }
}

/// What is signed with another secret, altered, or old proves nothing.
pub(crate) async fn not_authentic(bench: &Bench, of: &CheckedService) -> CheckStep {
    let world = world(bench, of).await?;
    let (body, other) = (claim(&world, "delivered"), claim(&world, "declined"));
    let now = bench.now();
    let right = ForgedCallback {
        keys: bench.keys.shared(),
        signed_body: &body,
        sent_body: &body,
        sent_at: now,
    };
    let cases = [
        (
            "signed with another secret",
            ForgedCallback {
                keys: bench.keys.wrong_secret(),
                ..right
            },
        ),
        (
            "altered after it was signed",
            ForgedCallback {
                sent_body: &other,
                ..right
            },
        ),
        (
            "ten minutes old",
            ForgedCallback {
                sent_at: now.minus(OLD),
                ..right
            },
        ),
        (
            "ten minutes ahead",
            ForgedCallback {
                sent_at: now.plus(OLD),
                ..right
            },
        ),
    ];
    for (what, forged) in cases {
        let read = forged.read(&world, now);
        if read != Err(CallbackRefused::NotAuthentic) {
            return broken(format!("a callback that is {what} is read as {read:?}"));
        }
    }
    Ok(())
}
