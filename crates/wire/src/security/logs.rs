//! `GET /security/logs`. It must show what was recorded and nothing of what a request carried.

use crate::attribute;
use crate::attributes::Attributes;
use crate::page::{self, PageWindow, Paging, sort_word};
use crate::reader::{FieldReader, Handling};
use crate::tree::{Node, Object};
use crate::violations::Violations;
use crate::zone::{Zone, utc};
use domain::request_log::{LoggedRequest, RequestLogQuery, StatusFilter};

const PATH: &str = "/security/logs";

/// The only order: that in which they were answered.
const ORDERS: [(&str, ()); 1] = [("logDate", ())];

/// The digits of the id of a request.
const ID_LENGTH: usize = 24;

/// A page of the requests of an account.
#[derive(Debug, Clone, Copy)]
pub struct RequestsPart<'a> {
    /// The requests.
    pub requests: &'a [LoggedRequest],
    /// How many are kept.
    pub total: u64,
    /// How many of them were asked for.
    pub found: u64,
}

/// Reads which requests are asked for; days and moments are in the time zone of the account unless
/// they name one.
pub fn parse(
    attributes: &Attributes,
    handling: Handling,
    zone: &Zone,
) -> Result<RequestLogQuery, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let paging = Paging::read_newest_first(&mut reader, &ORDERS);
    let status = reader.optional(&attribute::LOG_STATUS, StatusFilter::parse);
    let request_id = reader.optional(&attribute::REQUEST_ID, request_id);
    let from = reader.optional(&attribute::FROM, |text| zone.period_start(text));
    let before = reader.optional(&attribute::TO, |text| zone.period_end(text));
    if let (Ok(Some(from)), Ok(Some(before))) = (from, before)
        && before <= from
    {
        reader.object(&attribute::TO, "must be later than from");
    }
    reader.finish(|| {
        let paging = paging?;
        Ok(RequestLogQuery {
            from: from?,
            before: before?,
            status: status?,
            request_id: request_id?,
            offset: paging.offset,
            length: paging.length,
            sort: paging.sort,
        })
    })
}

/// The id of a request, as answers and the header `X-Request-Id` show it.
fn request_id(text: &str) -> Result<String, &'static str> {
    let is_id = text.len() == ID_LENGTH && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_id
        .then(|| text.to_ascii_lowercase())
        .ok_or("must be the id of a request: 24 hexadecimal digits, as X-Request-Id has them")
}

/// A page of the requests.
pub fn view(part: RequestsPart<'_>, query: &RequestLogQuery, zone: &Zone) -> Object {
    let requests = part.requests.iter().map(|it| view_one(it, zone));
    Object::new()
        .with("logs", Node::objects("log", requests))
        .with("metadata", page::metadata(part.requests.len()))
        .with("query", page::query(&window(part, query)))
}

/// The `Link` header of the answer (RFC 8288): the neighbouring pages under the same filters.
pub fn link_header(part: RequestsPart<'_>, query: &RequestLogQuery) -> String {
    page::link_header(&window(part, query), |offset| address(query, offset))
}

fn view_one(logged: &LoggedRequest, zone: &Zone) -> Object {
    let request = &logged.request;
    Object::new()
        .with("logIdentifier", logged.number)
        .with("logDate", zone.date_time(request.at))
        .with("logMethod", request.method.as_ref())
        .with("logPath", request.path.as_ref())
        .with("logStatus", u64::from(request.status))
        .with("logLatency", request.latency_ms)
        .with("keyPrefix", request.key_prefix.as_str())
        .with("ipAddress", request.address.to_string())
        .with("requestId", request.request_id.as_str())
}

const fn window(part: RequestsPart<'_>, query: &RequestLogQuery) -> PageWindow {
    PageWindow {
        offset: query.offset,
        length: query.length,
        total: part.total,
        found: part.found,
    }
}

/// The same request for another page. No value in it needs encoding in a query.
fn address(query: &RequestLogQuery, offset: u64) -> String {
    let filters = [
        (attribute::OFFSET, Some(offset.to_string())),
        (attribute::LENGTH, Some(query.length.to_string())),
        (attribute::SORT, Some(sort_word(query.sort).to_owned())),
        (attribute::FROM, query.from.map(utc)),
        (attribute::TO, query.before.map(utc)),
        (attribute::LOG_STATUS, query.status.map(|it| it.to_string())),
        (attribute::REQUEST_ID, query.request_id.clone()),
    ];
    let pairs = filters
        .iter()
        .filter_map(|(attribute, value)| Some(format!("{}={}", attribute.name, value.as_ref()?)));
    format!("{PATH}?{}", pairs.collect::<Vec<_>>().join("&"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{faults, lagos, links_ask_for_the_same, pretty, query};
    use domain::statement::Sort;
    use testkit::builders::logged_request;

    fn read(text: &str) -> Result<RequestLogQuery, Violations> {
        parse(&query(text), Handling::Strict, &lagos())
    }

    #[test]
    fn everything_that_is_wrong_is_named_at_once() {
        let wrong = "from=x&to=y&logStatus=4x&requestId=5c1d&orderby=logPath&sort=up&length=0\
                     &offset=-1&x=1";
        let refused = read(wrong).unwrap_err();
        let named: Vec<_> = refused.iter().map(|(name, _)| name).collect();
        let expected = [
            "offset",
            "length",
            "orderby",
            "sort",
            "logStatus",
            "requestId",
            "from",
            "to",
            "x",
        ];
        assert_eq!(named, expected);
        insta::assert_snapshot!(faults(read("from=16-01-2026&to=14-01-2026")), @r"
        400 -
        to: must be later than from
        ");
        insta::assert_snapshot!(faults(read("logStatus=abc&requestId=x")), @r"
        400 -
        logStatus: must be a status of HTTP, such as 404, or a class of them, such as 4xx
        requestId: must be the id of a request: 24 hexadecimal digits, as X-Request-Id has them
        ");
    }

    #[test]
    fn the_newest_come_first_unless_it_is_said_otherwise() {
        let asked = read("logStatus=4XX&requestId=5C1D8F1B9E4A7C30D2B6F4A8").unwrap();
        assert_eq!(asked.sort, Sort::Descending);
        assert_eq!(asked.status, Some(StatusFilter::Class(4)));
        let id = "5c1d8f1b9e4a7c30d2b6f4a8".to_owned();
        assert_eq!(asked.request_id, Some(id));
        assert_eq!(read("sort=asc").unwrap().sort, Sort::Ascending);
    }

    #[test]
    fn a_page_shows_each_request_with_its_answer() {
        let id = "requestId=5c1d8f1b9e4a7c30d2b6f4a8";
        let asked = read(&format!("logStatus=201&{id}&to=15-01-2026&length=1")).unwrap();
        let requests = [logged_request("shop", 60)];
        let part = RequestsPart {
            requests: &requests,
            total: 3,
            found: 2,
        };
        insta::assert_snapshot!(pretty(&view(part, &asked, &lagos()).into()), @r#"
        {
          logs: [
            log {
              logIdentifier: 60
              logDate: "15-01-2026 10:01:00"
              logMethod: "POST"
              logPath: "/payment/airtime"
              logStatus: 201
              logLatency: 38
              keyPrefix: "mk_test_0007"
              ipAddress: "203.0.113.7"
              requestId: "00000000000000005c1d8f57"
            }
          ]
          metadata: {
            total: 1
          }
          query: {
            length: 1
            offset: 0
            total: 3
            found: 2
          }
        }
        "#);
        let links = link_header(part, &asked);
        let again = |attributes: &Attributes| parse(attributes, Handling::Strict, &lagos());
        let without_offset = |query| RequestLogQuery { offset: 0, ..query };
        links_ask_for_the_same((PATH, &links), asked, again, without_offset);
    }
}
