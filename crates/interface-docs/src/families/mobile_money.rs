//! Mobile money. It must not document what no sample shows.

use crate::operation::{Operation, OperationFamily, required};
use crate::states::{EventSchema, Sample, in_every_state, sample};
use domain::country::CountryCode;
use domain::mobile_money::{MobileWallet, MobileWalletStatus};
use domain::statement::Sort;
use testkit::builders::{self, mobile_money_operator, mobile_wallet};
use wire::attribute::{COUNTRY, NARRATION, PHONE, PROVIDER_IDENTIFIER, REFERENCE, TRANSFER_AMOUNT};
use wire::listing::Listing;
use wire::mobile_money::{enquiry, providers};
use wire::page::{LENGTH_MAX, Paging};

const OPERATOR: &str = "901";
const NUMBER: &str = "2348031236789";

pub(super) fn family() -> OperationFamily {
    OperationFamily {
        stem: "mobilemoney",
        name: "Mobile money",
        about: "Find mobile money operators and the owners of wallets, and pay to wallets.",
        operations: vec![list(), enquire(), list_transactions(), pay(), transaction()],
    }
}

/// The events of its transactions.
pub(super) fn event() -> EventSchema {
    EventSchema::of(
        "MobileMoneyEvent",
        "mobilemoney",
        [builders::mobile_money()],
    )
}

fn list() -> Operation {
    Operation::get(
        "/transfer/mobilemoney/providers",
        "listMobileMoneyProviders",
        "List mobile money operators",
    )
    .detailed(
        "Operators of the country whose wallets can be paid now, with the smallest and the largest \
         transfer.",
    )
    .takes([required(&COUNTRY, "566")])
    .in_parts(&["identifier", "brandname"])
    .lists("MobileMoneyProviders", vec![all_operators()])
}

fn enquire() -> Operation {
    let operator = mobile_money_operator(OPERATOR, "MoMo PSB");
    let wallet = mobile_wallet(OPERATOR, NUMBER);
    let closed = MobileWallet {
        status: MobileWalletStatus::Unavailable,
        ..wallet.clone()
    };
    let shown = |wallet| enquiry::view(&operator, wallet);
    let samples = vec![
        sample("wallet", "The wallet.", shown(&wallet)),
        sample("closed", "The wallet.", shown(&closed)).unseen(),
    ];
    Operation::get(
        "/transfer/mobilemoney/enquiry",
        "enquireMobileWallet",
        "Find who owns a wallet",
    )
    .detailed("A wallet whose `accountStatus` is `unavailable` takes no money.")
    .takes([
        required(&PROVIDER_IDENTIFIER, OPERATOR),
        required(&PHONE, NUMBER),
    ])
    .answers("MobileWallet", samples)
    .refused(&[404, 502])
}

fn pay() -> Operation {
    Operation::post(
        "/transfer/mobilemoney",
        "payMobileMoney",
        "Pay to a mobile money wallet",
    )
    .detailed(
        "The owner of the wallet is looked up first and shown. The balance is charged the amount, \
         the charges and the fees, as for a payout to a bank account. Money that has reached a \
         wallet cannot be fetched back, so a transfer stays `Pending` until its operator says what \
         became of it.",
    )
    .takes([
        required(&REFERENCE, "wallet-1001"),
        required(&COUNTRY, "566"),
        required(&PROVIDER_IDENTIFIER, OPERATOR),
        required(&PHONE, NUMBER),
        required(&TRANSFER_AMOUNT, "10,000.00"),
        required(&NARRATION, "Prize of May"),
    ])
    .by_quote()
    .pays(
        "MobileMoneyTransfer",
        in_every_state(builders::mobile_money()),
    )
    .refused(&[404, 502])
}

fn list_transactions() -> Operation {
    Operation::get(
        "/transfer/mobilemoney",
        "listMobileMoneyTransfers",
        "List mobile money transfers",
    )
    .lists_transactions(
        "MobileMoneyTransfers",
        in_every_state(builders::mobile_money()),
    )
}

fn transaction() -> Operation {
    Operation::get(
        "/transfer/mobilemoney/transaction",
        "reportMobileMoneyTransfer",
        "Report a mobile money transfer",
    )
    .takes([required(&REFERENCE, "wallet-1001")])
    .reports(
        "MobileMoneyTransfer",
        in_every_state(builders::mobile_money()),
    )
}

fn all_operators() -> Sample {
    let query = providers::OperatorsQuery {
        country: CountryCode::NIGERIA,
        paging: Paging {
            offset: 0,
            length: LENGTH_MAX,
            order: None,
            sort: Sort::Ascending,
        },
    };
    let operators = Listing::whole(vec![mobile_money_operator(OPERATOR, "MoMo PSB")]);
    let fields = providers::view(&operators, &query);
    sample("providers", "The mobile money operators.", fields)
}
