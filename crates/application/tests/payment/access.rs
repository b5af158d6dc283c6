//! Keys that merchants make, and users: what opens an account, what may be given away, and how soon
//! it ends.

use super::support::{PEPPER, World, merchant};
use application::access::{
    AccessKeyCreated, AccessKeyError, AccountUserError, KeyGrant, KeyRefusal, UserInvited,
    seal_key, seal_step,
};
use application::credentials::Denied;
use application::{Gateway, Merchant, ReplayMark, RequestError};
use domain::access::{
    ACTIVATION_ATTEMPTS_MAX, ACTIVATION_WITHIN, AccessKey, AccessKeyName, AccessScope, AccessTerms,
    AccountUserId, AccountUserStatus, AllowedNetworks, IpNetwork, NewAccessKey, NewAccountUser,
    RequestSigning, ScopeSet, UserName, UserRole, UserStep, UserStepKind,
};
use domain::account::{AccountStatus, EmailAddress};
use domain::credential::KeyId;
use domain::idempotency::IdempotencyKey;
use ports::access_keys::{AccessKeyCreation, SealedAccessKey};
use ports::account_users::{SealedStep, StepOutcome};
use ports::audit::CheckOutcome;
use std::time::Duration;
use testkit::builders::{access_key, account_id};
use tokio::task::JoinSet;

/// What is revoked stops working within this.
const WITHIN: Duration = Duration::from_secs(1);

fn wanted(name: &str, scopes: &[AccessScope]) -> NewAccessKey {
    NewAccessKey {
        name: AccessKeyName::parse(name).unwrap(),
        terms: AccessTerms {
            scopes: ScopeSet::of(scopes.iter().copied()),
            networks: AllowedNetworks::Everywhere,
            expires_at: None,
            signing: RequestSigning::Unsigned,
        },
        user: None,
    }
}

fn only(network: &str) -> AllowedNetworks {
    AllowedNetworks::only([IpNetwork::parse(network).unwrap()])
}

async fn make(
    gateway: &Gateway,
    merchant: &Merchant,
    wanted: NewAccessKey,
) -> Result<(AccessKey, String), AccessKeyError> {
    match gateway.create_access_key(merchant, wanted, None).await? {
        AccessKeyCreated::Now { key, secret, .. } => Ok((key, secret)),
        AccessKeyCreated::Before(key) => panic!("made before: {key:?}"),
    }
}

async fn opens(gateway: &Gateway, secret: &str) -> Result<Merchant, String> {
    let answer = gateway.authenticate("shop", secret).await;
    answer.map_err(|denied| match denied {
        Denied::UnknownOrWrong => "unknown".to_owned(),
        Denied::KeyFrozen => "frozen".to_owned(),
        Denied::Expired => "expired".to_owned(),
        Denied::UserInactive => "inactive".to_owned(),
        Denied::Suspended => "suspended".to_owned(),
        Denied::Unavailable(error) => error.to_string(),
    })
}

fn invited(email: &str, role: UserRole) -> NewAccountUser {
    NewAccountUser {
        email: EmailAddress::parse(email).unwrap(),
        name: UserName::parse("Ada").unwrap(),
        role,
    }
}

async fn invite(gateway: &Gateway, email: &str, role: UserRole) -> (AccountUserId, String) {
    let shop = merchant("shop");
    match gateway.invite_user(&shop, invited(email, role), None).await {
        Ok(UserInvited::Now { user, code }) => {
            assert_eq!(user.status(), AccountUserStatus::Invited);
            (user.user.id, code)
        }
        other => panic!("{other:?}"),
    }
}

/// A user of a role who was activated.
async fn active(gateway: &Gateway, email: &str, role: UserRole) -> AccountUserId {
    let (id, code) = invite(gateway, email, role).await;
    let activated = gateway.activate_user(&merchant("shop"), (id, &code)).await;
    assert_eq!(activated.unwrap().0.status(), AccountUserStatus::Active);
    id
}

#[tokio::test]
async fn a_key_opens_its_account_on_its_terms_until_it_is_revoked() {
    let world = World::new().await;
    let gateway = world.gateway();
    let shop = merchant("shop");
    let mut narrow = wanted("Till 1", &[AccessScope::Read]);
    narrow.terms.networks = only("203.0.113.0/24");
    let (key, secret) = make(&gateway, &shop, narrow.clone()).await.unwrap();
    assert!(secret.starts_with(&key.hint));
    let opened = opens(&gateway, &secret).await.unwrap();
    let grant = KeyGrant {
        key: key.id,
        terms: narrow.terms,
        user: None,
        made_under: Some(1),
        allowlist: AllowedNetworks::Everywhere,
    };
    assert_eq!(opened.grant, grant);
    assert_eq!(opened.account.id, account_id("shop"));
    let other = gateway.authenticate("other", &secret).await;
    assert!(matches!(other, Err(Denied::UnknownOrWrong)), "{other:?}");
    let shown = gateway.keys(&shop).await.unwrap();
    assert_eq!(shown.len(), 2);
    let elsewhere = world.gateway();
    assert!(opens(&elsewhere, &secret).await.is_ok());
    let revoked = gateway.revoke_access_key(&shop, key.id).await.unwrap();
    assert_eq!(revoked, (world.now(), ReplayMark::New));
    assert_eq!(opens(&gateway, &secret).await, Err("unknown".to_owned()));
    world.pass(WITHIN).await;
    assert_eq!(opens(&elsewhere, &secret).await, Err("unknown".to_owned()));
    let again = gateway.revoke_access_key(&shop, key.id).await.unwrap();
    assert_eq!(again.1, ReplayMark::Replayed);
    assert_eq!(gateway.keys(&shop).await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_key_that_has_expired_says_so_to_its_holder_alone() {
    let world = World::new().await;
    let gateway = world.gateway();
    let shop = merchant("shop");
    let mut short = wanted("Till 1", &[AccessScope::Read]);
    short.terms.expires_at = Some(world.now().plus(Duration::from_mins(1)));
    let (_, secret) = make(&gateway, &shop, short).await.unwrap();
    assert!(opens(&gateway, &secret).await.is_ok());
    world.pass(Duration::from_mins(1)).await;
    assert_eq!(opens(&gateway, &secret).await, Err("expired".to_owned()));
    let suspended = AccountStatus::Suspended;
    let accounts = &world.stores.accounts;
    let id = account_id("shop");
    assert!(accounts.set_status(&id, suspended).await.unwrap());
    world.pass(WITHIN).await;
    assert_eq!(opens(&gateway, &secret).await, Err("suspended".to_owned()));
}

#[tokio::test]
async fn a_key_gives_away_no_more_than_it_has() {
    let world = World::new().await;
    let gateway = world.gateway();
    let mut terms = wanted("Admin", &[AccessScope::Read, AccessScope::Admin]);
    terms.terms.networks = only("203.0.113.0/24");
    let end = world.now().plus(Duration::from_hours(1));
    terms.terms.expires_at = Some(end);
    let (_, secret) = make(&gateway, &merchant("shop"), terms.clone())
        .await
        .unwrap();
    let holder = opens(&gateway, &secret).await.unwrap();
    let too_wide = wanted("More", &[AccessScope::Read, AccessScope::Pay]);
    match make(&gateway, &holder, too_wide).await {
        Err(AccessKeyError::Refused(all)) => {
            let expected = [
                KeyRefusal::Scopes(vec![AccessScope::Pay]),
                KeyRefusal::Networks,
                KeyRefusal::Expiry(Some(end)),
            ];
            assert_eq!(all, expected);
        }
        other => panic!("{other:?}"),
    }
    let mut within = wanted("Less", &[AccessScope::Read]);
    within.terms.networks = only("203.0.113.128/25");
    within.terms.expires_at = Some(end);
    let (key, _) = make(&gateway, &holder, within.clone()).await.unwrap();
    assert_eq!(key.made_by, holder.grant.key);
    within.terms.expires_at = Some(world.now());
    match make(&gateway, &holder, within).await {
        Err(AccessKeyError::Refused(all)) => assert_eq!(all, [KeyRefusal::Expired]),
        other => panic!("{other:?}"),
    }
    let invited = invited("ada@shop.example", UserRole::Finance);
    match gateway.invite_user(&holder, invited, None).await {
        Err(AccountUserError::RoleTooWide(UserRole::Finance, beyond)) => {
            assert_eq!(beyond, [AccessScope::Lookup, AccessScope::Pay]);
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_retry_is_answered_with_the_first_key_and_without_its_secret() {
    let world = World::new().await;
    let gateway = world.gateway();
    let shop = merchant("shop");
    let retry = IdempotencyKey::parse("try-1").unwrap();
    let ask = async |name: &str| {
        let wanted = wanted(name, &[AccessScope::Read]);
        gateway.create_access_key(&shop, wanted, Some(&retry)).await
    };
    let Ok(AccessKeyCreated::Now { key, .. }) = ask("Till 1").await else {
        panic!("no key was made");
    };
    match ask("Till 1").await {
        Ok(AccessKeyCreated::Before(first)) => assert_eq!(first, key),
        other => panic!("{other:?}"),
    }
    let reused = |it: &Result<AccessKeyCreated, AccessKeyError>| {
        matches!(it, Err(AccessKeyError::Request(RequestError::KeyReused)))
    };
    assert!(reused(&ask("Till 2").await));
    gateway.revoke_access_key(&shop, key.id).await.unwrap();
    assert!(reused(&ask("Till 1").await), "it is not made again");
}

#[tokio::test]
async fn two_secrets_of_a_name_work_and_a_third_is_refused() {
    let world = World::new().await;
    let gateway = world.gateway();
    let shop = merchant("shop");
    let ask = async || make(&gateway, &shop, wanted("Till 1", &[AccessScope::Read])).await;
    let (first, old) = ask().await.unwrap();
    let (_, new) = ask().await.unwrap();
    assert!(opens(&gateway, &old).await.is_ok());
    assert!(opens(&gateway, &new).await.is_ok());
    let third = ask().await;
    assert!(matches!(third, Err(AccessKeyError::NameTaken)), "{third:?}");
    gateway.revoke_access_key(&shop, first.id).await.unwrap();
    assert!(ask().await.is_ok());
    assert_eq!(opens(&gateway, &old).await, Err("unknown".to_owned()));
    assert!(opens(&gateway, &new).await.is_ok());
}

#[tokio::test]
async fn keys_of_the_operator_and_of_others_are_not_revoked() {
    let world = World::new().await;
    let gateway = world.gateway();
    let shop = merchant("shop");
    let operators = gateway.keys(&shop).await.unwrap()[0].id();
    let refused = gateway.revoke_access_key(&shop, operators).await;
    assert!(
        matches!(refused, Err(AccessKeyError::OfOperator)),
        "{refused:?}"
    );
    let (key, _) = make(&gateway, &shop, wanted("Till 1", &[AccessScope::Read]))
        .await
        .unwrap();
    let theirs = gateway.revoke_access_key(&merchant("other"), key.id).await;
    assert!(matches!(theirs, Err(AccessKeyError::Unknown)), "{theirs:?}");
}

/// A role of the database that may add rows makes no key of its own, and widens none.
#[tokio::test]
async fn a_row_that_no_gateway_sealed_opens_nothing_and_is_found_by_the_audit() {
    let world = World::new().await;
    let gateway = world.gateway();
    let shop = merchant("shop");
    let (made, secret) = make(&gateway, &shop, wanted("Till 1", &[AccessScope::Read]))
        .await
        .unwrap();
    let holds = |outcome: &CheckOutcome| matches!(outcome, CheckOutcome::Holds { .. });
    let check = gateway.audit_access().await.unwrap();
    assert_eq!(check.invariant, "I25");
    assert!(holds(&check.outcome));
    let account = account_id("shop");
    let stored = world.stores.access_keys.access_key(&account, made.id);
    let stored = stored.await.unwrap().unwrap();
    // The same secret, in another row with every scope: with the seal of the first row, and with
    // one that a stranger made.
    let mut wide = stored.clone();
    wide.key.id = KeyId(stored.key.id.0 ^ 1);
    wide.key.hint = "mk_test_zzzz".to_owned();
    wide.key.terms = AccessTerms::UNLIMITED;
    let forged = SealedAccessKey {
        seal: seal_key(
            &application::credentials::Pepper::new([0; 32]),
            &access_key("shop", 9, "Mine").key,
        ),
        ..access_key("shop", 9, "Mine")
    };
    for row in [&wide, &forged] {
        let stored = world
            .stores
            .access_keys
            .make_access_key(row, &testkit::builders::noted_change("shop"))
            .await
            .unwrap();
        assert_eq!(stored, AccessKeyCreation::Done);
    }
    world.pass(WITHIN).await;
    let opened = opens(&gateway, &secret).await.unwrap();
    assert_eq!(opened.grant.terms.scopes, ScopeSet::of([AccessScope::Read]));
    assert_eq!(
        gateway.keys(&shop).await.unwrap().len(),
        2,
        "neither is shown"
    );
    let found = gateway.audit_access().await.unwrap().outcome;
    let CheckOutcome::Broken { offences } = found else {
        panic!("{found:?}");
    };
    assert_eq!(offences.len(), 2, "{offences:?}");
    // A key of the test environment of a row in another account.
    let moved = SealedAccessKey {
        key: AccessKey {
            account: account_id("other"),
            ..stored.key
        },
        ..stored
    };
    let copied = world
        .stores
        .access_keys
        .make_access_key(&moved, &testkit::builders::noted_change("shop"))
        .await
        .unwrap();
    assert_eq!(copied, AccessKeyCreation::Done);
    let theirs = gateway.authenticate("other", &secret).await;
    assert!(matches!(theirs, Err(Denied::UnknownOrWrong)), "{theirs:?}");
}

#[tokio::test]
async fn a_user_is_activated_once_by_the_code_of_the_invitation() {
    let world = World::new().await;
    let gateway = world.gateway();
    let shop = merchant("shop");
    let (id, code) = invite(&gateway, "ada@shop.example", UserRole::Finance).await;
    let try_code = async |code: &str| gateway.activate_user(&shop, (id, code)).await;
    let wrong = try_code("00000-00000").await;
    assert!(
        matches!(wrong, Err(AccountUserError::WrongCode(4))),
        "{wrong:?}"
    );
    let (user, mark) = try_code(&code.to_lowercase()).await.unwrap();
    assert_eq!(
        (user.status(), mark),
        (AccountUserStatus::Active, ReplayMark::New)
    );
    assert_eq!(try_code(&code).await.unwrap().1, ReplayMark::Replayed);
    let unknown = gateway.activate_user(&merchant("other"), (id, &code)).await;
    assert!(
        matches!(unknown, Err(AccountUserError::Unknown)),
        "{unknown:?}"
    );
    let same = invited("ADA@shop.example", UserRole::Viewer);
    let taken = gateway.invite_user(&shop, same, None).await;
    assert!(
        matches!(taken, Err(AccountUserError::EmailTaken)),
        "{taken:?}"
    );
    let (listed, total) = gateway.users(&shop, first_page()).await.unwrap();
    assert_eq!((listed, total), (vec![user], 1));
}

fn first_page() -> application::batches::PageOf {
    application::batches::PageOf {
        offset: 0,
        length: 10,
        sort: domain::statement::Sort::Ascending,
    }
}

#[tokio::test]
async fn a_code_is_guessed_a_few_times_and_no_more_also_at_once() {
    let world = World::new().await;
    let gateway = world.gateway();
    let shop = merchant("shop");
    let (id, code) = invite(&gateway, "ada@shop.example", UserRole::Finance).await;
    let mut guessing = JoinSet::new();
    for nth in 0..40 {
        let (gateway, shop) = (gateway.clone(), shop.clone());
        guessing.spawn(async move {
            let code = format!("00000-000{nth:02}");
            gateway.activate_user(&shop, (id, &code)).await
        });
    }
    let answers = guessing.join_all().await;
    let judged =
        |it: &&Result<_, AccountUserError>| matches!(it, Err(AccountUserError::WrongCode(_)));
    let judged = answers.iter().filter(judged).count();
    assert_eq!(judged, ACTIVATION_ATTEMPTS_MAX as usize, "{answers:?}");
    let right = gateway.activate_user(&shop, (id, &code)).await;
    assert!(
        matches!(right, Err(AccountUserError::NoAttemptsLeft)),
        "{right:?}"
    );
}

#[tokio::test]
async fn a_code_counts_for_three_days() {
    let world = World::new().await;
    let gateway = world.gateway();
    let shop = merchant("shop");
    let (id, code) = invite(&gateway, "ada@shop.example", UserRole::Finance).await;
    world.pass(ACTIVATION_WITHIN).await;
    let late = gateway.activate_user(&shop, (id, &code)).await;
    assert!(
        matches!(late, Err(AccountUserError::CodeExpired)),
        "{late:?}"
    );
}

#[tokio::test]
async fn a_key_of_a_user_works_while_the_user_is_active() {
    let world = World::new().await;
    let gateway = world.gateway();
    let shop = merchant("shop");
    let for_user = |user, scopes: &[AccessScope]| NewAccessKey {
        user: Some(user),
        ..wanted("Ada", scopes)
    };
    let (waiting, _) = invite(&gateway, "wait@shop.example", UserRole::Viewer).await;
    let refusal = async |wanted| match make(&gateway, &shop, wanted).await {
        Err(AccessKeyError::Refused(all)) => all,
        other => panic!("{other:?}"),
    };
    let inactive = KeyRefusal::UserInactive(AccountUserStatus::Invited);
    assert_eq!(
        refusal(for_user(waiting, &[AccessScope::Read])).await,
        [inactive]
    );
    let ada = active(&gateway, "ada@shop.example", UserRole::Admin).await;
    let beyond = KeyRefusal::Role(UserRole::Admin, vec![AccessScope::Pay]);
    assert_eq!(refusal(for_user(ada, &[AccessScope::Pay])).await, [beyond]);
    let scopes = [AccessScope::Read, AccessScope::Admin];
    let (_, secret) = make(&gateway, &shop, for_user(ada, &scopes)).await.unwrap();
    let holder = opens(&gateway, &secret).await.unwrap();
    assert_eq!(holder.grant.user, Some(ada));
    // What the user makes for no one is the user's own, and ends with the user.
    let (own, second) = make(&gateway, &holder, wanted("Mine", &[AccessScope::Read]))
        .await
        .unwrap();
    assert_eq!(own.user, Some(ada));
    let elsewhere = world.gateway();
    assert!(opens(&elsewhere, &second).await.is_ok());
    let (user, _) = gateway.disable_user(&shop, ada).await.unwrap();
    assert_eq!(user.status(), AccountUserStatus::Disabled);
    assert_eq!(opens(&gateway, &secret).await, Err("inactive".to_owned()));
    world.pass(WITHIN).await;
    assert_eq!(opens(&elsewhere, &second).await, Err("inactive".to_owned()));
    assert_eq!(
        gateway.disable_user(&shop, ada).await.unwrap().1,
        ReplayMark::Replayed
    );
    let disabled = gateway.activate_user(&shop, (ada, "00000-00000")).await;
    assert!(
        matches!(disabled, Err(AccountUserError::Disabled)),
        "{disabled:?}"
    );
    // The address is free for another user.
    active(&gateway, "ada@shop.example", UserRole::Viewer).await;
}

#[tokio::test]
async fn a_step_that_no_gateway_sealed_activates_no_user() {
    let world = World::new().await;
    let gateway = world.gateway();
    let shop = merchant("shop");
    let (id, code) = invite(&gateway, "ada@shop.example", UserRole::Viewer).await;
    let step = UserStep {
        number: 1,
        kind: UserStepKind::Activated,
        at: world.now(),
    };
    let account = account_id("shop");
    let (other, _) = invite(&gateway, "bola@shop.example", UserRole::Viewer).await;
    let sealed = SealedStep {
        step,
        // A right seal, of another user's step.
        seal: seal_step(&PEPPER, (&account, other), &step),
    };
    let added = world
        .stores
        .users
        .add_user_step(
            (&account, id),
            &sealed,
            &testkit::builders::noted_change("shop"),
        )
        .await;
    assert_eq!(added.unwrap(), StepOutcome::Done);
    let activated = gateway.activate_user(&shop, (id, &code)).await;
    assert!(
        matches!(activated, Err(AccountUserError::Unknown)),
        "{activated:?}"
    );
    let broken = gateway.audit_access().await.unwrap().outcome;
    assert!(matches!(broken, CheckOutcome::Broken { .. }), "{broken:?}");
}
