//! `GET /vas/hlrlookup`, the lookup and its report in one. It must show null for values the
//! register may still return, and the placeholder for values that will remain unknown.

use crate::attribute::{COUNTRY, PHONE, REFERENCE};
use crate::attributes::Attributes;
use crate::format::{self, available};
use crate::reader::{FieldReader, Handling};
use crate::transaction::{identity, parse_reference};
use crate::tree::{Node, Object};
use crate::violations::Violations;
use crate::zone::Zone;
use domain::country::CountryCode;
use domain::hlr::{HlrOrder, HlrQuery, HlrReport, HlrStatus};
use domain::money::{Currency, Money};
use domain::phone::PhoneNumber;
use domain::reference::MerchantReference;
use domain::transaction::{Delivered, State, Transaction};

/// The request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LookupQuery {
    /// Looks a number up.
    Lookup(HlrQuery),
    /// Requests the result of an earlier lookup.
    Report(MerchantReference),
}

/// The type of line a number belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PhoneLine {
    Mobile,
    FixedLine,
    /// Toll-free, over the internet and the like.
    Other,
    /// None: the plan has no such number.
    Invalid,
}

/// An answer that needed no query of a register.
#[derive(Debug, Clone, Copy)]
pub struct NotMobileNumber<'a> {
    pub reference: Option<&'a MerchantReference>,
    pub number: &'a PhoneNumber,
    pub country: CountryCode,
    pub line: PhoneLine,
    /// The currency the account is billed in, though nothing is charged.
    pub currency: Currency,
}

/// Reads a lookup or, where there is a reference and no number, the report of a lookup.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<LookupQuery, Violations> {
    let has = |name| attributes.get(name).is_some();
    if has(REFERENCE.name) && !has(COUNTRY.name) && !has(PHONE.name) {
        return parse_reference(attributes, handling).map(LookupQuery::Report);
    }
    let mut reader = FieldReader::new(attributes, handling);
    let country = reader.country();
    if country.is_ok_and(|country| country.name().is_none()) {
        reader.object(&COUNTRY, "is no country of ISO 3166-1; 566 is Nigeria");
    }
    let number = reader.phone();
    let reference = reader.optional(&REFERENCE, MerchantReference::parse);
    reader.finish(|| {
        Ok(LookupQuery::Lookup(HlrQuery {
            reference: reference?,
            country: country?,
            number: number?,
        }))
    })
}

/// A lookup that queried a register.
pub(crate) fn view(transaction: &Transaction, order: &HlrOrder, zone: &Zone) -> Object {
    let gateway = format::gateway_status(transaction.gateway_status());
    let register = Register::of(transaction);
    let shown = LookupView {
        number: &order.number,
        country: order.country,
        line: register.phone_line(),
        origin: order.network_origin.as_deref().unwrap_or_default(),
        register,
        price: transaction.quote.price,
    };
    identity(transaction)
        .with("txnDate", zone.date_time(transaction.opened_at))
        .with("gtwStatus", gateway)
        .and(shown.fields())
}

/// A lookup that queried no register: there is no transaction, so the fields of one are null.
pub fn not_mobile(lookup: &NotMobileNumber<'_>) -> Object {
    let shown = LookupView {
        number: lookup.number,
        country: lookup.country,
        line: lookup.line,
        origin: "",
        register: Register::Silent(lookup.line.status()),
        price: Money::zero(lookup.currency),
    };
    Object::new()
        .with(
            "mrcReference",
            lookup.reference.map(MerchantReference::as_str),
        )
        .with("txnReference", Node::Null)
        .with("txnStatus", Node::Null)
        .with("txnDate", Node::Null)
        .with("gtwStatus", Node::Null)
        .and(shown.fields())
}

/// The answer of the register.
#[derive(Debug, Clone, Copy)]
enum Register<'a> {
    /// No answer yet.
    Pending,
    Report(&'a HlrReport),
    /// No answer will come; the status says why, where there is one.
    Silent(Option<HlrStatus>),
}

impl<'a> Register<'a> {
    fn of(transaction: &'a Transaction) -> Self {
        match &transaction.state {
            State::Queued(_) | State::Sending(_) | State::InDoubt(_) | State::Review(_) => {
                Self::Pending
            }
            State::Successful(delivered) => Self::after(delivered),
            State::Reversed(reversed) => Self::after(&reversed.delivered),
            State::Failed(_) | State::Cancelled(_) | State::Booked(_) => {
                Self::Silent(Some(HlrStatus::Failed))
            }
        }
    }

    const fn after(delivered: &'a Delivered) -> Self {
        match delivered.fulfilment.hlr_report() {
            Some(report) => Self::Report(report),
            None => Self::Silent(Some(HlrStatus::Failed)),
        }
    }

    const fn report(self) -> Option<&'a HlrReport> {
        match self {
            Self::Report(report) => Some(report),
            Self::Pending | Self::Silent(_) => None,
        }
    }

    const fn status(self) -> Option<HlrStatus> {
        match self {
            Self::Pending => None,
            Self::Report(report) => Some(report.status),
            Self::Silent(status) => status,
        }
    }

    /// Only mobile numbers are looked up, and the register is more accurate than the numbering
    /// plan.
    fn phone_line(self) -> PhoneLine {
        match self.report().map(|report| report.status) {
            Some(HlrStatus::FixedLine) => PhoneLine::FixedLine,
            Some(HlrStatus::Voip) => PhoneLine::Other,
            Some(HlrStatus::Invalid) => PhoneLine::Invalid,
            Some(HlrStatus::Ok | HlrStatus::Absent | HlrStatus::Unknown | HlrStatus::Failed)
            | None => PhoneLine::Mobile,
        }
    }

    fn flag(self, reported: impl FnOnce(&HlrReport) -> Option<bool>) -> Node {
        let known = self.report().and_then(reported);
        known.map(Node::Boolean).into()
    }

    fn text(self, reported: impl FnOnce(&'a HlrReport) -> Option<&'a str>) -> Node {
        match self {
            Self::Pending => Node::Null,
            Self::Report(report) => available(reported(report).unwrap_or_default()),
            Self::Silent(_) => available(""),
        }
    }

    /// A text that exists only where a flag is true; null where it is false.
    fn text_where(
        self,
        flag: impl FnOnce(&HlrReport) -> Option<bool>,
        reported: impl FnOnce(&'a HlrReport) -> Option<&'a str>,
    ) -> Node {
        match self.report().and_then(flag) {
            Some(true) => self.text(reported),
            Some(false) => Node::Null,
            None => self.text(|_| None),
        }
    }
}

impl PhoneLine {
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Mobile => "mobile",
            Self::FixedLine => "fixed-line",
            Self::Other => "other",
            Self::Invalid => "invalid",
        }
    }

    /// The status shown where no register was queried. There is none for a line of which only is
    /// known that it is not mobile.
    const fn status(self) -> Option<HlrStatus> {
        match self {
            Self::FixedLine => Some(HlrStatus::FixedLine),
            Self::Invalid => Some(HlrStatus::Invalid),
            Self::Mobile | Self::Other => None,
        }
    }
}

/// The fields of every answer, whether a register was queried or not.
struct LookupView<'a> {
    number: &'a PhoneNumber,
    country: CountryCode,
    line: PhoneLine,
    origin: &'a str,
    register: Register<'a>,
    price: Money,
}

impl LookupView<'_> {
    fn fields(&self) -> Object {
        let register = self.register;
        let is_mobile = self.line == PhoneLine::Mobile;
        Object::new()
            .with("number", self.number.digits())
            .with("numberType", self.line.word())
            .with("isValid", Node::Boolean(self.line != PhoneLine::Invalid))
            .with("isMobile", Node::Boolean(is_mobile))
            .with("isLive", register.flag(|report| report.live))
            .with("isPorted", register.flag(|report| report.ported))
            .with("isRoaming", register.flag(|report| report.roaming))
            .with("hlrStatus", register.status().map(HlrStatus::code))
            .with("countryName", available(name(self.country)))
            .with("countryCode", self.country.to_string())
            .and(self.networks())
            .with("price", self.price)
            .with("currency", self.price.currency().code())
    }

    fn networks(&self) -> Object {
        let register = self.register;
        Object::new()
            .with("networkCurrent", register.text(current))
            .with("networkOrigin", available(self.origin))
            .with(
                "networkPorted",
                register.text_where(|report| report.ported, current),
            )
            .with("networkMCC", register.text(|report| report.mcc.as_deref()))
            .with("networkMNC", register.text(|report| report.mnc.as_deref()))
            .with(
                "roamingCountry",
                register.text_where(
                    |report| report.roaming,
                    |report| report.roaming_country.map(name),
                ),
            )
    }
}

fn name(country: CountryCode) -> &'static str {
    country.name().unwrap_or_default()
}

fn current(report: &HlrReport) -> Option<&str> {
    report.network_current.as_deref()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{faults, in_every_state, lagos, pretty, query};
    use crate::transaction::{answer, report};
    use domain::provider::Receipt;
    use testkit::builders::{
        START, advance, answer as answered, hlr, hlr_report, phone, receipt, reference,
    };

    fn read(text: &str) -> Result<LookupQuery, Violations> {
        parse(&query(text), Handling::Lenient)
    }

    fn reported(report: HlrReport) -> String {
        let opened = hlr().transaction();
        let receipt = Receipt {
            fulfilment: domain::provider::Fulfilment::Hlr(report),
            ..receipt(&opened)
        };
        let observation = answered(&opened, domain::provider::SubmitOutcome::Delivered(receipt));
        let received = advance(&opened, &observation, START).transaction;
        pretty(&answer(&received, &lagos()).into())
    }

    #[test]
    fn a_number_is_looked_up_with_or_without_a_reference() {
        let looked_up = HlrQuery {
            reference: None,
            country: CountryCode::NIGERIA,
            number: phone("2348031234567"),
        };
        let expected = Ok(LookupQuery::Lookup(looked_up.clone()));
        assert_eq!(read("countryCode=566&number=2348031234567"), expected);
        assert_eq!(read("countryCode=566&number=%2B2348031234567"), expected);
        let under = HlrQuery {
            reference: Some(reference("order-1")),
            ..looked_up
        };
        assert_eq!(
            read("mrcReference=order-1&countryCode=566&number=2348031234567"),
            Ok(LookupQuery::Lookup(under))
        );
    }

    #[test]
    fn a_reference_alone_asks_what_became_of_its_lookup() {
        let expected = Ok(LookupQuery::Report(reference("order-1")));
        assert_eq!(read("mrcReference=order-1"), expected);
        let shape = "400 -\nmrcReference: must be 1 to 64 characters out of A-Z a-z 0-9 . _ : -";
        assert_eq!(faults(read("mrcReference=a%20b")), shape);
    }

    #[test]
    fn a_missing_filter_is_reported_as_such_and_with_everything_else() {
        insta::assert_snapshot!(faults(read("")), @r"
        405 851
        countryCode: is required; add it to the query of the address
        number: is required; add it to the query of the address
        ");
        insta::assert_snapshot!(faults(read("mrcReference=&number=0803")), @r"
        405 851
        countryCode: is required; add it to the query of the address
        number: must be in international format: 8 to 15 digits, the plus sign optional
        mrcReference: must be 1 to 64 characters out of A-Z a-z 0-9 . _ : -
        ");
        insta::assert_snapshot!(faults(read("countryCode=999&number=0803")), @r"
        400 851
        countryCode: is no country of ISO 3166-1; 566 is Nigeria
        number: must be in international format: 8 to 15 digits, the plus sign optional
        ");
        let strict = parse(&query("countryCode=566&Number=1"), Handling::Strict);
        insta::assert_snapshot!(faults(strict), @r"
        405 822
        number: is required; add it to the query of the address
        Number: is not an attribute of this request; leave it out
        ");
    }

    #[test]
    fn a_lookup_looks_the_same_in_its_answer_and_its_report() {
        let opened = hlr().transaction();
        let zone = lagos();
        insta::assert_snapshot!("hlr", in_every_state(&opened, |tx| answer(tx, &zone)));
        assert_eq!(answer(&opened, &zone), report(&opened, &zone));
    }

    #[test]
    fn what_the_register_did_not_report_is_not_made_up() {
        let silent = HlrReport {
            status: HlrStatus::Failed,
            live: None,
            ported: None,
            roaming: None,
            network_current: None,
            mcc: None,
            mnc: None,
            roaming_country: None,
        };
        insta::assert_snapshot!("register_silent", reported(silent));
    }

    #[test]
    fn a_ported_number_that_roams_shows_where() {
        let abroad = HlrReport {
            ported: Some(true),
            roaming: Some(true),
            roaming_country: CountryCode::parse("288").ok(),
            ..hlr_report()
        };
        insta::assert_snapshot!("roaming", reported(abroad));
        let at_home = reported(HlrReport {
            ported: Some(false),
            ..hlr_report()
        });
        assert!(at_home.contains("networkPorted: null"), "{at_home}");
    }

    #[test]
    fn the_register_knows_better_than_the_plan_what_a_number_is() {
        for (status, shown) in [
            (HlrStatus::Ok, ["mobile", "true", "true"]),
            (HlrStatus::Absent, ["mobile", "true", "true"]),
            (HlrStatus::Unknown, ["mobile", "true", "true"]),
            (HlrStatus::Failed, ["mobile", "true", "true"]),
            (HlrStatus::FixedLine, ["fixed-line", "true", "false"]),
            (HlrStatus::Voip, ["other", "true", "false"]),
            (HlrStatus::Invalid, ["invalid", "false", "false"]),
        ] {
            let [kind, valid, mobile] = shown;
            let reported = reported(HlrReport {
                status,
                ..hlr_report()
            });
            let lines =
                format!("numberType: \"{kind}\"\n  isValid: {valid}\n  isMobile: {mobile}\n");
            assert!(reported.contains(&lines), "{status:?}: {reported}");
            let word = format!("hlrStatus: \"{}\"", status.code());
            assert!(reported.contains(&word), "{status:?}: {reported}");
        }
    }

    #[test]
    fn a_number_that_is_no_mobile_one_costs_nothing_and_has_no_transaction() {
        let under = reference("order-1");
        let number = phone("23412345678");
        let lines = [
            (PhoneLine::FixedLine, Some(&under)),
            (PhoneLine::Other, None),
            (PhoneLine::Invalid, None),
        ];
        let shown = lines.map(|(line, reference)| {
            let answer = not_mobile(&NotMobileNumber {
                reference,
                number: &number,
                country: CountryCode::NIGERIA,
                line,
                currency: Currency::Ngn,
            });
            pretty(&answer.into())
        });
        insta::assert_snapshot!("not_mobile", shown.join("\n"));
    }

    #[test]
    fn the_fields_are_the_same_whether_a_register_was_asked_or_not() {
        let number = phone("23412345678");
        let not_asked = not_mobile(&NotMobileNumber {
            reference: None,
            number: &number,
            country: CountryCode::NIGERIA,
            line: PhoneLine::Invalid,
            currency: Currency::Ngn,
        });
        let asked = answer(&hlr().transaction(), &lagos());
        let names = |object: &Object| object.fields().map(|(name, _)| name.to_owned()).collect();
        let (asked, not_asked): (Vec<_>, Vec<_>) = (names(&asked), names(&not_asked));
        assert_eq!(asked, not_asked);
    }
}
