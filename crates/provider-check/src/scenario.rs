//! The scenario: the orders that an operator allows the kit to buy. A file that cannot be read to
//! its last field must be refused: what it meant to limit is not known.

use domain::money::{Currency, Money};
use domain::order::{Order, Service};
use provider_protocol::{DocumentError, read_order};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::to_raw_value;
use std::time::Duration;

/// A scenario with comments, to begin with.
pub const CHECK_SCENARIO_EXAMPLE: &str = include_str!("scenario_example.toml");

/// How long an order may take to settle, where nothing else is said.
const SETTLE_SECONDS: u64 = 30;

/// Longest time an order may take to settle.
const SETTLE_SECONDS_MAX: u64 = 900;

/// Rounds of a race, where nothing else is said.
const RACE_ROUNDS: u32 = 8;

/// Most rounds of a race: it is bought once in each.
const RACE_ROUNDS_MAX: u32 = 1_000;

/// Why a scenario cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum InvalidCheckScenario {
    /// It is not TOML, lacks a field, or has one too many.
    #[error("the scenario cannot be read: {0}")]
    Shape(String),
    /// A field holds what it cannot hold.
    #[error("`{field}` {reason}")]
    Field {
        /// Which.
        field: String,
        /// What is wrong with it, and what would be right.
        reason: String,
    },
}

/// What may be bought, and how long it may take.
#[derive(Debug, Clone)]
pub struct CheckScenario {
    pub(crate) max_spend: Money,
    pub(crate) settle_within: Duration,
    pub(crate) race_rounds: u32,
    pub(crate) orders: Vec<AllowedOrder>,
    effects_command: Option<Vec<String>>,
}

/// What must become of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ExpectedEnd {
    Delivered,
    Declined,
}

/// An order that may be sent.
#[derive(Debug, Clone)]
pub(crate) struct AllowedOrder {
    pub(crate) service: Service,
    pub(crate) amount: Money,
    pub(crate) expect: ExpectedEnd,
    pub(crate) times: u32,
    /// Whether it is answered `pending` and delivered later: it is bought for callbacks alone.
    pub(crate) pending: bool,
    /// The `order` object of a request.
    pub(crate) details: Value,
    pub(crate) order: Order,
}

impl AllowedOrder {
    /// Whether it is bought by checks that want a delivery.
    pub(crate) fn is_bought(&self) -> bool {
        self.expect == ExpectedEnd::Delivered && !self.pending
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenScenario {
    currency: Option<String>,
    max_spend: String,
    settle_within_seconds: Option<u64>,
    race_rounds: Option<u32>,
    effects_command: Option<Vec<String>>,
    #[serde(default)]
    order: Vec<WrittenOrder>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenOrder {
    service: String,
    amount: String,
    expect: ExpectedEnd,
    times: Option<u32>,
    #[serde(default)]
    pending: bool,
    details: Value,
}

fn field(field: impl Into<String>, reason: impl std::fmt::Display) -> InvalidCheckScenario {
    InvalidCheckScenario::Field {
        field: field.into(),
        reason: reason.to_string(),
    }
}

/// A number within its limits.
fn within<T: PartialOrd + std::fmt::Display>(
    name: &str,
    (value, least, most): (T, T, T),
) -> Result<T, InvalidCheckScenario> {
    if value < least || value > most {
        return Err(field(name, format!("must be from {least} to {most}")));
    }
    Ok(value)
}

impl CheckScenario {
    /// Reads a scenario.
    pub fn parse(text: &str) -> Result<Self, InvalidCheckScenario> {
        let written: WrittenScenario =
            toml::from_str(text).map_err(|error| InvalidCheckScenario::Shape(error.to_string()))?;
        let code = written.currency.as_deref().unwrap_or("NGN");
        let currency = Currency::from_code(code).ok_or_else(|| {
            let known = Currency::ALL.map(Currency::code).join(", ");
            field("currency", format!("must be one of {known}"))
        })?;
        let max_spend = money("max_spend", &written.max_spend, currency)?;
        let settle = written.settle_within_seconds.unwrap_or(SETTLE_SECONDS);
        let settle = within("settle_within_seconds", (settle, 1, SETTLE_SECONDS_MAX))?;
        let rounds = written.race_rounds.unwrap_or(RACE_ROUNDS);
        let race_rounds = within("race_rounds", (rounds, 1, RACE_ROUNDS_MAX))?;
        if written.effects_command.as_ref().is_some_and(Vec::is_empty) {
            return Err(field("effects_command", "must name a program"));
        }
        let orders = (1_usize..).zip(written.order);
        let orders: Result<Vec<_>, _> = orders
            .map(|(number, order)| order.checked(number, currency))
            .collect();
        let orders = orders?;
        if !orders.iter().any(AllowedOrder::is_bought) {
            return Err(field(
                "order",
                "must hold one order at least that is `expect = \"delivered\"`",
            ));
        }
        Ok(Self {
            max_spend,
            settle_within: Duration::from_secs(settle),
            race_rounds,
            orders,
            effects_command: written.effects_command,
        })
    }

    /// The most that may be spent.
    pub const fn max_spend(&self) -> Money {
        self.max_spend
    }

    /// Lowers the most that may be spent; a higher limit than the scenario's is none.
    ///
    /// # Errors
    /// When the text is no amount.
    pub fn limit_spend(&mut self, text: &str) -> Result<(), InvalidCheckScenario> {
        let limit = money("max_spend", text, self.max_spend.currency())?;
        if limit.minor() < self.max_spend.minor() {
            self.max_spend = limit;
        }
        Ok(())
    }

    /// The program that counts effects and its arguments.
    pub fn effects_command(&self) -> Option<(&str, &[String])> {
        let (program, arguments) = self.effects_command.as_deref()?.split_first()?;
        Some((program, arguments))
    }
}

fn money(name: &str, text: &str, currency: Currency) -> Result<Money, InvalidCheckScenario> {
    Money::parse(text, currency).map_err(|error| field(name, error))
}

impl WrittenOrder {
    fn checked(
        self,
        number: usize,
        currency: Currency,
    ) -> Result<AllowedOrder, InvalidCheckScenario> {
        let named = |name: &str| format!("order {number}: {name}");
        let service = Service::from_code(&self.service).ok_or_else(|| {
            let known: Vec<_> = Service::delivered().map(Service::code).collect();
            let reason = format!("must be one of {}", known.join(", "));
            field(named("service"), reason)
        })?;
        let amount = money(&named("amount"), &self.amount, currency)?;
        if !amount.is_positive() {
            return Err(field(named("amount"), "must be above zero"));
        }
        if self.pending && self.expect == ExpectedEnd::Declined {
            let reason = "is of an order that is delivered; leave it out, or expect \"delivered\"";
            return Err(field(named("pending"), reason));
        }
        let raw = to_raw_value(&self.details);
        let raw = raw.map_err(|error| field(named("details"), error))?;
        let order = read_order(service, &raw, amount).map_err(|error| match error {
            DocumentError::Field {
                field: name,
                reason,
            } => field(named(name), reason),
            DocumentError::Shape(_) | DocumentError::TooLarge | DocumentError::TooDeep => {
                field(named("details"), error)
            }
        })?;
        Ok(AllowedOrder {
            service,
            amount,
            expect: self.expect,
            times: self.times.unwrap_or(u32::MAX),
            pending: self.pending,
            details: self.details,
            order,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(from: &str, to: &str) -> String {
        let text = CHECK_SCENARIO_EXAMPLE.replacen(from, to, 1);
        assert_ne!(text, CHECK_SCENARIO_EXAMPLE, "{from}");
        CheckScenario::parse(&text).unwrap_err().to_string()
    }

    #[test]
    fn the_example_is_a_scenario() {
        let mut scenario = CheckScenario::parse(CHECK_SCENARIO_EXAMPLE).unwrap();
        assert_eq!(scenario.orders.len(), 2);
        assert_eq!(scenario.max_spend().to_string(), "5,000.00");
        scenario.limit_spend("9,000").unwrap();
        assert_eq!(scenario.max_spend().to_string(), "5,000.00");
        scenario.limit_spend("200").unwrap();
        assert_eq!(scenario.max_spend().to_string(), "200.00");
    }

    #[test]
    fn what_is_wrong_is_named_with_its_order_and_field() {
        for (from, to, says) in [
            ("max_spend = ", "max_spent = ", "max_spent"),
            ("\"5000.00\"", "\"much\"", "`max_spend`"),
            (
                "race_rounds = 8",
                "race_rounds = 0",
                "`race_rounds` must be from 1",
            ),
            ("\"NGN\"", "\"EUR\"", "`currency` must be one of"),
            (
                "\"airtime\"",
                "\"air\"",
                "`order 1: service` must be one of airtime",
            ),
            (
                "\"100.00\"",
                "\"0\"",
                "`order 1: amount` must be above zero",
            ),
            ("2348031234567", "nobody", "`order 1: order.number`"),
            ("billing = \"prepaid\"", "paid = 1", "`order 1: details`"),
            (
                "\"declined\"",
                "\"declined\"\npending = true",
                "`order 2: pending`",
            ),
            ("\"delivered\"", "\"declined\"", "expect = \"delivered\""),
        ] {
            let error = refused(from, to);
            assert!(error.contains(says), "{error}");
        }
    }
}
