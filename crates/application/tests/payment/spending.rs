//! Limits and approvals: what may be spent, what waits for another user, and who may decide of it.

use super::bulk::{bulk, payouts};
use super::support::request::{buy, once, top_up};
use super::support::{BALANCE, World, attempt, merchant, minutes};
use application::access::AccessKeyCreated;
use application::spending::{ApprovalError, LimitError, OverLimit, seal_limit};
use application::{Gateway, Merchant, QueueWorker, ReplayMark, RequestError};
use domain::access::{AccessKeyName, AccessTerms, AccountUserId, NewAccessKey};
use domain::credential::KeyId;
use domain::money::{Currency, Money};
use domain::order::Service;
use domain::reference::TransactionNumber;
use domain::spending::{
    ActiveLimits, LimitedServices, NewSpendingLimit, SpendingLimit, SpendingTerms,
};
use domain::transaction::{
    ApprovalForbidden, ApprovalVerdict, CancelCause, State, Status, Transaction,
};
use ports::audit::CheckOutcome;
use ports::fault_point::FaultStep;
use testkit::builders::{naira, reference, spending_limit};
use tokio::task::JoinSet;

/// What the usual top-up costs.
const PRICE: i64 = 97_000;

fn bounded(terms: SpendingTerms) -> Merchant {
    Merchant {
        limits: ActiveLimits::new([(LimitedServices::All, terms)]),
        ..merchant("shop")
    }
}

fn approval_above(amount: &str) -> Merchant {
    bounded(SpendingTerms {
        approval_above: Some(naira(amount)),
        ..SpendingTerms::default()
    })
}

/// The merchant with the key of a user.
fn as_user(merchant: &Merchant, user: u64) -> Merchant {
    let mut merchant = merchant.clone();
    let number = TransactionNumber::try_new(user).unwrap();
    merchant.grant.key = KeyId(i64::try_from(user).unwrap());
    merchant.grant.user = Some(AccountUserId::new(number));
    merchant
}

async fn buy_as(gateway: &Gateway, merchant: &Merchant, under: &str) -> Transaction {
    let bought = gateway.buy_airtime(merchant, once(top_up(under))).await;
    bought.unwrap().transaction
}

async fn refused(gateway: &Gateway, merchant: &Merchant, under: &str) -> OverLimit {
    match gateway.buy_airtime(merchant, once(top_up(under))).await {
        Err(RequestError::OverLimit(why)) => why,
        other => panic!("{other:?}"),
    }
}

async fn decide(
    gateway: &Gateway,
    merchant: &Merchant,
    (under, verdict): (&str, ApprovalVerdict),
) -> Result<ReplayMark, ApprovalError> {
    let reference = reference(under);
    let decided = gateway.decide(merchant, (&reference, verdict)).await?;
    assert_eq!(decided.payments.len(), 1);
    Ok(decided.replay)
}

const APPROVED: ApprovalVerdict = ApprovalVerdict::Approved;
const REFUSED: ApprovalVerdict = ApprovalVerdict::Refused;

#[tokio::test]
async fn a_payment_costs_what_one_may_and_not_one_kobo_more() {
    let world = World::new().await;
    let gateway = world.gateway();
    let at_most = |minor| {
        bounded(SpendingTerms {
            per_transaction: Some(Money::from_minor(minor, Currency::Ngn)),
            ..SpendingTerms::default()
        })
    };
    let why = refused(&gateway, &at_most(PRICE - 1), "order-1").await;
    let most = Money::from_minor(PRICE - 1, Currency::Ngn);
    assert_eq!(why, OverLimit::PerTransaction(most));
    assert_eq!(world.wallet().await, (BALANCE, 0));
    let paid = buy_as(&gateway, &at_most(PRICE), "order-1").await;
    assert_eq!(paid.status(), Status::Successful);
    // What is bought already is answered, whatever the limits are by now.
    let again = gateway
        .buy_airtime(&at_most(1), once(top_up("order-1")))
        .await;
    assert!(
        matches!(again, Err(RequestError::ReferenceTaken { .. })),
        "{again:?}"
    );
    world.is_right().await;
}

#[tokio::test]
async fn a_day_ends_at_midnight_of_the_account() {
    let world = World::new().await;
    let gateway = world.gateway();
    let shop = bounded(SpendingTerms {
        per_day: Some(Money::from_minor(2 * PRICE, Currency::Ngn)),
        ..SpendingTerms::default()
    });
    for under in ["order-1", "order-2"] {
        assert_eq!(
            buy_as(&gateway, &shop, under).await.status(),
            Status::Successful
        );
    }
    let per_day = OverLimit::PerDay(Money::from_minor(2 * PRICE, Currency::Ngn));
    assert_eq!(refused(&gateway, &shop, "order-3").await, per_day);
    let (_, spent) = gateway.spending_limits(&shop).await.unwrap();
    assert_eq!(spent.minor(), 2 * PRICE);
    // It is 10:00 in Lagos; at 23:59 the day is the same.
    world.pass(minutes(13 * 60 + 59)).await;
    assert_eq!(refused(&gateway, &shop, "order-3").await, per_day);
    world.pass(minutes(1)).await;
    let (_, spent) = gateway.spending_limits(&shop).await.unwrap();
    assert_eq!(spent.minor(), 0);
    assert_eq!(
        buy_as(&gateway, &shop, "order-3").await.status(),
        Status::Successful
    );
    world.is_right().await;
}

#[tokio::test]
async fn what_needs_an_approval_is_paid_for_and_sent_once_another_user_approves_it() {
    let world = World::new().await;
    let gateway = world.gateway();
    let shop = approval_above("100.00");
    let waiting = buy_as(&gateway, &shop, "order-1").await;
    assert_eq!(waiting.status(), Status::Pending);
    assert!(waiting.awaits_approval());
    assert_eq!(world.wallet().await, (BALANCE - PRICE, PRICE));
    let worker = QueueWorker::new(&gateway);
    assert_eq!(worker.sweep().await.unwrap(), 0);
    let own = decide(&gateway, &shop, ("order-1", APPROVED)).await;
    let no_user = ApprovalForbidden::NoUser;
    assert!(matches!(own, Err(ApprovalError::Forbidden(why)) if why == no_user));
    let other = as_user(&shop, 7);
    let approved = decide(&gateway, &other, ("order-1", APPROVED)).await;
    assert_eq!(approved.unwrap(), ReplayMark::New);
    let again = decide(&gateway, &other, ("order-1", APPROVED)).await;
    assert_eq!(again.unwrap(), ReplayMark::Replayed);
    let late = decide(&gateway, &other, ("order-1", REFUSED)).await;
    assert!(
        matches!(late, Err(ApprovalError::Decided(APPROVED))),
        "{late:?}"
    );
    assert_eq!(worker.sweep().await.unwrap(), 1);
    assert_eq!(world.stored("order-1").await.status(), Status::Successful);
    assert_eq!(world.provider.deliveries(&attempt("order-1", 1)), 1);
    assert_eq!(world.wallet().await, (BALANCE - PRICE, 0));
    world.is_right().await;
}

#[tokio::test]
async fn what_a_user_asked_for_is_approved_by_another_or_by_the_account() {
    let world = World::new().await;
    let gateway = world.gateway();
    let shop = approval_above("100.00");
    let (ada, bayo) = (as_user(&shop, 7), as_user(&shop, 8));
    for (under, by) in [("order-1", &bayo), ("order-2", &shop)] {
        buy_as(&gateway, &ada, under).await;
        let own = decide(&gateway, &ada, (under, APPROVED)).await;
        let same = ApprovalForbidden::SameUser;
        assert!(matches!(own, Err(ApprovalError::Forbidden(why)) if why == same));
        let approved = decide(&gateway, by, (under, APPROVED)).await;
        assert_eq!(approved.unwrap(), ReplayMark::New);
    }
}

#[tokio::test]
async fn what_is_refused_or_not_decided_of_is_given_back() {
    let world = World::new().await;
    let gateway = world.gateway();
    let shop = approval_above("100.00");
    let other = as_user(&shop, 7);
    buy_as(&gateway, &shop, "order-1").await;
    buy_as(&gateway, &shop, "order-2").await;
    let refused = decide(&gateway, &other, ("order-1", REFUSED)).await;
    assert_eq!(refused.unwrap(), ReplayMark::New);
    let State::Cancelled(cancelled) = world.stored("order-1").await.state else {
        panic!("not cancelled");
    };
    assert_eq!(cancelled.cause, CancelCause::NotApproved);
    assert_eq!(world.wallet().await, (BALANCE - PRICE, PRICE));
    world.pass(minutes(24 * 60)).await;
    let late = decide(&gateway, &other, ("order-2", APPROVED)).await;
    let expired = CancelCause::Expired;
    assert!(
        matches!(late, Err(ApprovalError::Cancelled(why)) if why == expired),
        "{late:?}"
    );
    assert_eq!(QueueWorker::new(&gateway).sweep().await.unwrap(), 0);
    assert_eq!(world.wallet().await, (BALANCE, 0));
    assert_eq!(world.provider.submissions().len(), 0);
    world.is_right().await;
}

#[tokio::test]
async fn only_what_waits_is_decided_of() {
    let world = World::new().await;
    let gateway = world.gateway();
    buy(&gateway, "order-1").await.unwrap();
    let shop = merchant("shop");
    let plain = decide(&gateway, &as_user(&shop, 7), ("order-1", APPROVED)).await;
    assert!(matches!(plain, Err(ApprovalError::NotNeeded)));
    let unknown = decide(&gateway, &as_user(&shop, 7), ("order-9", APPROVED)).await;
    assert!(matches!(unknown, Err(ApprovalError::Unknown)));
    let mut theirs = as_user(&shop, 7);
    theirs.account = merchant("other").account;
    let foreign = decide(&gateway, &theirs, ("order-1", APPROVED)).await;
    assert!(matches!(foreign, Err(ApprovalError::Unknown)));
}

/// A key of `shop` that allows everything.
async fn secret(gateway: &Gateway) -> String {
    let wanted = NewAccessKey {
        name: AccessKeyName::parse("Owner").unwrap(),
        terms: AccessTerms::UNLIMITED,
        user: None,
    };
    let shop = merchant("shop");
    let made = gateway.create_access_key(&shop, wanted, None);
    match made.await.unwrap() {
        AccessKeyCreated::Now { secret, .. } => secret,
        AccessKeyCreated::Before(key) => panic!("made before: {key:?}"),
    }
}

fn wanted(replaces: u32, terms: SpendingTerms) -> NewSpendingLimit {
    NewSpendingLimit {
        services: LimitedServices::All,
        terms,
        replaces: Some(replaces),
    }
}

async fn set(
    gateway: &Gateway,
    wanted: NewSpendingLimit,
    only_in: Option<&[u32]>,
) -> Result<(SpendingLimit, ReplayMark), LimitError> {
    gateway
        .set_spending_limit(&merchant("shop"), wanted, only_in)
        .await
}

#[tokio::test]
async fn a_limit_counts_from_the_next_request_on_and_changes_as_it_was_seen() {
    let world = World::new().await;
    let gateway = world.gateway();
    let one = SpendingTerms {
        per_transaction: Some(naira("1.00")),
        ..SpendingTerms::default()
    };
    let secret = secret(&gateway).await;
    let (limit, mark) = set(&gateway, wanted(0, one), None).await.unwrap();
    assert_eq!((limit.version, mark), (1, ReplayMark::New));
    let (again, mark) = set(&gateway, wanted(0, one), None).await.unwrap();
    assert_eq!((again, mark), (limit, ReplayMark::Replayed));
    let none = SpendingTerms::default();
    let stale = set(&gateway, wanted(0, none), None).await;
    assert!(
        matches!(stale, Err(LimitError::VersionConflict(1))),
        "{stale:?}"
    );
    let changed = set(&gateway, wanted(1, none), Some(&[4])).await;
    assert!(
        matches!(changed, Err(LimitError::Changed(1))),
        "{changed:?}"
    );
    let shop = gateway.authenticate("shop", &secret).await.unwrap();
    let why = refused(&gateway, &shop, "order-1").await;
    assert_eq!(why, OverLimit::PerTransaction(naira("1.00")));
    let (lifted, _) = set(&gateway, wanted(1, none), Some(&[1])).await.unwrap();
    assert_eq!(lifted.version, 2);
    let shop = gateway.authenticate("shop", &secret).await.unwrap();
    assert_eq!(
        buy_as(&gateway, &shop, "order-1").await.status(),
        Status::Successful
    );
    let other = gateway.spending_limits(&merchant("other")).await.unwrap();
    assert_eq!(other.0, []);
}

/// A role of the database that has no pepper lifts no limit.
#[tokio::test]
async fn a_limit_that_no_gateway_set_lets_nothing_be_spent() {
    let world = World::new().await;
    let gateway = world.gateway();
    let secret = secret(&gateway).await;
    let forged = spending_limit("shop", 1);
    world
        .stores
        .spending_limits
        .set_spending_limit(&forged, &testkit::builders::noted_change("shop"))
        .await
        .unwrap();
    let shop = gateway.authenticate("shop", &secret).await.unwrap();
    assert_eq!(
        refused(&gateway, &shop, "order-1").await,
        OverLimit::Unreadable
    );
    assert!(matches!(
        gateway.spending_limits(&shop).await,
        Err(RequestError::OverLimit(OverLimit::Unreadable))
    ));
    let check = gateway.audit_access().await.unwrap();
    assert!(
        matches!(check.outcome, CheckOutcome::Broken { .. }),
        "{check:?}"
    );
    let mut right = spending_limit("other", 1);
    right.seal = seal_limit(&super::support::PEPPER, &right.limit);
    world
        .stores
        .spending_limits
        .set_spending_limit(&right, &testkit::builders::noted_change("shop"))
        .await
        .unwrap();
    let (limits, _) = gateway.spending_limits(&merchant("other")).await.unwrap();
    assert_eq!(limits, [right.limit]);
}

#[tokio::test]
async fn a_bound_of_one_service_bounds_no_other() {
    let world = World::new().await;
    let terms = SpendingTerms {
        per_transaction: Some(naira("1.00")),
        ..SpendingTerms::default()
    };
    let shop = Merchant {
        limits: ActiveLimits::new([(LimitedServices::One(Service::Bank), terms)]),
        ..merchant("shop")
    };
    let paid = buy_as(&world.gateway(), &shop, "order-1").await;
    assert_eq!(paid.status(), Status::Successful);
}

/// What one payout of a batch costs.
const PAYOUT_PRICE: i64 = 11_075;

/// Five payouts of 110.75 each, which cost 553.75 together.
async fn five_payouts(gateway: &Gateway, merchant: &Merchant) -> Result<(), RequestError> {
    let asked = gateway.pay_out_in_bulk(merchant, once(bulk(5)));
    asked.await.map(drop)
}

async fn decide_batch(
    gateway: &Gateway,
    merchant: &Merchant,
    verdict: ApprovalVerdict,
) -> Result<usize, ApprovalError> {
    let run = reference("run-1");
    let decided = gateway.decide(merchant, (&run, verdict)).await?;
    Ok(decided.payments.len())
}

#[tokio::test]
async fn a_batch_waits_as_a_whole_where_its_sum_needs_an_approval() {
    let world = World::new().await;
    let gateway = world.gateway();
    let shop = approval_above("200.00");
    let other = as_user(&shop, 7);
    five_payouts(&gateway, &shop).await.unwrap();
    let worker = QueueWorker::new(&gateway);
    assert_eq!(worker.sweep().await.unwrap(), 0);
    let alone = decide(&gateway, &other, ("item-2", APPROVED)).await;
    assert!(matches!(alone, Err(ApprovalError::OfBatch)), "{alone:?}");
    let own = decide_batch(&gateway, &shop, APPROVED).await;
    assert!(matches!(own, Err(ApprovalError::Forbidden(_))), "{own:?}");
    assert_eq!(decide_batch(&gateway, &other, APPROVED).await.unwrap(), 5);
    let late = decide_batch(&gateway, &as_user(&shop, 8), REFUSED).await;
    assert!(
        matches!(late, Err(ApprovalError::Decided(APPROVED))),
        "{late:?}"
    );
    assert_eq!(worker.sweep().await.unwrap(), 5);
    assert_eq!(world.provider.submissions().len(), 5);
    assert_eq!(world.wallet().await, (BALANCE - 5 * PAYOUT_PRICE, 0));
    world.is_right().await;
}

#[tokio::test]
async fn who_asked_for_a_batch_may_take_it_back() {
    let world = World::new().await;
    let gateway = world.gateway();
    let shop = approval_above("200.00");
    five_payouts(&gateway, &shop).await.unwrap();
    assert_eq!(decide_batch(&gateway, &shop, REFUSED).await.unwrap(), 5);
    assert_eq!(world.wallet().await, (BALANCE, 0));
    assert_eq!(world.provider.submissions().len(), 0);
    world.is_right().await;
}

#[tokio::test]
async fn a_batch_counts_against_the_day_with_all_its_payments() {
    let world = World::new().await;
    let gateway = world.gateway();
    let within = |minor| {
        bounded(SpendingTerms {
            per_day: Some(Money::from_minor(minor, Currency::Ngn)),
            ..SpendingTerms::default()
        })
    };
    let sum = 5 * PAYOUT_PRICE;
    let over = five_payouts(&gateway, &within(sum - 1)).await;
    let most = Money::from_minor(sum - 1, Currency::Ngn);
    let per_day = over.err().map(|error| error.to_string());
    assert_eq!(per_day, Some(OverLimit::PerDay(most).to_string()));
    assert_eq!(world.wallet().await, (BALANCE, 0));
    let shop = within(sum);
    five_payouts(&gateway, &shop).await.unwrap();
    let (_, spent) = gateway.spending_limits(&shop).await.unwrap();
    assert_eq!(spent.minor(), sum);
    let one = bounded(SpendingTerms {
        per_transaction: Some(naira("1.00")),
        ..SpendingTerms::default()
    });
    let refused = gateway
        .pay_out_in_bulk(&one, once(payouts("run-2", 6..=7)))
        .await;
    match refused {
        Err(RequestError::Items(items)) => assert_eq!(items.len(), 2),
        other => panic!("{other:?}"),
    }
    world.is_right().await;
}

/// What is looked at before midnight and stored after it is of the day that it is stored in.
#[tokio::test]
async fn a_payment_counts_in_the_day_in_which_it_is_opened() {
    let world = World::new().await;
    let gateway = world.gateway();
    let shop = bounded(SpendingTerms {
        per_day: Some(Money::from_minor(2 * PRICE, Currency::Ngn)),
        ..SpendingTerms::default()
    });
    buy_as(&gateway, &shop, "order-1").await;
    world.halt.at(FaultStep::BeforeOpen);
    let mut waiting = JoinSet::new();
    let (late, payer) = (gateway.clone(), shop.clone());
    waiting.spawn(async move { late.buy_airtime(&payer, once(top_up("order-2"))).await });
    world.halt.reached().await;
    world.pass(minutes(14 * 60)).await;
    world.halt.nowhere();
    world.halt.resume();
    waiting.join_next().await.unwrap().unwrap().unwrap();
    buy_as(&gateway, &shop, "order-3").await;
    let (_, spent) = gateway.spending_limits(&shop).await.unwrap();
    assert_eq!(spent.minor(), 2 * PRICE);
    world.is_right().await;
}
