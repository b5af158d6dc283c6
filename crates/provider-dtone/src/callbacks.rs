//! What DT One sends by itself: a transaction that is decided. Nothing is signed, so a callback
//! must never be more than a hint.

use crate::answer::DtoneTransaction;
use crate::provider::DtoneProvider;
use domain::reference::ProviderReference;
use outbound_http::reference::is_hash_base32;
use ports::callbacks::{
    CallbackContent, CallbackHint, CallbackRefused, Callbacks, ProviderCallback,
};

impl Callbacks for DtoneProvider {
    fn read(&self, callback: &ProviderCallback<'_>) -> Result<CallbackContent, CallbackRefused> {
        let transaction: DtoneTransaction =
            serde_json::from_slice(callback.body).map_err(|_| CallbackRefused::Unreadable)?;
        let reference = transaction.external_id;
        let reference = reference.ok_or(CallbackRefused::Unreadable)?;
        // An account may be used by other systems, whose references have other forms.
        let hint = is_hash_base32(&reference).then(|| CallbackHint {
            reference: ProviderReference::from_echo(reference),
        });
        Ok(CallbackContent::about(hint))
    }
}
