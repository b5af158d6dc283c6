//! Bank transfers (interface §4.7). It must not document what no sample shows.

use crate::operation::{Operation, OperationFamily, required};
use crate::states::{EventSchema, Sample, in_every_state, sample};
use domain::bank::{Bank, BankCode, BankIdentifier, BankKind, TransferCode};
use domain::country::CountryCode;
use domain::statement::Sort;
use testkit::builders::{self, bank_account};
use wire::attribute::{BANK, BANK_ACCOUNT, COUNTRY, NARRATION, REFERENCE, TRANSFER_AMOUNT};
use wire::bank::{enquiry, lists, lookup};
use wire::listing::Listing;
use wire::page::{LENGTH_MAX, Paging};

/// A bank of the sandbox, and an account that exists there.
const GTBANK: &str = "NGNIP000013";
const ACCOUNT: &str = "0100044567";

pub(super) fn family() -> OperationFamily {
    OperationFamily {
        stem: "bank",
        name: "Bank transfer",
        about: "Find banks and account holders, and pay to bank accounts.",
        operations: vec![
            list(),
            look_up(),
            enquire(),
            list_transactions(),
            pay_out(),
            transaction(),
        ],
    }
}

/// The events of its transactions.
pub(super) fn event() -> EventSchema {
    EventSchema::of("PayoutEvent", "bank", [builders::payout()])
}

fn list() -> Operation {
    Operation::get("/transfer/bank/lists", "listBanks", "List banks")
        .takes([required(&COUNTRY, "566")])
        .in_parts(&[
            "bankShortname",
            "bankFullname",
            "bankIdentifier",
            "bankType",
        ])
        .lists("Banks", vec![all_banks()])
}

fn look_up() -> Operation {
    let path = "/transfer/bank/lookup";
    let samples = vec![
        sample("bank", "The bank.", lookup::view(&bank())),
        sample("nothing known", "The bank.", lookup::view(&little_known())).unseen(),
    ];
    Operation::get(path, "lookUpBank", "Look a bank up")
        .takes([required(&BANK, GTBANK)])
        .answers("Bank", samples)
        .refused(&[404])
}

fn enquire() -> Operation {
    let path = "/transfer/bank/enquiry";
    let account = bank_account(GTBANK, ACCOUNT);
    let shown = enquiry::view(&bank(), &account);
    Operation::get(path, "enquireAccount", "Find who holds an account")
        .takes([required(&BANK, GTBANK), required(&BANK_ACCOUNT, ACCOUNT)])
        .answers(
            "BankAccount",
            vec![sample("account", "The account.", shown)],
        )
        .refused(&[404, 502])
}

fn pay_out() -> Operation {
    let path = "/transfer/bank/payout";
    Operation::post(path, "payOut", "Pay to a bank account")
        .detailed(
            "The holder of the account is looked up first and shown. The balance is charged the \
             amount, the charges and the fees.",
        )
        .takes([
            required(&REFERENCE, "payout-1001"),
            required(&BANK, GTBANK),
            required(&BANK_ACCOUNT, ACCOUNT),
            required(&TRANSFER_AMOUNT, "10,000.00"),
            required(&NARRATION, "Rent for May"),
        ])
        .by_quote()
        .pays("Payout", in_every_state(builders::payout()))
        .refused(&[404, 502])
}

fn list_transactions() -> Operation {
    Operation::get("/transfer/bank", "listPayouts", "List payouts")
        .lists_transactions("Payouts", in_every_state(builders::payout()))
}

fn transaction() -> Operation {
    let path = "/transfer/bank/transaction";
    Operation::get(path, "reportPayout", "Report a payout")
        .takes([required(&REFERENCE, "payout-1001")])
        .reports("Payout", in_every_state(builders::payout()))
}

fn bank() -> Bank {
    Bank {
        identifier: BankIdentifier::parse(GTBANK).expect("an identifier"),
        country: CountryCode::NIGERIA,
        kind: BankKind::Commercial,
        shortname: "GTBank".into(),
        fullname: "Guaranty Trust Bank Plc".into(),
        code: Some(BankCode::parse("058").expect("a bank code")),
        transfer_code: Some(TransferCode::parse("000013").expect("a transfer code")),
        ussd: Some("*737#".into()),
    }
}

fn little_known() -> Bank {
    Bank {
        code: None,
        transfer_code: None,
        ussd: None,
        ..bank()
    }
}

fn all_banks() -> Sample {
    let query = lists::BanksQuery {
        country: CountryCode::NIGERIA,
        paging: Paging {
            offset: 0,
            length: LENGTH_MAX,
            order: None,
            sort: Sort::Ascending,
        },
    };
    let fields = lists::view(&Listing::whole(vec![bank()]), &query);
    sample("banks", "The banks.", fields)
}
