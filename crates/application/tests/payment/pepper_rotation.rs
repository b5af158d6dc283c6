//! A pepper with a newer generation: everything that an older one made is recognised as before, and
//! what is made from now on is of no use without the newer one.

use super::support::request::{buy, keyed, top_up};
use super::support::{PEPPER, World, merchant, seconds};
use application::access::AccessKeyCreated;
use application::credentials::{Denied, Pepper};
use application::webhook::{DerivedSecrets, EndpointCreated};
use application::{Gateway, ReplayMark};
use domain::access::{
    AccessKey, AccessKeyName, AccessScope, AccessTerms, AllowedNetworks, NewAccessKey,
    RequestSigning, ScopeSet,
};
use domain::voucher::NewVouchers;
use domain::webhook::{Registration, SecretVersion, Topics};
use ports::audit::CheckOutcome;
use ports::webhooks::Secrets;
use testkit::builders::gift_cards;

fn rotated() -> Pepper {
    PEPPER.rotated(2, [43; 32])
}

/// Gateways over one store: one of before a rotation, and one of after it.
fn around_a_rotation(world: &World) -> (Gateway, Gateway) {
    let after = world.gateway_with(|parts| parts.pepper = rotated());
    (world.gateway(), after)
}

async fn make_key(gateway: &Gateway, name: &str) -> (AccessKey, String) {
    let wanted = NewAccessKey {
        name: AccessKeyName::parse(name).unwrap(),
        terms: AccessTerms {
            scopes: ScopeSet::of([AccessScope::Read]),
            networks: AllowedNetworks::Everywhere,
            expires_at: None,
            signing: RequestSigning::Required,
        },
        user: None,
    };
    let shop = merchant("shop");
    match gateway.create_access_key(&shop, wanted, None).await {
        Ok(AccessKeyCreated::Now { key, secret, .. }) => (key, secret),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_key_opens_its_account_under_the_generation_that_it_was_made_with() {
    let world = World::new().await;
    let (before, after) = around_a_rotation(&world);
    let (_, old) = make_key(&before, "Till 1").await;
    let (_, new) = make_key(&after, "Till 2").await;
    for (gateway, secret, made_under) in [
        (&before, &old, Some(1)),
        (&after, &old, Some(1)),
        (&after, &new, Some(2)),
    ] {
        let opened = gateway.authenticate("shop", secret).await.unwrap();
        assert_eq!(opened.grant.made_under, made_under);
    }
    // A pepper that leaked before the rotation opens nothing that was made after it.
    let refused = before.authenticate("shop", &new).await;
    assert!(
        matches!(refused, Err(Denied::UnknownOrWrong)),
        "{refused:?}"
    );
    let checked = after.audit_access().await.unwrap();
    let examined = CheckOutcome::Holds { examined: 2 };
    assert_eq!(checked.outcome, examined, "{checked:?}");
}

#[tokio::test]
async fn a_payment_that_is_repeated_after_a_rotation_is_not_made_again() {
    let world = World::new().await;
    let (before, after) = around_a_rotation(&world);
    let shop = merchant("shop");
    let first = before
        .buy_airtime(&shop, keyed(top_up("order-1"), "k"))
        .await;
    let again = after
        .buy_airtime(&shop, keyed(top_up("order-1"), "k"))
        .await;
    let (first, again) = (first.unwrap(), again.unwrap());
    assert_eq!(again.replay, ReplayMark::Replayed);
    assert_eq!(again.transaction, first.transaction);
    assert_eq!(world.provider.submissions().len(), 1);
    buy(&after, "order-2").await.unwrap();
    world.is_right().await;
}

#[tokio::test]
async fn an_endpoint_signs_with_the_secrets_that_its_merchant_was_given() {
    let world = World::new().await;
    let (before, after) = around_a_rotation(&world);
    let shop = merchant("shop");
    let wanted = Registration {
        url: "https://shop.example/events".to_owned(),
        topics: Topics::All,
        description: String::new(),
        with_tokens: false,
    };
    let made = match before.create_endpoint(&shop, wanted, None).await.unwrap() {
        EndpointCreated::Now(made) => made,
        EndpointCreated::Before(earlier) => panic!("{earlier:?} was created before"),
    };
    let id = made.endpoint.id;
    world.pass(seconds(5)).await;
    let given = after.rotate_secret(&shop, id).await.unwrap();
    let secrets = DerivedSecrets::new(rotated());
    let signing = given.endpoint.generations(world.now());
    let signing = signing.filter_map(|version| secrets.secret(&shop.account.id, id, version));
    assert_eq!(
        signing.collect::<Vec<_>>(),
        [given.secret.clone(), made.secret]
    );
    // It cannot be made from the pepper of before.
    let from_the_old = DerivedSecrets::new(PEPPER);
    let of = |pepper| SecretVersion::of(2, pepper);
    let given = Some(given.secret);
    assert_ne!(given, from_the_old.secret(&shop.account.id, id, of(1)));
    assert_eq!(given, secrets.secret(&shop.account.id, id, of(2)));
    // A process without the generation signs nothing: another instance may have it.
    assert_eq!(from_the_old.secret(&shop.account.id, id, of(2)), None);
}

#[tokio::test]
async fn codes_of_vouchers_are_found_and_shown_again() {
    let world = World::new().await;
    let (before, after) = around_a_rotation(&world);
    let shop = merchant("shop");
    let wanted = |under: &str| {
        let batch = gift_cards("shop", 1, under);
        NewVouchers {
            reference: batch.reference,
            terms: batch.terms,
            count: batch.count,
            prefix: None,
        }
    };
    let old = before.make_vouchers(&shop, wanted("old")).await.unwrap();
    let shown = after.make_vouchers(&shop, wanted("old")).await.unwrap();
    assert_eq!(shown.replay, ReplayMark::Replayed);
    let texts = |of: &application::voucher::VouchersIssued| -> Vec<String> {
        of.codes
            .iter()
            .map(|code| code.canonical().clone())
            .collect()
    };
    assert_eq!(texts(&shown), texts(&old));
    let new = after.make_vouchers(&shop, wanted("new")).await.unwrap();
    for code in old.codes.iter().chain(&new.codes) {
        let found = after.voucher(&shop, code, (None, None)).await;
        assert!(found.is_ok(), "{found:?}");
    }
    let unknown = before.voucher(&shop, &new.codes[0], (None, None)).await;
    assert!(unknown.is_err(), "{unknown:?}");
}
