//! Every case there is, from where each kind is kept. It must leave out only what an operator
//! resolved, by an act that is signed.

mod settlement;

use std::collections::BTreeSet;

use application::operators::fingerprint;
use domain::money::Money;
use domain::operator::Act;
use domain::provider::ProviderId;
use domain::time::Timestamp;
use domain::transaction::{Disproven, ReviewCause, State, Transaction};
use jiff::Timestamp as Moment;
use ports::audit::{BookedState, CheckOutcome};
use ports::changes::DeadLetter;

use super::{CaseKind, CaseView};
use crate::compose::AdminContext;
use crate::config::Config;
use crate::failure::Failure;
use crate::provider_reconciliation;

/// Most cases of one kind that are looked at: a person works on tens, and more of a kind have one
/// cause.
pub(in crate::commands) const CASES_MAX: u32 = 1_000;

/// What the configuration says about cases.
#[derive(Debug, Clone)]
pub(crate) struct CaseScope {
    providers: Vec<ProviderId>,
    /// Up to this amount, in minor units, one operator resolves a case alone.
    alone_up_to: i64,
}

impl CaseScope {
    pub(crate) fn of(config: &Config) -> Self {
        Self {
            providers: config.accounts.iter().map(|it| it.id.clone()).collect(),
            alone_up_to: config.settings.dual_control_above.minor(),
        }
    }

    /// The providers of the configuration, in its order.
    pub(crate) fn providers(&self) -> &[ProviderId] {
        &self.providers
    }
}

/// Every open case, oldest first; those without a moment last.
pub(super) async fn open(
    context: &AdminContext,
    scope: &CaseScope,
) -> Result<Vec<CaseView>, Failure> {
    let now = context.now();
    let mut cases: Vec<CaseView> = Vec::new();
    let reviews = context.gateway.reviews(CASES_MAX).await?;
    cases.extend(reviews.iter().filter_map(|tx| review(tx, now)));
    for it in context.reconciliation.unsettled().await? {
        cases.push(unsettled(&it, now));
    }
    let letters = context.changes.open_letters(CASES_MAX).await?;
    cases.extend(letters.iter().map(|letter| dead_letter(letter, now)));
    let resolved = resolved(context, scope).await?;
    for provider in &scope.providers {
        cases.extend(late_deliveries(context, (provider, now), &resolved).await?);
    }
    cases.extend(differences(context).await?);
    cases.extend(settlement::cases(context, &resolved).await?);
    cases.retain(|case| !resolved.contains(&case.id));
    cases.sort_by_key(|case| std::cmp::Reverse(case.age_seconds));
    Ok(cases)
}

/// The cases that operators resolved by their act alone. One above the limit needs the approval of
/// a second operator.
async fn resolved(context: &AdminContext, scope: &CaseScope) -> Result<BTreeSet<String>, Failure> {
    let acts = context.operator_log.of_acts(&[Act::CaseResolve]).await?;
    let alone_up_to = scope.alone_up_to;
    let counts = |amount: Option<Money>| amount.map_or(0, Money::minor) <= alone_up_to;
    let done = acts.into_iter();
    let done = done.filter(|it| it.approves.is_some() || counts(it.order.amount));
    Ok(done.map(|it| it.order.reference).collect())
}

fn case(kind: CaseKind, about: &str, todo: &'static str) -> CaseView {
    CaseView {
        id: String::new(),
        kind,
        identity: None,
        reference: None,
        provider: None,
        provider_reference: None,
        currency: None,
        amount: None,
        minor: None,
        since: None,
        age_seconds: None,
        about: about.to_owned(),
        todo,
    }
}

impl CaseView {
    fn named(self, name: &str) -> Self {
        let id = format!("{}:{name}", self.kind.word());
        Self { id, ..self }
    }

    fn since(self, since: Timestamp, now: Timestamp) -> Self {
        let moment = Moment::from_millisecond(since.as_millis()).ok();
        Self {
            since: moment.map(|it| it.to_string()),
            age_seconds: Some(now.since(since).as_secs()),
            ..self
        }
    }

    fn of(self, tx: &Transaction) -> Self {
        let amount = tx.order.amount();
        Self {
            identity: Some(tx.account.to_string()),
            reference: Some(tx.reference.to_string()),
            currency: Some(amount.currency().code()),
            amount: Some(amount.to_string()),
            minor: Some(amount.minor()),
            ..self
        }
    }

    fn at(self, provider: &ProviderId, reference: &str) -> Self {
        Self {
            provider: Some(provider.to_string()),
            provider_reference: Some(reference.to_owned()),
            ..self
        }
    }
}

fn review(tx: &Transaction, now: Timestamp) -> Option<CaseView> {
    let State::Review(review) = &tx.state else {
        return None;
    };
    let about = match &review.cause {
        ReviewCause::Mismatch {
            reference, amount, ..
        } => format!("the provider says it delivered {amount} under {reference}"),
        ReviewCause::Unresolved => "the provider has given no evidence either way".to_owned(),
    };
    let todo = "find out what the provider did, then resolve it with --verdict and --reason";
    let reference = tx.provider_reference(review.attempt);
    let found = case(CaseKind::Review, &about, todo)
        .named(&format!("{}:{}", tx.account, tx.reference))
        .at(tx.provider_of(review.attempt), reference.as_str());
    Some(found.of(tx).since(review.since, now))
}

fn unsettled(it: &ports::reconciliation::UnsettledReference, now: Timestamp) -> CaseView {
    let about = "the provider knows the reference and the database does not";
    let todo = "resolve it: the provider is asked and what it says is booked; --absorb bears the \
                loss";
    let found = case(CaseKind::Reference, about, todo)
        .named(&format!("{}:{}", it.provider, it.reference))
        .at(&it.provider, it.reference.as_str());
    let parts = it.reference.parts();
    let found = CaseView {
        identity: parts.as_ref().map(|(account, ..)| account.to_string()),
        reference: parts
            .as_ref()
            .map(|(_, reference, _)| reference.to_string()),
        ..found
    };
    match it.since.parse::<Moment>() {
        Ok(since) => found.since(Timestamp::from_millis(since.as_millisecond()), now),
        Err(_) => found,
    }
}

fn dead_letter(letter: &DeadLetter, now: Timestamp) -> CaseView {
    let id = &letter.id;
    let todo = "remove the reason, then resolve it: every change that waits is tried again";
    let found = case(CaseKind::DeadLetter, &letter.reason, todo);
    found
        .named(&format!("{}:{}:{}", id.provider, id.position, id.reference))
        .at(&id.provider, id.reference.as_str())
        .since(letter.first_seen_at, now)
}

/// Deliveries after their price had been released, of which a loss is booked.
async fn late_deliveries(
    context: &AdminContext,
    (provider, now): (&ProviderId, Timestamp),
    resolved: &BTreeSet<String>,
) -> Result<Vec<CaseView>, Failure> {
    let attempts = context.audit.attempts(provider).await?.into_iter();
    let lost = attempts.filter(|it| it.state == BookedState::Lost);
    let about = "delivered after the price had been given back; the loss is booked";
    let todo = "ask the provider to take it back, or the merchant to pay; then resolve it with \
                --reason";
    let named = lost.map(|it| {
        let name = format!("{provider}:{}", it.reference);
        (it, case(CaseKind::LateDelivery, about, todo).named(&name))
    });
    let open = named.filter(|(_, case)| !resolved.contains(&case.id));
    let mut cases = Vec::new();
    for (it, case) in open.take(CASES_MAX as usize) {
        let case = case.at(provider, it.reference.as_str());
        let found = context.gateway.attempt_of(provider, &it.reference);
        cases.push(match found.await? {
            Some((tx, _)) => late(&tx, case, now),
            None => case,
        });
    }
    Ok(cases)
}

fn late(tx: &Transaction, case: CaseView, now: Timestamp) -> CaseView {
    let failed = match &tx.state {
        State::Failed(ended) => Some(ended),
        State::Queued(_)
        | State::Sending(_)
        | State::InDoubt(_)
        | State::Review(_)
        | State::Successful(_)
        | State::Reversed(_)
        | State::Cancelled(_)
        | State::Booked(_) => None,
    };
    let mut ended = tx.earlier.iter().chain(failed);
    let reference = case.provider_reference.clone().unwrap_or_default();
    let is_it = |ended: &&Disproven| tx.provider_reference(ended.attempt).as_str() == reference;
    let since = ended.find(is_it).and_then(|ended| ended.contradicted_at);
    let case = case.of(tx);
    match since {
        Some(since) => case.since(since, now),
        None => case,
    }
}

/// Where the ledger and the journals of sandboxes differ: invariant I7.
async fn differences(context: &AdminContext) -> Result<Vec<CaseView>, Failure> {
    let serving = context.serving().await?;
    let Some(books) = context.ledger_and_journal(serving).await? else {
        return Ok(Vec::new());
    };
    let todo = "compare with the provider, see `manilla audit`; then resolve it with --reason";
    let found = |text: String| {
        let case = case(CaseKind::Difference, &text, todo);
        case.named(&fingerprint(&text))
    };
    Ok(match provider_reconciliation::compare(&books).outcome {
        CheckOutcome::Broken { offences } => offences.into_iter().map(found).collect(),
        CheckOutcome::Holds { .. } | CheckOutcome::NotApplicable { .. } => Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use domain::change_set::ChangeSet;
    use domain::provider::QueryOutcome;
    use domain::transaction::Observation;
    use ports::ledger_store::CommitOutcome;
    use tempfile::TempDir;
    use testkit::builders::{
        account, advance, airtime, at, declined, finding, provider_id, receipt,
    };

    use super::*;
    use crate::compose::DataFolder;
    use crate::config::{self, Flags};

    async fn books(folder: &TempDir) -> AdminContext {
        let flags = Flags {
            data: Some(folder.path().to_owned()),
            ..Flags::default()
        };
        let config = config::load(&flags, [], &crate::Registry::standard()).unwrap();
        let context = AdminContext::open(&config, DataFolder::MadeIfMissing).await;
        context.unwrap()
    }

    /// Whatever form the reference has that the provider knows: by the account and the amount a
    /// second operator is asked for.
    #[tokio::test]
    async fn a_late_delivery_shows_its_payment() {
        let folder = TempDir::new().unwrap();
        let context = books(&folder).await;
        let shop = account("shop").with_balance("10,000.00").new_account();
        context.accounts.create(&shop).await.unwrap();
        let commit = async |change| {
            let outcome = context.ledger.commit(change).await;
            assert_eq!(outcome.unwrap(), CommitOutcome::Done);
        };
        let mut tx = airtime().transaction();
        commit(airtime().change()).await;
        let late = |tx: &Transaction| finding(tx, QueryOutcome::Delivered(receipt(tx)));
        let steps: [fn(&Transaction) -> Observation; 2] = [declined, late];
        for (n, observed) in (1..).zip(steps) {
            let step = advance(&tx, &observed(&tx), at(n));
            tx = step.transaction.clone();
            commit(ChangeSet::Advance(Box::new(step))).await;
        }
        let sandbox = provider_id("sandbox");
        let found = late_deliveries(&context, (&sandbox, at(60)), &BTreeSet::new()).await;
        let [case] = found.unwrap().try_into().unwrap();
        assert_eq!(case.identity.as_deref(), Some("shop"));
        assert_eq!(case.reference.as_deref(), Some(tx.reference.as_str()));
        assert_eq!(case.minor, Some(tx.order.amount().minor()));
        assert_eq!(case.age_seconds, Some(58));
        context.close().await;
    }
}
