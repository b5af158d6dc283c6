//! Writes names as people do that lists shout. It must not change which words a name has, the short
//! forms of legal forms aside.

/// Capitals that are not a word. Words without a vowel are taken for such anyway.
const INITIALS: [&str; 27] = [
    "AB", "ABU", "AG", "AMAC", "AMML", "BIPC", "CEMCS", "CIT", "EK", "FBN", "FUTO", "GTI", "IBTC",
    "IRL", "LAPO", "MAUTECH", "NIRSAL", "SPM", "U", "UNAAB", "UNICAL", "UNIBEN", "MFB", "FSDH",
    "UBA", "TCF", "VFD",
];

/// Words lists write in several ways.
const SPELLINGS: [(&str, &str); 10] = [
    ("PLC", "Plc"),
    ("LTD", "Limited"),
    ("LTD.", "Limited"),
    ("OF", "of"),
    ("AND", "and"),
    ("FOR", "for"),
    ("MFBANK", "MFB"),
    ("MICRO-FINANCE", "Microfinance"),
    ("MICROFINANACE", "Microfinance"),
    ("BAK", "Bank"),
];

const LONG: &str = "Microfinance Bank";
const SHORT: &str = "MFB";

/// A name with the capitals of a title: `ACCION MICROFINANCE BANK` is `Accion Microfinance Bank`.
pub(crate) fn tidy(name: &str) -> String {
    let name = name.replace("&amp;", "&");
    let words: Vec<String> = name.split_whitespace().map(word).collect();
    words.join(" ")
}

/// The legal name: `Accion MFB` is short for `Accion Microfinance Bank`.
pub(crate) fn full(name: &str) -> String {
    let whole = |word: &str| {
        if word == SHORT {
            LONG.to_owned()
        } else {
            word.to_owned()
        }
    };
    let words: Vec<String> = name.split(' ').map(whole).collect();
    words.join(" ")
}

/// The name without its legal form.
pub(crate) fn short(name: &str) -> String {
    let name = name.strip_suffix(" Limited").unwrap_or(name);
    let name = name.strip_suffix(" Plc").unwrap_or(name);
    name.replace(LONG, SHORT)
}

fn word(word: &str) -> String {
    let shouted = word.to_uppercase();
    if let Some((_, spelling)) = SPELLINGS.iter().find(|(other, _)| *other == shouted) {
        return (*spelling).to_owned();
    }
    let parts: Vec<String> = word.split('-').map(part).collect();
    parts.join("-")
}

fn part(part: &str) -> String {
    let shouts = part.chars().any(char::is_alphabetic) && !part.chars().any(char::is_lowercase);
    let letters = part.trim_matches(|c: char| !c.is_alphabetic());
    let initials = INITIALS.contains(&letters) || !letters.contains(['A', 'E', 'I', 'O', 'U', 'Y']);
    if !shouts || initials {
        return part.to_owned();
    }
    let mut first = true;
    part.chars()
        .map(|c| {
            let kept = !c.is_alphabetic() || std::mem::take(&mut first);
            if kept { c } else { c.to_ascii_lowercase() }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{full, short, tidy};

    #[test]
    fn shouted_names_are_written_as_titles() {
        let names = [
            ("ACCION MICROFINANCE BANK", "Accion Microfinance Bank"),
            (
                "AL-BARAKAH  MICROFINANCE BANK",
                "Al-Barakah Microfinance Bank",
            ),
            ("AB MICROFINANCE BANK", "AB Microfinance Bank"),
            ("BC KASH MFB", "BC Kash MFB"),
            (
                "UNIVERSITY OF NIGERIA, NSUKKA MFB",
                "University of Nigeria, Nsukka MFB",
            ),
            ("JAIZ BANK PLC", "Jaiz Bank Plc"),
            ("eTRANZACT", "eTRANZACT"),
            ("Access Yello &amp; Beta", "Access Yello & Beta"),
            ("U & C MFB", "U & C MFB"),
            ("PAGE MFBank", "Page MFB"),
        ];
        for (shouted, title) in names {
            assert_eq!(tidy(shouted), title);
        }
    }

    #[test]
    fn a_name_has_a_long_and_a_short_form() {
        assert_eq!(full("Accion MFB"), "Accion Microfinance Bank");
        assert_eq!(short("Accion Microfinance Bank"), "Accion MFB");
        assert_eq!(short("Wema Bank Plc"), "Wema Bank");
        assert_eq!(short("Globus Bank Limited"), "Globus Bank");
    }
}
