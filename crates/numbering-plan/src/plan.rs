//! The numbering plan of one country, from libphonenumber's metadata. It must never repair a
//! number: digits that are not the international form of an assigned range do not exist.

use std::collections::HashMap;

use domain::country::CountryCode;
use ports::numbering::LineKind;
use rlibphonenumber::{PHONE_NUMBER_UTIL, PhoneNumber, PhoneNumberType, Region};

/// What is needed to ask about a number of one country.
#[derive(Debug)]
pub(crate) struct NumberingTable {
    region: Region,
    calling_code: i32,
    /// The calling code as the digits a number starts with.
    calling_digits: String,
}

/// The plans of all countries that have one; Antarctica and six uninhabited or tiny territories
/// have none.
pub(crate) fn all() -> HashMap<CountryCode, NumberingTable> {
    let plan = |country: CountryCode| {
        let region = Region::from_code(country.alpha_2()?).ok()?;
        let calling_code = PHONE_NUMBER_UTIL.get_country_code_for_region(region)?;
        let calling_digits = calling_code.to_string();
        Some((
            country,
            NumberingTable {
                region,
                calling_code,
                calling_digits,
            },
        ))
    };
    CountryCode::all().filter_map(plan).collect()
}

impl NumberingTable {
    /// The kind of line behind `digits` (international, no plus), `None` where the number does not
    /// exist in this plan.
    pub(crate) fn kind_of(&self, digits: &str) -> Option<LineKind> {
        // The library's region check ignores the calling code (2.2.15 finds the Ghanaian 233 803...
        // in Nigeria's plan), so the code is taken off here. Its text parser is not used: it drops
        // a trunk zero (234 0803...), and two spellings of one number must not both pass.
        let national = digits.strip_prefix(self.calling_digits.as_str())?;
        let number = Self::international(self.calling_code, national)?;
        let exists = PHONE_NUMBER_UTIL.is_valid_number_for_region(&number, self.region);
        exists.then(|| line_kind(PHONE_NUMBER_UTIL.get_number_type(&number)))
    }

    /// The library's form of a number: leading zeros (Italy, Côte d'Ivoire) are counted apart, a
    /// last zero being the number itself.
    fn international(calling_code: i32, national: &str) -> Option<PhoneNumber> {
        let significant = national.trim_start_matches('0').len().max(1);
        let zeros = i32::try_from(national.len().checked_sub(significant)?).ok()?;
        Some(PhoneNumber {
            country_code: calling_code,
            national_number: national.parse().ok()?,
            italian_leading_zero: (zeros > 0).then_some(true),
            number_of_leading_zeros: (zeros > 0).then_some(zeros),
            ..PhoneNumber::default()
        })
    }
}

fn line_kind(kind: PhoneNumberType) -> LineKind {
    match kind {
        PhoneNumberType::Mobile | PhoneNumberType::FixedLineOrMobile => LineKind::Mobile,
        PhoneNumberType::FixedLine => LineKind::FixedLine,
        PhoneNumberType::TollFree
        | PhoneNumberType::PremiumRate
        | PhoneNumberType::SharedCost
        | PhoneNumberType::VoIP
        | PhoneNumberType::PersonalNumber
        | PhoneNumberType::Pager
        | PhoneNumberType::UAN
        | PhoneNumberType::VoiceMail
        | PhoneNumberType::Unknown => LineKind::Other,
    }
}

#[cfg(test)]
mod tests {
    use rlibphonenumber::PhoneNumberFormat;

    use super::*;

    const KINDS: [PhoneNumberType; 10] = [
        PhoneNumberType::FixedLine,
        PhoneNumberType::Mobile,
        PhoneNumberType::TollFree,
        PhoneNumberType::PremiumRate,
        PhoneNumberType::SharedCost,
        PhoneNumberType::VoIP,
        PhoneNumberType::PersonalNumber,
        PhoneNumberType::Pager,
        PhoneNumberType::UAN,
        PhoneNumberType::VoiceMail,
    ];

    #[test]
    fn only_territories_without_telephones_of_their_own_lack_a_plan() {
        let plans = all();
        let lacking = CountryCode::all().filter(|country| !plans.contains_key(country));
        let lacking: Vec<&str> = lacking.filter_map(CountryCode::alpha_2).collect();
        assert_eq!(lacking, ["AQ", "BV", "GS", "TF", "HM", "UM", "PN"]);
    }

    /// Runs every pattern of every plan, so one that the regex engine cannot compile shows here.
    #[test]
    fn the_example_numbers_of_every_plan_exist_in_it_as_their_kind() {
        let mut checked = 0;
        for plan in all().values() {
            for kind in KINDS {
                let Ok(example) =
                    PHONE_NUMBER_UTIL.get_example_number_for_type_and_region(plan.region, kind)
                else {
                    continue;
                };
                let text = PHONE_NUMBER_UTIL.format(&example, PhoneNumberFormat::E164);
                let digits = text.trim_start_matches('+');
                let found = plan.kind_of(digits);
                // Some plans give fixed and mobile lines the same ranges.
                let may_be_mobile = kind == PhoneNumberType::FixedLine;
                let fits = found == Some(line_kind(kind))
                    || may_be_mobile && found == Some(LineKind::Mobile);
                assert!(fits, "{:?} {kind:?} {digits}: {found:?}", plan.region);
                assert_eq!(
                    plan.kind_of(&digits[..digits.len() - 6]),
                    None,
                    "{digits} cut short"
                );
                checked += 1;
            }
        }
        assert!(checked > 700, "{checked} examples");
    }
}
