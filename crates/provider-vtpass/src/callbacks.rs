//! What VTpass sends by itself: that its staff resolved a transaction, or took one back, and that
//! its plans changed. Nothing is signed, so a callback must never be more than a hint.

use crate::fields::AnswerFields;
use crate::provider::{REFERENCE_LENGTH, VtpassProvider};
use domain::reference::ProviderReference;
use ports::callbacks::{
    CallbackAnswer, CallbackContent, CallbackHint, CallbackRefused, Callbacks, ProviderCallback,
};

/// The type of a callback about a transaction. Every other type is about none.
const TRANSACTION: &str = "transaction-update";

impl Callbacks for VtpassProvider {
    fn read(&self, callback: &ProviderCallback<'_>) -> Result<CallbackContent, CallbackRefused> {
        let top = AnswerFields::read(callback.body).ok_or(CallbackRefused::Unreadable)?;
        let kind = top.text("type").ok_or(CallbackRefused::Unreadable)?;
        if kind != TRANSACTION {
            return Ok(CallbackContent::about(None));
        }
        let data = top.object("data").ok_or(CallbackRefused::Unreadable)?;
        let reference = data.text("requestId");
        let reference = reference.ok_or(CallbackRefused::Unreadable)?;
        // An account may be used by other systems, whose references have other forms.
        let ours = reference.len() == REFERENCE_LENGTH
            && reference.bytes().all(|b| b.is_ascii_alphanumeric());
        let hint = ours.then(|| CallbackHint {
            reference: ProviderReference::from_echo(reference),
        });
        Ok(CallbackContent::about(hint))
    }

    /// Without this answer the callback is sent again, five times in all.
    fn answer(&self) -> CallbackAnswer {
        CallbackAnswer {
            content_type: "application/json",
            body: r#"{"response":"success"}"#,
        }
    }
}
