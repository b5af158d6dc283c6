//! Lookups that are charged, whatever is looked up: once per reference, however often they are
//! asked for. A reference must never stand for two of them.

use crate::fingerprint::Fingerprinted;
use crate::gateway::{Gateway, Merchant};
use crate::payment::{PaymentResult, PricedOrder, Purchase, ReplayMark};
use crate::request_error::RequestError;
use domain::order::Service;
use domain::reference::MerchantReference;
use domain::transaction::Transaction;
use ports::PortError;

impl Gateway {
    /// Pays for a lookup; one that was made under its reference before is answered again, where it
    /// is the same.
    pub(crate) async fn pay_for_lookup<C: Fingerprinted>(
        &self,
        (merchant, service): (&Merchant, Service),
        (purchase, prepared): (&Purchase<C>, Result<PricedOrder, RequestError>),
        is_same: impl Fn(&Transaction, &C) -> bool,
    ) -> Result<PaymentResult, RequestError> {
        match self.pay(merchant, purchase, prepared).await {
            Err(RequestError::ReferenceTaken {
                service: taken_by,
                reference,
            }) => {
                let earlier = self.report(merchant, service, &reference).await?;
                let same = earlier.filter(|earlier| is_same(earlier, &purchase.command));
                let transaction = same.ok_or(RequestError::ReferenceTaken {
                    service: taken_by,
                    reference,
                })?;
                Ok(PaymentResult {
                    transaction,
                    replay: ReplayMark::Replayed,
                })
            }
            paid => paid,
        }
    }

    /// The merchant's reference of a lookup, or one that is made for it.
    pub(crate) fn reference_of_lookup(
        &self,
        service: Service,
        given: Option<MerchantReference>,
    ) -> Result<MerchantReference, RequestError> {
        if let Some(reference) = given {
            return Ok(reference);
        }
        let number = self.parts().ids.transaction_number();
        let made = MerchantReference::parse(&format!("{}-{number}", service.code()));
        made.map_err(|error| PortError::caused("lookup", "making a reference", error).into())
    }
}
