//! The record of a price. A tax that was not charged must not take room in it: most prices have
//! none.

use super::RecordError;
use super::scalar::{MoneyRecord, Text};
use domain::money::Money;
use domain::pricing::Quote;
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct QuoteRecord<'a> {
    #[serde(borrow)]
    amount: MoneyRecord<'a>,
    #[serde(borrow)]
    commission: MoneyRecord<'a>,
    #[serde(borrow)]
    fee: MoneyRecord<'a>,
    /// Left out where there is none, and absent from the records of before there was any.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    vat: Option<MoneyRecord<'a>>,
    /// The same.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    levy: Option<MoneyRecord<'a>>,
    #[serde(borrow)]
    price: MoneyRecord<'a>,
    #[serde(borrow)]
    cost: MoneyRecord<'a>,
    #[serde(borrow)]
    rule: Text<'a>,
}

impl<'a> From<&'a Quote> for QuoteRecord<'a> {
    fn from(quote: &'a Quote) -> Self {
        Self {
            amount: quote.amount.into(),
            commission: quote.commission.into(),
            fee: quote.fee.into(),
            vat: tax(quote.vat),
            levy: tax(quote.levy),
            price: quote.price.into(),
            cost: quote.cost.into(),
            rule: (&quote.rule).into(),
        }
    }
}

impl QuoteRecord<'_> {
    pub(super) fn restore(self) -> Result<Quote, RecordError> {
        let price = self.price.restore("price")?;
        let tax = |stored: Option<MoneyRecord<'_>>, field| {
            let none = Money::zero(price.currency());
            stored.map_or(Ok(none), |stored| stored.restore(field))
        };
        Ok(Quote {
            amount: self.amount.restore("amount")?,
            commission: self.commission.restore("commission")?,
            fee: self.fee.restore("fee")?,
            vat: tax(self.vat, "vat")?,
            levy: tax(self.levy, "levy")?,
            price,
            cost: self.cost.restore("cost")?,
            rule: self.rule.into_owned(),
        })
    }
}

fn tax(charged: Money) -> Option<MoneyRecord<'static>> {
    (!charged.is_zero()).then(|| charged.into())
}
