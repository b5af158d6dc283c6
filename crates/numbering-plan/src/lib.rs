//! Telephone numbering plans by ISO 3166-1 country, and the networks that hold number blocks. It
//! must never say who serves a number today: numbers are ported, and only a lookup knows.

mod block_holders;
mod plan;
mod table;

use std::collections::HashMap;

use domain::country::CountryCode;
use domain::phone::PhoneNumber;
use ports::numbering::{NumberFacts, NumberingPlan};

use crate::block_holders::BlockHolders;
use crate::plan::NumberingTable;

/// The numbering plans of the world, embedded in the program.
#[derive(Debug)]
pub struct NumberingPlans {
    plans: HashMap<CountryCode, NumberingTable>,
    block_holders: BlockHolders,
}

impl NumberingPlans {
    /// Loads the plans: a few milliseconds and megabytes, spent here so that no lookup pays them.
    pub fn new() -> Self {
        Self {
            plans: plan::all(),
            block_holders: BlockHolders::new(),
        }
    }
}

impl Default for NumberingPlans {
    fn default() -> Self {
        Self::new()
    }
}

impl NumberingPlan for NumberingPlans {
    fn look_up(&self, number: &PhoneNumber, country: CountryCode) -> Option<NumberFacts> {
        let kind = self.plans.get(&country)?.kind_of(number.digits())?;
        let block_holder = self
            .block_holders
            .find(country, number.digits())
            .map(str::to_owned);
        Some(NumberFacts { kind, block_holder })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use ports::numbering::LineKind;
    use proptest::prelude::*;

    use super::*;

    static PLANS: LazyLock<NumberingPlans> = LazyLock::new(NumberingPlans::new);

    fn look_up(digits: &str, country: &str) -> Option<NumberFacts> {
        let number = PhoneNumber::parse(digits).unwrap();
        PLANS.look_up(&number, CountryCode::parse(country).unwrap())
    }

    fn kind(digits: &str, country: &str) -> Option<LineKind> {
        look_up(digits, country).map(|facts| facts.kind)
    }

    fn holder(digits: &str) -> Option<String> {
        look_up(digits, "566")
            .expect("a Nigerian number")
            .block_holder
    }

    #[test]
    fn a_number_of_another_country_does_not_exist_in_this_one() {
        assert_eq!(kind("233241234567", "288"), Some(LineKind::Mobile));
        assert_eq!(kind("233241234567", "566"), None);
        assert_eq!(kind("2348031234567", "288"), None);
        // Nigerian but for the calling code.
        assert_eq!(kind("2338031234567", "566"), None);
    }

    #[test]
    fn countries_that_share_a_calling_code_keep_their_own_numbers() {
        let shared = [
            ("12025550173", "840", "124"),  // Washington, not Canada
            ("14165550173", "124", "840"),  // Toronto, not the United States
            ("18765550173", "388", "840"),  // Jamaica
            ("447400123456", "826", "831"), // Britain, not Guernsey
            ("447781123456", "831", "826"), // Guernsey, not Britain
            ("77710009998", "398", "643"),  // Kazakhstan, not Russia
            ("79123456789", "643", "398"),  // Russia, not Kazakhstan
        ];
        for (digits, own, other) in shared {
            assert_eq!(
                kind(digits, own),
                Some(LineKind::Mobile),
                "{digits} in {own}"
            );
            assert_eq!(kind(digits, other), None, "{digits} in {other}");
        }
    }

    #[test]
    fn unassigned_short_long_and_misspelled_numbers_do_not_exist() {
        let refused = [
            "234803123456",    // a digit short
            "23480312345678",  // a digit long
            "23408031234567",  // the trunk zero kept
            "2346031234567",   // no such range
            "2348000000",      // toll-free range, too short
            "234000000000000", // zeros only
            "999999999999999",
        ];
        for digits in refused {
            assert_eq!(look_up(digits, "566"), None, "{digits}");
        }
    }

    #[test]
    fn the_kind_of_line_comes_from_the_plan() {
        assert_eq!(kind("2348031234567", "566"), Some(LineKind::Mobile));
        assert_eq!(kind("2342033123456", "566"), Some(LineKind::FixedLine));
        assert_eq!(kind("23480017591759", "566"), Some(LineKind::Other));
        assert_eq!(
            kind("14165550173", "124"),
            Some(LineKind::Mobile),
            "may be mobile"
        );
    }

    #[test]
    fn zeros_that_open_a_national_number_are_part_of_it() {
        assert_eq!(kind("390612345678", "380"), Some(LineKind::FixedLine));
        assert_eq!(kind("39612345678", "380"), None);
        assert_eq!(kind("2250123456789", "384"), Some(LineKind::Mobile));
    }

    #[test]
    fn a_country_without_a_plan_has_no_numbers() {
        for country in ["010", "999"] {
            assert_eq!(look_up("2348031234567", country), None, "{country}");
        }
    }

    #[test]
    fn the_blocks_of_the_operators_are_theirs() {
        let blocks: [(&str, &[u16]); 4] = [
            (
                "MTN",
                &[703, 706, 803, 806, 810, 813, 814, 816, 903, 906, 913],
            ),
            (
                "Airtel",
                &[701, 708, 802, 808, 812, 901, 902, 904, 907, 911, 912],
            ),
            ("Glo", &[705, 805, 807, 811, 815, 905, 915]),
            ("9mobile", &[809, 817, 818, 908, 909]),
        ];
        for (brand, prefixes) in blocks {
            for prefix in prefixes {
                assert_eq!(
                    holder(&format!("234{prefix}1234567")).as_deref(),
                    Some(brand),
                    "{prefix}"
                );
            }
        }
        assert_eq!(holder("2347020123456").as_deref(), Some("Smile"));
        assert_eq!(holder("2348041234567").as_deref(), Some("ntel"));
        assert_eq!(holder("2348011234567").as_deref(), Some("MAFAB"));
        assert_eq!(
            holder("2347025123456").as_deref(),
            Some("MTN"),
            "inside another network's range"
        );
    }

    #[test]
    fn an_existing_number_may_have_no_recorded_holder() {
        assert_eq!(holder("2349141234567"), None);
        assert_eq!(holder("2342033123456"), None, "a fixed line");
        assert_eq!(
            look_up("233241234567", "288").unwrap().block_holder,
            None,
            "not recorded"
        );
    }

    #[test]
    fn every_recorded_block_lies_in_the_mobile_ranges_of_the_plan() {
        let table = include_str!("../data/carriers-566.tsv");
        for (prefix, brand) in table::records(table) {
            let first = format!("{prefix:0<13}");
            let facts = look_up(&first, "566").unwrap_or_else(|| panic!("{first} does not exist"));
            assert_eq!(facts.kind, LineKind::Mobile, "{first}");
            assert_eq!(facts.block_holder.as_deref(), Some(brand), "{first}");
        }
    }

    proptest! {
        #[test]
        fn no_digits_break_a_lookup(digits in "[1-9][0-9]{7,14}", country in 1_u16..=999) {
            let _ = look_up(&digits, &country.to_string());
        }

        #[test]
        fn what_exists_in_nigeria_starts_with_234(digits in "(234)?[1-9][0-9]{7,11}") {
            if look_up(&digits, "566").is_some() {
                prop_assert!(digits.starts_with("234"), "{}", digits);
            }
        }
    }
}
