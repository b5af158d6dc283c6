//! Laws of environments: real money and test money stay apart.

use super::setup::{Stores, nothing_was_stored};
use crate::builders::{
    account, account_id, airtime, answer, at, naira, provider_id, refusal_of, second_at,
};
use domain::change_set::{ChangeSet, Opening, Origin};
use domain::environment::Environment;
use domain::provider::{AbsencePolicy, ProviderId, RefusalKind, SubmitOutcome};
use domain::transaction::{ApplyContext, Transition};
use ports::accounts::Created;
use ports::audit::{CheckOutcome, Serving};
use ports::ledger_store::CommitOutcome;

impl Stores {
    pub(super) async fn register(&self, providers: &[(&str, Environment)]) -> Vec<ProviderId> {
        let providers = providers.iter().map(|(id, is)| (provider_id(id), *is));
        let providers: Vec<_> = providers.collect();
        let elsewhere = self.environments.register(&providers).await;
        elsewhere.expect("register providers")
    }

    async fn has_live_account(&self, id: &str, balance: &str) {
        let new = account(id).live().with_balance(balance).new_account();
        let created = self.accounts.create(&new).await;
        assert_eq!(created.expect("create an account"), Created::Done);
    }

    async fn i22(&self) -> CheckOutcome {
        let checks = self.audit.audit(at(9), Serving::No).await.expect("audit");
        let check = checks.into_iter().find(|it| it.invariant == "I22");
        check.expect("I22 is checked").outcome
    }
}

/// An account reads back with its environment.
pub async fn an_account_keeps_its_environment(stores: &Stores) {
    stores.has_account("shop", "1.00").await;
    stores.has_live_account("shop-live", "1.00").await;
    for (id, environment) in [
        ("shop", Environment::Test),
        ("shop-live", Environment::Live),
    ] {
        let kept = stores.accounts.credentials(&account_id(id)).await.unwrap();
        assert_eq!(kept.unwrap().account.environment, environment);
    }
    let listed = stores.accounts.list().await.unwrap();
    let listed: Vec<_> = listed.iter().map(|(it, _)| it.environment).collect();
    assert_eq!(listed, [Environment::Test, Environment::Live]);
}

/// The environment of a provider is that of its first registration, and a registration is whole.
pub async fn a_provider_keeps_its_environment(stores: &Stores) {
    let both = [("bank", Environment::Live), ("sandbox", Environment::Test)];
    assert_eq!(stores.register(&both).await, []);
    assert_eq!(stores.register(&both).await, []);
    let moved = [("new", Environment::Live), ("bank", Environment::Test)];
    assert_eq!(stores.register(&moved).await, [provider_id("bank")]);
    let registered = stores.environments.registered().await.unwrap();
    let expected = both.map(|(id, is)| (provider_id(id), is));
    assert_eq!(registered, expected);
}

/// Nothing is opened at a provider of the other environment, nor for a live account at one that was
/// never registered.
pub async fn nothing_is_opened_at_a_provider_of_the_other_environment(stores: &Stores) {
    let bank = [("bank", Environment::Live), ("sandbox", Environment::Test)];
    assert_eq!(stores.register(&bank).await, []);
    stores.has_account("shop", "2,000.00").await;
    let other = CommitOutcome::OtherEnvironment;
    let at_the_bank = airtime().sold_by("bank");
    assert_eq!(stores.open(&at_the_bank).await, other);
    nothing_was_stored(stores, &at_the_bank, naira("2,000.00")).await;
    stores.has_live_account("shop-live", "2,000.00").await;
    for provider in ["sandbox", "unregistered"] {
        let real = airtime().by("shop-live").sold_by(provider);
        assert_eq!(stores.open(&real).await, other, "{provider}");
    }
    // What was refused leaves its names free.
    stores.has_opened(&airtime().sold_by("sandbox")).await;
    stores.has_opened(&at_the_bank.by("shop-live").nth(2)).await;
    stores.must_be_clean(at(9)).await;
}

/// A repeated request is answered with its transaction, wherever its provider would be now.
pub async fn a_reference_that_was_used_answers_before_the_environment(stores: &Stores) {
    assert_eq!(stores.register(&[("bank", Environment::Live)]).await, []);
    stores.has_account("shop", "2,000.00").await;
    let bought = stores.has_opened(&airtime()).await;
    let again = airtime().number(bought.number.get() + 1).sold_by("bank");
    let taken = CommitOutcome::ReferenceTaken(Box::new(bought));
    assert_eq!(stores.open(&again).await, taken);
}

/// A second attempt stays where the first one was.
pub async fn a_second_attempt_stays_in_the_environment_of_the_first(stores: &Stores) {
    assert_eq!(stores.register(&[("bank", Environment::Live)]).await, []);
    stores.has_account("shop", "2,000.00").await;
    let tx = stores.has_opened(&airtime()).await;
    let refused = SubmitOutcome::Declined(refusal_of(RefusalKind::Account));
    let refused = answer(&tx, refused);
    for (provider, outcome) in [
        ("bank", CommitOutcome::OtherEnvironment),
        ("other", CommitOutcome::Done),
    ] {
        let next = second_at(&tx, provider_id(provider));
        let context = ApplyContext {
            next: Some(&next),
            ..ApplyContext::new(at(1), &AbsencePolicy::CAUTIOUS)
        };
        let Transition::Changed(step) = tx.clone().apply(&refused, context) else {
            panic!("nothing changed");
        };
        assert_eq!(stores.step(&step).await, outcome, "{provider}");
    }
    assert!(matches!(stores.i22().await, CheckOutcome::Holds { .. }));
}

/// What a journal says was sent is recorded, and the audit names what should not have been.
pub async fn an_attempt_in_the_other_environment_is_found_by_the_audit(stores: &Stores) {
    assert_eq!(stores.register(&[("bank", Environment::Live)]).await, []);
    stores.has_account("shop", "2,000.00").await;
    stores.has_opened(&airtime()).await;
    assert!(matches!(stores.i22().await, CheckOutcome::Holds { .. }));
    let opening = Opening {
        origin: Origin::Journal,
        ..airtime().nth(2).sold_by("bank").opening()
    };
    let recorded = ChangeSet::Open(Box::new(opening));
    assert_eq!(stores.commit(recorded).await, CommitOutcome::Done);
    let CheckOutcome::Broken { offences } = stores.i22().await else {
        panic!("the audit finds nothing");
    };
    assert_eq!(offences.len(), 1);
    assert!(offences[0].contains("bank"), "{offences:?}");
}
