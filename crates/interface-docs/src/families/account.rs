//! The account itself: its balance and its statement. It must not document what no sample shows.

use crate::operation::{Operation, OperationFamily, optional};
use crate::states::{Sample, lagos, sample};
use domain::ledger::Wallet;
use domain::money::Currency;
use domain::statement::{Direction, Sort, StatementEntry, StatementPage, StatementQuery};
use testkit::builders::{START, account_id, naira, number, reference};
use wire::account::{balance, statement};
use wire::attribute::{REFERENCE, STATEMENT_CURRENCY, STATEMENT_TYPE};
use wire::page::LENGTH_MAX;

pub(super) fn family() -> OperationFamily {
    OperationFamily {
        stem: "account",
        name: "Account",
        about: "What can be spent, and every change of it.",
        operations: vec![show_balance(), show_statement()],
    }
}

fn show_balance() -> Operation {
    let wallet = Wallet {
        available: naira("998,030.00"),
        held: naira("970.00"),
        ..Wallet::new(account_id("shop"), Currency::Ngn)
    };
    let wallets = [wallet, Wallet::new(account_id("shop"), Currency::Crd)];
    let samples = vec![sample(
        "balance",
        "The balance.",
        balance::view(&wallets, Currency::Ngn),
    )];
    Operation::get("/account/balance", "showBalance", "Show the balance")
        .takes([])
        .answers("Balance", samples)
}

fn show_statement() -> Operation {
    Operation::get("/account/statement", "showStatement", "Show the statement")
        .detailed(
            "A payment shows as a debit when it is accepted; if it fails or is reversed, what \
             comes back shows as a credit.",
        )
        .takes([
            optional(&REFERENCE),
            optional(&STATEMENT_TYPE).one_of(&["Debit", "Credit"]),
            optional(&STATEMENT_CURRENCY).one_of(&["NGN", "CRD"]),
        ])
        .in_parts(&["stmDate"])
        .lists("Statement", vec![lines()])
}

fn lines() -> Sample {
    let credit = StatementEntry {
        position: 1,
        transaction: None,
        direction: Direction::Credit,
        narration: "Opening balance".into(),
        amount: naira("1,000,000.00"),
        before: naira("0.00"),
        after: naira("1,000,000.00"),
        at: START,
    };
    let debit = StatementEntry {
        position: 2,
        transaction: Some((number(1), reference("airtime-1001"))),
        direction: Direction::Debit,
        narration: "Airtime MTN 2348031234567".into(),
        amount: naira("970.00"),
        before: naira("1,000,000.00"),
        after: naira("999,030.00"),
        at: START,
    };
    let page = StatementPage {
        entries: vec![credit, debit],
        total: 2,
        found: 2,
    };
    let query = StatementQuery {
        currency: Currency::Ngn,
        offset: 0,
        length: LENGTH_MAX,
        sort: Sort::Ascending,
        reference: None,
        direction: None,
    };
    let fields = statement::view(&page, &query, &lagos());
    sample("statement", "The statement.", fields)
}
