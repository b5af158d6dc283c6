//! Mobile money: the wallet is looked up and its owner frozen before any money is set aside, and
//! silence never gives a transfer back.

use super::support::request::{Worker, keyed, once};
use super::support::{BALANCE, World, merchant, seconds};
use application::recovery::Recovery;
use application::{Gateway, PaymentResult, ReplayMark, RequestError};
use domain::bank::Narration;
use domain::country::CountryCode;
use domain::ledger::TransferKind;
use domain::mobile_money::{MobileMoneyTransfer, MobileWallet, MobileWalletStatus};
use domain::money::Money;
use domain::order::{Order, Service};
use domain::provider::{QueryOutcome, UnknownCause};
use domain::transaction::{State, Status};
use ports::provider::LookupFailure;
use testkit::builders::{current_attempt, mobile_wallet, naira, phone, provider_code, reference};
use testkit::provider::{QueryReply, ScriptedReply};
use tokio::task::JoinSet;

const NUMBER: &str = "2348031234567";

fn transfer(amount: Money) -> MobileMoneyTransfer {
    MobileMoneyTransfer {
        reference: reference("order-1"),
        country: CountryCode::NIGERIA,
        operator: provider_code("901"),
        number: phone(NUMBER),
        amount,
        narration: Narration::parse("Prize of May").unwrap(),
    }
}

async fn ask(
    gateway: &Gateway,
    command: MobileMoneyTransfer,
) -> Result<PaymentResult, RequestError> {
    let shop = merchant("shop");
    gateway.pay_mobile_money(&shop, once(command)).await
}

async fn nothing_happened(world: &World) {
    assert_eq!(world.stores.read("shop", "order-1").await, None);
    assert_eq!(world.wallet().await, (BALANCE, 0));
    assert_eq!(world.provider.submissions(), []);
}

#[tokio::test]
async fn a_transfer_costs_its_amount_and_charges_and_freezes_the_owner() {
    let world = World::new().await;
    let paid = ask(&world.gateway(), transfer(naira("5,000.00"))).await;
    let paid = paid.unwrap().transaction;
    assert_eq!(paid.status(), Status::Successful);
    assert_eq!(paid.quote.price, naira("5,010.75"));
    let Order::MobileMoney(order) = &paid.order else {
        panic!("{:?}", paid.order);
    };
    assert_eq!(order.account_name, mobile_wallet("901", NUMBER).name);
    assert_eq!(order.brandname, "MoMo PSB");
    let expected = [
        TransferKind::Hold,
        TransferKind::Capture,
        TransferKind::Charge,
        TransferKind::Vat,
    ];
    assert_eq!(world.transfers(&paid).await, expected);
    world.is_right().await;
}

#[tokio::test]
async fn a_transfer_taken_back_returns_all_of_it() {
    let world = World::new().await;
    let gateway = world.gateway();
    let paid = ask(&gateway, transfer(naira("5,000.00"))).await.unwrap();
    let attempt = current_attempt(&paid.transaction);
    let attempt = paid.transaction.provider_reference(attempt);
    world.provider.take_back(&attempt);
    let worker = Worker::ready(&gateway).await;
    world.pass(seconds(5)).await;
    worker.stop().await;
    assert_eq!(world.stored("order-1").await.status(), Status::Reversed);
    assert_eq!(world.wallet().await, (BALANCE, 0));
    world.is_right().await;
}

#[tokio::test]
async fn a_wallet_that_takes_no_money_is_not_paid() {
    let wallet = || mobile_wallet("901", NUMBER);
    let closed = MobileWallet {
        status: MobileWalletStatus::Unavailable,
        ..wallet()
    };
    let another = mobile_wallet("901", "2348031234568");
    for (answer, expected) in [
        (Ok(closed), LookupFailure::Unknown),
        (Ok(another), LookupFailure::Unusable),
        (Err(LookupFailure::Unknown), LookupFailure::Unknown),
        (Err(LookupFailure::Unreachable), LookupFailure::Unreachable),
    ] {
        let world = World::new().await;
        world.provider.on_mobile_wallet(answer);
        let refused = ask(&world.gateway(), transfer(naira("500.00"))).await;
        let is_it = matches!(&refused,
            Err(RequestError::Lookup(Service::MobileMoney, it)) if *it == expected);
        assert!(is_it, "{refused:?}");
        nothing_happened(&world).await;
    }
}

#[tokio::test]
async fn what_cannot_be_paid_is_refused_before_its_owner_is_looked_up() {
    let world = World::new().await;
    let gateway = world.gateway();
    let away = Err(LookupFailure::Unreachable);
    world.provider.on_mobile_wallet(away);
    let good = || transfer(naira("500.00"));
    let unlisted = MobileMoneyTransfer {
        operator: provider_code("999"),
        ..good()
    };
    let refused = ask(&gateway, unlisted).await;
    let unknown = RequestError::ProviderUnknown(Service::MobileMoney);
    assert_eq!(
        format!("{:?}", refused.unwrap_err()),
        format!("{unknown:?}")
    );
    let closed = MobileMoneyTransfer {
        operator: provider_code("902"),
        ..good()
    };
    let refused = ask(&gateway, closed).await.unwrap_err();
    assert!(matches!(refused, RequestError::ProviderUnavailable(_)));
    let elsewhere = MobileMoneyTransfer {
        country: CountryCode::parse("288").unwrap(),
        ..good()
    };
    let refused = ask(&gateway, elsewhere).await.unwrap_err();
    assert!(matches!(refused, RequestError::CountryNotServed(_)));
    let unplanned = MobileMoneyTransfer {
        number: phone("2349999999999"),
        ..good()
    };
    let refused = ask(&gateway, unplanned).await.unwrap_err();
    assert!(
        matches!(refused, RequestError::NumberNotInPlan),
        "{refused:?}"
    );
    let refused = ask(&gateway, transfer(naira("99.99"))).await.unwrap_err();
    assert!(matches!(refused, RequestError::BelowMinimum(..)));
    let refused = ask(&gateway, transfer(naira("5,000,000.01"))).await;
    assert!(matches!(refused, Err(RequestError::AboveMaximum(..))));
    nothing_happened(&world).await;
    // The scripted failure is still there: the operator was never asked.
    let asked = ask(&gateway, good()).await.unwrap_err();
    assert!(matches!(asked, RequestError::Lookup(..)), "{asked:?}");
}

#[tokio::test]
async fn a_repeated_request_is_answered_with_its_transfer_and_not_looked_up_again() {
    let world = World::new().await;
    let (gateway, shop) = (world.gateway(), merchant("shop"));
    let order = || keyed(transfer(naira("500.00")), "try-1");
    let first = gateway.pay_mobile_money(&shop, order()).await.unwrap();
    let away = Err(LookupFailure::Unreachable);
    world.provider.on_mobile_wallet(away);
    let again = gateway.pay_mobile_money(&shop, order()).await.unwrap();
    assert_eq!(again.replay, ReplayMark::Replayed);
    assert_eq!(again.transaction.number, first.transaction.number);
    let other = keyed(transfer(naira("600.00")), "try-1");
    let other = gateway.pay_mobile_money(&shop, other).await;
    assert!(matches!(other, Err(RequestError::KeyReused)), "{other:?}");
    assert_eq!(world.provider.submissions().len(), 1);
}

#[tokio::test]
async fn a_transfer_that_its_operator_does_not_find_is_never_given_back_by_itself() {
    let world = World::new().await;
    let lost = ScriptedReply::answer_lost(UnknownCause::Timeout);
    world.provider.on_submit(lost);
    for _ in 0..2_000 {
        let absent = QueryReply::say(QueryOutcome::NotFound);
        world.provider.on_query(absent);
    }
    let gateway = world.gateway();
    let mut asking = JoinSet::new();
    let asked = gateway.clone();
    asking.spawn(async move { ask(&asked, transfer(naira("500.00"))).await });
    world.pass(seconds(21)).await;
    let answer = asking.join_next().await.unwrap().unwrap().unwrap();
    assert_eq!(answer.transaction.status(), Status::Pending);
    let mut recovery = Recovery::new(&gateway);
    world.follow_up_for(&mut recovery, 60 * 24 + 2).await;
    let stored = world.stored("order-1").await;
    assert!(matches!(stored.state, State::Review(_)), "{stored:?}");
    let held = naira("510.75").minor();
    assert_eq!(world.wallet().await, (BALANCE - held, held));
    assert_eq!(world.provider.submissions().len(), 1);
    world.is_right().await;
}
