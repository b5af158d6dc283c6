//! `GET /account/transactions/{category}`: transactions of one product or of all, each in the shape
//! that they have in common. It must not sort or filter: they come in the order shown.

use crate::attribute;
use crate::attributes::Attributes;
use crate::format;
use crate::page::{self, PageWindow, Paging, sort_word};
use crate::reader::{FieldReader, Handling};
use crate::transaction::{identity, money};
use crate::transaction_list::{ListPart, STATUSES};
use crate::tree::Object;
use crate::violations::Violations;
use crate::zone::{Zone, utc};
use domain::order::Service;
use domain::statement::Sort;
use domain::time::Timestamp;
use domain::transaction::{Status, Transaction};

const PATH: &str = "/account/transactions";

/// The word for every product.
const ALL: &str = "all";

/// Fewest and most digits of a number that something is bought for: the last four of a card, the
/// longest that a category of bills may have.
const DIGITS: std::ops::RangeInclusive<usize> = 4..=20;

/// The only order: by the moment they were accepted.
const ORDERS: [(&str, ()); 1] = [("txnDate", ())];

/// One product, or all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TransactionCategory(Option<Service>);

impl TransactionCategory {
    /// The category of a word, in whatever case.
    pub fn parse(word: &str) -> Option<Self> {
        let is = |code: &str| code.eq_ignore_ascii_case(word);
        if is(ALL) {
            return Some(Self(None));
        }
        let service = Service::all().find(|service| is(service.code()));
        service.map(|service| Self(Some(service)))
    }

    /// The words there are.
    pub fn words() -> Vec<&'static str> {
        let services = Service::all().map(Service::code);
        std::iter::once(ALL).chain(services).collect()
    }

    /// The error of a path with another word.
    pub fn unknown() -> String {
        format!("must be one of {}", Self::words().join(", "))
    }

    /// One product, or every one.
    pub(crate) const fn of(service: Option<Service>) -> Self {
        Self(service)
    }

    /// The product; `None` for every one.
    pub const fn service(self) -> Option<Service> {
        self.0
    }

    /// Whether it is every product.
    pub const fn is_all(self) -> bool {
        self.0.is_none()
    }

    /// Its products.
    pub fn services(self) -> Vec<Service> {
        match self.0 {
            Some(service) => vec![service],
            None => Service::all().collect(),
        }
    }

    pub(crate) fn word(self) -> &'static str {
        self.0.map_or(ALL, Service::code)
    }
}

/// The transactions that are requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryQuery {
    pub category: TransactionCategory,
    /// Only those with this status.
    pub status: Option<Status>,
    /// Accepted at this moment or later.
    pub from: Option<Timestamp>,
    /// Accepted before this moment.
    pub until: Option<Timestamp>,
    /// Only those for these digits.
    pub number: Option<String>,
    pub offset: u64,
    pub length: u32,
    pub sort: Sort,
}

/// Reads which transactions of a category are requested; days and moments are in the time zone of
/// the account unless they name one.
pub fn parse(
    category: TransactionCategory,
    (attributes, handling): (&Attributes, Handling),
    zone: &Zone,
) -> Result<HistoryQuery, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let paging = Paging::read(&mut reader, &ORDERS);
    let status = reader.choice(&attribute::TRANSACTION_STATUS, &STATUSES);
    let from = reader.optional(&attribute::FROM, |text| zone.period_start(text));
    let until = reader.optional(&attribute::TO, |text| zone.period_end(text));
    let number = reader.optional(&attribute::ANY_NUMBER, digits);
    if let (Ok(Some(from)), Ok(Some(until))) = (from, until)
        && until <= from
    {
        reader.object(&attribute::TO, "must be later than from");
    }
    reader.finish(|| {
        let paging = paging?;
        Ok(HistoryQuery {
            category,
            status: status?,
            from: from?,
            until: until?,
            number: number?,
            offset: paging.offset,
            length: paging.length,
            sort: paging.sort,
        })
    })
}

/// The digits of a number that something is bought for.
pub(crate) fn digits(text: &str) -> Result<String, &'static str> {
    let digits = text.strip_prefix('+').unwrap_or(text);
    let fits = DIGITS.contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    fits.then(|| digits.to_owned())
        .ok_or("must be 4 to 20 digits, the plus sign of a phone number optional")
}

/// A page of the transactions.
pub fn view(part: ListPart<'_>, query: &HistoryQuery, zone: &Zone) -> Object {
    part.view(window(part, query), |it| row(it, zone))
}

/// What every product has. The number is the one that was bought for; of a card it is what the
/// gateway knows, its last four digits, and of a transfer between wallets and a lookup by name
/// there is none.
pub(super) fn row(transaction: &Transaction, zone: &Zone) -> Object {
    let number = transaction.order.listed_number();
    identity(transaction)
        .with("txnType", transaction.order.service().code())
        .with("txnDate", zone.date_time(transaction.opened_at))
        .with(
            "gtwStatus",
            format::gateway_status(transaction.gateway_status()),
        )
        .with("number", number)
        .and(money(transaction))
}

/// The `Link` header of the answer (RFC 8288): the neighbouring pages under the same filters.
pub fn link_header(part: ListPart<'_>, query: &HistoryQuery) -> String {
    let path = format!("{PATH}/{}", query.category.word());
    page::link_header(&window(part, query), |offset| {
        format!("{path}?{}", filters(query, offset))
    })
}

const fn window(part: ListPart<'_>, query: &HistoryQuery) -> PageWindow {
    part.window(query.offset, query.length)
}

/// The same filters for another page. No value in them needs encoding in a query.
fn filters(query: &HistoryQuery, offset: u64) -> String {
    let status = query.status.map(|status| format::status(status).to_owned());
    let filters = [
        (attribute::OFFSET, Some(offset.to_string())),
        (attribute::LENGTH, Some(query.length.to_string())),
        (attribute::SORT, Some(sort_word(query.sort).to_owned())),
        (attribute::TRANSACTION_STATUS, status),
        (attribute::FROM, query.from.map(utc)),
        (attribute::TO, query.until.map(utc)),
        (attribute::ANY_NUMBER, query.number.clone()),
    ];
    let pairs = filters
        .iter()
        .filter_map(|(attribute, value)| Some(format!("{}={}", attribute.name, value.as_ref()?)));
    pairs.collect::<Vec<_>>().join("&")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{faults, lagos, links_ask_for_the_same, pretty, query as attributes};
    use testkit::builders::{airtime, card_transfer, electricity, payout, sms, wallet_transfer};

    const AIRTIME: TransactionCategory = TransactionCategory(Some(Service::Airtime));

    fn read(text: &str) -> Result<HistoryQuery, Violations> {
        parse(AIRTIME, (&attributes(text), Handling::Strict), &lagos())
    }

    #[test]
    fn a_category_is_a_product_or_all_of_them() {
        assert_eq!(TransactionCategory::parse("airtime"), Some(AIRTIME));
        assert_eq!(TransactionCategory::parse("AirTime"), Some(AIRTIME));
        let all = TransactionCategory::parse("all").unwrap();
        assert_eq!(all.services().len(), Service::all().count());
        for service in Service::all() {
            let one = TransactionCategory::parse(service.code()).unwrap();
            assert_eq!(
                (one.services(), one.word()),
                (vec![service], service.code())
            );
        }
        for none in ["", "al", "airtime ", "payout", "%61ll"] {
            assert_eq!(TransactionCategory::parse(none), None, "{none:?}");
        }
        assert_eq!(
            TransactionCategory::words().len(),
            Service::all().count() + 1
        );
    }

    #[test]
    fn transactions_are_filtered_by_status_time_and_number() {
        let all = read("").unwrap();
        assert_eq!((all.from, all.until, all.number), (None, None, None));
        assert_eq!((all.status, all.offset, all.length), (None, 0, 100));
        let some =
            read("txnStatus=failed&from=20-11-2026&to=21-11-2026&number=%2B2348031234567&length=5");
        let some = some.unwrap();
        assert_eq!(some.status, Some(Status::Failed));
        assert_eq!(some.number.as_deref(), Some("2348031234567"));
        let two_days = 2 * 24 * 60 * 60 * 1_000;
        let (from, until) = (some.from.unwrap(), some.until.unwrap());
        assert_eq!(until.as_millis() - from.as_millis(), two_days);
        assert!(read("from=21-11-2026&to=21-11-2026").is_ok());
        assert!(read("from=21-11-2026").unwrap().until.is_none());
    }

    #[test]
    fn every_bad_filter_is_named() {
        let all = "offset=-1&length=0&orderby=price&sort=up&txnStatus=open&from=x&to=2026-11-21\
                   &number=12a&x=1";
        insta::assert_snapshot!("bad_filters", faults(read(all)));
        let ends = "from=2026-11-21T10:00:00Z&to=2026-11-21T10:00:00Z&number=123";
        insta::assert_snapshot!(faults(read(ends)), @r"
        400 -
        number: must be 4 to 20 digits, the plus sign of a phone number optional
        to: must be later than from
        ");
        for number in ["", "+", "123", "123456789012345678901", "١٢٣٤"] {
            let text = format!("number={}", number.replace('+', "%2B"));
            assert!(read(&text).is_err(), "{number:?}");
        }
        assert!(read("number=1234").is_ok());
        assert!(read("number=12345678901234567890").is_ok());
    }

    #[test]
    fn each_transaction_shows_what_every_product_has() {
        let transactions = [
            airtime().transaction(),
            electricity().transaction(),
            sms().in_credits().transaction(),
            payout().transaction(),
            card_transfer().transaction(),
            wallet_transfer().transaction(),
        ];
        let part = ListPart {
            transactions: &transactions,
            total: 9,
            found: 7,
        };
        let shown = view(part, &read("length=5").unwrap(), &lagos());
        insta::assert_snapshot!("transactions", pretty(&shown.into()));
    }

    #[test]
    fn the_links_keep_the_filters_and_can_be_read_again() {
        let part = ListPart {
            transactions: &[],
            total: 9,
            found: 9,
        };
        let text = "txnStatus=Failed&from=20-11-2026&to=21-11-2026&number=1234&offset=2&length=2\
                    &sort=desc";
        let query = read(text).unwrap();
        let header = link_header(part, &query);
        let without_offset = |query| HistoryQuery { offset: 0, ..query };
        let again =
            |attributes: &Attributes| parse(AIRTIME, (attributes, Handling::Strict), &lagos());
        let path = "/account/transactions/airtime";
        links_ask_for_the_same((path, &header), query, again, without_offset);
    }
}
