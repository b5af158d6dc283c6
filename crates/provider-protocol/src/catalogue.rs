//! What a provider sells: `GET /catalogue/{service}`. A page must be refused whole where one offer
//! of it cannot be read: a list with a hole in it would say that a plan is sold no more.

use crate::amount::{Amount, optional};
use crate::document::{DocumentError, word};
use crate::paid_lookup::LookupOfferDocument;
use domain::listed_offer::ListedOffer;
use domain::money::{Currency, Money};
use domain::order::Service;
use domain::paid_lookup::LookupDefinition;
use serde::{Deserialize, Serialize};

/// Most offers of a page: so many of the longest fit into a body.
const OFFERS_PAGE_MAX: usize = 50;

/// Most lookups of a page: what they ask for is longer than a price.
const LOOKUPS_PAGE_MAX: usize = 10;

/// Most offers of a page of a service.
pub const fn offers_page_max(service: Service) -> usize {
    if matches!(service, Service::Lookup(_)) {
        LOOKUPS_PAGE_MAX
    } else {
        OFFERS_PAGE_MAX
    }
}

/// Most offers of a service. The longest published list of an aggregator has some 600.
pub const OFFERS_MAX: usize = 2_000;

/// Most pages of a service: a provider may send short ones, and not for ever.
pub const OFFER_PAGES_MAX: usize = 200;

/// Most characters of a provider's code of an offer, as in the catalogue of the gateway.
pub const OFFER_CODE_MAX: usize = 64;

/// Most characters of the name of a product, such as `internet.301`.
const PRODUCT_MAX: usize = 64;

/// Most characters of the name of an offer.
const NAME_MAX: usize = 100;

/// A page of what a provider sells of a service. The offers of a service are numbered from 0 in the
/// order of the list, and the first of these has the number that was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CatalogueDocument {
    /// The service that was asked for.
    pub service: String,
    /// At most 50 offers, of lookups 10.
    pub offers: Vec<OfferDocument>,
    /// The number of the first offer of the next page; absent at the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<u64>,
}

/// An offer as it stands in a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OfferDocument {
    /// The product, such as `internet.301`.
    pub product: String,
    /// What the provider calls it.
    pub code: String,
    /// Its name, for people.
    pub name: String,
    /// Its price, where it is fixed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<Amount>,
    /// The smallest amount, where the customer chooses it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minimum: Option<Amount>,
    /// The largest amount, where the customer chooses it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maximum: Option<Amount>,
    /// Whether it can be bought at the moment.
    pub available: bool,
    /// What it asks for; of lookups alone, and of each of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lookup: Option<LookupOfferDocument>,
}

impl From<&ListedOffer> for OfferDocument {
    fn from(offer: &ListedOffer) -> Self {
        Self {
            product: offer.product.clone(),
            code: offer.code.clone(),
            name: offer.name.clone(),
            amount: offer.amount.map(Into::into),
            minimum: offer.minimum.map(Into::into),
            maximum: offer.maximum.map(Into::into),
            available: offer.available,
            lookup: offer.lookup.as_ref().map(Into::into),
        }
    }
}

impl OfferDocument {
    fn offer(&self, service: Service) -> Result<ListedOffer, DocumentError> {
        if !is_product(&self.product, service) {
            let reason = format!("must be {}.… with what is paid in it", service.code());
            return Err(DocumentError::field("product", reason));
        }
        if !is_offer_code(&self.code) {
            let reason = format!("must be 1 to {OFFER_CODE_MAX} visible characters");
            return Err(DocumentError::field("code", reason));
        }
        let letters = self.name.chars().count();
        if !(1..=NAME_MAX).contains(&letters) || self.name.chars().any(char::is_control) {
            let reason = format!("must be 1 to {NAME_MAX} characters without control characters");
            return Err(DocumentError::field("name", reason));
        }
        let amount = naira(optional(self.amount.as_ref(), "amount")?, "amount")?;
        let minimum = naira(optional(self.minimum.as_ref(), "minimum")?, "minimum")?;
        let maximum = naira(optional(self.maximum.as_ref(), "maximum")?, "maximum")?;
        if amount.is_some() && (minimum.is_some() || maximum.is_some()) {
            let reason = "is a fixed price; leave out `minimum` and `maximum`, or `amount`";
            return Err(DocumentError::field("amount", reason));
        }
        if let (Some(least), Some(most)) = (minimum, maximum)
            && least.minor() > most.minor()
        {
            return Err(DocumentError::field(
                "maximum",
                "must not be below `minimum`",
            ));
        }
        let lookup = self.lookup(service)?;
        Ok(ListedOffer {
            product: self.product.clone(),
            code: self.code.clone(),
            name: self.name.clone(),
            amount,
            minimum,
            maximum,
            available: self.available,
            lookup,
        })
    }

    fn lookup(&self, service: Service) -> Result<Option<LookupDefinition>, DocumentError> {
        match (service, &self.lookup) {
            (Service::Lookup(category), Some(lookup)) => {
                let code = self.product.split_once('.');
                let code = code.map_or("", |(_, code)| code);
                lookup.definition(category, (code, &self.name)).map(Some)
            }
            (Service::Lookup(_), None) => {
                let reason = "must say what the lookup asks for";
                Err(DocumentError::field("lookup", reason))
            }
            (_, Some(_)) => Err(DocumentError::field("lookup", "is of lookups alone")),
            (_, None) => Ok(None),
        }
    }
}

impl CatalogueDocument {
    /// The page from `after` on, of the offers of a service. The caller sees to it that no page
    /// holds more than [`offers_page_max`].
    pub fn of(service: Service, offers: &[ListedOffer], next: Option<u64>) -> Self {
        Self {
            service: service.code().to_owned(),
            offers: offers.iter().map(Into::into).collect(),
            next,
        }
    }

    /// The offers of the page that was asked for from `after` on.
    ///
    /// # Errors
    /// When it is of another service, has too many offers, one of them cannot be read, or `next` is
    /// not the number after them.
    pub fn page(&self, service: Service, after: u64) -> Result<Vec<ListedOffer>, DocumentError> {
        if word(Service::from_code(&self.service), "service")? != service {
            return Err(DocumentError::field("service", "is not what was asked for"));
        }
        let most = offers_page_max(service);
        if self.offers.len() > most {
            let reason = format!("must hold at most {most} offers");
            return Err(DocumentError::field("offers", reason));
        }
        let end = after.saturating_add(self.offers.len() as u64);
        if self
            .next
            .is_some_and(|next| next != end || self.offers.is_empty())
        {
            let reason = format!("must be {end}, the number after the last offer of the page");
            return Err(DocumentError::field("next", reason));
        }
        self.offers.iter().map(|it| it.offer(service)).collect()
    }
}

/// The pages of a service as they come, put together.
#[derive(Debug, Default)]
pub struct OfferListReading {
    offers: Vec<ListedOffer>,
    pages: usize,
}

impl OfferListReading {
    /// The number of the first offer that is still to be read.
    pub fn after(&self) -> u64 {
        self.offers.len() as u64
    }

    /// Adds the next page; whether there is another one.
    ///
    /// # Errors
    /// When the page cannot be read, the list is too long, or a product lists a code twice.
    pub fn add(
        &mut self,
        page: &CatalogueDocument,
        service: Service,
    ) -> Result<bool, DocumentError> {
        let offers = page.page(service, self.after())?;
        self.pages = self.pages.saturating_add(1);
        let length = self.offers.len().saturating_add(offers.len());
        if length > OFFERS_MAX || (self.pages >= OFFER_PAGES_MAX && page.next.is_some()) {
            let reason = format!(
                "of a service must be {OFFERS_MAX} at most, on {OFFER_PAGES_MAX} pages at most"
            );
            return Err(DocumentError::field("offers", reason));
        }
        for offer in offers {
            let is_it = |it: &ListedOffer| it.product == offer.product && it.code == offer.code;
            if self.offers.iter().any(is_it) {
                let reason = format!("is listed twice: {} of {}", offer.code, offer.product);
                return Err(DocumentError::field("code", reason));
            }
            self.offers.push(offer);
        }
        Ok(page.next.is_some())
    }

    /// Everything that was read.
    pub fn into_offers(self) -> Vec<ListedOffer> {
        self.offers
    }
}

/// Whether a text can be a provider's code of an offer.
pub fn is_offer_code(text: &str) -> bool {
    (1..=OFFER_CODE_MAX).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_graphic())
}

/// Whether a text names a product of a service, such as `internet.301`.
fn is_product(text: &str, service: Service) -> bool {
    let rest = text.strip_prefix(service.code());
    let rest = rest.and_then(|rest| rest.strip_prefix('.'));
    let is_name = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-');
    let named = rest.is_some_and(|rest| !rest.is_empty() && rest.bytes().all(is_name));
    named && text.len() <= PRODUCT_MAX
}

/// A price or a limit: naira above zero.
fn naira(amount: Option<Money>, field: &'static str) -> Result<Option<Money>, DocumentError> {
    match amount {
        Some(money) if money.currency() != Currency::Ngn => {
            Err(DocumentError::field(field, "must be in NGN, in whole kobo"))
        }
        Some(money) if !money.is_positive() => {
            Err(DocumentError::field(field, "must be above zero"))
        }
        found => Ok(found),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{read, write};
    use domain::paid_lookup::{LookupCategory, LookupCode, LookupTexts, ParameterTexts};

    const PLAN: &str = r#"{"product":"internet.301","code":"mtn-2gb","name":"2GB",
        "amount":{"minor":150000,"currency":"NGN"},"available":true}"#;

    fn page(text: &str) -> Result<Vec<ListedOffer>, DocumentError> {
        let document: CatalogueDocument = read(text.as_bytes())?;
        document.page(Service::Internet, 0)
    }

    fn listing(offers: &[&str], next: &str) -> String {
        let offers = offers.join(",");
        format!(r#"{{"service":"internet","offers":[{offers}]{next}}}"#)
    }

    #[test]
    fn a_page_reads_back_as_it_was_written() {
        let range = r#"{"product":"internet.9","code":"any","name":"Any",
            "minimum":{"minor":5000,"currency":"NGN"},"maximum":{"minor":5000000,"currency":"NGN"},
            "available":false}"#;
        let first = page(&listing(&[PLAN, range], r#","next":2"#)).unwrap();
        assert_eq!(
            first[0].amount,
            Some(Money::from_minor(150_000, Currency::Ngn))
        );
        assert!(!first[1].available);
        let again = write(&CatalogueDocument::of(Service::Internet, &first, Some(2))).unwrap();
        assert_eq!(page(std::str::from_utf8(&again).unwrap()), Ok(first));
    }

    #[test]
    fn a_page_with_an_offer_that_cannot_be_read_is_refused_whole() {
        let other = |from: &str, to: &str| {
            let changed = PLAN.replacen(from, to, 1);
            assert_ne!(changed, PLAN, "{from}");
            listing(&[PLAN, &changed], "")
        };
        for (wrong, named) in [
            (other("internet.301", "cabletv.301"), "`product`"),
            (other("internet.301", "internet."), "`product`"),
            (other("internet.301", "internet.3 1"), "`product`"),
            (other("mtn-2gb", ""), "`code`"),
            (other("mtn-2gb", "mtn 2gb"), "`code`"),
            (other("mtn-2gb", &"x".repeat(65)), "`code`"),
            (other("\"2GB\"", "\"\""), "`name`"),
            (other("\"2GB\"", "\"a\\u0007\""), "`name`"),
            (other("150000", "0"), "`amount`"),
            (other("150000", "-5"), "`amount`"),
            (other("150000", "1500.00"), "cannot be read"),
            (other("NGN", "CRD"), "`amount`"),
            (
                other(
                    "\"available\"",
                    r#""minimum":{"minor":1,"currency":"NGN"},"available""#,
                ),
                "`amount`",
            ),
            (
                other(
                    r#""amount":{"minor":150000,"currency":"NGN"}"#,
                    r#""minimum":{"minor":2,"currency":"NGN"},
                       "maximum":{"minor":1,"currency":"NGN"}"#,
                ),
                "`maximum`",
            ),
            (other(",\"available\":true", ""), "cannot be read"),
            ("<html>".to_owned(), "cannot be read"),
            (listing(&[PLAN; 51], ""), "`offers`"),
            (listing(&[PLAN], r#","next":2"#), "`next`"),
            (listing(&[PLAN], r#","next":0"#), "`next`"),
            (listing(&[], r#","next":0"#), "`next`"),
            (
                listing(&[PLAN], "").replacen("\"internet\"", "\"cabletv\"", 1),
                "`service`",
            ),
        ] {
            let said = page(&wrong).unwrap_err().to_string();
            assert!(said.contains(named), "{said}: {wrong}");
        }
    }

    fn offer(number: usize) -> ListedOffer {
        ListedOffer {
            product: "internet.301".to_owned(),
            code: format!("plan-{number}"),
            name: "A plan".to_owned(),
            amount: Some(Money::from_minor(100, Currency::Ngn)),
            minimum: None,
            maximum: None,
            available: true,
            lookup: None,
        }
    }

    #[test]
    fn pages_are_put_together_and_none_comes_for_ever() {
        let page = |from: usize, length: usize, more: bool| {
            let offers: Vec<_> = (from..from + length).map(offer).collect();
            let next = more.then_some((from + length) as u64);
            CatalogueDocument::of(Service::Internet, &offers, next)
        };
        let mut reading = OfferListReading::default();
        assert_eq!(reading.add(&page(0, 50, true), Service::Internet), Ok(true));
        assert_eq!(
            reading.add(&page(50, 3, false), Service::Internet),
            Ok(false)
        );
        assert_eq!(reading.into_offers().len(), 53);

        let mut full = OfferListReading::default();
        for at in (0..OFFERS_MAX).step_by(50) {
            let more = at + 50 < OFFERS_MAX;
            let added = full.add(&page(at, 50, more), Service::Internet);
            assert_eq!(added, Ok(more));
        }
        assert_eq!(full.into_offers().len(), OFFERS_MAX);

        let mut twice = OfferListReading::default();
        twice.add(&page(0, 2, true), Service::Internet).unwrap();
        let repeated = CatalogueDocument {
            next: None,
            ..page(1, 1, false)
        };
        let refused = twice.add(&repeated, Service::Internet).unwrap_err();
        assert!(refused.to_string().contains("listed twice"), "{refused}");

        for length in [1, 50] {
            let mut endless = OfferListReading::default();
            let mut at = 0;
            let pages = (0..=OFFERS_MAX).take_while(|_| {
                let goes_on = endless.add(&page(at, length, true), Service::Internet);
                at += length;
                goes_on.is_ok()
            });
            assert!(pages.count() <= OFFER_PAGES_MAX);
        }
    }

    #[test]
    fn a_full_page_of_the_longest_offers_fits_into_a_body() {
        let most = Money::from_minor(Money::MAX_MINOR, Currency::Ngn);
        let longest = ListedOffer {
            product: format!("internet.{}", "9".repeat(PRODUCT_MAX - 9)),
            code: "\"".repeat(OFFER_CODE_MAX),
            name: "\u{1f600}".repeat(NAME_MAX),
            amount: None,
            minimum: Some(most),
            maximum: Some(most),
            available: false,
            lookup: None,
        };
        let full = vec![longest; OFFERS_PAGE_MAX];
        let page = CatalogueDocument::of(Service::Internet, &full, Some(OFFERS_PAGE_MAX as u64));
        assert!(page.page(Service::Internet, 0).is_ok());
        assert!(write(&page).is_ok());
    }

    #[test]
    fn a_full_page_of_the_longest_lookups_fits_into_a_body() {
        let widest = |length: usize| "\u{1f600}".repeat(length);
        let (label, about) = (
            widest(LookupDefinition::LABEL_LENGTH_MAX),
            widest(LookupDefinition::ABOUT_LENGTH_MAX),
        );
        let names = (0..LookupDefinition::PARAMETERS_MAX).map(|it| {
            let number = it.to_string();
            let length = LookupDefinition::NAME_LENGTH_MAX - number.len();
            format!("{}{number}", "n".repeat(length))
        });
        let names: Vec<_> = names.collect();
        let parameters = names.iter().map(|name| ParameterTexts {
            name,
            label: &label,
            form: "digits 99-100",
            required: false,
        });
        let parameters: Vec<_> = parameters.collect();
        let texts = LookupTexts {
            code: &"c".repeat(LookupCode::LENGTH_MAX),
            name: &label,
            about: &about,
            country: "566",
            number_label: &label,
            number_form: "digits 99-100",
            needs_consent: false,
        };
        let record = LookupCategory::Record;
        let lookup = LookupDefinition::read(record, &texts, &parameters).unwrap();
        let longest = ListedOffer {
            product: format!("lookup.{}", lookup.code),
            code: "\"".repeat(OFFER_CODE_MAX),
            name: lookup.name.clone(),
            amount: Some(Money::from_minor(Money::MAX_MINOR, Currency::Ngn)),
            minimum: None,
            maximum: None,
            available: false,
            lookup: Some(lookup),
        };
        let service = Service::Lookup(record);
        let full = vec![longest; offers_page_max(service)];
        let next = full.len() as u64;
        let page = CatalogueDocument::of(service, &full, Some(next));
        let written = write(&page).unwrap();
        let read: CatalogueDocument = read(&written).unwrap();
        assert_eq!(read.page(service, 0), Ok(full));
    }

    #[test]
    fn a_lookup_says_what_it_asks_for_and_nothing_else_does() {
        let lookup = r#"{"product":"lookup.sim-age","code":"7","name":"Age of a SIM",
            "amount":{"minor":1500,"currency":"NGN"},"available":true,"lookup":{
            "about":"Since when.","country":"566","numberLabel":"Number","numberForm":"phone",
            "needsConsent":true}}"#;
        let service = Service::Lookup(LookupCategory::Record);
        let page = |offer: &str, service: Service| {
            let text = format!(r#"{{"service":"{}","offers":[{offer}]}}"#, service.code());
            let document: CatalogueDocument = read(text.as_bytes())?;
            document.page(service, 0)
        };
        let read = page(lookup, service).unwrap();
        assert!(read[0].lookup.as_ref().unwrap().needs_consent);
        let wrong = lookup.replacen("phone", "text 9", 1);
        let said = page(&wrong, service).unwrap_err().to_string();
        assert!(said.contains("`number_form`"), "{said}");
        let without = PLAN.replacen("internet.301", "lookup.sim-age", 1);
        let said = page(&without, service).unwrap_err().to_string();
        assert!(said.contains("`lookup`"), "{said}");
        let of_plan = lookup.replacen("lookup.sim-age", "internet.301", 1);
        let said = page(&of_plan, Service::Internet).unwrap_err().to_string();
        assert!(said.contains("of lookups alone"), "{said}");
    }
}
