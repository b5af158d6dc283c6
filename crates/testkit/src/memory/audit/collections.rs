//! I31: what was paid to collections is what the ledger says of it.

use super::{Check, MemoryTables};
use domain::collection::CollectionSource;
use domain::environment::Environment;
use domain::ledger::Transfer;
use domain::operator::Act;
use ports::audit::CheckResult;

impl MemoryTables {
    pub(super) fn i31_payments_are_booked_once(&self) -> CheckResult {
        let rule = "Every payment to a collection is booked once, and was recorded by an operator";
        let mut check = Check::new("I31", rule);
        let payments = &self.collections.payments;
        for payment in payments {
            let is_test = self
                .account(&payment.account)
                .is_some_and(|it| it.account.environment == Environment::Test);
            let is_of_sandbox = payment.source == CollectionSource::Sandbox;
            let mut acts = self.operator_log.iter().map(|entry| &entry.order);
            let is_signed = acts.any(|order| {
                order.act == Act::CollectionRecord
                    && order.account == payment.account.as_str()
                    && order.reference == payment.session.as_str()
                    && order.amount == Some(payment.amount)
            });
            let holds = is_test == is_of_sandbox && (is_of_sandbox || is_signed);
            check.row(holds, || {
                format!("payment {} is not founded", payment.number)
            });
        }
        let kinds = |transfer: &Transfer| transfer.kind.code().starts_with("collection");
        let booked = self.transfers.iter().filter(|(_, it)| kinds(it)).count();
        let steps: usize = payments.iter().map(|it| it.transfers().len()).sum();
        check.row(booked == steps, || {
            format!("{booked} transfers of collections, {steps} steps of payments")
        });
        check.result()
    }
}
