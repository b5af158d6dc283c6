//! `GET /payment/internet/transaction`. It must show what the subscription showed, and one field
//! more.

use super::subscribe;
use crate::format;
use crate::transaction::identity;
use crate::tree::Object;
use domain::internet::DataOrder;
use domain::transaction::Transaction;

/// The report: the subscription with `gtwStatus` (interface §2.7).
pub(crate) fn view(transaction: &Transaction, order: &DataOrder) -> Object {
    let gateway = format::gateway_status(transaction.gateway_status());
    identity(transaction)
        .with("gtwStatus", gateway)
        .and(subscribe::body(transaction, order))
}

#[cfg(test)]
mod tests {
    use crate::fixtures::{in_every_state, lagos};
    use crate::transaction::{answer, report};
    use testkit::builders::internet;

    #[test]
    fn the_report_adds_the_gateway_and_changes_nothing_else() {
        let zone = lagos();
        let opened = internet().transaction();
        insta::assert_snapshot!(
            "data_report",
            in_every_state(&opened, |tx| report(tx, &zone))
        );
        let report = report(&opened, &zone);
        let rest: Vec<_> = report.fields().filter(|it| it.0 != "gtwStatus").collect();
        assert_eq!(rest, answer(&opened, &zone).fields().collect::<Vec<_>>());
    }
}
