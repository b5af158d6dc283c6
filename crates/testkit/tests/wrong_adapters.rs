//! Adapters that send without a valid permit: the provider suite fails each of them.
#![cfg(test)]

use async_trait::async_trait;
use domain::order::{Order, Service};
use domain::provider::{AbsencePolicy, ProviderId, QueryOutcome, Submission, SubmitOutcome};
use domain::reference::ProviderReference;
use ports::PortError;
use ports::permit::SendPermit;
use ports::provider::{Changes, Provider};
use std::sync::Arc;
use testkit::builders::purchase_of;
use testkit::clock::ManualClock;
use testkit::contract::provider::{
    ProviderBehaviour, ProviderUnderTest, whatever_is_delivered_was_permitted,
    where_the_permit_has_ended_nothing_is_written, where_the_permit_is_withheld_nothing_is_written,
};
use testkit::permit::FixedPermit;
use testkit::provider::ScriptedProvider;

/// What an adapter does wrong.
#[derive(Debug, Clone, Copy)]
enum Wrong {
    /// It never asks.
    NeverAsks,
    /// It asks after it has written.
    AsksAfterwards,
    /// It asks, and writes whatever the answer is.
    IgnoresTheAnswer,
    /// It asks, and does not look whether the permit has ended when it writes.
    IgnoresTheEnd,
}

#[derive(Debug)]
struct WrongAdapter {
    wrong: Wrong,
    inner: Arc<ScriptedProvider>,
}

impl WrongAdapter {
    async fn write(&self, submission: &Submission) -> SubmitOutcome {
        self.inner.submit(submission, &FixedPermit::granted()).await
    }
}

#[async_trait]
impl Provider for WrongAdapter {
    fn id(&self) -> &ProviderId {
        self.inner.id()
    }

    fn profile(&self) -> AbsencePolicy {
        self.inner.profile()
    }

    async fn submit(&self, submission: &Submission, permit: &dyn SendPermit) -> SubmitOutcome {
        match self.wrong {
            Wrong::NeverAsks => self.write(submission).await,
            Wrong::AsksAfterwards => {
                let outcome = self.write(submission).await;
                let granted = permit.ask().await;
                granted.map_or(SubmitOutcome::NotSent, |_| outcome)
            }
            Wrong::IgnoresTheAnswer => {
                let _ = permit.ask().await;
                self.write(submission).await
            }
            Wrong::IgnoresTheEnd => match permit.ask().await {
                Ok(_) => self.write(submission).await,
                Err(_) => SubmitOutcome::NotSent,
            },
        }
    }

    async fn query(&self, reference: &ProviderReference) -> QueryOutcome {
        self.inner.query(reference).await
    }

    async fn changes_since(&self, cursor: u64) -> Result<Changes, PortError> {
        self.inner.changes_since(cursor).await
    }
}

struct WrongBench(Arc<WrongAdapter>);

fn bench(wrong: Wrong) -> WrongBench {
    let inner = ScriptedProvider::new(ManualClock::start());
    WrongBench(Arc::new(WrongAdapter { wrong, inner }))
}

#[async_trait]
impl ProviderUnderTest for WrongBench {
    fn provider(&self) -> Arc<dyn Provider> {
        self.0.clone()
    }

    async fn order(&self, service: Service, _behaviour: ProviderBehaviour) -> Order {
        purchase_of(service).order()
    }

    async fn deliveries(&self, reference: &ProviderReference) -> u32 {
        self.0.inner.deliveries(reference)
    }

    async fn let_time_pass(&self) {}
}

#[tokio::test]
#[should_panic(expected = "delivered without asking for a permit")]
async fn an_adapter_that_never_asks_is_found() {
    whatever_is_delivered_was_permitted(&bench(Wrong::NeverAsks)).await;
}

#[tokio::test]
#[should_panic(expected = "shop.BudgetSpent-airtime-Delivers.1")]
async fn an_adapter_that_asks_after_it_has_written_is_found() {
    where_the_permit_is_withheld_nothing_is_written(&bench(Wrong::AsksAfterwards)).await;
}

#[tokio::test]
#[should_panic(expected = "shop.BudgetSpent-airtime-Delivers.1")]
async fn an_adapter_that_writes_though_the_permit_is_withheld_is_found() {
    where_the_permit_is_withheld_nothing_is_written(&bench(Wrong::IgnoresTheAnswer)).await;
}

#[tokio::test]
#[should_panic(expected = "shop.ended-airtime-Delivers.1")]
async fn an_adapter_that_writes_after_the_permit_has_ended_is_found() {
    where_the_permit_has_ended_nothing_is_written(&bench(Wrong::IgnoresTheEnd)).await;
}
