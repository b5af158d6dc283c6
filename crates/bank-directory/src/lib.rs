//! The institutions that keep accounts, from the tables in `data/`. It must never be taken for a
//! list of who may be paid today: an institution answers for its own accounts.

mod table;

use std::collections::HashMap;

use domain::bank::{Bank, BankIdentifier};
use domain::country::CountryCode;
use ports::banks::BankDirectory;

/// One table per country whose institutions are recorded.
const TABLES: [(CountryCode, &str); 1] =
    [(CountryCode::NIGERIA, include_str!("../data/banks-566.tsv"))];

/// The institutions of every recorded country, embedded in the program.
#[derive(Debug)]
pub struct JoinedBankDirectory {
    /// In the order they are listed.
    listed: Vec<Bank>,
    places: HashMap<BankIdentifier, usize>,
}

impl JoinedBankDirectory {
    /// Reads the tables: some hundred lines, once.
    pub fn new() -> Self {
        let rows = TABLES
            .into_iter()
            .flat_map(|(country, table)| table::banks(table, country));
        Self::of(rows.collect())
    }

    fn of(mut listed: Vec<Bank>) -> Self {
        // People look for brands by eye, so case does not count. Brands that look alike are
        // ordered by their identifiers, which never change.
        listed.sort_by_cached_key(|bank| (bank.shortname.to_lowercase(), bank.identifier.clone()));
        let places = listed
            .iter()
            .enumerate()
            .map(|(place, bank)| (bank.identifier.clone(), place));
        Self {
            places: places.collect(),
            listed,
        }
    }
}

impl Default for JoinedBankDirectory {
    fn default() -> Self {
        Self::new()
    }
}

impl BankDirectory for JoinedBankDirectory {
    fn banks(&self, country: CountryCode) -> Vec<&Bank> {
        let of_country = |bank: &&Bank| bank.country == country;
        self.listed.iter().filter(of_country).collect()
    }

    fn bank(&self, id: &BankIdentifier) -> Option<&Bank> {
        self.listed.get(*self.places.get(id)?)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::LazyLock;

    use domain::bank::BankKind::{Commercial, Merchant, NonInterest};
    use domain::bank::{AccountNumber, BankCode, BankKind, TransferCode};

    use super::*;

    static BANKS: LazyLock<JoinedBankDirectory> = LazyLock::new(JoinedBankDirectory::new);

    /// Identifier, bank code, kind, short name.
    const KNOWN: [(&str, &str, BankKind, &str); 29] = [
        ("NGNIP000014", "044", Commercial, "Access Bank"),
        ("NGNIP000009", "023", Commercial, "Citibank"),
        ("NGNIP000010", "050", Commercial, "Ecobank"),
        ("NGNIP000007", "070", Commercial, "Fidelity Bank"),
        ("NGNIP000016", "011", Commercial, "FirstBank"),
        ("NGNIP000003", "214", Commercial, "FCMB"),
        ("NGNIP000027", "103", Commercial, "Globus Bank"),
        ("NGNIP000013", "058", Commercial, "GTBank"),
        ("NGNIP000002", "082", Commercial, "Keystone Bank"),
        ("NGNIP000036", "107", Commercial, "Optimus Bank"),
        ("NGNIP000030", "104", Commercial, "Parallex Bank"),
        ("NGNIP000008", "076", Commercial, "Polaris Bank"),
        ("NGCBN000105", "105", Commercial, "PremiumTrust Bank"),
        ("NGNIP000023", "101", Commercial, "Providus Bank"),
        ("NGCBN000106", "106", Commercial, "Signature Bank"),
        ("NGNIP000012", "221", Commercial, "Stanbic IBTC"),
        ("NGNIP000021", "068", Commercial, "Standard Chartered"),
        ("NGNIP000001", "232", Commercial, "Sterling Bank"),
        ("NGNIP000022", "100", Commercial, "SunTrust Bank"),
        ("NGNIP000025", "102", Commercial, "Titan Trust Bank"),
        ("NGNIP000018", "032", Commercial, "Union Bank"),
        ("NGNIP000004", "033", Commercial, "UBA"),
        ("NGNIP000011", "215", Commercial, "Unity Bank"),
        ("NGNIP000017", "035", Commercial, "Wema Bank"),
        ("NGNIP000015", "057", Commercial, "Zenith Bank"),
        ("NGNIP060001", "559", Merchant, "Coronation Merchant Bank"),
        ("NGNIP400001", "501", Merchant, "FSDH Merchant Bank"),
        ("NGNIP000006", "301", NonInterest, "Jaiz Bank"),
        ("NGNIP000029", "303", NonInterest, "Lotus Bank"),
    ];

    fn nigerian() -> Vec<&'static Bank> {
        BANKS.banks(CountryCode::NIGERIA)
    }

    fn bank(identifier: &str) -> &'static Bank {
        let identifier = BankIdentifier::parse(identifier).unwrap();
        BANKS.bank(&identifier).expect("listed")
    }

    /// How often each value that is there occurs beyond the first time.
    fn repeated<'a>(of: impl Fn(&'a Bank) -> Option<&'a str>) -> Vec<&'a str> {
        let mut seen = HashSet::new();
        let values = nigerian().into_iter().filter_map(of);
        values
            .filter(|value| !seen.insert(value.to_lowercase()))
            .collect()
    }

    #[test]
    fn every_line_of_the_tables_is_an_institution() {
        for (country, table) in TABLES {
            for line in table::lines(table) {
                assert_eq!(table::banks(line, country).count(), 1, "{line}");
            }
        }
    }

    #[test]
    fn no_identifier_code_or_name_is_given_twice() {
        let none = Vec::<&str>::new();
        assert_eq!(repeated(|bank| Some(bank.identifier.as_str())), none);
        assert_eq!(repeated(|bank| Some(&bank.shortname)), none);
        assert_eq!(repeated(|bank| Some(&bank.fullname)), none);
        assert_eq!(
            repeated(|bank| bank.code.as_ref().map(BankCode::as_str)),
            none
        );
        assert_eq!(
            repeated(|bank| bank.transfer_code.as_ref().map(TransferCode::as_str)),
            none
        );
    }

    #[test]
    fn an_identifier_is_made_of_the_code_it_was_first_listed_under() {
        for bank in nigerian() {
            let identifier = bank.identifier.as_str();
            let made = |prefix: &str, code: &str| format!("{prefix}{code:0>6}") == identifier;
            let by_transfer = |code: &TransferCode| made("NGNIP", code.as_str());
            let by_bank = |code: &BankCode| made("NGCBN", code.as_str());
            assert!(
                bank.transfer_code.as_ref().is_some_and(by_transfer)
                    || bank.code.as_ref().is_some_and(by_bank),
                "{bank:?}"
            );
        }
    }

    #[test]
    fn names_and_ussd_codes_can_be_shown_as_they_are() {
        for bank in nigerian() {
            for name in [&bank.shortname, &bank.fullname] {
                let fits = (2..=60).contains(&name.chars().count()) && name.trim() == name.as_str();
                assert!(
                    fits && !name.contains("  ") && !name.contains("&amp;"),
                    "{name:?}"
                );
            }
            let dialled = |code: &String| {
                code.starts_with('*')
                    && code.ends_with('#')
                    && code
                        .bytes()
                        .all(|b| b.is_ascii_digit() || b == b'*' || b == b'#')
            };
            assert!(bank.ussd.as_ref().is_none_or(dialled), "{bank:?}");
        }
    }

    #[test]
    fn the_banks_people_use_have_the_codes_they_are_known_by() {
        for (identifier, code, kind, shortname) in KNOWN {
            let bank = bank(identifier);
            assert_eq!(
                bank.code.as_ref().map(BankCode::as_str),
                Some(code),
                "{identifier}"
            );
            assert_eq!((bank.kind, bank.shortname.as_str()), (kind, shortname));
        }
        assert_eq!(bank("NGNIP090267").fullname, "Kuda Microfinance Bank");
        assert_eq!(bank("NGNIP100033").kind, BankKind::MobileMoney);
        assert_eq!(bank("NGNIP120003").kind, BankKind::PaymentService);
        assert_eq!(bank("NGNIP000013").ussd.as_deref(), Some("*737#"));
    }

    #[test]
    fn every_class_of_institution_is_there() {
        let count = |kind| nigerian().iter().filter(|bank| bank.kind == kind).count();
        let least = [
            (BankKind::Commercial, 25),
            (BankKind::Merchant, 5),
            (BankKind::NonInterest, 4),
            (BankKind::Microfinance, 200),
            (BankKind::Mortgage, 20),
            (BankKind::Development, 1),
            (BankKind::PaymentService, 5),
            (BankKind::MobileMoney, 30),
        ];
        for (kind, least) in least {
            assert!(count(kind) >= least, "{kind:?}: {}", count(kind));
        }
        assert!(
            nigerian()
                .iter()
                .all(|bank| bank.country == CountryCode::NIGERIA)
        );
    }

    #[test]
    fn banks_are_listed_by_short_name_whatever_its_capitals() {
        let names: Vec<_> = nigerian()
            .iter()
            .map(|bank| bank.shortname.to_lowercase())
            .collect();
        assert!(names.is_sorted());
        let row = |identifier: &str, name: &str| {
            format!("{identifier}\tcommercial\t\t000000\t\t{name}\t{name} Plc")
        };
        let table = [
            row("NGNIP000002", "eTranzact"),
            row("NGNIP000003", "Zenith"),
            row("NGNIP000001", "ETRANZACT"),
            row("NGNIP000004", "Access"),
        ];
        let banks = JoinedBankDirectory::of(
            table::banks(&table.join("\n"), CountryCode::NIGERIA).collect(),
        );
        let listed = banks.banks(CountryCode::NIGERIA);
        let order: Vec<_> = listed.iter().map(|bank| bank.shortname.as_str()).collect();
        assert_eq!(order, ["Access", "ETRANZACT", "eTranzact", "Zenith"]);
        for bank in listed {
            assert_eq!(banks.bank(&bank.identifier), Some(bank));
        }
    }

    #[test]
    fn what_is_not_listed_is_not_there() {
        let unknown = BankIdentifier::parse("NGNIP999999").unwrap();
        assert_eq!(BANKS.bank(&unknown), None);
        assert!(BANKS.banks(CountryCode::parse("288").unwrap()).is_empty());
    }

    #[test]
    fn published_account_numbers_fit_their_banks() {
        // The example of the central bank's standard, and an example of a dedicated account.
        for (identifier, number) in [("NGNIP000016", "0000014579"), ("NGNIP000017", "9930020212")] {
            let number = AccountNumber::parse(number).unwrap();
            assert!(number.fits(bank(identifier)), "{number}");
        }
        let number = AccountNumber::parse("0000014570").unwrap();
        assert!(!number.fits(bank("NGNIP000016")));
        assert!(
            number.fits(bank("NGNIP100033")),
            "wallets go by telephone numbers"
        );
    }
}
