//! Judging many change sets together is the same as judging them one after the other.
#![cfg(test)]

mod model;

use domain::account::AccountStatus;
use domain::change_set::{ChangeSet, Funding, StateChange};
use domain::money::{Currency, Money};
use model::ModelTables;
use ports::ledger_store::CommitOutcome;
use proptest::prelude::*;
use storage_sql::planner::{ReadSet, plan};
use storage_sql::record::{AccountRow, SubscriberRow};
use testkit::builders::{
    PurchaseBuilder, advance, airtime, at, credits, declined, delivered, funding, message_status,
    payout, pending, sms,
};

type Verdict = Result<CommitOutcome, String>;

/// Judges and applies change sets in one batch.
fn together(tables: &mut ModelTables, changes: &[ChangeSet]) -> Vec<Verdict> {
    let known = tables.working_set(&ReadSet::of(changes));
    let plan = plan(changes, &known);
    tables.apply(&plan);
    let verdicts = plan.verdicts.into_iter();
    verdicts
        .map(|verdict| verdict.map_err(|error| error.to_string()))
        .collect()
}

fn one_by_one(tables: &mut ModelTables, changes: &[ChangeSet]) -> Vec<Verdict> {
    changes
        .iter()
        .flat_map(|change| together(tables, std::slice::from_ref(change)))
        .collect()
}

fn shop_with(available: i64) -> ModelTables {
    ModelTables::default()
        .with_account("shop", available, AccountStatus::Active)
        .with_account("closed", 1_000_000, AccountStatus::Suspended)
}

fn wallet<'a>(tables: &'a ModelTables, id: &str, currency: Currency) -> &'a AccountRow {
    &tables.wallets[&(id.to_owned(), currency.code().to_owned())]
}

fn step(advance: StateChange) -> ChangeSet {
    ChangeSet::Advance(Box::new(advance))
}

#[test]
fn the_last_kobo_is_spent_by_the_first_of_a_batch() {
    let mut tables = shop_with(10_000);
    let buy = |n: u64| airtime().nth(n).priced("100.00").change();
    let verdicts = together(&mut tables, &[buy(1), buy(2), buy(3)]);
    let refused = || Ok(CommitOutcome::InsufficientFunds);
    assert_eq!(verdicts, [Ok(CommitOutcome::Done), refused(), refused()]);
    let wallet = wallet(&tables, "shop", Currency::Ngn);
    assert_eq!(
        (wallet.available, wallet.held, wallet.debits),
        (0, 10_000, 1)
    );
    assert_eq!(
        (
            tables.transactions.len(),
            tables.events.len(),
            tables.transfers.len()
        ),
        (1, 1, 1)
    );
}

#[test]
fn money_paid_in_earlier_in_the_batch_can_be_spent_later_in_it() {
    let mut tables = shop_with(0);
    let changes = [
        airtime().nth(1).priced("100.00").change(),
        ChangeSet::Fund(funding("shop", "cheque-1", "100.00")),
        airtime().nth(1).priced("100.00").change(),
    ];
    let verdicts = together(&mut tables, &changes);
    assert_eq!(verdicts[0], Ok(CommitOutcome::InsufficientFunds));
    assert_eq!(
        verdicts[1..],
        [Ok(CommitOutcome::Done), Ok(CommitOutcome::Done)]
    );
    let wallet = wallet(&tables, "shop", Currency::Ngn);
    assert_eq!((wallet.available, wallet.held), (0, 10_000));
    assert_eq!((wallet.debits, wallet.credits), (1, 1));
}

#[test]
fn a_batch_pays_each_of_its_openings_out_of_the_wallet_of_its_currency() {
    let mut tables = shop_with(400);
    let message = sms().nth(1).in_credits();
    let changes = [
        message.clone().change(),
        message.nth(2).change(),
        airtime().nth(3).priced("4.00").change(),
        airtime().nth(4).priced("0.01").change(),
    ];
    let refused = || Ok(CommitOutcome::InsufficientFunds);
    let done = || Ok(CommitOutcome::Done);
    let verdicts = together(&mut tables, &changes);
    assert_eq!(verdicts, [done(), refused(), done(), refused()]);
    for currency in Currency::ALL {
        let wallet = wallet(&tables, "shop", currency);
        assert_eq!((wallet.available, wallet.held), (0, 400), "{currency:?}");
        assert_eq!((wallet.debits, wallet.credits), (1, 0), "{currency:?}");
    }
}

#[test]
fn a_funding_reference_taken_in_another_currency_reports_what_was_paid_in() {
    let mut tables = shop_with(0);
    let in_credits = Funding {
        amount: credits("7.00"),
        ..funding("shop", "cheque-1", "1.00")
    };
    let in_money = ChangeSet::Fund(funding("shop", "cheque-1", "9.00"));
    let changes = [ChangeSet::Fund(in_credits), in_money.clone()];
    let taken = Ok(CommitOutcome::FundingTaken(credits("7.00")));
    let expected = [Ok(CommitOutcome::Done), taken.clone()];
    assert_eq!(together(&mut tables, &changes), expected);
    assert_eq!(together(&mut tables, &[in_money]), [taken]);
}

#[test]
fn a_message_sold_and_reported_in_one_batch_ends_in_one_movement_with_every_event() {
    use domain::sms::DeliveryStatus::{Buffered, Delivered};
    let mut tables = shop_with(1_000);
    let open = sms();
    let tx = open.clone().transaction();
    let sold = advance(&tx, &delivered(&tx), at(1));
    let reported = message_status(&sold.transaction, &[Buffered]);
    let reported = advance(&sold.transaction, &reported, at(2));
    let last = message_status(&reported.transaction, &[Delivered]);
    let last = advance(&reported.transaction, &last, at(3));
    let changes = [
        open.change(),
        step(sold),
        step(reported),
        step(last.clone()),
    ];
    let known = tables.working_set(&ReadSet::of(&changes));
    let plan = plan(&changes, &known);
    assert_eq!((plan.movements.len(), plan.events.len()), (1, 4));
    assert_eq!(plan.movements[0].advance, &last);
    tables.apply(&plan);
    assert_eq!(tables.events.len(), 4);
}

#[test]
fn a_conflict_inside_a_batch_shows_the_transaction_as_the_batch_leaves_it() {
    let mut tables = shop_with(100_000);
    let open = airtime().priced("100.00");
    let tx = open.clone().transaction();
    assert_eq!(
        together(&mut tables, &[open.change()]),
        [Ok(CommitOutcome::Done)]
    );
    let wins = advance(&tx, &delivered(&tx), at(1));
    let loses = advance(&tx, &declined(&tx), at(2));
    let verdicts = together(&mut tables, &[step(wins.clone()), step(loses)]);
    let current = Box::new(wins.transaction);
    assert_eq!(
        verdicts,
        [
            Ok(CommitOutcome::Done),
            Ok(CommitOutcome::VersionConflict(current))
        ]
    );
    let wallet = wallet(&tables, "shop", Currency::Ngn);
    assert_eq!((wallet.available, wallet.held), (90_000, 0));
}

#[test]
fn steps_that_build_on_one_another_in_a_batch_end_in_one_movement() {
    let mut tables = shop_with(100_000);
    let open = airtime().priced("100.00");
    let tx = open.clone().transaction();
    let asked = advance(&tx, &pending(&tx), at(1));
    let settled = advance(&asked.transaction, &delivered(&asked.transaction), at(2));
    let changes = [open.change(), step(asked), step(settled.clone())];
    let known = tables.working_set(&ReadSet::of(&changes));
    let plan = plan(&changes, &known);
    assert_eq!(plan.movements.len(), 1);
    assert_eq!(plan.movements[0].from_version, 1);
    assert_eq!(plan.movements[0].advance, &settled);
    assert_eq!(plan.events.len(), 3);
    tables.apply(&plan);
    assert_eq!(tables.attempts[&(("shop".to_owned(), 1), 1)], "delivered");
}

#[test]
fn a_store_that_is_held_opens_nothing_and_goes_on_with_what_is_open() {
    let mut tables = shop_with(100_000);
    let open = airtime().priced("100.00").keyed("k", 1);
    let tx = open.clone().transaction();
    assert_eq!(
        together(&mut tables, &[open.clone().change()]),
        [Ok(CommitOutcome::Done)]
    );
    tables.held = true;
    let changes = [
        airtime().nth(2).change(),
        airtime().nth(3).by("closed").change(),
        airtime().nth(4).by("nobody").change(),
        // Whatever the store says of a name, it may say otherwise of it once it is compared.
        open.change(),
        step(advance(&tx, &delivered(&tx), at(1))),
        ChangeSet::Fund(funding("shop", "cheque-1", "1.00")),
    ];
    let mut verdicts = vec![Ok(CommitOutcome::Suspended); 4];
    verdicts.extend([Ok(CommitOutcome::Done), Ok(CommitOutcome::Done)]);
    assert_eq!(together(&mut tables, &changes), verdicts);
    assert_eq!(tables.transactions.len(), 1);
    let wallet = wallet(&tables, "shop", Currency::Ngn);
    assert_eq!((wallet.available, wallet.held), (90_100, 0));
    tables.held = false;
    let verdict = together(&mut tables, &changes[..1]);
    assert_eq!(verdict, [Ok(CommitOutcome::InsufficientFunds)]);
}

#[test]
fn what_was_never_opened_is_an_error_and_stops_no_other() {
    let mut tables = shop_with(100_000);
    let ghost = airtime().nth(9).transaction();
    let ghost = advance(&ghost, &delivered(&ghost), at(1));
    let verdicts = together(
        &mut tables,
        &[step(ghost), airtime().priced("1.00").change()],
    );
    assert!(
        verdicts[0].as_ref().unwrap_err().contains("never opened"),
        "{verdicts:?}"
    );
    assert_eq!(verdicts[1], Ok(CommitOutcome::Done));
}

#[test]
fn a_step_of_another_transaction_under_the_same_number_moves_nothing() {
    let mut tables = shop_with(100_000).with_account("stall", 100_000, AccountStatus::Active);
    let verdict = together(&mut tables, &[airtime().priced("100.00").change()]);
    assert_eq!(verdict, [Ok(CommitOutcome::Done)]);
    let before = tables.clone();
    let of_another_account = airtime().by("stall").priced("100.00");
    let of_another_reference = airtime().reference("order-2").priced("100.00");
    for other in [of_another_account, of_another_reference] {
        let other = other.transaction();
        let stray = step(advance(&other, &declined(&other), at(1)));
        let verdicts = together(&mut tables, &[stray]);
        assert!(
            verdicts[0].as_ref().unwrap_err().contains("never opened"),
            "{verdicts:?}"
        );
        assert_eq!(tables, before);
    }
}

#[test]
fn accounts_that_use_the_same_number_move_on_apart() {
    let mut tables = shop_with(100_000).with_account("stall", 100_000, AccountStatus::Active);
    let (hers, his) = (
        airtime().priced("100.00"),
        airtime().by("stall").priced("70.00"),
    );
    let (hers_opened, his_opened) = (hers.clone().transaction(), his.clone().transaction());
    let changes = [
        hers.change(),
        his.change(),
        step(advance(&hers_opened, &delivered(&hers_opened), at(1))),
        step(advance(&his_opened, &declined(&his_opened), at(1))),
        airtime().by("stall").reference("order-2").change(),
    ];
    let mut verdicts = vec![Ok(CommitOutcome::Done); 4];
    verdicts.push(Ok(CommitOutcome::NumberTaken));
    assert_eq!(together(&mut tables, &changes), verdicts);
    let left = |id: &str| {
        let wallet = wallet(&tables, id, Currency::Ngn);
        (wallet.available, wallet.held)
    };
    assert_eq!((left("shop"), left("stall")), ((90_000, 0), (100_000, 0)));
    let ended = |id: &str| tables.attempts[&((id.to_owned(), 1), 1)].as_str();
    assert_eq!((ended("shop"), ended("stall")), ("delivered", "disproven"));
}

#[test]
fn an_account_that_cannot_be_read_fails_its_own_change_sets_only() {
    let mut tables = shop_with(100_000).with_account("bad", 5, AccountStatus::Active);
    let bad = tables.wallets.values_mut().filter(|row| row.id == "bad");
    bad.for_each(|row| row.status = "asleep".into());
    let changes = [
        airtime().by("bad").change(),
        airtime().nth(2).priced("1.00").change(),
    ];
    let verdicts = together(&mut tables, &changes);
    assert!(
        verdicts[0].as_ref().unwrap_err().contains("account bad"),
        "{verdicts:?}"
    );
    assert_eq!(verdicts[1], Ok(CommitOutcome::Done));
}

/// A change set out of a small world, in which names, numbers and money collide often. Key and
/// price follow from account, number and reference, as no transaction has two of them.
fn changes() -> impl Strategy<Value = ChangeSet> {
    let account = prop::sample::select(vec!["shop", "stall", "closed", "nobody"]);
    let purchase = (account.clone(), 1..6_u64, 1..5_u64);
    let opening = purchase.prop_map(|(account, number, reference)| {
        let name = format!("order-{reference}");
        let bought = match (number + reference) % 3 {
            0 => sms().in_credits(),
            1 => payout().terms("0", "0", "0.00"),
            _ => airtime(),
        };
        let purchase: PurchaseBuilder = bought.by(account).number(number).reference(&name);
        let currency = purchase.order().amount().currency();
        let price = i64::try_from(500 + 700 * number + 300 * reference).unwrap();
        let price = Money::from_minor(price, currency);
        let purchase = purchase.terms("0", "0", "0.00").worth_money(price);
        match (number + reference) % 5 {
            0 => purchase.change(),
            key => purchase.keyed(&format!("key-{key}"), 1).change(),
        }
    });
    let amount = (1..9_000_i64, prop::sample::select(&Currency::ALL[..]));
    let paid_in = (account, 1..4_u64, amount).prop_map(|(account, reference, amount)| {
        let paid_in = funding(account, &format!("cheque-{reference}"), "1.00");
        ChangeSet::Fund(Funding {
            amount: Money::from_minor(amount.0, amount.1),
            ..paid_in
        })
    });
    prop_oneof![3 => opening, 1 => paid_in]
}

/// Change sets with the steps of what they open strewn among them, some stale and some repeated.
fn batches() -> impl Strategy<Value = Vec<ChangeSet>> {
    let with_steps = prop::collection::vec((changes(), 0..4_usize, any::<bool>()), 1..24);
    let strewn = with_steps.prop_map(|parts| {
        let mut all = Vec::new();
        for (change, steps, repeated) in parts {
            if let ChangeSet::Open(opening) = &change {
                let tx = opening.transaction.clone();
                let observation = [pending(&tx), delivered(&tx), declined(&tx)];
                all.extend(
                    observation
                        .iter()
                        .take(steps)
                        .map(|observation| step(advance(&tx, observation, at(1)))),
                );
            }
            if repeated {
                all.push(change.clone());
            }
            all.push(change);
        }
        all
    });
    strewn.prop_shuffle()
}

proptest! {
    #[test]
    fn a_batch_is_judged_as_its_change_sets_would_be_one_by_one(
        changes in batches(), cut in any::<prop::sample::Index>(),
    ) {
        let mut world = shop_with(12_000).with_account("stall", 3_000, AccountStatus::Active);
        world.subscribers.push(SubscriberRow {
            account: "shop".into(),
            endpoint: 1,
            topics: None,
        });
        let (mut batched, mut single) = (world.clone(), world);
        let (first, second) = changes.split_at(cut.index(changes.len()));
        let mut verdicts = together(&mut batched, first);
        verdicts.extend(together(&mut batched, second));
        prop_assert_eq!(verdicts, one_by_one(&mut single, &changes));
        prop_assert_eq!(batched, single);
    }
}
