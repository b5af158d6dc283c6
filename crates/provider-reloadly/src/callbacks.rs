//! What Reloadly sends by itself: the status of a top-up. It is signed with a secret of its own,
//! and must never be more than a hint.

use crate::answer::{TopupTransaction, read};
use crate::provider::ReloadlyProvider;
use domain::reference::ProviderReference;
use outbound_http::reference::is_hash_base32;
use ports::callbacks::{
    CallbackContent, CallbackHint, CallbackRefused, Callbacks, ProviderCallback,
};
use serde::Deserialize;
use serde_json::value::RawValue;

const SIGNATURE: &str = "x-reloadly-signature";
const TIMESTAMP: &str = "x-reloadly-request-timestamp";

/// How the names of events about top-ups begin. Accounts get events about gift cards as well.
const TOPUP: &str = "airtime_transaction.";

#[derive(Debug, Deserialize)]
struct ReloadlyEvent {
    #[serde(rename = "type")]
    kind: String,
    data: Box<RawValue>,
}

impl Callbacks for ReloadlyProvider {
    fn read(&self, callback: &ProviderCallback<'_>) -> Result<CallbackContent, CallbackRefused> {
        let key = self.settings.credentials.webhook.as_ref();
        let signed = callback.header(SIGNATURE).zip(callback.header(TIMESTAMP));
        let is_signed = key.zip(signed).is_some_and(|(key, (signature, time))| {
            key.has_signed((callback.body, time), signature)
        });
        if !is_signed {
            return Err(CallbackRefused::NotAuthentic);
        }
        let event: ReloadlyEvent = read(callback.body).ok_or(CallbackRefused::Unreadable)?;
        if !event.kind.starts_with(TOPUP) {
            return Ok(CallbackContent::about(None));
        }
        let topup = TopupTransaction::read(event.data.get().as_bytes());
        let topup = topup.ok_or(CallbackRefused::Unreadable)?;
        // An account may be used by other systems, whose references have other forms.
        let reference = topup.custom_identifier.filter(|it| is_hash_base32(it));
        let hint = reference.map(|reference| CallbackHint {
            reference: ProviderReference::from_echo(reference),
        });
        Ok(CallbackContent::about(hint))
    }
}
