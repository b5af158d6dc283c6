//! The GSM 7-bit default alphabet and its extension table (3GPP TS 23.038 §6.2.1). National
//! language tables must never be assumed: a handset has to be known to read them.

/// How many septets a character takes: one in the default alphabet, two behind an escape in the
/// extension table, `None` in neither.
pub(super) const fn septets(c: char) -> Option<usize> {
    match c {
        c if is_default(c) => Some(1),
        '\u{C}' | '^' | '{' | '}' | '\\' | '[' | '~' | ']' | '|' | '€' => Some(2),
        _ => None,
    }
}

/// Whether a character is in the default alphabet. The escape is no character. Of the two cedillas
/// only the capital is, whatever older tables print; of the Greek capitals those that no Latin
/// capital looks like.
const fn is_default(c: char) -> bool {
    let is_ascii = matches!(c, '\n' | '\r' | ' '..='Z' | '_' | 'a'..='z');
    let is_sign = matches!(c, '£' | '¥' | '¤' | '¡' | '§' | '¿');
    let is_latin = matches!(
        c,
        'è' | 'é' | 'ù' | 'ì' | 'ò' | 'à' | 'ä' | 'ö' | 'ñ' | 'ü' | 'ø' | 'å' | 'æ' | 'ß'
    ) || matches!(c, 'É' | 'Ä' | 'Ö' | 'Ñ' | 'Ü' | 'Ø' | 'Å' | 'Æ' | 'Ç');
    let is_greek = matches!(c, 'Δ' | 'Φ' | 'Γ' | 'Λ' | 'Ω' | 'Π' | 'Ψ' | 'Σ' | 'Θ' | 'Ξ');
    is_ascii || is_sign || is_latin || is_greek
}
