//! What providers report over sessions of their own: each receipt is applied to the attempt it is
//! about, and each message of a person recorded, before it is acknowledged. A receipt must never
//! confirm a message of which a part was refused or not answered: a person decides about that one.

use crate::gateway::Gateway;
use crate::record::Driver;
use async_trait::async_trait;
use domain::messaging::ProviderMessageId;
use domain::order::Order;
use domain::provider::{Fulfilment, ProviderId, QueryOutcome, Receipt};
use domain::reference::ProviderReference;
use domain::sms::{DeliveryStatus, Dispatch};
use domain::transaction::{AttemptNumber, Observation, Transaction};
use ports::PortError;
use ports::callbacks::MessageReport;
use ports::receipts::{
    Acceptance, AcceptedMessage, DeliveryReceipt, KnownPart, MessageExtent, MessageResult,
    ReceiptBook, ReceiptResult,
};
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// How long receipts find their message: longer than any network tries to deliver one, which is a
/// week, and a week more for receipts that a provider held back.
const KEPT: Duration = Duration::from_hours(24 * 14);

/// How often it is looked for what is older.
const FORGET_EVERY: Duration = Duration::from_hours(1);

/// How many identities are forgotten at a time: a statement that no payment notices.
const FORGET_MOST: u32 = 500;

/// The pause in between: most of the store's time is left to payments.
const FORGET_PAUSE: Duration = Duration::from_millis(100);

/// What one provider hands its identities, receipts and messages of people over to.
#[derive(Debug)]
struct ProviderBook {
    gateway: Gateway,
    provider: ProviderId,
}

impl Gateway {
    /// Has every provider that reports by itself begin to, and forgets what receipts no longer
    /// come for, until it is stopped. [`Self::close_receipts`] ends the reporting.
    pub(crate) async fn receive_receipts(self, stop: CancellationToken) {
        let mut reports = false;
        for provider in self.providers_in_force().distinct() {
            if let Some(receipts) = provider.receipts() {
                reports = true;
                receipts.attach(Arc::new(ProviderBook {
                    gateway: self.clone(),
                    provider: provider.id().clone(),
                }));
            }
        }
        if !reports {
            return;
        }
        while !stop.is_cancelled() {
            let pause = self.forget_message_ids().await;
            self.pause(pause, &stop).await;
        }
    }

    /// Has every provider that reports by itself take leave. Nothing may be submitted any more.
    pub(crate) async fn close_receipts(&self) {
        for provider in self.providers_in_force().distinct() {
            if let Some(receipts) = provider.receipts() {
                receipts.close().await;
            }
        }
    }

    /// Forgets once, and answers when to go on.
    async fn forget_message_ids(&self) -> Duration {
        let before = self.now().minus(KEPT);
        match self.parts().message_ids.forget(before, FORGET_MOST).await {
            Ok(0) => FORGET_EVERY,
            Ok(_) => FORGET_PAUSE,
            Err(error) => {
                tracing::warn!(%error, "old identities of messages could not be forgotten");
                FORGET_EVERY
            }
        }
    }
}

#[async_trait]
impl ReceiptBook for ProviderBook {
    async fn remember(&self, message: &AcceptedMessage) -> Result<(), PortError> {
        let now = self.gateway.now();
        let ids = &self.gateway.parts().message_ids;
        ids.remember(&self.provider, message, now).await
    }

    async fn apply(&self, receipt: &DeliveryReceipt) -> ReceiptResult {
        match self.apply_to_attempt(receipt).await {
            Ok(result) => result,
            Err(error) => {
                let provider = &self.provider;
                tracing::warn!(%provider, %error, "a delivery receipt was not stored");
                ReceiptResult::Failed
            }
        }
    }

    async fn accepted_whole(&self, reference: &ProviderReference) -> Result<Option<u8>, PortError> {
        let ids = &self.gateway.parts().message_ids;
        ids.accepted_whole(&self.provider, reference).await
    }

    async fn take_message(&self, report: MessageReport) -> MessageResult {
        let provider = &self.provider;
        match self.gateway.take_message(provider, report).await {
            Ok(()) => MessageResult::Taken,
            Err(error) => {
                tracing::warn!(%error, %provider, "an incoming message was not recorded");
                MessageResult::Failed
            }
        }
    }

    async fn has_message(&self, id: &ProviderMessageId) -> Result<bool, PortError> {
        let incoming = &self.gateway.parts().incoming;
        incoming.has_incoming(&self.provider, id).await
    }
}

impl ProviderBook {
    async fn apply_to_attempt(
        &self,
        receipt: &DeliveryReceipt,
    ) -> Result<ReceiptResult, PortError> {
        let (provider, ids) = (&self.provider, &self.gateway.parts().message_ids);
        let Some(part) = ids.known_part(provider, &receipt.id).await? else {
            return Ok(ReceiptResult::Unmatched);
        };
        let (reference, status) = (&part.reference, receipt.status.code());
        if part.acceptance == Acceptance::Partial {
            let id = receipt.id.as_str();
            tracing::warn!(
                %provider, %reference, id, status,
                "a receipt came for a message that was accepted in part; a person decides about it"
            );
            return Ok(ReceiptResult::Stored);
        }
        let found = self.gateway.attempt_of(provider, reference).await?;
        // A store that was set back knows neither for a while; the provider repeats the receipt.
        let Some((transaction, attempt)) = found else {
            return Ok(ReceiptResult::Unmatched);
        };
        let Some(observation) = observation((&transaction, attempt), &part, receipt.status) else {
            tracing::error!(%provider, %reference, "a receipt is about what is no such message");
            return Ok(ReceiptResult::Stored);
        };
        self.gateway
            .settle_attempt(transaction, &observation.into(), Driver::Recovery)
            .await?;
        Ok(ReceiptResult::Stored)
    }
}

/// A receipt as it is applied. A network that reports on a message has accepted all of it, or its
/// identities would not be stored as those of a whole message.
fn observation(
    (transaction, attempt): (&Transaction, AttemptNumber),
    part: &KnownPart,
    status: DeliveryStatus,
) -> Option<Observation> {
    let Order::Sms(_) = &transaction.order else {
        return None;
    };
    let status_of = |index: u8| match part.extent {
        MessageExtent::All => status,
        MessageExtent::Part(reported) if reported == index => status,
        MessageExtent::Part(_) => DeliveryStatus::Submitted,
    };
    let parts = (0..part.parts).map(status_of).collect();
    let dispatch = Dispatch::try_from_parts(parts).ok()?;
    Some(Observation::Finding {
        attempt,
        finding: QueryOutcome::Delivered(Receipt {
            reference: transaction.provider_reference(attempt),
            // The networks of messages report no amount; the identity says which message it is.
            amount: transaction.order.amount(),
            fulfilment: Fulfilment::Sms(dispatch),
        }),
    })
}
