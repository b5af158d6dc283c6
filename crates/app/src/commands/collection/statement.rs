//! The lines of a bank's statement. One that cannot be read must be named by its number, and then
//! nothing of the file is credited.

use std::io::Read;

use application::collections::PaymentReport;
use domain::bank::AccountNumber;
use domain::collection::{BankSession, CollectionPayer, NewCollection, PaymentReference};
use domain::money::{Currency, Money};
use domain::text;
use domain::time::Timestamp;
use serde::Deserialize;

use super::crediting::ReportedPayment;

/// Most lines of a file: what a busy day brings, and what is held in memory at a time.
pub(super) const LINES_MAX: usize = 100_000;

/// Most problems that are named: after so many the file is mended and read again.
const PROBLEMS_MAX: usize = 20;

/// Most characters of the name of a payer or a bank.
const NAME_MAX: usize = 100;

/// A line as it is written.
#[derive(Debug, Deserialize)]
struct Line {
    session: String,
    payee: String,
    amount: String,
    paid_at: String,
    #[serde(default)]
    payer_name: String,
    #[serde(default)]
    payer_bank: String,
    #[serde(default)]
    payer_account: String,
}

/// Reads every line, or says what is wrong with them.
pub(super) fn read(file: impl Read) -> Result<Vec<ReportedPayment>, Vec<String>> {
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .from_reader(file);
    let (mut lines, mut problems) = (Vec::new(), Vec::new());
    for (number, line) in (2_usize..).zip(reader.deserialize::<Line>()) {
        if lines.len() >= LINES_MAX {
            problems.push(format!("has more than {LINES_MAX} lines; split it by day"));
            break;
        }
        let read = line.map_err(|error| error.to_string());
        match read.and_then(|line| reported(&line)) {
            Ok(line) => lines.push(line),
            Err(problem) => problems.push(format!("line {number}: {problem}")),
        }
        if problems.len() >= PROBLEMS_MAX {
            problems.push("and perhaps more".to_owned());
            break;
        }
    }
    if problems.is_empty() {
        Ok(lines)
    } else {
        Err(problems)
    }
}

fn reported(line: &Line) -> Result<ReportedPayment, String> {
    let named = |column: &'static str| move |error: String| format!("{column} {error}");
    let name = |text: &str| {
        let text = (!text.is_empty()).then(|| text::line(text, NAME_MAX));
        let text = text.transpose().map_err(|error| error.to_string())?;
        Ok::<_, String>(text.map(str::to_owned))
    };
    let account = (!line.payer_account.is_empty()).then(|| last_digits(&line.payer_account));
    Ok(ReportedPayment {
        payee: payee(&line.payee).map_err(named("payee"))?,
        report: PaymentReport {
            session: session(&line.session).map_err(named("session"))?,
            amount: amount(&line.amount).map_err(named("amount"))?,
            payer: CollectionPayer {
                name: name(&line.payer_name).map_err(named("payer_name"))?,
                bank: name(&line.payer_bank).map_err(named("payer_bank"))?,
                account_last: account.transpose().map_err(named("payer_account"))?,
            },
            paid_at: moment(&line.paid_at).map_err(named("paid_at"))?,
        },
    })
}

fn amount(text: &str) -> Result<Money, String> {
    let amount = Money::parse(text, Currency::Ngn).map_err(|error| error.to_string())?;
    NewCollection::check(amount).map_err(|error| error.to_string())?;
    Ok(amount)
}

/// An account number or a payment reference, as payers write it.
pub(super) fn payee(text: &str) -> Result<String, String> {
    let digits: String = text.chars().filter(|c| !matches!(c, ' ' | '-')).collect();
    if digits.len() == AccountNumber::DIGITS {
        let number = AccountNumber::parse(&digits).map_err(|error| error.to_string())?;
        return Ok(number.digits().to_owned());
    }
    let reference = PaymentReference::parse(&digits);
    let reference = reference.map_err(|error| format!("{error}; an account number has 10"))?;
    Ok(reference.as_str().to_owned())
}

pub(super) fn session(text: &str) -> Result<BankSession, String> {
    BankSession::parse(text).map_err(|error| error.to_string())
}

/// The last four digits of an account number.
pub(super) fn last_digits(text: &str) -> Result<String, String> {
    let is_number = text.len() >= 4 && text.bytes().all(|b| b.is_ascii_digit());
    let last = text.len().saturating_sub(4);
    let last = text.get(last..).filter(|_| is_number);
    let last = last.ok_or("must be an account number, or its last four digits");
    Ok(last?.to_owned())
}

pub(super) fn moment(text: &str) -> Result<Timestamp, String> {
    let moment: jiff::Timestamp = text
        .parse()
        .map_err(|_| "must be a moment such as 2026-11-28T12:00:00Z".to_owned())?;
    Ok(Timestamp::from_millis(moment.as_millisecond()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "session,payee,amount,paid_at,payer_name,payer_bank,payer_account\n";

    fn lines(rows: &str) -> Result<Vec<ReportedPayment>, Vec<String>> {
        read(format!("{HEAD}{rows}").as_bytes())
    }

    #[test]
    fn a_line_is_read_whole_and_names_may_be_missing() {
        let rows = "S1,7740000127,\"5,000.00\",2026-11-28T12:00:00Z,Ada Obi,Zenith,0123454321\n\
                    S2,774-000-0127,1,2026-11-28T13:00:00+01:00,,,\n";
        let read = lines(rows).unwrap();
        assert_eq!(read[0].payee, "7740000127");
        assert_eq!(read[0].report.amount.minor(), 500_000);
        assert_eq!(read[0].report.payer.account_last.as_deref(), Some("4321"));
        assert_eq!(read[1].report.payer, CollectionPayer::default());
        assert_eq!(read[1].report.paid_at, read[0].report.paid_at);
        assert_eq!(lines("").unwrap(), []);
        let least = "session,payee,amount,paid_at\nS1,7740000127,1.00,2026-11-28T12:00:00Z\n";
        assert_eq!(super::read(least.as_bytes()).unwrap().len(), 1);
    }

    #[test]
    fn every_line_that_is_wrong_is_named() {
        let rows = "a b,7740000127,1,2026-11-28T12:00:00Z,,,\n\
                    S2,77400001,1,2026-11-28T12:00:00Z,,,\n\
                    S3,7740000127,-1,2026-11-28T12:00:00Z,,,\n\
                    S4,7740000127,1,yesterday,,,\n\
                    S5,7740000127,1,2026-11-28T12:00:00Z,,,12a\n\
                    S6,7740000127\n";
        let problems = lines(rows).unwrap_err();
        let columns = [
            "session",
            "payee",
            "amount",
            "paid_at",
            "payer_account",
            "CSV",
        ];
        assert_eq!(problems.len(), columns.len(), "{problems:?}");
        for ((number, column), problem) in (2..).zip(columns).zip(&problems) {
            assert!(
                problem.starts_with(&format!("line {number}: {column}")),
                "{problem}"
            );
        }
        let other = read("date,amount\n1,2\n".as_bytes()).unwrap_err();
        assert!(other[0].contains("session"), "{other:?}");
    }
}
