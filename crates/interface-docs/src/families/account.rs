//! The account itself: its profile, keys, balances, transactions and statement. It must not
//! document what no sample shows.

use crate::operation::{Operation, OperationFamily, optional};
use crate::states::{Sample, lagos, sample};
use domain::access::{AccountKey, RequestSigning};
use domain::ledger::Wallet;
use domain::money::Currency;
use domain::statement::{Direction, Sort, StatementEntry, StatementPage, StatementQuery};
use testkit::builders::{
    AccountBuilder, START, access_key, account, account_id, account_user_id, advance, airtime, at,
    delivered, electricity, key, naira, number, reference, wallet_transfer,
};
use wire::account::permissions::{self, PermissionsQuery};
use wire::account::transactions::{self, HistoryQuery, TransactionCategory};
use wire::account::{balance, profile, statement};
use wire::attribute::{
    ACCOUNT_CURRENCY, ANY_NUMBER, CATEGORY, FROM, KEY, REFERENCE, STATEMENT_CURRENCY,
    STATEMENT_TYPE, TO, TRANSACTION_STATUS,
};
use wire::page::{LENGTH_MAX, Paging};
use wire::transaction_list::ListPart;

pub(super) fn family() -> OperationFamily {
    OperationFamily {
        stem: "account",
        name: "Account",
        about: "What the account is, what it can spend, and every change of that.",
        operations: vec![
            show_profile(),
            list_permissions(),
            show_balance(),
            list_transactions(),
            show_statement(),
        ],
    }
}

fn show_profile() -> Operation {
    let shop = account("mrc_MAMrSp2j3Z").named("Corner shop");
    let known = shop
        .clone()
        .reached_by("owner@shop.example", "2348031234567");
    let of = |account: AccountBuilder| profile::view(&account.build(), &lagos());
    let samples = vec![
        sample("profile", "The account.", of(known)),
        sample("unreachable", "The account.", of(shop)).unseen(),
    ];
    Operation::get("/account/profile", "showProfile", "Show the account")
        .detailed("The operator of the gateway sets the e-mail address and the phone number.")
        .takes([])
        .answers("Profile", samples)
}

fn list_permissions() -> Operation {
    let paging = Paging {
        offset: 0,
        length: LENGTH_MAX,
        order: None,
        sort: Sort::Ascending,
    };
    let query = PermissionsQuery { only: None, paging };
    let mut made = access_key("shop", 7, "Till 1").key;
    let plain = AccountKey::Merchant(made.clone());
    made.terms.expires_at = Some(at(86_400));
    made.user = Some(account_user_id(7_213_340_022));
    made.terms.signing = RequestSigning::Required;
    let (made, operators) = (AccountKey::Merchant(made), AccountKey::Operator(key(1)));
    let keys = permissions::listing(vec![operators.clone(), plain, made.clone()], &lagos());
    let all = permissions::view(&keys, &query);
    let one = |name, key| sample(name, "The key.", permissions::view_one(key, &lagos()));
    Operation::get("/account/permissions", "listPermissions", "List your keys")
        .detailed(
            "The keys that open the account, and what each allows. Those of the operator of the \
             gateway have no name and allow everything; the others were made at POST \
             /account/keys. With `keyIdentifier` the answer is that one key.",
        )
        .takes([optional(&KEY)])
        .in_parts(&["keyCreated"])
        .lists("Permissions", vec![sample("all", "The keys.", all)])
        .answers(
            "Permission",
            vec![one("one", &operators), one("made", &made).unseen()],
        )
        .refused(&[404])
}

fn show_balance() -> Operation {
    let wallet = Wallet {
        available: naira("998,030.00"),
        held: naira("970.00"),
        low_balance_threshold: Some(naira("5,000.00")),
        ..Wallet::new(account_id("shop"), Currency::Ngn)
    };
    let wallets = [wallet, Wallet::new(account_id("shop"), Currency::Crd)];
    let samples = vec![sample(
        "balance",
        "The balance.",
        balance::view(&wallets, Currency::Ngn, None),
    )];
    Operation::get("/account/balance", "showBalance", "Show the balance")
        .takes([optional(&ACCOUNT_CURRENCY).one_of(&["NGN", "CRD"])])
        .answers("Balance", samples)
}

fn list_transactions() -> Operation {
    let path = "/account/transactions/{category}";
    Operation::get(path, "listTransactions", "List transactions")
        .detailed(
            "Each in the shape that all products share; its report has what its product adds. The \
             newest 2,000 of the category between `from` and `to` are looked through, and \
             `query.total` counts those: choose an earlier period for older ones.",
        )
        .takes([
            optional(&CATEGORY)
                .one_of(&TransactionCategory::words())
                .such_as("all"),
            optional(&TRANSACTION_STATUS).one_of(&["Pending", "Successful", "Failed", "Reversed"]),
            optional(&FROM),
            optional(&TO),
            optional(&ANY_NUMBER),
        ])
        .in_parts(&["txnDate"])
        .lists("TransactionHistory", vec![history()])
        .refused(&[404])
}

fn history() -> Sample {
    let category = TransactionCategory::parse("all").expect("a category");
    let query = HistoryQuery {
        category,
        status: None,
        from: None,
        until: None,
        number: None,
        offset: 0,
        length: LENGTH_MAX,
        sort: Sort::Ascending,
    };
    let bought = airtime().reference("airtime-1001").transaction();
    let done = advance(&bought, &delivered(&bought), START).transaction;
    let paid = electricity().reference("electricity-1001").transaction();
    let exchanged = wallet_transfer().reference("credits-1001").transaction();
    let transactions = [done, paid, exchanged];
    let part = ListPart {
        transactions: &transactions,
        total: 3,
        found: 3,
    };
    let fields = transactions::view(part, &query, &lagos());
    sample("history", "The transactions.", fields)
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
