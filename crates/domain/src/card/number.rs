//! What may be the number of a card (ISO/IEC 7812). It must find one wherever it stands in a text,
//! and however its digits are grouped.

/// How many digits the number of a card has.
const DIGITS: std::ops::RangeInclusive<usize> = 13..=19;

/// Most characters between two groups of the digits of one number.
const SEPARATORS_MAX: usize = 3;

/// Whether a text holds what may be the number of a card: 13 to 19 digits, alone or in groups with
/// up to three blanks or signs between them, that begin as those of a card scheme and end with
/// their check digit. What stands before or behind the groups, such as when the card ends, is no
/// part of it; part of a longer group is no number of a card.
pub fn may_hold_card_number(text: &str) -> bool {
    let mut groups: Vec<Vec<u8>> = Vec::new();
    let mut separators = 0_usize;
    for character in text.chars() {
        if let Some(digit) = digit(character) {
            match groups.last_mut() {
                Some(group) if separators == 0 => group.push(digit),
                Some(_) | None => groups.push(vec![digit]),
            }
            separators = 0;
            continue;
        }
        separators = separators.saturating_add(1);
        if character.is_alphanumeric() || separators > SEPARATORS_MAX {
            if is_among(&groups) {
                return true;
            }
            groups.clear();
            separators = 0;
        }
    }
    is_among(&groups)
}

/// A digit as people in Nigeria and elsewhere type it: ASCII, full width or Arabic.
fn digit(character: char) -> Option<u8> {
    let zeros = ['0', '\u{ff10}', '\u{660}', '\u{6f0}'];
    let values = zeros.map(|zero| u32::from(character).checked_sub(u32::from(zero)));
    let value = values.into_iter().flatten().find(|value| *value < 10)?;
    u8::try_from(value).ok()
}

/// Whether groups that follow one another are the number of a card.
fn is_among(groups: &[Vec<u8>]) -> bool {
    let mut rest = groups;
    while let Some((_, later)) = rest.split_first() {
        let mut digits = Vec::new();
        for group in rest {
            digits.extend_from_slice(group);
            if digits.len() > *DIGITS.end() {
                break;
            }
            if is_card_number(&digits) {
                return true;
            }
        }
        rest = later;
    }
    false
}

fn is_card_number(digits: &[u8]) -> bool {
    DIGITS.contains(&digits.len()) && begins_as_card(digits) && has_check_digit(digits)
}

/// The first digits that the schemes issue: American Express, Diners Club, JCB, Visa, Mastercard,
/// Discover, Union Pay, Maestro and Verve.
fn begins_as_card(digits: &[u8]) -> bool {
    let first = |count: usize| {
        let digits = digits.iter().take(count);
        digits.fold(0_u32, |sum, digit| {
            sum.saturating_mul(10).saturating_add(u32::from(*digit))
        })
    };
    matches!(first(2), 30 | 34..=39 | 40..=49 | 50..=69) || (2_221..=2_720).contains(&first(4))
}

/// The formula of Luhn.
fn has_check_digit(digits: &[u8]) -> bool {
    let weighted = digits.iter().rev().enumerate().map(|(place, digit)| {
        let digit = u32::from(*digit);
        match (place % 2 == 1, digit) {
            (false, _) => digit,
            (true, 0..=4) => digit.saturating_mul(2),
            (true, _) => digit.saturating_mul(2).saturating_sub(9),
        }
    });
    weighted.sum::<u32>().is_multiple_of(10)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Numbers that the schemes publish for tests.
    const PUBLISHED: [&str; 8] = [
        "4111111111111111",
        "4222222222222",
        "5555555555554444",
        "2223003122003222",
        "378282246310005",
        "6011111111111117",
        "3530111333300000",
        "5060666666666666666",
    ];

    #[test]
    fn a_number_is_found_wherever_it_stands() {
        for number in PUBLISHED {
            assert!(may_hold_card_number(number), "{number}");
            assert!(may_hold_card_number(&format!("Pay to {number}, please")));
            assert!(may_hold_card_number(&format!("tok_{number}")));
        }
        for grouped in [
            "4111 1111 1111 1111",
            "4111-1111-1111-1111",
            "4111.1111.1111.1111",
            "card 3782 822463 10005.",
            "4111 1111 1111 1111 12/27",
            "4111111111111111 123",
            "5555555555554444 0926",
            "Order 5 4111111111111111",
            "2026-11-27 4111111111111111",
            "4111_1111_1111_1111",
            "4111:1111:1111:1111",
            "4111/1111,1111 - 1111",
            "4111\u{a0}1111\u{a0}1111\u{a0}1111",
            "4111  1111  1111  1111",
            "tok-4111-1111-1111-1111-1227",
            "\u{ff14}111111111111111",
            "\u{664}111111111111111",
        ] {
            assert!(may_hold_card_number(grouped), "{grouped}");
        }
    }

    #[test]
    fn other_numbers_are_none() {
        for text in [
            "",
            "Rent of May",
            "2348031234567",
            "4111111111111112",
            "411111111111",
            "41111111111111111111",
            "0000000000000000",
            "9111111111111111",
            "4111    1111    1111    1111",
            "4111a1111a1111a1111",
        ] {
            assert!(!may_hold_card_number(text), "{text}");
        }
    }

    proptest! {
        #[test]
        fn one_wrong_digit_is_no_number(at in 6_usize..15, other in 1_u8..10) {
            let mut digits = PUBLISHED[0].as_bytes().to_vec();
            digits[at] = b'0' + (digits[at] - b'0' + other) % 10;
            prop_assert!(!may_hold_card_number(std::str::from_utf8(&digits).unwrap()));
        }

        #[test]
        fn any_text_is_read(text in any::<String>()) {
            let _ = may_hold_card_number(&text);
        }
    }
}
