//! The token that requests carry: fetched when there is none, and again before it ends. Fetching
//! one changes nothing at the provider. It must be there before the permit to send is asked for.

use crate::provider::ReloadlyProvider;
use http::HeaderValue;
use outbound_http::OutboundRequest;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How long before its end a token is not used any more: longer than a request takes.
const MARGIN: Duration = Duration::from_mins(5);

/// How long a token is used at most, whatever is said of it.
const LONGEST: Duration = Duration::from_hours(12);

/// The token in use, and until which uptime.
#[derive(Default)]
pub(crate) struct CachedToken(Mutex<Option<(HeaderValue, Duration)>>);

impl CachedToken {
    fn get(&self, now: Duration) -> Option<HeaderValue> {
        let cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (token, until) = cached.as_ref()?;
        (now < *until).then(|| token.clone())
    }

    fn put(&self, token: HeaderValue, until: Duration) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((token, until));
    }

    /// The provider does not take it any more.
    pub(crate) fn forget(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

impl fmt::Debug for CachedToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CachedToken(…)")
    }
}

#[derive(Serialize)]
struct TokenDocument<'a> {
    client_id: &'a str,
    client_secret: &'a str,
    grant_type: &'static str,
    audience: &'a str,
}

#[derive(Deserialize)]
struct GivenToken {
    access_token: String,
    expires_in: u64,
}

impl ReloadlyProvider {
    /// The value of the header that requests carry; `None` where there is no token to be had.
    pub(crate) async fn authorization(&self) -> Option<HeaderValue> {
        if let Some(token) = self.token.get(self.clock.uptime()) {
            return Some(token);
        }
        let document = serde_json::to_vec(&TokenDocument {
            client_id: self.settings.credentials.id.reveal(),
            client_secret: self.settings.credentials.secret.reveal(),
            grant_type: "client_credentials",
            audience: &self.settings.audience,
        });
        let request = OutboundRequest::post_json("oauth/token", document.ok()?);
        // What the token says of its life counts from before it was asked for.
        let asked_at = self.clock.uptime();
        let answer = match self.auth.ask(request, self.settings.token).await {
            Ok(answer) => answer,
            Err(error) => {
                tracing::warn!(%error, "Reloadly gave out no token");
                return None;
            }
        };
        if answer.unexpected_status().is_some() {
            tracing::error!(
                status = answer.status,
                "Reloadly gave out no token; look at the credentials of the account"
            );
            return None;
        }
        let given: GivenToken = serde_json::from_slice(&answer.body).ok()?;
        let mut token = HeaderValue::from_str(&format!("Bearer {}", given.access_token)).ok()?;
        token.set_sensitive(true);
        let life = Duration::from_secs(given.expires_in).min(LONGEST);
        self.token
            .put(token.clone(), asked_at + life.saturating_sub(MARGIN));
        Some(token)
    }
}
