//! Payouts: the account is looked up and its name frozen before any money is set aside, and what
//! the state is owed goes to accounts of its own.

use super::support::request::{Worker, once};
use super::support::shelf::{BANK, banks};
use super::support::{BALANCE, World, merchant, seconds};
use application::recovery::Recovery;
use application::{Gateway, PaymentResult, RequestError};
use domain::bank::charges::{Band, ChargeRule, ChargeRules};
use domain::bank::{AccountNumber, BankIdentifier, Narration, Payout};
use domain::ledger::TransferKind;
use domain::money::Money;
use domain::order::{Order, Service};
use domain::percent::Percent;
use domain::transaction::{State, Status};
use ports::provider::LookupFailure;
use std::sync::Arc;
use testkit::builders::{bank_account, current_attempt, naira, reference};
use testkit::provider::ScriptedReply;

/// A number whose check digit is right for the one bank there is.
const NUMBER: &str = "0123456785";

fn payout(number: &str, amount: Money) -> Payout {
    Payout {
        reference: reference("order-1"),
        bank: BankIdentifier::parse(BANK).unwrap(),
        number: AccountNumber::parse(number).unwrap(),
        amount,
        narration: Narration::parse("Rent of May").unwrap(),
        salary: None,
    }
}

async fn ask(gateway: &Gateway, command: Payout) -> Result<PaymentResult, RequestError> {
    gateway.pay_out(&merchant("shop"), once(command)).await
}

async fn nothing_happened(world: &World) {
    assert_eq!(world.stores.read("shop", "order-1").await, None);
    assert_eq!(world.wallet().await, (BALANCE, 0));
    assert_eq!(world.provider.submissions(), []);
}

#[tokio::test]
async fn a_payout_costs_its_amount_charges_and_levy_and_freezes_the_name() {
    let world = World::new().await;
    let gateway = world.gateway();
    let small = ask(&gateway, payout(NUMBER, naira("5,000.00")))
        .await
        .unwrap();
    assert_eq!(small.transaction.quote.price, naira("5,010.75"));
    let Order::Bank(order) = &small.transaction.order else {
        panic!("{:?}", small.transaction.order);
    };
    assert_eq!(order.account.name, bank_account(BANK, NUMBER).name);
    assert_eq!(order.bank_fullname, "Guaranty Trust Bank Plc");
    assert_eq!(
        world.transfers(&small.transaction).await,
        [
            TransferKind::Hold,
            TransferKind::Capture,
            TransferKind::Charge,
            TransferKind::Vat
        ]
    );
    world.is_right().await;
}

#[tokio::test]
async fn a_payout_taken_back_returns_charges_tax_and_levy() {
    let world = World::new().await;
    world.stores.has_account("rich", "100,000.00").await;
    let gateway = world.gateway();
    let rich = merchant("rich");
    let command = payout(NUMBER, naira("20,000.00"));
    let paid = gateway.pay_out(&rich, once(command)).await.unwrap();
    assert_eq!(paid.transaction.quote.price, naira("20,076.88"));
    let attempt = paid
        .transaction
        .provider_reference(current_attempt(&paid.transaction));
    world.provider.take_back(&attempt);
    let worker = Worker::ready(&gateway).await;
    world.pass(seconds(5)).await;
    worker.stop().await;
    assert_eq!(world.stores.balances("rich").await, (10_000_000, 0));
    let kinds = world.transfers(&paid.transaction).await;
    for returned in [
        TransferKind::Reversal,
        TransferKind::ChargeReversal,
        TransferKind::VatReversal,
        TransferKind::LevyReversal,
    ] {
        assert_eq!(
            kinds.iter().filter(|kind| **kind == returned).count(),
            1,
            "{kinds:?}"
        );
    }
    world.is_right().await;
}

#[tokio::test]
async fn a_number_that_cannot_be_the_banks_is_never_looked_up() {
    let world = World::new().await;
    let gateway = world.gateway();
    world
        .provider
        .on_bank_account(Err(LookupFailure::Unreachable));
    let wrong = ask(&gateway, payout("0123456789", naira("500.00"))).await;
    assert!(
        matches!(wrong, Err(RequestError::WrongCheckDigit)),
        "{wrong:?}"
    );
    let unknown = Payout {
        bank: BankIdentifier::parse("NGNIP999999").unwrap(),
        ..payout(NUMBER, naira("500.00"))
    };
    let unknown = ask(&gateway, unknown).await;
    assert!(
        matches!(unknown, Err(RequestError::ProviderUnknown(Service::Bank))),
        "{unknown:?}"
    );
    nothing_happened(&world).await;
    // The scripted failure is still there: no query was made.
    let asked = ask(&gateway, payout(NUMBER, naira("500.00"))).await;
    let reported = matches!(
        asked,
        Err(RequestError::Lookup(
            Service::Bank,
            LookupFailure::Unreachable
        ))
    );
    assert!(reported, "{asked:?}");
}

#[tokio::test]
async fn an_account_the_bank_does_not_confirm_is_not_paid() {
    for failure in [
        LookupFailure::Unknown,
        LookupFailure::Unreachable,
        LookupFailure::Unusable,
    ] {
        let world = World::new().await;
        world.provider.on_bank_account(Err(failure));
        let answer = ask(&world.gateway(), payout(NUMBER, naira("500.00"))).await;
        let reported = matches!(
            &answer,
            Err(RequestError::Lookup(Service::Bank, reported)) if *reported == failure
        );
        assert!(reported, "{answer:?}");
        nothing_happened(&world).await;
    }
    let world = World::new().await;
    world
        .provider
        .on_bank_account(Ok(bank_account(BANK, "0123456789")));
    let answer = ask(&world.gateway(), payout(NUMBER, naira("500.00"))).await;
    let reported = matches!(
        answer,
        Err(RequestError::Lookup(Service::Bank, LookupFailure::Unusable))
    );
    assert!(reported, "{answer:?}");
    nothing_happened(&world).await;
}

#[tokio::test]
async fn a_bank_without_a_code_for_transfers_cannot_be_paid() {
    let world = World::new().await;
    let gateway = world.gateway_with(|parts| {
        let mut banks = banks();
        for bank in &mut banks.0 {
            bank.transfer_code = None;
        }
        parts.banks = Arc::new(banks);
    });
    let answer = ask(&gateway, payout(NUMBER, naira("500.00"))).await;
    let reported = matches!(
        answer,
        Err(RequestError::ProviderUnavailable(Service::Bank))
    );
    assert!(reported, "{answer:?}");
    nothing_happened(&world).await;
}

#[tokio::test]
async fn payouts_keep_to_their_limits_and_to_the_rule_in_force() {
    let world = World::new().await;
    let gateway = world.gateway();
    let little = ask(&gateway, payout(NUMBER, naira("99.99"))).await;
    assert!(
        matches!(little, Err(RequestError::BelowMinimum(Service::Bank, _))),
        "{little:?}"
    );
    let much = ask(&gateway, payout(NUMBER, naira("5,000,000.01"))).await;
    assert!(
        matches!(much, Err(RequestError::AboveMaximum(Service::Bank, _))),
        "{much:?}"
    );
    let short = ask(&gateway, payout(NUMBER, naira("10,000.00"))).await;
    let price = naira("10,076.88");
    let reported =
        matches!(short, Err(RequestError::InsufficientFunds(reported)) if reported == price);
    assert!(reported, "{short:?}");
    let none = world.gateway_with(|parts| {
        let rule = ChargeRule {
            from: world.now().plus(seconds(1)),
            bands: vec![Band {
                up_to: None,
                charge: naira("10.00"),
            }],
            vat: Percent::ZERO,
            levy_from: naira("0.00"),
            levy: naira("0.00"),
            levies_salaries: true,
        };
        parts.charges = ChargeRules::try_new(vec![rule]).unwrap();
    });
    let early = ask(&none, payout(NUMBER, naira("500.00"))).await;
    assert!(matches!(early, Err(RequestError::Unpriceable)), "{early:?}");
    nothing_happened(&world).await;
}

#[tokio::test]
async fn an_unanswered_payout_is_never_given_back_by_age() {
    let world = World::new().await;
    world.provider.on_submit(ScriptedReply::accept());
    let gateway = world.gateway();
    let shop = merchant("shop");
    let mut asking = tokio::task::JoinSet::new();
    let asked = gateway.clone();
    let command = once(payout(NUMBER, naira("500.00")));
    asking.spawn(async move { asked.pay_out(&shop, command).await });
    world.pass(seconds(21)).await;
    let answer = asking.join_next().await.unwrap().unwrap().unwrap();
    assert_eq!(answer.transaction.status(), Status::Pending);
    let mut recovery = Recovery::new(&gateway);
    world.follow_up_for(&mut recovery, 60 * 24 + 2).await;
    let stored = world.stored("order-1").await;
    assert!(
        matches!(stored.state, State::Review(_)),
        "{:?}",
        stored.state
    );
    let held = naira("510.75").minor();
    assert_eq!(world.wallet().await, (BALANCE - held, held));
    world.is_right().await;
}
