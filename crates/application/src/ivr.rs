//! Calls that run a flow: which flow, what one costs. Everything after that is the one payment
//! flow; nothing here may touch money.

use crate::gateway::{Gateway, Merchant};
use crate::messaging::MessageFamily;
use crate::payment::{PaymentResult, PricedOrder, Purchase};
use crate::request_error::{MessageRefusal, RequestError};
use domain::ivr::{IvrCall, IvrOrder};
use domain::order::Order;

impl Gateway {
    /// Calls a number and runs a flow.
    ///
    /// # Errors
    /// See [`RequestError`]: nothing was stored and no money moved.
    pub async fn run_flow(
        &self,
        merchant: &Merchant,
        purchase: Purchase<IvrCall>,
    ) -> Result<PaymentResult, RequestError> {
        let prepared = self.prepare_run(merchant, &purchase.command).await;
        self.pay(merchant, &purchase, prepared).await
    }

    /// The price is held for the longest that the call may take. The order holds what is said: the
    /// flow may be removed before the person is called.
    async fn prepare_run(
        &self,
        merchant: &Merchant,
        call: &IvrCall,
    ) -> Result<PricedOrder, RequestError> {
        let flow = self.kept_flow(merchant, call.flow).await?;
        let flow = flow.fill(&call.values);
        let flow = flow.map_err(MessageRefusal::Unfilled)?;
        let by_minute = (MessageFamily::Ivr, call.minutes.get());
        let priced = self.price_whole_message(merchant, by_minute, &call.parties);
        let priced = priced.await?;
        let order = Order::Ivr(IvrOrder {
            parties: priced.parties,
            flow_id: call.flow,
            flow,
            minutes: call.minutes,
            call_before: call.window.from(self.now()),
            amount: priced.amount,
        });
        Ok(PricedOrder {
            order,
            quote: priced.quote,
        })
    }
}
