//! Tab-separated tables of institutions. It must not read what no table here has: `#` opens a line
//! of comment, fields are separated by one tab, and an empty field is nothing.

use domain::bank::{Bank, BankCode, BankIdentifier, BankKind, TransferCode};
use domain::country::CountryCode;

/// The institutions of a table. A line that is none is left out; a test finds it.
pub(crate) fn banks(table: &str, country: CountryCode) -> impl Iterator<Item = Bank> + '_ {
    lines(table).filter_map(move |line| bank(line, country))
}

/// The lines that ought to be institutions.
pub(crate) fn lines(table: &str) -> impl Iterator<Item = &str> {
    table.lines().filter(|line| !line.starts_with('#'))
}

fn bank(line: &str, country: CountryCode) -> Option<Bank> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [
        identifier,
        kind,
        code,
        transfer_code,
        ussd,
        shortname,
        fullname,
    ] = fields.as_slice()
    else {
        return None;
    };
    let text = |field: &str| (!field.is_empty()).then(|| field.to_owned());
    Some(Bank {
        identifier: BankIdentifier::parse(identifier).ok()?,
        country,
        kind: BankKind::from_code(kind)?,
        shortname: text(shortname)?,
        fullname: text(fullname)?,
        code: text(code)
            .map(|code| BankCode::parse(&code))
            .transpose()
            .ok()?,
        transfer_code: text(transfer_code)
            .map(|code| TransferCode::parse(&code))
            .transpose()
            .ok()?,
        ussd: text(ussd),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "NGNIP000014\tcommercial\t044\t000014\t*901#\tAccess Bank\tAccess Bank Plc";

    fn read(line: &str) -> Option<Bank> {
        banks(line, CountryCode::NIGERIA).next()
    }

    #[test]
    fn a_line_is_read_field_by_field() {
        let bank = read(LINE).unwrap();
        assert_eq!(bank.identifier.as_str(), "NGNIP000014");
        assert_eq!(bank.kind, BankKind::Commercial);
        assert_eq!(bank.code.unwrap().as_str(), "044");
        assert_eq!(bank.transfer_code.unwrap().as_str(), "000014");
        assert_eq!(bank.ussd.as_deref(), Some("*901#"));
        assert_eq!(bank.shortname, "Access Bank");
        assert_eq!(bank.fullname, "Access Bank Plc");
        assert_eq!(read("# NGNIP000014"), None);
    }

    #[test]
    fn a_line_with_a_field_that_is_wrong_is_none() {
        assert!(read(LINE).is_some());
        let wrong = [
            ("NGNIP000014", "NGNIP14"),
            ("commercial", "Commercial"),
            ("044", "44"),
            ("\t000014", "\t14"),
            ("Access Bank\t", "\t"),
            ("*901#\t", ""),
            ("Plc", "Plc\t"),
        ];
        for (right, wrong) in wrong {
            let line = LINE.replacen(right, wrong, 1);
            assert_ne!(line, LINE);
            assert_eq!(read(&line), None, "{line}");
        }
    }
}
