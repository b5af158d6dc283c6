//! What reports take and show.

use super::transactions::{self, ReportedPart, ReportedQuery};
use super::{GroupedQuery, commission, float, settlement};
use crate::account::transactions::TransactionCategory;
use crate::attributes::Attributes;
use crate::fixtures::{faults, lagos, links_ask_for_the_same, pretty, query as attributes};
use crate::reader::Handling;
use crate::violations::Violations;
use domain::ledger::TransferKind;
use domain::money::{Currency, Money};
use domain::reporting::{
    AcceptedTransaction, GroupedSums, MovedPrice, PriceSums, ReportGrouping, SettledTransfer,
    WalletDay,
};
use domain::transaction::Status;
use testkit::builders::{START, airtime, at, credits, naira, wallet_transfer};

const PERIOD: &str = "from=01-01-2026&to=31-01-2026";

fn category() -> TransactionCategory {
    TransactionCategory::parse("airtime").unwrap()
}

fn grouped(text: &str) -> Result<GroupedQuery, Violations> {
    let attributes = attributes(text);
    GroupedQuery::parse(category(), (&attributes, Handling::Strict), &lagos())
}

fn listed(text: &str) -> Result<ReportedQuery, Violations> {
    let attributes = attributes(text);
    transactions::parse(category(), (&attributes, Handling::Strict), &lagos())
}

#[test]
fn a_period_is_of_whole_days_or_moments() {
    let query = grouped(PERIOD).unwrap();
    assert_eq!(query.days.starts().len(), 31);
    assert_eq!((query.grouping, query.length), (None, 100));
    let query = grouped("from=2026-01-01T10:00:00Z&to=2026-01-02T10:00:00Z&groupby=Day").unwrap();
    assert_eq!(query.days.starts().len(), 2);
    assert_eq!(query.grouping, Some(ReportGrouping::Day));
}

#[test]
fn a_period_is_bounded() {
    for (text, days) in [
        ("from=01-01-2027&to=01-01-2028", 366),
        ("from=01-01-2028&to=31-12-2028", 366),
    ] {
        assert_eq!(grouped(text).unwrap().days.starts().len(), days, "{text}");
    }
    insta::assert_snapshot!(faults(grouped("from=01-01-2027&to=02-01-2028")), @r"
    400 -
    to: must be at most 366 days after from
    ");
}

#[test]
fn every_bad_filter_is_named() {
    insta::assert_snapshot!(faults(grouped("")), @r"
    405 -
    from: is required; add it to the query of the address
    to: is required; add it to the query of the address
    ");
    let all = "offset=-1&length=0&orderby=price&sort=up&from=x&to=2026-11-21&groupby=hour&x=1";
    insta::assert_snapshot!("bad_groups", faults(grouped(all)));
    let all = "offset=-1&from=02-01-2026&to=01-01-2026&txnStatus=open&number=12a&groupby=day";
    insta::assert_snapshot!("bad_transactions", faults(listed(all)));
    let of_wallets = attributes(&format!("{PERIOD}&groupby=service"));
    let asked = (&of_wallets, Handling::Strict);
    let refused = GroupedQuery::parse_of_wallets(category(), asked, &lagos());
    insta::assert_snapshot!(faults(refused), @r"
    400 -
    groupby: must be day or account
    ");
}

fn bought() -> Vec<AcceptedTransaction> {
    let moved = |price: Money, kind| {
        let held = MovedPrice::none(price.currency()).after(TransferKind::Hold, price);
        held.and_then(|held| held.after(kind, price)).unwrap()
    };
    let row = |tx: &domain::transaction::Transaction, kind| AcceptedTransaction {
        number: tx.number,
        reference: tx.reference.clone(),
        order: tx.order.clone(),
        quote: tx.quote.clone(),
        opened_at: START,
        updated_at: START,
        is_final: true,
        moved: moved(tx.quote.price, kind),
    };
    vec![
        row(
            &airtime().terms("3", "4", "25.00").transaction(),
            TransferKind::Capture,
        ),
        row(
            &wallet_transfer().nth(2).transaction(),
            TransferKind::TransferOut,
        ),
    ]
}

#[test]
fn a_transaction_shows_all_parts_of_its_price() {
    let rows = bought();
    let mut sums = GroupedSums::default();
    for row in &rows {
        let key = ReportGrouping::Account.key(START, (None, None), Currency::Ngn);
        sums.add(key, &PriceSums::of(&row.quote)).unwrap();
    }
    let part = ReportedPart {
        transactions: &rows,
        total: 9,
        found: 7,
        sums: &sums,
    };
    let query = listed(&format!("{PERIOD}&length=5")).unwrap();
    let shown = transactions::view(part, &query, &lagos());
    insta::assert_snapshot!("transactions", pretty(&shown.into()));
}

#[test]
fn a_group_shows_what_it_is_grouped_by() {
    let rows = bought();
    let mut sums = GroupedSums::default();
    for row in &rows {
        let bought = (Some(row.order.service()), row.order.biller());
        let key = ReportGrouping::Provider.key(START, bought, Currency::Ngn);
        sums.add(key, &PriceSums::of(&row.quote)).unwrap();
    }
    let query = grouped(&format!("{PERIOD}&sort=desc")).unwrap();
    let shown = commission::report(&sums, &lagos()).view(&query);
    insta::assert_snapshot!("commission", pretty(&shown.into()));
}

#[test]
fn what_was_taken_has_a_minus() {
    let row = SettledTransfer {
        entry: 1,
        kind: TransferKind::Capture,
        amount: naira("970.00"),
        at: START,
        bought: None,
    };
    let mut sums = GroupedSums::default();
    let key = ReportGrouping::DayAndService.key(START, (None, None), Currency::Ngn);
    sums.add(key, &row.settlement_sums()).unwrap();
    let shown = settlement::report(&sums, &lagos()).view(&grouped(PERIOD).unwrap());
    insta::assert_snapshot!("settlement", pretty(&shown.into()));
}

#[test]
fn the_wallets_of_a_day_stand_together() {
    let day = |moment, balance: Money| WalletDay {
        day: moment,
        count: 0,
        opening: balance,
        came_in: Money::zero(balance.currency()),
        went_out: Money::zero(balance.currency()),
        closing: balance,
    };
    let next = at(24 * 60 * 60);
    let money = [day(START, naira("5.00")), day(next, naira("5.00"))];
    let messages = [day(START, credits("1.00")), day(next, credits("1.00"))];
    let part = |days| float::WalletPart {
        days,
        total: &days[0],
    };
    let wallets = [part(&money), part(&messages)];
    let report = float::report(&wallets, ReportGrouping::Day, &lagos());
    let query = grouped(&format!("{PERIOD}&length=3")).unwrap();
    insta::assert_snapshot!("float", pretty(&report.view(&query).into()));
}

#[test]
fn the_links_keep_the_filters_and_can_be_read_again() {
    let part = ReportedPart {
        transactions: &[],
        total: 9,
        found: 9,
        sums: &GroupedSums::default(),
    };
    let text = format!("{PERIOD}&txnStatus=failed&number=1234&offset=2&length=2&sort=desc");
    let query = listed(&text).unwrap();
    assert_eq!(query.status, Some(Status::Failed));
    let header = transactions::link_header(part, &query);
    let again = |attributes: &Attributes| {
        transactions::parse(category(), (attributes, Handling::Strict), &lagos())
    };
    let without_offset = |query| ReportedQuery { offset: 0, ..query };
    let path = "/reporting/transactions/airtime";
    links_ask_for_the_same((path, &header), query, again, without_offset);
}
