//! The gateway's money at the provider: its balance and its statement. What the provider does not
//! keep is not offered; nothing here may make it up.

use crate::served::{ServedFloat, ServedProvider};
use domain::float::{StatementCursor, StatementPeriod};
use ports::PortError;
use provider_protocol::{BalanceDocument, BalancesDocument, Moment, StatementDocument, read};

/// The balances; `None` where they are not offered.
pub(crate) async fn balances(
    served: &ServedProvider,
) -> Result<Option<BalancesDocument>, PortError> {
    if served.float == ServedFloat::NotOffered {
        return Ok(None);
    }
    let balance = served.provider.balance().await?;
    Ok(balance.map(|balance| BalancesDocument {
        balances: vec![BalanceDocument::from(&balance)],
    }))
}

/// A page of the statement, as it is asked for.
#[derive(Debug)]
pub(crate) struct AskedStatement {
    period: StatementPeriod,
    after: Option<StatementCursor>,
}

impl AskedStatement {
    /// Reads `from=…&to=…&after=…`; what is wrong is said with the name of the parameter.
    pub(crate) fn read(query: &str) -> Result<Self, String> {
        let (mut from, mut to, mut after) = (None, None, None);
        for (name, value) in query.split('&').filter_map(|it| it.split_once('=')) {
            match name {
                "from" => from = Some(moment("from", value)?),
                "to" => to = Some(moment("to", value)?),
                "after" => {
                    let cursor = StatementCursor::parse(value);
                    after = Some(cursor.map_err(|error| format!("`after` {error}"))?);
                }
                _ => {}
            }
        }
        let (Some(from), Some(to)) = (from, to) else {
            return Err("`from` and `to` must be sent".to_owned());
        };
        let period = StatementPeriod {
            from: from.into(),
            to: to.into(),
        };
        if period.from >= period.to {
            return Err("`to` must be after `from`".to_owned());
        }
        Ok(Self { period, after })
    }

    /// The page; `None` where there is no statement.
    pub(crate) async fn page(
        &self,
        served: &ServedProvider,
    ) -> Result<Option<StatementDocument>, PortError> {
        if served.float == ServedFloat::NotOffered {
            return Ok(None);
        }
        let page = served.provider.statement(self.period, self.after.as_ref());
        Ok(page.await?.as_ref().map(StatementDocument::from))
    }
}

fn moment(name: &str, value: &str) -> Result<Moment, String> {
    // A colon may be sent escaped.
    let text = value.replace("%3A", ":").replace("%3a", ":");
    let read: Result<Moment, _> = read(format!("\"{text}\"").as_bytes());
    read.map_err(|_| format!("`{name}` must be a moment such as 2026-01-15T09:00:00Z"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_period_and_a_cursor_are_read_or_named() {
        let query = "from=2026-01-15T09:00:00.000Z&to=2026-01-16T00%3A00%3A00Z&after=7&x=1";
        let asked = AskedStatement::read(query).unwrap();
        assert_eq!(asked.after, StatementCursor::parse("7").ok());
        assert_eq!(asked.period.from.as_millis(), 1_768_467_600_000);
        for (wrong, named) in [
            ("", "`from`"),
            ("from=2026-01-15T09:00:00Z", "`to`"),
            ("from=1&to=2", "`from`"),
            ("from=2026-01-15T09:00:00Z&to=2026-01-15T09:00:00Z", "`to`"),
            ("from=2026-01-15T09:00:00&to=2026-01-15T10:00:00Z", "`from`"),
            (
                "from=2026-01-15T09:00:00Z&to=2026-01-16T09:00:00Z&after=a,b",
                "`after`",
            ),
        ] {
            let refused = AskedStatement::read(wrong).unwrap_err();
            assert!(refused.contains(named), "{wrong}: {refused}");
        }
    }
}
