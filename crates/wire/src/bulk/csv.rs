//! The payments of a batch as comma-separated values (RFC 4180). A text must never be read as a
//! formula by the program that opens the file.

use crate::format::{self, available_text};
use crate::sms::delivery;
use crate::zone::Zone;
use ::csv::{Terminator, WriterBuilder};
use domain::bank::{DeductionKind, PayoutOrder, Salary};
use domain::batch::BatchKind;
use domain::money::Money;
use domain::order::Order;
use domain::sms::MessageOrder;
use domain::transaction::Transaction;

const COLUMNS: [&str; 15] = [
    "mrcReference",
    "txnReference",
    "txnStatus",
    "gtwStatus",
    "bankIdentifier",
    "bankFullname",
    "accountNumber",
    "accountName",
    "txnAmount",
    "txnCharges",
    "txnFees",
    "price",
    "txnCurrency",
    "txnDate",
    "txnNarration",
];

const MESSAGE_COLUMNS: [&str; 15] = [
    "mrcReference",
    "txnReference",
    "txnStatus",
    "gtwStatus",
    "dlvStatus",
    "countryCode",
    "number",
    "network",
    "sender",
    "type",
    "parts",
    "cost",
    "currency",
    "txnDate",
    "content",
];

/// What a row of a salary has beside them.
const SALARY_COLUMNS: [&str; 8] = [
    "staffIdentifier",
    "payPeriod",
    "payDate",
    "payGross",
    "dedPaye",
    "dedPension",
    "dedNhf",
    "dedOther",
];

/// The rows below a row with the names of their columns. Amounts have no grouping.
///
/// # Errors
/// When a row cannot be written, which a row of texts in memory always can.
pub fn rows(kind: BatchKind, items: &[Transaction], zone: &Zone) -> Result<Vec<u8>, ::csv::Error> {
    let mut writer = WriterBuilder::new()
        .terminator(Terminator::CRLF)
        .from_writer(Vec::new());
    match kind {
        BatchKind::BankTransfers => writer.write_record(COLUMNS)?,
        BatchKind::Payroll => writer.write_record(COLUMNS.iter().chain(&SALARY_COLUMNS))?,
        BatchKind::Messages => writer.write_record(MESSAGE_COLUMNS)?,
    }
    for tx in items {
        match &tx.order {
            Order::Bank(order) => writer.write_record(of_payout(tx, order, zone))?,
            Order::Sms(order) => writer.write_record(of_message(tx, order, zone))?,
            // No batch is made of it.
            Order::Airtime(_)
            | Order::Internet(_)
            | Order::CableTv(_)
            | Order::Electricity(_)
            | Order::Whatsapp(_)
            | Order::Rcs(_)
            | Order::Voice(_)
            | Order::Ivr(_)
            | Order::Hlr(_)
            | Order::Lookup(_)
            | Order::MobileMoney(_)
            | Order::Card(_)
            | Order::International(_)
            | Order::Wallet(_)
            | Order::User(_)
            | Order::Bill(_) => {}
        }
    }
    writer
        .into_inner()
        .map_err(|error| error.into_error().into())
}

fn of_payout(tx: &Transaction, order: &PayoutOrder, zone: &Zone) -> Vec<String> {
    let quote = &tx.quote;
    let payout = [
        tx.reference.to_string(),
        tx.number.to_string(),
        format::status(tx.status()).to_owned(),
        format::gateway_status(tx.gateway_status()).to_owned(),
        order.account.bank.as_str().to_owned(),
        text(&order.bank_fullname),
        order.account.number.digits().to_owned(),
        text(&order.account.name),
        amount(order.amount),
        quote.charges().map(amount).unwrap_or_default(),
        amount(quote.levy),
        amount(quote.price),
        quote.price.currency().code().to_owned(),
        zone.date_time(tx.opened_at),
        text(order.narration.as_str()),
    ];
    let salary = order.salary.iter().flat_map(|it| of_salary(it, zone));
    payout.into_iter().chain(salary).collect()
}

fn of_message(tx: &Transaction, order: &MessageOrder, zone: &Zone) -> Vec<String> {
    let cost = tx.quote.price;
    vec![
        tx.reference.to_string(),
        tx.number.to_string(),
        format::status(tx.status()).to_owned(),
        delivery::gateway_status(tx).to_owned(),
        delivery::word(delivery::status(tx)).to_owned(),
        order.country.to_string(),
        order.number.digits().to_owned(),
        text(available_text(&order.network)),
        text(order.sender_name.as_str()),
        order.kind.code().to_owned(),
        order.segments.parts.to_string(),
        amount(cost),
        cost.currency().code().to_owned(),
        zone.date_time(tx.opened_at),
        text(order.content.as_str()),
    ]
}

fn of_salary(salary: &Salary, zone: &Zone) -> [String; 8] {
    let deducted = |kind| salary.deducted(kind).map(amount).unwrap_or_default();
    [
        text(salary.staff.as_str()),
        salary.period.to_string(),
        zone.date(salary.pay_date),
        amount(salary.gross),
        deducted(DeductionKind::Paye),
        deducted(DeductionKind::Pension),
        deducted(DeductionKind::Nhf),
        deducted(DeductionKind::Other),
    ]
}

fn amount(money: Money) -> String {
    money.to_string().replace(',', "")
}

/// A text that spreadsheets show and do not calculate: they take one that begins like a formula for
/// one, so an apostrophe goes before it.
fn text(text: &str) -> String {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        format!("'{text}")
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::lagos;
    use domain::bank::Narration;
    use testkit::builders::{at, payout, salary};

    fn shown(narration: &str) -> String {
        let mut tx = payout().queued(at(0), at(60)).transaction();
        if let Order::Bank(order) = &mut tx.order {
            order.narration = Narration::parse(narration).unwrap();
        }
        String::from_utf8(rows(BatchKind::BankTransfers, &[tx], &lagos()).unwrap()).unwrap()
    }

    #[test]
    fn a_payout_is_a_row_below_the_names_of_the_columns() {
        insta::assert_snapshot!(shown("Rent, of \"June\"").replace("\r\n", "\n"));
    }

    #[test]
    fn a_salary_has_its_parts_behind_its_payout() {
        let paid = salary().queued(at(0), at(60)).transaction();
        let file = rows(BatchKind::Payroll, &[paid], &lagos()).unwrap();
        let file = String::from_utf8(file).unwrap().replace("\r\n", "\n");
        insta::assert_snapshot!("salary", file);
    }

    #[test]
    fn no_text_is_a_formula() {
        for (narration, expected) in [
            ("=1+1", ",'=1+1\r\n"),
            ("@SUM(A1)", ",'@SUM(A1)\r\n"),
            ("-5", ",'-5\r\n"),
            ("Rent", ",Rent\r\n"),
        ] {
            let file = shown(narration);
            assert!(file.ends_with(expected), "{file}");
        }
    }
}
