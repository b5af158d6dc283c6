//! `GET /payment/cabletv/transaction`. It must show what the subscription showed, and one field
//! more.

use super::subscribe;
use crate::format;
use crate::transaction::{identity, money};
use crate::tree::Object;
use domain::cabletv::CableOrder;
use domain::transaction::Transaction;

/// The report (interface §2.5): the subscription with `gtwStatus`. It has one shape, so the report
/// of a credited amount has a plan as well, which is null.
pub(crate) fn view(transaction: &Transaction, order: &CableOrder) -> Object {
    let gateway = format::gateway_status(transaction.gateway_status());
    identity(transaction)
        .with("gtwStatus", gateway)
        .and(subscribe::card(order))
        .and(subscribe::plan(order))
        .and(money(transaction))
}

#[cfg(test)]
mod tests {
    use crate::fixtures::{in_every_state, lagos};
    use crate::transaction::{answer, report};
    use testkit::builders::{cabletv, cabletv_topup};

    #[test]
    fn the_report_adds_the_gateway_and_changes_nothing_else() {
        let zone = lagos();
        let opened = cabletv().transaction();
        insta::assert_snapshot!(
            "instant_report",
            in_every_state(&opened, |tx| report(tx, &zone))
        );
        let report = report(&opened, &zone);
        let rest: Vec<_> = report.fields().filter(|it| it.0 != "gtwStatus").collect();
        assert_eq!(rest, answer(&opened, &zone).fields().collect::<Vec<_>>());
    }

    #[test]
    fn the_report_of_a_top_up_says_that_there_is_no_plan() {
        let zone = lagos();
        let opened = cabletv_topup().transaction();
        insta::assert_snapshot!(
            "topup_report",
            in_every_state(&opened, |tx| report(tx, &zone))
        );
    }
}
