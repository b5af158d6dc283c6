//! The record of a meter token. It must keep the token until that is erased: it is what the
//! customer paid for.

use crate::record::scalar::{MoneyRecord, Text, decimal, valid};
use crate::record::{RecordError, opened};
use domain::token::{Token, TokenNumber};
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct TokenRecord<'a> {
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(super) number: Option<Text<'a>>,
    #[serde(borrow)]
    cost: Option<MoneyRecord<'a>>,
    units: Option<String>,
}

impl<'a> From<&'a Token> for TokenRecord<'a> {
    fn from(token: &'a Token) -> Self {
        Self {
            number: token.number.as_ref().map(|it| it.digits().into()),
            cost: token.cost.map(Into::into),
            units: token.units.map(|units| units.to_string()),
        }
    }
}

impl TokenRecord<'_> {
    pub(super) fn restore(&self) -> Result<Token, RecordError> {
        let number = self.number.as_deref().map(|digits| {
            opened("token", digits)?;
            valid(TokenNumber::parse(digits), "token")
        });
        let cost = self.cost.as_ref().map(|cost| cost.restore("token cost"));
        let units = self.units.as_deref().map(|units| decimal(units, "units"));
        Ok(Token {
            number: number.transpose()?,
            cost: cost.transpose()?,
            units: units.transpose()?,
        })
    }
}
