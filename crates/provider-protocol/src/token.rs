//! Meter tokens in the protocol: they are worth their money, so this document must never be shown
//! by a log.

use crate::amount::{Amount, optional};
use crate::document::{DocumentError, valid};
use domain::token::{Token, TokenNumber};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
pub(crate) struct TokenDocument {
    /// Left out once it was erased.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    number: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cost: Option<Amount>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    units: Option<String>,
}

impl From<&Token> for TokenDocument {
    fn from(token: &Token) -> Self {
        Self {
            number: token.number.as_ref().map(|it| it.digits().to_owned()),
            cost: token.cost.map(Into::into),
            units: token.units.map(|units| units.to_string()),
        }
    }
}

impl TokenDocument {
    pub(crate) fn token(&self) -> Result<Token, DocumentError> {
        let number = self.number.as_deref().map(TokenNumber::parse);
        let units = self.units.as_deref();
        let units = units.map(|units| decimal(units, "receipt.token.units"));
        Ok(Token {
            number: valid(number.transpose(), "receipt.token.number")?,
            cost: optional(self.cost.as_ref(), "receipt.token.cost")?,
            units: units.transpose()?,
        })
    }
}

/// A decimal, which stands as text so that no reader rounds it.
pub(crate) fn decimal(text: &str, field: &'static str) -> Result<Decimal, DocumentError> {
    let decimal = Decimal::from_str_exact(text);
    decimal.map_err(|_| DocumentError::field(field, "must be a decimal as text, such as \"12.50\""))
}
