//! Bodies compared with a template, byte for byte but for what differs from run to run. It must not
//! parse the body: order, types and spelling are part of what is promised.

/// Compares a body with a template in which `<int>`, `<degrees>`, `<amount>`, `<rate>`,
/// `<datetime>`, `<date>`, `<isodate>`, `<token>`, `<digits>`, `<id>`, `<word>` and `<text>` stand
/// for a value of that shape, without its quotes, and `<nullable>` for null or a text with its
/// quotes.
pub fn check(template: &str, body: &str) {
    if let Err(at) = compare(template, body) {
        let (before, after) = body.split_at(at);
        panic!(
            "the body is not as promised after
  {before}
where it goes on
  {after}
\
             instead of
  {template}"
        );
    }
}

/// `Err` holds how many bytes of the body are as promised.
fn compare(template: &str, body: &str) -> Result<(), usize> {
    let mut rest = body;
    let mut promised = template;
    let done = |rest: &str| body.len() - rest.len();
    while let Some((literal, (kind, after))) = next_kind(promised) {
        rest = rest
            .strip_prefix(literal)
            .ok_or_else(|| done(common(literal, rest)))?;
        let length = accepted(kind, rest);
        if length == 0 && kind != "text" {
            return Err(done(rest));
        }
        rest = &rest[length..];
        promised = after;
    }
    if rest == promised {
        Ok(())
    } else {
        Err(done(common(promised, rest)))
    }
}

/// What comes before the first placeholder, the placeholder, and what comes after it.
fn next_kind(template: &str) -> Option<(&str, (&str, &str))> {
    let (literal, rest) = template.split_once('<')?;
    Some((literal, rest.split_once('>').expect("a placeholder ends")))
}

/// What is left of `rest` after what it has in common with `literal`.
fn common<'a>(literal: &str, rest: &'a str) -> &'a str {
    let same = literal
        .chars()
        .zip(rest.chars())
        .take_while(|(a, b)| a == b);
    let length: usize = same.map(|(a, _)| a.len_utf8()).sum();
    &rest[length..]
}

/// How many bytes at the beginning of a text are a value of a kind; 0 for none.
fn accepted(kind: &str, text: &str) -> usize {
    let up_to_quote = || text.find(['"', '\\']).unwrap_or(text.len());
    match kind {
        "int" | "digits" => text.bytes().take_while(u8::is_ascii_digit).count(),
        "degrees" => text
            .bytes()
            .take_while(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-'))
            .count(),
        "text" => quoted_length(text),
        "word" => text.bytes().take_while(u8::is_ascii_alphabetic).count(),
        "id" => text
            .bytes()
            .take_while(|b| b.is_ascii_alphanumeric() || *b == b'-')
            .count(),
        "amount" => whole_if(up_to_quote(), is_amount(&text[..up_to_quote()])),
        "rate" => whole_if(up_to_quote(), is_rate(&text[..up_to_quote()])),
        "datetime" => pattern("00-00-0000 00:00:00", text),
        "date" => pattern("00-00-0000", text),
        "isodate" => pattern("0000-00-00", text),
        "nullable" if text.starts_with("null") => "null".len(),
        "nullable" => text
            .strip_prefix('"')
            .map_or(0, |rest| quoted_length(rest).saturating_add(2)),
        "token" => pattern("0000-0000-0000-0000-0000", text),
        unknown => panic!("no such placeholder: <{unknown}>"),
    }
}

/// The length of JSON string content: up to the first quote that is not escaped.
fn quoted_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            '"' if !escaped => return at,
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    text.len()
}

fn whole_if(length: usize, fits: bool) -> usize {
    if fits { length } else { 0 }
}

/// Thousands grouped by commas and two decimals (interface §1, rule 6).
#[must_use]
pub fn is_amount(text: &str) -> bool {
    let Some((whole, decimals)) = text.split_once('.') else {
        return false;
    };
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let mut groups = whole.split(',');
    let first = groups.next().unwrap_or_default();
    digits(decimals)
        && decimals.len() == 2
        && digits(first)
        && first.len() <= 3
        && (first == "0" || !first.starts_with('0'))
        && groups.all(|group| digits(group) && group.len() == 3)
}

/// A decimal without grouping and with two decimals or more.
fn is_rate(text: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    text.split_once('.')
        .is_some_and(|(whole, decimals)| digits(whole) && digits(decimals) && decimals.len() >= 2)
}

/// A pattern in which `0` stands for any digit.
fn pattern(pattern: &str, text: &str) -> usize {
    let bytes = pattern.bytes().zip(text.bytes());
    let fits = bytes.filter(|(p, b)| {
        if *p == b'0' {
            b.is_ascii_digit()
        } else {
            p == b
        }
    });
    whole_if(pattern.len(), fits.count() == pattern.len())
}
