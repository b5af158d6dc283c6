//! The recipient that a transfer needs: an account under a code of the provider. Making one moves
//! no money, and the same account again is the same recipient, so it is made before the permit to
//! send and its code is not kept. A transfer must never go to a recipient of another account.

use crate::answer::{PaystackEnvelope, RecipientAccount};
use crate::outcome::{RefusedRequest, refusal};
use crate::provider::PaystackProvider;
use domain::bank::BankAccount;
use domain::provider::SubmitOutcome;
use outbound_http::OutboundRequest;
use serde::{Deserialize, Serialize};

/// How codes of recipients begin.
const PREFIX: &str = "RCP_";

#[derive(Serialize)]
struct RecipientDocument<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    name: &'a str,
    account_number: &'a str,
    bank_code: &'a str,
    currency: &'static str,
}

#[derive(Debug, Deserialize)]
struct MadeRecipient {
    recipient_code: String,
    details: RecipientAccount,
}

impl PaystackProvider {
    /// The code of the recipient of an account at a bank that goes by `bank_code`.
    ///
    /// Where there is none, what that says of the attempt: nothing was paid, in any case.
    pub(crate) async fn recipient(
        &self,
        account: &BankAccount,
        bank_code: &str,
    ) -> Result<String, SubmitOutcome> {
        let document = serde_json::to_vec(&RecipientDocument {
            kind: "nuban",
            name: &account.name,
            account_number: account.number.digits(),
            bank_code,
            currency: "NGN",
        });
        let document = document.map_err(|_| SubmitOutcome::NotSent)?;
        let request = OutboundRequest::post_json("transferrecipient", document);
        let asked = self
            .client
            .ask(self.authorized(request), self.settings.recipient);
        let answer = asked.await.map_err(|error| {
            tracing::warn!(%error, "Paystack made no recipient, so the transfer was not sent");
            SubmitOutcome::NotSent
        })?;
        let envelope = PaystackEnvelope::read(&answer).ok_or(SubmitOutcome::NotSent)?;
        if answer.unexpected_status().is_some() {
            return Err(match refusal(answer.status, &envelope, &self.answers) {
                Some(RefusedRequest::Declined(refusal)) => SubmitOutcome::Declined(refusal),
                Some(RefusedRequest::Duplicate) | None => SubmitOutcome::NotSent,
            });
        }
        let made: Option<MadeRecipient> = envelope.data();
        let is_ours = |made: &MadeRecipient| {
            made.recipient_code.starts_with(PREFIX)
                && made.details.account_number.as_deref() == Some(account.number.digits())
                && made.details.bank_code.as_deref() == Some(bank_code)
        };
        let made = made.filter(|made| envelope.status && is_ours(made));
        let made = made.ok_or_else(|| {
            tracing::error!(
                "Paystack answers with a recipient that is not the account to be credited"
            );
            SubmitOutcome::NotSent
        })?;
        Ok(made.recipient_code)
    }
}
