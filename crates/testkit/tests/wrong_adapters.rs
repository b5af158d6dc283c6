//! Adapters that send without a valid permit, or name attempts wrongly: the provider suite fails
//! each of them.
#![cfg(test)]

use async_trait::async_trait;
use domain::order::{Order, Service};
use domain::provider::{AbsencePolicy, ProviderId, QueryOutcome, Submission, SubmitOutcome};
use domain::reference::ProviderReference;
use domain::transaction::PreparedAttempt;
use ports::PortError;
use ports::permit::SendPermit;
use ports::provider::{AttemptQuery, Changes, Naming, Provider, ProviderAnswer};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use testkit::builders::purchase_of;
use testkit::clock::ManualClock;
use testkit::contract::provider::{
    ProviderBehaviour, ProviderUnderTest, an_attempt_is_prepared_the_same_each_time,
    whatever_is_delivered_was_permitted, where_the_permit_has_ended_nothing_is_written,
    where_the_permit_is_withheld_nothing_is_written,
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
    /// It gives an attempt another name each time it prepares it.
    NamesAnew,
    /// It cuts names off, so that attempts share one.
    CutsNames,
}

#[derive(Debug)]
struct WrongAdapter {
    wrong: Wrong,
    inner: Arc<ScriptedProvider>,
    named: AtomicU64,
}

impl WrongAdapter {
    async fn write(&self, submission: &Submission) -> ProviderAnswer<SubmitOutcome> {
        self.inner.submit(submission, &FixedPermit::granted()).await
    }
}

#[async_trait]
impl Provider for WrongAdapter {
    fn id(&self) -> &ProviderId {
        self.inner.id()
    }

    fn absence_policy(&self, service: Service) -> AbsencePolicy {
        self.inner.absence_policy(service)
    }

    fn prepare(&self, naming: Naming<'_>) -> PreparedAttempt {
        let name = match self.wrong {
            Wrong::NamesAnew => self.named.fetch_add(1, Ordering::Relaxed).to_string(),
            Wrong::CutsNames => naming
                .derived
                .as_str()
                .replace('.', "")
                .chars()
                .take(11)
                .collect(),
            Wrong::NeverAsks
            | Wrong::AsksAfterwards
            | Wrong::IgnoresTheAnswer
            | Wrong::IgnoresTheEnd => naming.derived.to_string(),
        };
        PreparedAttempt {
            provider: self.id().clone(),
            reference: ProviderReference::from_echo(name),
            adapter_state: None,
        }
    }

    async fn submit(
        &self,
        submission: &Submission,
        permit: &dyn SendPermit,
    ) -> ProviderAnswer<SubmitOutcome> {
        match self.wrong {
            Wrong::NeverAsks | Wrong::NamesAnew | Wrong::CutsNames => self.write(submission).await,
            Wrong::AsksAfterwards => {
                let outcome = self.write(submission).await;
                let granted = permit.ask().await;
                granted.map_or_else(|_| SubmitOutcome::NotSent.into(), |_| outcome)
            }
            Wrong::IgnoresTheAnswer => {
                let _ = permit.ask().await;
                self.write(submission).await
            }
            Wrong::IgnoresTheEnd => match permit.ask().await {
                Ok(_) => self.write(submission).await,
                Err(_) => SubmitOutcome::NotSent.into(),
            },
        }
    }

    async fn query(&self, attempt: &AttemptQuery<'_>) -> ProviderAnswer<QueryOutcome> {
        self.inner.query(attempt).await
    }

    async fn changes_since(&self, cursor: u64) -> Result<Changes, PortError> {
        self.inner.changes_since(cursor).await
    }
}

struct WrongBench(Arc<WrongAdapter>);

fn bench(wrong: Wrong) -> WrongBench {
    let inner = ScriptedProvider::new(ManualClock::start());
    let named = AtomicU64::new(0);
    WrongBench(Arc::new(WrongAdapter {
        wrong,
        inner,
        named,
    }))
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

#[tokio::test]
#[should_panic(expected = "Airtime")]
async fn an_adapter_that_names_an_attempt_anew_is_found() {
    an_attempt_is_prepared_the_same_each_time(&bench(Wrong::NamesAnew)).await;
}

#[tokio::test]
#[should_panic(expected = "shop.prepared.2")]
async fn an_adapter_that_gives_two_attempts_one_name_is_found() {
    an_attempt_is_prepared_the_same_each_time(&bench(Wrong::CutsNames)).await;
}
