//! What is left in the wallet at VTpass. A number that is not exact must be an error, never
//! rounded.

use crate::fields::AnswerFields;
use crate::provider::{API_KEY, VtpassProvider};
use domain::float::ProviderBalance;
use http::HeaderName;
use outbound_http::OutboundRequest;
use ports::PortError;

const PUBLIC_KEY: HeaderName = HeaderName::from_static("public-key");

/// What errors name as the part that failed.
const PART: &str = "provider-vtpass";

impl VtpassProvider {
    /// The balance; `None` without the public key, by which alone it is shown.
    pub(crate) async fn wallet(&self) -> Result<Option<ProviderBalance>, PortError> {
        let Some(public) = &self.settings.keys.public else {
            return Ok(None);
        };
        let request = OutboundRequest::get("balance")
            .with(API_KEY, self.settings.keys.api.clone())
            .with(PUBLIC_KEY, public.clone());
        let asked = self.client.ask(request, self.settings.question).await;
        let answer =
            asked.map_err(|error| PortError::caused(PART, "asking for the balance", error))?;
        if answer.unexpected_status().is_some() {
            let what = format!("the balance was answered with status {}", answer.status);
            return Err(PortError::new(PART, what));
        }
        let fields = AnswerFields::read(&answer.body);
        // The code 1 is the one that is published for an answer that holds the balance.
        let shown = fields.filter(|fields| fields.text("code").as_deref() == Some("1"));
        let contents = shown.and_then(|fields| fields.object("contents"));
        let available = contents.and_then(|contents| contents.signed_naira("balance"));
        let available = available
            .ok_or_else(|| PortError::new(PART, "the answer holds no balance that can be read"))?;
        Ok(Some(ProviderBalance {
            available,
            held: None,
            at: self.clock.now(),
        }))
    }
}
