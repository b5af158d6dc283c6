//! Whose an account is, as its bank says. What kind of account it is is on no interface of
//! Paystack, and must not be read from anything else.

use crate::answer::PaystackEnvelope;
use crate::outcome::{RefusedRequest, refusal};
use crate::provider::PaystackProvider;
use async_trait::async_trait;
use domain::bank::{AccountKind, AccountNumber, BankAccount, BankIdentifier};
use domain::provider::RefusalKind;
use outbound_http::escaped;
use ports::banks::BankAccounts;
use ports::provider::LookupFailure;
use serde::Deserialize;

/// What is shown of an account whose kind is not known: our records have no place for that.
const UNKNOWN_KIND: AccountKind = AccountKind::Savings;

/// Most characters of a name: far more than banks keep.
const NAME_MAX: usize = 200;

#[derive(Debug, Deserialize)]
struct ResolvedAccount {
    account_number: String,
    account_name: String,
}

#[async_trait]
impl BankAccounts for PaystackProvider {
    async fn account(
        &self,
        bank: &BankIdentifier,
        number: &AccountNumber,
    ) -> Result<BankAccount, LookupFailure> {
        // A bank that is not mapped is not reached: that says nothing of the account.
        let code = self.settings.banks.code(bank);
        let code = code.ok_or(LookupFailure::Unreachable)?;
        let path = format!(
            "bank/resolve?account_number={}&bank_code={}",
            escaped(number.digits()),
            escaped(code)
        );
        let answer = self.question(path).await;
        let answer = answer.ok_or(LookupFailure::Unreachable)?;
        if matches!(answer.status, 401 | 403 | 429 | 500..) {
            return Err(LookupFailure::Unreachable);
        }
        let envelope = PaystackEnvelope::read(&answer).ok_or(LookupFailure::Unusable)?;
        if answer.unexpected_status().is_some() {
            // The status of an account that is not there is 400 or 422.
            return Err(match refusal(400, &envelope, &self.answers) {
                Some(RefusedRequest::Declined(refusal)) if refusal.kind == RefusalKind::Order => {
                    LookupFailure::Unknown
                }
                Some(RefusedRequest::Declined(_) | RefusedRequest::Duplicate) | None => {
                    LookupFailure::Unusable
                }
            });
        }
        let resolved: Option<ResolvedAccount> = envelope.data();
        let resolved = resolved.filter(|it| {
            let name = it.account_name.trim();
            let is_name = !name.is_empty()
                && name.chars().count() <= NAME_MAX
                && !name.chars().any(char::is_control);
            envelope.status && is_name && it.account_number == number.digits()
        });
        let resolved = resolved.ok_or(LookupFailure::Unusable)?;
        Ok(BankAccount {
            bank: bank.clone(),
            number: number.clone(),
            name: resolved.account_name.trim().to_owned(),
            kind: UNKNOWN_KIND,
        })
    }
}
