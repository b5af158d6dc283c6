//! What Paystack sends by itself: that a transfer was paid, failed or was returned. It is signed,
//! and carries neither a time nor an identity, so it can be repeated: it must never be more than a
//! hint.

use crate::provider::{PaystackProvider, is_ours};
use domain::reference::ProviderReference;
use ports::callbacks::{
    CallbackContent, CallbackHint, CallbackRefused, Callbacks, ProviderCallback,
};
use serde::Deserialize;
use serde_json::value::RawValue;

const SIGNATURE: &str = "x-paystack-signature";

/// How the names of events about transfers begin. Accounts get events about payments as well.
const TRANSFER: &str = "transfer.";

#[derive(Debug, Deserialize)]
struct PaystackEvent {
    event: String,
    data: Box<RawValue>,
}

#[derive(Debug, Deserialize)]
struct TransferOfEvent {
    #[serde(default)]
    reference: Option<String>,
}

impl Callbacks for PaystackProvider {
    fn read(&self, callback: &ProviderCallback<'_>) -> Result<CallbackContent, CallbackRefused> {
        let signature = callback.header(SIGNATURE);
        let is_signed = signature.is_some_and(|it| self.settings.key.has_signed(callback.body, it));
        if !is_signed {
            return Err(CallbackRefused::NotAuthentic);
        }
        let unreadable = |_| CallbackRefused::Unreadable;
        let event: PaystackEvent = serde_json::from_slice(callback.body).map_err(unreadable)?;
        if !event.event.starts_with(TRANSFER) {
            return Ok(CallbackContent::about(None));
        }
        let transfer: TransferOfEvent =
            serde_json::from_str(event.data.get()).map_err(unreadable)?;
        // An account may be used by other systems, whose references have other forms.
        let reference = transfer.reference.filter(|reference| is_ours(reference));
        let hint = reference.map(|reference| CallbackHint {
            reference: ProviderReference::from_echo(reference),
        });
        Ok(CallbackContent::about(hint))
    }
}
