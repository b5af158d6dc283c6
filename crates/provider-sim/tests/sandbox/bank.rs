//! Accounts: plausible, the same whenever they are looked up, and reachable with every ending
//! though the last digit of a real number is a check digit.

use crate::support::SandboxWorld;
use domain::bank::{
    AccountKind, AccountNumber, Bank, BankAccount, BankCode, BankIdentifier, BankKind,
};
use domain::country::CountryCode;
use ports::banks::BankAccounts;
use ports::provider::LookupFailure;
use provider_sim::SimSettings;
use std::collections::BTreeSet;

/// `GTBank`, and its code with the central bank.
const BANK: &str = "NGNIP000013";
const BANK_CODE: &str = "058";

async fn look_up(
    bench: &SandboxWorld,
    bank: &str,
    digits: &str,
) -> Result<BankAccount, LookupFailure> {
    let bank = BankIdentifier::parse(bank).unwrap();
    let number = AccountNumber::parse(digits).unwrap();
    bench.simulator().account(&bank, &number).await
}

#[tokio::test]
async fn accounts_are_plausible() {
    let bench = SandboxWorld::new();
    let (mut names, mut companies) = (BTreeSet::new(), 0);
    let mut kinds = [0_u32; 3];
    for n in 0_u32..1_000 {
        let digits = format!("{:010}", u64::from(n) * 7_919 + 20);
        let account = look_up(&bench, BANK, &digits).await.unwrap();
        assert_eq!(account.bank.as_str(), BANK);
        assert_eq!(account.number.digits(), digits);
        let printed = |c: char| c.is_ascii_uppercase() || c == ' ';
        assert!(account.name.chars().all(printed), "{}", account.name);
        assert!((2..=5).contains(&account.name.split(' ').count()));
        companies += u32::from(account.name.ends_with("LIMITED"));
        match account.kind {
            AccountKind::Savings => kinds[0] += 1,
            AccountKind::Current => kinds[1] += 1,
            AccountKind::Domiciliary => kinds[2] += 1,
        }
        names.insert(account.name);
    }
    assert!(names.len() > 700, "{}", names.len());
    assert!((50..200).contains(&companies), "{companies}");
    assert!(
        kinds[0] > 500 && kinds[1] > 150 && (1..60).contains(&kinds[2]),
        "{kinds:?}"
    );
}

#[tokio::test]
async fn an_account_is_the_same_in_every_run_of_a_seed_and_another_at_another_bank() {
    let seeded = |seed| {
        SandboxWorld::with(SimSettings {
            seed,
            ..SimSettings::default()
        })
    };
    let (one, same, other) = (seeded(5), seeded(5), seeded(6));
    let account = look_up(&one, BANK, "0100044567").await.unwrap();
    let again = look_up(&same, BANK, "0100044567").await.unwrap();
    assert_eq!(again, account);
    let elsewhere = look_up(&one, "NGNIP000014", "0100044567").await.unwrap();
    assert_ne!(elsewhere.name, account.name);
    let stranger = look_up(&other, BANK, "0100044567").await.unwrap();
    assert_ne!(stranger.name, account.name);
}

#[tokio::test]
async fn lookups_of_0012_and_0014_fail_and_all_others_answer() {
    let bench = SandboxWorld::new();
    for n in (1..=17).chain([4567]) {
        let digits = example(n);
        let expected = match n {
            12 => Err(LookupFailure::Unreachable),
            14 => Err(LookupFailure::Unknown),
            _ => Ok(digits.clone()),
        };
        let answer = look_up(&bench, BANK, &digits).await;
        let number = answer.map(|account| account.number.digits().to_owned());
        assert_eq!(number, expected, "{digits}");
    }
}

/// The examples of the documentation.
#[test]
fn there_is_an_account_at_a_bank_with_check_digits_for_every_ending() {
    let examples: Vec<_> = (1..=14).map(example).collect();
    assert_eq!(
        examples,
        [
            "0100010001",
            "0100040002",
            "0100070003",
            "0100000004",
            "0100030005",
            "0100060006",
            "0100090007",
            "0100020008",
            "0100050009",
            "0100070010",
            "0100000011",
            "0100030012",
            "0100060013",
            "0100090014",
        ]
    );
    assert_eq!(example(4567), "0100044567");
    let bank = bank();
    for digits in examples {
        let number = AccountNumber::parse(&digits).unwrap();
        assert!(number.fits(&bank), "the gateway would refuse {digits}");
    }
}

/// The bank as a directory of banks lists it.
fn bank() -> Bank {
    Bank {
        identifier: BankIdentifier::parse(BANK).unwrap(),
        country: CountryCode::NIGERIA,
        kind: BankKind::Commercial,
        shortname: "GTBank".to_owned(),
        fullname: "Guaranty Trust Bank Plc".to_owned(),
        code: Some(BankCode::parse(BANK_CODE).unwrap()),
        transfer_code: None,
        ussd: None,
    }
}

/// The first account number from 0100000000 on with an ending that has the right check digit.
fn example(ending: u32) -> String {
    let numbers = (10_000..20_000).map(|beginning| format!("{beginning:06}{ending:04}"));
    let mut right = numbers.filter(|number| check_digit(&number[..9]) == number[9..]);
    right.next().unwrap()
}

/// The check digit of a serial number: the digits of bank code and serial number are weighed with
/// 3, 7 and 3 in turn, and the check digit makes the sum a multiple of ten (Central Bank of
/// Nigeria, standard on bank account numbers).
fn check_digit(serial: &str) -> String {
    let digits = BANK_CODE.chars().chain(serial.chars());
    let weighed = digits.zip([3, 7, 3].into_iter().cycle());
    let sum: u32 = weighed
        .map(|(c, weight)| c.to_digit(10).unwrap() * weight)
        .sum();
    ((10 - sum % 10) % 10).to_string()
}
