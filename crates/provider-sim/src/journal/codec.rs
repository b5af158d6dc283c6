//! How an entry is written: one line of tab-separated fields behind their checksum. A line that is
//! not exactly what was written must never be read as an entry.

use super::entry::SandboxEntry;
use crate::family_product::ProductFields;
use crate::outcome::{EntryOutcome, SandboxRefusal};
use crate::product::SandboxProduct;
use domain::money::{Currency, Money};
use domain::order::Service;
use domain::reference::ProviderReference;
use domain::time::Timestamp;
use std::time::Duration;

/// Longest line in bytes, line feed included: the longest reference and every other field at its
/// widest fit with room to spare, and a reader needs no more than this.
pub(crate) const LINE_BYTES_MAX: usize = 512;

/// Longest reference in bytes: an account, a merchant's reference and an attempt need 99.
const REFERENCE_BYTES_MAX: usize = 128;

/// What stands for nothing in a field.
const NONE: &str = "-";

/// What stands in the place of the service where a reference was sealed. No service has this code.
const SEAL: &str = "sealed";

/// A line of the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum JournalLine {
    /// A request that arrived.
    Entry(SandboxEntry),
    /// A reference that was sealed before any request under it: it is refused for ever.
    Seal(ProviderReference),
}

impl JournalLine {
    pub(crate) const fn reference(&self) -> &ProviderReference {
        match self {
            Self::Entry(entry) => &entry.reference,
            Self::Seal(reference) => reference,
        }
    }
}

/// The reference cannot be written into the journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a reference must be 1 to {REFERENCE_BYTES_MAX} printable ASCII characters without spaces")]
pub(crate) struct BadReference;

/// The line of an entry, line feed included.
pub(crate) fn encode(entry: &SandboxEntry) -> Result<Vec<u8>, BadReference> {
    let reference = writable(&entry.reference)?;
    let (biller, detail) = entry.product.fields();
    let biller = biller.as_deref().unwrap_or(NONE);
    let detail = detail.as_deref().unwrap_or(NONE);
    let (outcome, due) = outcome_words(entry.outcome);
    let due = due.map_or_else(|| NONE.to_owned(), |due| due.as_millis().to_string());
    let fields = format!(
        "{}\t{reference}\t{}\t{}\t{biller}\t{detail}\t{}\t{}\t{}\t{outcome}\t{due}\t{:x}\t{}",
        entry.at.as_millis(),
        entry.service().code(),
        entry.digits(),
        entry.ordered.currency().code(),
        entry.ordered.minor(),
        entry.amount.minor(),
        entry.seed,
        entry.later.as_millis(),
    );
    Ok(checked(&fields))
}

/// The line of a seal, line feed included.
pub(crate) fn encode_seal(
    reference: &ProviderReference,
    at: Timestamp,
) -> Result<Vec<u8>, BadReference> {
    let reference = writable(reference)?;
    Ok(checked(&format!("{}\t{reference}\t{SEAL}", at.as_millis())))
}

fn writable(reference: &ProviderReference) -> Result<&str, BadReference> {
    let reference = reference.as_str();
    let printable = reference.bytes().all(|b| b.is_ascii_graphic());
    if !printable || !(1..=REFERENCE_BYTES_MAX).contains(&reference.len()) {
        return Err(BadReference);
    }
    Ok(reference)
}

fn checked(fields: &str) -> Vec<u8> {
    let checksum = crc32fast::hash(fields.as_bytes());
    format!("{checksum:08x} {fields}\n").into_bytes()
}

/// What a line says, its line feed taken off; `None` where the line is damaged.
pub(crate) fn decode(line: &[u8]) -> Option<JournalLine> {
    let (checksum, fields) = std::str::from_utf8(line).ok()?.split_once(' ')?;
    let written = u32::from_str_radix(checksum, 16).ok()?;
    if written != crc32fast::hash(fields.as_bytes()) {
        return None;
    }
    let fields: Vec<&str> = fields.split('\t').collect();
    if let [at, reference, SEAL] = *fields {
        moment(at)?;
        return Some(JournalLine::Seal(ProviderReference::from_echo(reference)));
    }
    decode_entry(&fields).map(JournalLine::Entry)
}

fn decode_entry(fields: &[&str]) -> Option<SandboxEntry> {
    let [
        at,
        reference,
        service,
        digits,
        biller,
        detail,
        currency,
        ordered,
        amount,
        outcome,
        due,
        seed,
        ref rest @ ..,
    ] = *fields
    else {
        return None;
    };
    let later = match *rest {
        [] => Duration::ZERO,
        [later_ms] => Duration::from_millis(later_ms.parse().ok()?),
        [_, _, ..] => return None,
    };
    let said = |field| Some(field).filter(|field| *field != NONE);
    let fields = ProductFields {
        digits,
        biller: said(biller),
        detail: said(detail),
    };
    let currency = Currency::from_code(currency)?;
    let money = |minor: &str| Some(Money::from_minor(minor.parse().ok()?, currency));
    Some(SandboxEntry {
        reference: ProviderReference::from_echo(reference),
        product: SandboxProduct::read(Service::from_code(service)?, fields)?,
        ordered: money(ordered)?,
        amount: money(amount)?,
        at: moment(at)?,
        outcome: outcome_from_words(outcome, due)?,
        seed: u64::from_str_radix(seed, 16).ok()?,
        later,
    })
}

fn moment(millis: &str) -> Option<Timestamp> {
    millis.parse().ok().map(Timestamp::from_millis)
}

const fn outcome_words(outcome: EntryOutcome) -> (&'static str, Option<Timestamp>) {
    match outcome {
        EntryOutcome::Refused(refusal) => (refusal.word(), None),
        EntryOutcome::Delivered => ("delivered", None),
        EntryOutcome::Never => ("never", None),
        EntryOutcome::Later { due } => ("later", Some(due)),
        EntryOutcome::Slow { due } => ("slow", Some(due)),
        EntryOutcome::TokenLater { due } => ("token-later", Some(due)),
        EntryOutcome::Reversed { due } => ("reversed", Some(due)),
    }
}

fn outcome_from_words(outcome: &str, due: &str) -> Option<EntryOutcome> {
    let due = || moment(due);
    Some(match outcome {
        "delivered" => EntryOutcome::Delivered,
        "never" => EntryOutcome::Never,
        "later" => EntryOutcome::Later { due: due()? },
        "slow" => EntryOutcome::Slow { due: due()? },
        "token-later" => EntryOutcome::TokenLater { due: due()? },
        "reversed" => EntryOutcome::Reversed { due: due()? },
        word => {
            let mut refusals = SandboxRefusal::ALL.into_iter();
            EntryOutcome::Refused(refusals.find(|refusal| refusal.word() == word)?)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::airtime::AirtimeProduct;
    use crate::bank::PayoutProduct;
    use crate::bill::BillProduct;
    use crate::cabletv::CableTvProduct;
    use crate::electricity::ElectricityProduct;
    use crate::hlr::LookupProduct;
    use crate::internet::DataProduct;
    use crate::sms::MessageProduct;
    use domain::bank::BankIdentifier;
    use domain::bill::{BillCategory, BillNumber};
    use domain::billing::Billing;
    use domain::cabletv::SmartcardNumber;
    use domain::country::CountryCode;
    use domain::electricity::{DiscoCode, MeterNumber};
    use domain::phone::PhoneNumber;
    use domain::subscription::{BillerCode, PlanCode};

    fn entry(outcome: EntryOutcome, product: SandboxProduct) -> SandboxEntry {
        let naira = |minor| Money::from_minor(minor, Currency::Ngn);
        SandboxEntry {
            reference: ProviderReference::from_echo("shop.order:1.1"),
            product,
            ordered: naira(Money::MAX_MINOR),
            amount: naira(100),
            at: Timestamp::from_millis(-1),
            outcome,
            seed: u64::MAX,
            later: Duration::from_millis(u64::MAX),
        }
    }

    fn airtime() -> SandboxProduct {
        SandboxProduct::Airtime(AirtimeProduct {
            number: PhoneNumber::parse("2348031234567").unwrap(),
        })
    }

    fn meter(billing: Billing) -> SandboxProduct {
        SandboxProduct::Electricity(ElectricityProduct {
            disco: DiscoCode::parse("106").unwrap(),
            number: MeterNumber::parse("00123456789").unwrap(),
            billing,
        })
    }

    fn products() -> Vec<SandboxProduct> {
        let phone = || PhoneNumber::parse("2348031234567").unwrap();
        let provider = || BillerCode::parse("201").unwrap();
        let plan = || PlanCode::parse("999999999").unwrap();
        let card = |plan| {
            SandboxProduct::CableTv(CableTvProduct {
                provider: provider(),
                number: SmartcardNumber::parse("000031234567890").unwrap(),
                plan,
            })
        };
        let bill = |has_token| {
            let category = BillCategory::all().next().unwrap();
            SandboxProduct::Bill(BillProduct {
                category,
                biller: provider(),
                number: BillNumber::restore("0123456789").unwrap(),
                has_token,
            })
        };
        let lookup = |origin: Option<&str>| {
            SandboxProduct::Hlr(LookupProduct {
                number: phone(),
                country: CountryCode::parse("12").unwrap(),
                origin: origin.map(String::from),
            })
        };
        vec![
            airtime(),
            card(None),
            card(Some(plan())),
            meter(Billing::Prepaid),
            meter(Billing::Postpaid),
            SandboxProduct::Internet(DataProduct {
                provider: provider(),
                number: phone(),
                plan: plan(),
            }),
            SandboxProduct::Sms(MessageProduct {
                number: phone(),
                parts: u8::MAX,
                replied: None,
            }),
            SandboxProduct::Bank(PayoutProduct {
                bank: BankIdentifier::parse("00000000014").unwrap(),
                last_digits: "0010".to_owned(),
            }),
            bill(true),
            bill(false),
            lookup(None),
            lookup(Some("30")),
        ]
    }

    /// A line as it is written, around fields of the test's choice.
    fn line_of(fields: &str) -> String {
        format!("{:08x} {fields}", crc32fast::hash(fields.as_bytes()))
    }

    #[test]
    fn lines_of_before_there_were_receipts_are_read() {
        let old = line_of(
            "-1\tshop.order:1.1\telectricity\t00123456789\t106\tprepaid\tNGN\t\
             9007199254740991\t100\tdelivered\t-\tffffffffffffffff",
        );
        let mut expected = entry(EntryOutcome::Delivered, meter(Billing::Prepaid));
        expected.later = Duration::ZERO;
        assert_eq!(decode(old.as_bytes()), Some(JournalLine::Entry(expected)));
    }

    #[test]
    fn a_line_with_more_or_fewer_fields_is_no_entry() {
        let line = encode(&entry(EntryOutcome::Delivered, airtime())).unwrap();
        let line = String::from_utf8(line).unwrap();
        let fields = &line.trim_end()[9..];
        assert!(decode(line_of(fields).as_bytes()).is_some());
        assert_eq!(decode(line_of(&format!("{fields}\t1")).as_bytes()), None);
        let fewer: Vec<_> = fields.split('\t').take(11).collect();
        assert_eq!(decode(line_of(&fewer.join("\t")).as_bytes()), None);
    }

    #[test]
    fn every_fate_and_product_reads_back_as_written() {
        let due = Timestamp::from_millis(i64::MAX);
        let outcomes = [
            EntryOutcome::Delivered,
            EntryOutcome::Never,
            EntryOutcome::Later { due },
            EntryOutcome::Slow { due },
            EntryOutcome::TokenLater { due },
            EntryOutcome::Reversed { due },
        ];
        let refused = SandboxRefusal::ALL.map(EntryOutcome::Refused);
        for outcome in outcomes.into_iter().chain(refused) {
            for product in products() {
                let entry = entry(outcome, product);
                let line = encode(&entry).unwrap();
                assert!(line.len() <= LINE_BYTES_MAX);
                let read = decode(line.strip_suffix(b"\n").unwrap());
                assert_eq!(read, Some(JournalLine::Entry(entry)));
            }
        }
    }

    #[test]
    fn a_seal_reads_back_as_written() {
        let reference = ProviderReference::from_echo("shop.order:1.1");
        let line = encode_seal(&reference, Timestamp::from_millis(-1)).unwrap();
        let read = decode(line.strip_suffix(b"\n").unwrap());
        assert_eq!(read, Some(JournalLine::Seal(reference)));
        assert_eq!(Service::from_code(SEAL), None);
    }

    #[test]
    fn no_piece_of_a_line_and_no_changed_line_is_read_as_an_entry() {
        let line = encode(&entry(EntryOutcome::Delivered, airtime())).unwrap();
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
            let mut entry = entry(EntryOutcome::Delivered, airtime());
            entry.reference = ProviderReference::from_echo(reference);
            assert_eq!(encode(&entry), Err(BadReference), "{reference:?}");
        }
        let mut longest = entry(
            EntryOutcome::Later {
                due: Timestamp::from_millis(i64::MIN),
            },
            airtime(),
        );
        longest.reference = ProviderReference::from_echo("x".repeat(REFERENCE_BYTES_MAX));
        assert!(encode(&longest).unwrap().len() <= LINE_BYTES_MAX);
    }
}
