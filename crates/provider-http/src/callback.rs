//! What a provider of the protocol sends by itself: that an attempt moved on, signed with the keys
//! that both sides share. It must never be more than a hint.

use crate::provider::HttpProvider;
use domain::reference::ProviderReference;
use ports::callbacks::{CallbackHint, CallbackRefused, Callbacks, ProviderCallback};
use provider_protocol::{
    ATTEMPT_CHANGED, AttemptCallback, CALLBACK_ID_HEADER, CALLBACK_SIGNATURE_HEADER,
    CALLBACK_TIMESTAMP_HEADER, CallbackParts, is_authentic_callback, read, read_reference,
};

impl Callbacks for HttpProvider {
    fn read(&self, callback: &ProviderCallback<'_>) -> Result<Vec<CallbackHint>, CallbackRefused> {
        let text = |name| {
            let value = callback.header(name)?;
            std::str::from_utf8(value).ok()
        };
        let id = text(CALLBACK_ID_HEADER).ok_or(CallbackRefused::NotAuthentic)?;
        let timestamp = text(CALLBACK_TIMESTAMP_HEADER).ok_or(CallbackRefused::NotAuthentic)?;
        let signature = text(CALLBACK_SIGNATURE_HEADER).ok_or(CallbackRefused::NotAuthentic)?;
        let parts = CallbackParts {
            id,
            timestamp,
            body: callback.body,
        };
        let now = callback.received_at.as_millis().div_euclid(1_000);
        if !is_authentic_callback(&self.keys, parts, (signature, now)) {
            return Err(CallbackRefused::NotAuthentic);
        }
        let sent: AttemptCallback = read(callback.body).map_err(|_| CallbackRefused::Unreadable)?;
        if sent.kind != ATTEMPT_CHANGED {
            return Ok(Vec::new());
        }
        let reference = sent.data.reference;
        if read_reference(&reference).is_err() {
            return Err(CallbackRefused::Unreadable);
        }
        Ok(vec![CallbackHint {
            reference: ProviderReference::from_echo(reference),
        }])
    }
}
