//! What a payment for a meter brought: a token, or an account credited. Sums must always add up:
//! recovered debt, energy and VAT make the amount to the kobo. What the company does not say must
//! stay unknown: a zero would be a claim.

use crate::money::Money;
use crate::time::Timestamp;
use crate::token::Token;

/// What the company's system answered to a payment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vend {
    /// The company's receipt number.
    pub receipt: String,
    /// Debt before this payment, where the company says.
    pub debt: Option<Money>,
    /// Debt left after it, where the company says.
    pub outstanding: Option<Money>,
    /// When something was last bought before this payment.
    pub last_purchase: Option<Timestamp>,
    /// What was paid then.
    pub last_paid: Option<Money>,
    /// The token; absent for postpaid, and for a prepaid vend that is not finished yet.
    pub token: Option<Token>,
}
