//! The pages of checkout sessions. Who has the address of a page may see what is to be paid and pay
//! it, so an address must not be guessed, nor follow from what is stored.

use super::{CollectionError, DRAWS_MAX, PaymentReport, SeenCollection};
use crate::gateway::{Gateway, Merchant};
use crate::hex::hex;
use crate::payment::ReplayMark;
use crate::pepper::{Pepper, hmac_sha256};
use crate::prefixed_parts::PrefixedParts;
use domain::account::{Account, AccountStatus};
use domain::collection::{
    CheckoutStatus, CollectedPayment, Collection, CollectionKind, CollectionPayer,
    CollectionSource, CollectionState, CollectionStep, NewCheckout, NewCollection,
    PaymentReference, SaleItem,
};
use domain::environment::Environment;
use domain::money::Money;
use domain::reference::{MerchantReference, TransactionNumber};
use domain::top_up::ReceivingAccount;
use ports::PortError;
use ports::collections::{CollectionCreation, CollectionName, CollectionSort};
use subtle::ConstantTimeEq;

/// Below which path the pages are.
pub const CHECKOUT_PAGES: &str = "/checkout/pay/";

/// Bytes of the mark by which an address that was made up is refused before anything is read.
const MARK_BYTES: usize = 8;

/// Bytes of the mark that binds an address to its session.
const BOUND_BYTES: usize = 16;

/// What leads to a session, and back from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckoutLinks {
    /// The address of its page.
    pub page: String,
    /// The key of the signature with which customers go back.
    pub secret: String,
}

/// A session as its page shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckoutSession {
    /// Whose session it is.
    pub account: Account,
    /// The session, and what was paid.
    pub state: CollectionState,
    /// Where customers pay into; `None` where the operator names no account, or has suspended the
    /// merchant's.
    pub receiving: Option<ReceivingAccount>,
    /// Where the customer goes back to, signed.
    pub back: Option<String>,
}

impl CheckoutSession {
    /// What the payer names, and what is sold; `None` where no page shows it.
    pub fn sale(&self) -> Option<(&PaymentReference, &[SaleItem])> {
        match &self.state.collection.kind {
            CollectionKind::Checkout(terms) => Some((&terms.reference, &terms.items)),
            CollectionKind::Bill(terms) => Some((&terms.reference, &terms.items)),
            CollectionKind::Account(_) | CollectionKind::Invoice { .. } => None,
        }
    }

    /// The name of the customer, where the merchant gave one.
    pub fn customer(&self) -> Option<&str> {
        let payer = &self.state.collection.payer;
        let is_named = match &self.state.collection.kind {
            CollectionKind::Checkout(terms) => !terms.is_contact(payer),
            CollectionKind::Bill(_) => true,
            CollectionKind::Account(_) | CollectionKind::Invoice { .. } => false,
        };
        is_named.then_some(payer.as_str())
    }
}

impl Gateway {
    /// What leads to a session and back.
    pub fn checkout_links(&self, collection: &Collection) -> CheckoutLinks {
        let (base, pepper) = (&self.parts().collection_terms.pages, self.page_pepper());
        CheckoutLinks {
            page: format!("{base}{CHECKOUT_PAGES}{}", page_name(&pepper, collection)),
            secret: redirect_secret(&pepper, collection),
        }
    }

    /// The payment reference of a page, where this installation may have made its name. It reads
    /// nothing.
    pub fn payee_of_page(&self, name: &str) -> Option<PaymentReference> {
        let (payee, marks) = name.split_at_checked(PaymentReference::DIGITS)?;
        let payee = PaymentReference::parse(payee).ok()?;
        let (sent, bound) = marks.split_at_checked(MARK_BYTES.saturating_mul(2))?;
        let is_whole = bound.len() == BOUND_BYTES.saturating_mul(2)
            && bound
                .bytes()
                .all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        let mark = mark(&self.page_pepper(), payee.as_str());
        let is_marked = bool::from(sent.as_bytes().ct_eq(mark.as_bytes()));
        (is_whole && is_marked).then_some(payee)
    }

    /// The page of a name; `None` where there is none of it. A name that was made up is not looked
    /// for.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn checkout_page(
        &self,
        name: &str,
    ) -> Result<Option<CheckoutSession>, CollectionError> {
        let Some(payee) = self.payee_of_page(name) else {
            return Ok(None);
        };
        let collections = &self.parts().collections;
        let found = collections.collection_of_payee(payee.as_str()).await?;
        let Some(collection) = found.filter(|it| self.is_page_of(name, it)) else {
            return Ok(None);
        };
        let numbered = CollectionName::Number(collection.number);
        let state = self
            .parts()
            .collections
            .collection(&collection.account, numbered);
        let owner = self.parts().accounts.credentials(&collection.account);
        let (Some(state), Some(owner)) = (state.await?, owner.await?) else {
            return Ok(None);
        };
        let receiving = match owner.account.status {
            AccountStatus::Active => self.collecting_account(owner.account.environment),
            // What arrives is credited still, but no one is asked for money.
            AccountStatus::Suspended => None,
        };
        Ok(Some(CheckoutSession {
            receiving,
            back: way_back(&self.page_pepper(), &state.collection),
            account: owner.account,
            state,
        }))
    }

    /// Cancels a session that waits for money; one that is cancelled already stays so.
    ///
    /// # Errors
    /// Refuses what is no session of the merchant's, a version that it has not, and one that is
    /// paid or over.
    pub async fn cancel_checkout(
        &self,
        merchant: &Merchant,
        reference: &MerchantReference,
        seen: &SeenCollection,
    ) -> Result<CollectionState, CollectionError> {
        let sort = CollectionSort::Checkout;
        let name = CollectionName::Reference(reference);
        let found = self.collection(merchant, name, sort).await?;
        match found.checkout_status(self.now()) {
            CheckoutStatus::Open | CheckoutStatus::Cancelled => {}
            over @ (CheckoutStatus::Paid | CheckoutStatus::Expired) => {
                return Err(CollectionError::CheckoutOver(over));
            }
        }
        let step = (found.collection.number, CollectionStep::Close);
        self.change_collection(merchant, step, (seen, &[sort]))
            .await
    }

    /// The session under a number that something else has as well, opened unless it is there.
    ///
    /// # Errors
    /// Refuses a reference that was used for another collection.
    pub(crate) async fn checkout_under(
        &self,
        merchant: &Merchant,
        (number, wanted): (TransactionNumber, NewCheckout),
    ) -> Result<Collection, CollectionError> {
        let wanted = NewCollection::Checkout(wanted);
        for _ in 0..DRAWS_MAX {
            if let Some(earlier) = self.numbered(merchant, number).await? {
                return Ok(earlier.collection);
            }
            let collection = self.drawn(merchant, &wanted, (number, self.now()))?;
            let stored = self.parts().collections.create_collection(&collection);
            match stored.await? {
                CollectionCreation::Done => return Ok(collection),
                // It was opened meanwhile, or another number is drawn for payers to type.
                CollectionCreation::NumberTaken => {}
                CollectionCreation::ReferenceTaken => {
                    return Err(self.reference_taken(merchant, &wanted).await?);
                }
                CollectionCreation::TooMany => return Err(CollectionError::TooMany),
                CollectionCreation::AccountUnknown => {
                    let what = "an authenticated account was not found as its session was stored";
                    return Err(PortError::new("collections", what).into());
                }
            }
        }
        Err(CollectionError::RangeFull)
    }

    /// Pays the session of a page from the sandbox. The same page pays once however often it is
    /// sent: `seen` is how many payments it showed.
    ///
    /// # Errors
    /// Refuses live accounts and what cannot be booked.
    pub async fn pay_on_page(
        &self,
        session: &CheckoutSession,
        (amount, seen): (Money, u64),
    ) -> Result<(CollectedPayment, ReplayMark), CollectionError> {
        match session.account.environment {
            Environment::Test => {}
            Environment::Live => return Err(CollectionError::NotSimulated),
        }
        let collection = &session.state.collection;
        // No reference that merchants send has a blank in it.
        let click = format!("page {} {seen}", collection.number);
        let report = PaymentReport {
            session: self.simulated_session(&collection.account, &click)?,
            amount,
            payer: CollectionPayer {
                name: session.customer().map(str::to_owned),
                bank: Some("Sandbox Bank".to_owned()),
                account_last: None,
            },
            paid_at: self.now(),
        };
        let payment = self.payment_to(collection, (CollectionSource::Sandbox, report))?;
        Ok(match self.credit_payment(payment.clone()).await? {
            None => (payment, ReplayMark::New),
            Some(earlier) => (earlier, ReplayMark::Replayed),
        })
    }

    /// Whether customers of a merchant reach pages, and an account to pay into. Those of test
    /// accounts are their developers.
    pub fn is_checkout_ready(&self, merchant: &Merchant) -> bool {
        let environment = merchant.account.environment;
        let is_reached = match environment {
            Environment::Live => self.parts().collection_terms.has_public_pages,
            Environment::Test => true,
        };
        is_reached && self.collecting_account(environment).is_some()
    }

    /// What pages and their secrets are made from: a shop keeps both for as long as a session is
    /// open, and no session keeps the generation it was opened under.
    fn page_pepper(&self) -> Pepper {
        self.parts().pepper.first()
    }

    fn is_page_of(&self, name: &str, collection: &Collection) -> bool {
        let made = page_name(&self.page_pepper(), collection);
        made.as_bytes().ct_eq(name.as_bytes()).into()
    }
}

/// Twelve digits that the payer types, and marks of this installation.
fn page_name(pepper: &Pepper, collection: &Collection) -> String {
    let payee = collection.kind.payee();
    let (mark, bound) = (mark(pepper, payee), bound(pepper, (collection, payee)));
    format!("{payee}{mark}{bound}")
}

fn mark(pepper: &Pepper, payee: &str) -> String {
    let message = PrefixedParts::after(b"checkout page").with(payee.as_bytes());
    let hash = pepper.authenticate(message.as_bytes());
    hex(hash.iter().take(MARK_BYTES))
}

/// After a restore another collection may have the number that the payer types.
fn bound(pepper: &Pepper, (collection, payee): (&Collection, &str)) -> String {
    let message = about(b"checkout session", collection).with(payee.as_bytes());
    let hash = pepper.authenticate(message.as_bytes());
    hex(hash.iter().take(BOUND_BYTES))
}

fn redirect_secret(pepper: &Pepper, collection: &Collection) -> String {
    let message = about(b"checkout redirect", collection);
    hex(&pepper.authenticate(message.as_bytes()))
}

/// The address of a shop with the identifier of the session, and nothing else of it.
fn way_back(pepper: &Pepper, collection: &Collection) -> Option<String> {
    let CollectionKind::Checkout(terms) = &collection.kind else {
        return None;
    };
    let identifier = collection.number.to_string();
    let signature = signature(&redirect_secret(pepper, collection), &identifier);
    let query = [
        ("chkIdentifier", identifier.as_str()),
        ("chkSignature", signature.as_str()),
    ];
    Some(terms.redirect.with_query(&query))
}

fn about(beginning: &[u8], collection: &Collection) -> PrefixedParts {
    let number = collection.number.to_string();
    PrefixedParts::after(beginning).with_each([collection.account.as_str(), &number])
}

/// HMAC-SHA-256 of an identifier under the characters of a secret, in hexadecimal.
fn signature(secret: &str, identifier: &str) -> String {
    hex(&hmac_sha256(secret.bytes(), identifier.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::signature;

    /// Known from Python's hmac, apart from this code: shops check it with their own library.
    #[test]
    fn a_signature_is_what_a_shop_computes() {
        let secret = "0123456789abcdef".repeat(4);
        assert_eq!(
            signature(&secret, "4503599627370496"),
            "6d6a9859af409f8a59b71b43cea81a6f3bbe28a8d681d9169e02238e678016b1"
        );
    }
}
