//! The lines of a bank's statement. One that cannot be read must be named by its number, and then
//! nothing of the file is credited.

use std::io::Read;

use application::collections::PaymentReport;
use domain::bank::AccountNumber;
use domain::collection::{BankSession, CollectionPayer, PaymentReference};
use domain::money::{Currency, Money};
use domain::text::{self, Breaks};
use domain::time::Timestamp;
use serde::Deserialize;

use super::crediting::ReportedPayment;

/// Most lines of a file: what a busy day brings, and what is held in memory at a time.
const LINES_MAX: usize = 100_000;

/// Most problems that are named: after so many the file is mended and read again.
const PROBLEMS_MAX: usize = 20;

/// Most characters of the name of a payer or a bank.
pub(super) const NAME_MAX: usize = 100;

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
    let headers = reader.headers().map_err(|error| vec![error.to_string()])?;
    let headers = headers.clone();
    let (mut lines, mut problems) = (Vec::new(), Vec::new());
    let mut record = csv::StringRecord::new();
    loop {
        match reader.read_record(&mut record) {
            Ok(true) if lines.len() >= LINES_MAX => {
                problems.push(format!("has more than {LINES_MAX} lines; split it by day"));
                break;
            }
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => {
                let is_over = error.is_io_error() || problems.len() >= PROBLEMS_MAX;
                problems.push(error.to_string());
                if is_over {
                    break;
                }
                continue;
            }
        }
        // Lines without a character are no records, and a record may have several lines.
        let begun = record.position().map_or(0, csv::Position::line);
        let number = begun.max(reader.position().line().saturating_sub(1));
        let line = record.deserialize::<Line>(Some(&headers));
        let read = line.map_err(|error| error.to_string());
        match read.and_then(|line| reported(number, &line)) {
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

/// What a line says. What says who paid, and to which number, is taken as the bank wrote it: a
/// payer's mistake in one line keeps no other from being credited.
fn reported(number: u64, line: &Line) -> Result<ReportedPayment, String> {
    let named = |column: &'static str| move |error: String| format!("{column} {error}");
    Ok(ReportedPayment {
        line: number,
        payee: payee(&line.payee).unwrap_or_else(|_| shown(&line.payee)),
        report: PaymentReport {
            session: session(&line.session).map_err(named("session"))?,
            amount: amount(&line.amount).map_err(named("amount"))?,
            payer: CollectionPayer {
                name: Some(shown(&line.payer_name)).filter(|it| !it.is_empty()),
                bank: Some(shown(&line.payer_bank)).filter(|it| !it.is_empty()),
                account_last: last_digits(&line.payer_account).ok(),
            },
            paid_at: moment(&line.paid_at).map_err(named("paid_at"))?,
        },
    })
}

/// As much of a text as can be shown, in one line.
fn shown(text: &str) -> String {
    let fits = |c: &char| text::check(c.encode_utf8(&mut [0; 4]), Breaks::Refused).is_ok();
    let shown: String = text.chars().filter(fits).take(NAME_MAX).collect();
    shown.trim().to_owned()
}

fn amount(text: &str) -> Result<Money, String> {
    let amount = Money::parse(text, Currency::Ngn).map_err(|error| error.to_string())?;
    let is_paid = amount.is_positive();
    is_paid
        .then_some(amount)
        .ok_or("must be above zero".to_owned())
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

/// The last four digits of an account number, of which the others may be hidden.
pub(super) fn last_digits(text: &str) -> Result<String, String> {
    let last = text.len().checked_sub(4).and_then(|at| text.get(at..));
    let last = last.filter(|last| last.bytes().all(|b| b.is_ascii_digit()));
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
                    \n\
                    S3,7740000127,-1,2026-11-28T12:00:00Z,,,\n\
                    S4,7740000127,1,yesterday,,,\n\
                    S5,7740000127\n";
        let problems = lines(rows).unwrap_err();
        let named = [
            "line 2: session",
            "line 4: amount",
            "line 5: paid_at",
            "CSV error: record",
        ];
        assert_eq!(problems.len(), named.len(), "{problems:?}");
        for (named, problem) in named.iter().zip(&problems) {
            assert!(problem.starts_with(named), "{problem}");
        }
        let other = read("date,amount\n1,2\n".as_bytes()).unwrap_err();
        assert!(other[0].contains("session"), "{other:?}");
    }

    /// What a payer typed and how a bank names them keeps no other line from being credited.
    #[test]
    fn what_payers_and_banks_write_is_taken_as_it_is() {
        let name = "N".repeat(101);
        let rows = format!(
            "S1,7740000,0.01,2026-11-28T12:00:00Z,{name},,XXXXXX4321\n\
             S2,for Ada,2000000000.00,2026-11-28T12:00:00Z,,,hidden\n"
        );
        let read = lines(&rows).unwrap();
        assert_eq!(read[0].payee, "7740000");
        assert_eq!(read[0].report.payer.name.as_deref(), Some(&name[1..]));
        assert_eq!(read[0].report.payer.account_last.as_deref(), Some("4321"));
        assert_eq!((read[1].line, read[1].payee.as_str()), (3, "for Ada"));
        assert_eq!(read[1].report.payer.account_last, None);
    }
}
