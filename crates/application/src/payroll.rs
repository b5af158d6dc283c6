//! Salaries: many payouts of one pay day. Each must be charged as a salary and be sent as any
//! payout.

use crate::gateway::{Gateway, Merchant};
use crate::payment::Purchase;
use crate::payment::batch::{BatchResult, BatchTerms};
use crate::request_error::RequestError;
use domain::bank::Payroll;
use domain::batch::BatchKind;

impl Gateway {
    /// Pays the salaries of a pay day: every one is stored, paid for and in the queue, or none is.
    ///
    /// # Errors
    /// See [`RequestError`]: nothing was stored and no money moved.
    pub async fn pay_salaries(
        &self,
        merchant: &Merchant,
        purchase: Purchase<Payroll>,
    ) -> Result<BatchResult, RequestError> {
        let terms = BatchTerms {
            kind: BatchKind::Payroll,
            on_failure: purchase.command.on_failure,
        };
        let salaries = async {
            // A repeated request is answered with its batch before, on whatever day.
            let payroll = &purchase.command;
            payroll.pay_day.check(self.now())?;
            Ok(payroll.salaries.clone())
        };
        self.open_payouts(merchant, (&purchase, terms), salaries)
            .await
    }
}
