//! How an entry is written: one line of tab-separated fields behind their checksum. A line that is
//! not exactly what was written must never be read as an entry.

use super::entry::{BookEntry, Fate, Product, RefusalKind};
use domain::billing::Billing;
use domain::electricity::{DiscoCode, MeterNumber};
use domain::money::{Currency, Money};
use domain::order::Service;
use domain::phone::PhoneNumber;
use domain::reference::ProviderReference;
use domain::time::Timestamp;

/// Longest line in bytes, line feed included: the longest reference and every other field at its
/// widest fit with room to spare, and a reader needs no more than this.
pub(crate) const LINE_BYTES_MAX: usize = 512;

/// Longest reference in bytes: an account, a merchant's reference and an attempt need 99.
const REFERENCE_BYTES_MAX: usize = 128;

/// What stands for nothing in a field.
const NONE: &str = "-";

/// The reference cannot be written into the book.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a reference must be 1 to {REFERENCE_BYTES_MAX} printable ASCII characters without spaces")]
pub(crate) struct BadReference;

/// The line of an entry, line feed included.
pub(crate) fn encode(entry: &BookEntry) -> Result<Vec<u8>, BadReference> {
    let reference = entry.reference.as_str();
    let printable = reference.bytes().all(|b| b.is_ascii_graphic());
    if !printable || !(1..=REFERENCE_BYTES_MAX).contains(&reference.len()) {
        return Err(BadReference);
    }
    let (disco, billing) = match &entry.product {
        Product::Airtime { .. } => (NONE, NONE),
        Product::Electricity { disco, billing, .. } => (disco.as_str(), billing.code()),
    };
    let (fate, due) = fate_words(entry.fate);
    let due = due.map_or_else(|| NONE.to_owned(), |due| due.as_millis().to_string());
    let fields = format!(
        "{}\t{reference}\t{}\t{}\t{disco}\t{billing}\t{}\t{}\t{}\t{fate}\t{due}\t{:x}",
        entry.at.as_millis(),
        entry.service().code(),
        entry.digits(),
        entry.ordered.currency().code(),
        entry.ordered.minor(),
        entry.amount.minor(),
        entry.seed,
    );
    let checksum = crc32fast::hash(fields.as_bytes());
    Ok(format!("{checksum:08x} {fields}\n").into_bytes())
}

/// The entry of a line, its line feed taken off; `None` where the line is damaged.
pub(crate) fn decode(line: &[u8]) -> Option<BookEntry> {
    let (checksum, fields) = std::str::from_utf8(line).ok()?.split_once(' ')?;
    let written = u32::from_str_radix(checksum, 16).ok()?;
    if written != crc32fast::hash(fields.as_bytes()) {
        return None;
    }
    let fields: Vec<&str> = fields.split('\t').collect();
    let [
        at,
        reference,
        service,
        digits,
        disco,
        billing,
        currency,
        ordered,
        amount,
        fate,
        due,
        seed,
    ] = fields.try_into().ok()?;
    let currency = Currency::from_code(currency)?;
    let money = |minor: &str| Some(Money::from_minor(minor.parse().ok()?, currency));
    Some(BookEntry {
        reference: ProviderReference::from_echo(reference),
        product: product(Service::from_code(service)?, digits, (disco, billing))?,
        ordered: money(ordered)?,
        amount: money(amount)?,
        at: moment(at)?,
        fate: fate_from_words(fate, due)?,
        seed: u64::from_str_radix(seed, 16).ok()?,
    })
}

fn product(service: Service, digits: &str, (disco, billing): (&str, &str)) -> Option<Product> {
    Some(match service {
        Service::Airtime => Product::Airtime {
            number: PhoneNumber::parse(digits).ok()?,
        },
        Service::Electricity => Product::Electricity {
            disco: DiscoCode::parse(disco).ok()?,
            number: MeterNumber::parse(digits).ok()?,
            billing: Billing::from_code(billing)?,
        },
    })
}

fn moment(millis: &str) -> Option<Timestamp> {
    millis.parse().ok().map(Timestamp::from_millis)
}

const fn fate_words(fate: Fate) -> (&'static str, Option<Timestamp>) {
    match fate {
        Fate::Refused(RefusalKind::Declined) => ("declined", None),
        Fate::Refused(RefusalKind::UnknownCustomer) => ("unknown-customer", None),
        Fate::Refused(RefusalKind::UnknownBiller) => ("unknown-biller", None),
        Fate::Delivered => ("delivered", None),
        Fate::Never => ("never", None),
        Fate::Later { due } => ("later", Some(due)),
        Fate::Slow { due } => ("slow", Some(due)),
        Fate::TokenLater { due } => ("token-later", Some(due)),
        Fate::Reversed { due } => ("reversed", Some(due)),
    }
}

fn fate_from_words(fate: &str, due: &str) -> Option<Fate> {
    let due = || moment(due);
    Some(match fate {
        "declined" => Fate::Refused(RefusalKind::Declined),
        "unknown-customer" => Fate::Refused(RefusalKind::UnknownCustomer),
        "unknown-biller" => Fate::Refused(RefusalKind::UnknownBiller),
        "delivered" => Fate::Delivered,
        "never" => Fate::Never,
        "later" => Fate::Later { due: due()? },
        "slow" => Fate::Slow { due: due()? },
        "token-later" => Fate::TokenLater { due: due()? },
        "reversed" => Fate::Reversed { due: due()? },
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(fate: Fate, product: Product) -> BookEntry {
        let naira = |minor| Money::from_minor(minor, Currency::Ngn);
        BookEntry {
            reference: ProviderReference::from_echo("shop.order:1.1"),
            product,
            ordered: naira(Money::MAX_MINOR),
            amount: naira(100),
            at: Timestamp::from_millis(-1),
            fate,
            seed: u64::MAX,
        }
    }

    fn airtime() -> Product {
        Product::Airtime {
            number: PhoneNumber::parse("2348031234567").unwrap(),
        }
    }

    fn meter(billing: Billing) -> Product {
        Product::Electricity {
            disco: DiscoCode::parse("106").unwrap(),
            number: MeterNumber::parse("00123456789").unwrap(),
            billing,
        }
    }

    #[test]
    fn every_fate_and_product_reads_back_as_written() {
        let due = Timestamp::from_millis(i64::MAX);
        let fates = [
            Fate::Refused(RefusalKind::Declined),
            Fate::Refused(RefusalKind::UnknownCustomer),
            Fate::Refused(RefusalKind::UnknownBiller),
            Fate::Delivered,
            Fate::Never,
            Fate::Later { due },
            Fate::Slow { due },
            Fate::TokenLater { due },
            Fate::Reversed { due },
        ];
        for fate in fates {
            for product in [airtime(), meter(Billing::Prepaid), meter(Billing::Postpaid)] {
                let entry = entry(fate, product);
                let line = encode(&entry).unwrap();
                assert!(line.len() <= LINE_BYTES_MAX);
                assert_eq!(decode(line.strip_suffix(b"\n").unwrap()), Some(entry));
            }
        }
    }

    #[test]
    fn no_piece_of_a_line_and_no_changed_line_is_read_as_an_entry() {
        let line = encode(&entry(Fate::Delivered, airtime())).unwrap();
        let line = line.strip_suffix(b"\n").unwrap();
        for end in 0..line.len() {
            assert_eq!(decode(&line[..end]), None, "the first {end} bytes");
        }
        for index in 0..line.len() {
            let mut changed = line.to_vec();
            changed[index] ^= 1;
            assert_eq!(decode(&changed), None, "byte {index} changed");
        }
    }

    #[test]
    fn a_reference_that_could_break_a_line_is_refused() {
        for reference in ["", "a\tb", "a\nb", "a b", "é", &"x".repeat(129)] {
            let mut entry = entry(Fate::Delivered, airtime());
            entry.reference = ProviderReference::from_echo(reference);
            assert_eq!(encode(&entry), Err(BadReference), "{reference:?}");
        }
        let mut longest = entry(
            Fate::Later {
                due: Timestamp::from_millis(i64::MIN),
            },
            airtime(),
        );
        longest.reference = ProviderReference::from_echo("x".repeat(REFERENCE_BYTES_MAX));
        assert!(encode(&longest).unwrap().len() <= LINE_BYTES_MAX);
    }
}
