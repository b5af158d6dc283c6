//! `GET /operations/status`: how products and their billers are doing. It must not show which
//! provider delivers them.

use crate::attribute::{Attribute, SERVICE};
use crate::attributes::Attributes;
use crate::listing::{Layout, Listing, ListingOrder, OrderWord};
use crate::page::Paging;
use crate::reader::{FieldReader, Handling};
use crate::tree::Object;
use crate::violations::Violations;
use crate::zone::Zone;
use domain::order::Service;
use domain::service_status::{ServiceHealth, ServiceStatus};

const LAYOUT: Layout<StatusRow> = Layout {
    path: "/operations/status",
    plural: "services",
    singular: "service",
    orders: &[
        ListingOrder {
            word: "service",
            compare: |one, other| one.place.cmp(&other.place),
        },
        ListingOrder {
            word: "prvStatus",
            compare: |one, other| one.status.health.cmp(&other.status.health),
        },
    ],
    entry,
};

/// A product or biller, at its place in the order of the interface, with the time zone of dates.
#[derive(Debug, Clone)]
pub struct StatusRow {
    status: ServiceStatus,
    place: usize,
    zone: Zone,
}

/// The products that are asked about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusQuery {
    /// The one product; without it, all of them.
    pub service: Option<Service>,
    pub paging: Paging<OrderWord>,
}

/// Reads which of the products that are sold are asked about.
pub fn parse(
    attributes: &Attributes,
    handling: Handling,
    sold: &[Service],
) -> Result<StatusQuery, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let words: Vec<_> = sold.iter().map(|it| (it.code(), *it)).collect();
    let service = reader.choice(&SERVICE, &words);
    let paging = LAYOUT.read(&mut reader);
    reader.finish(|| {
        Ok(StatusQuery {
            service: service?,
            paging: paging?,
        })
    })
}

/// The products and billers, in the order in which they are shown.
pub fn listing(statuses: Vec<ServiceStatus>, zone: &Zone) -> Listing<StatusRow> {
    let rows = (0_usize..).zip(statuses).map(|(place, status)| StatusRow {
        status,
        place,
        zone: zone.clone(),
    });
    Listing::whole(rows.collect())
}

/// A page of them.
pub fn view(rows: &Listing<StatusRow>, query: &StatusQuery) -> Object {
    LAYOUT.view(rows, &query.paging)
}

/// The `Link` header of the answer.
pub fn link_header(rows: &Listing<StatusRow>, query: &StatusQuery) -> String {
    let filter = query.service.map(|it| (&SERVICE, it.code().to_owned()));
    let filters: Vec<(&Attribute, String)> = filter.into_iter().collect();
    LAYOUT.link_header((rows, &query.paging), &filters)
}

fn entry(row: &StatusRow) -> Object {
    let StatusRow { status, zone, .. } = row;
    let traffic = &status.traffic;
    let rate = traffic.success_rate.map(|rate| format!("{rate}.00"));
    let latency = traffic.latency.map(|it| it.as_millis());
    let latency = latency.and_then(|it| u64::try_from(it).ok());
    Object::new()
        .with("service", status.service.code())
        .with("biller", status.biller.as_deref())
        .with("prvStatus", health(status.health))
        .with("prvSuccessRate", rate)
        .with("prvLatency", latency)
        .with("prvPending", traffic.pending)
        .with("until", status.until.map(|at| zone.date_time(at)))
}

/// `prvStatus`.
const fn health(health: ServiceHealth) -> &'static str {
    match health {
        ServiceHealth::Up => "Up",
        ServiceHealth::Degraded => "Degraded",
        ServiceHealth::Down => "Down",
        ServiceHealth::Maintenance => "Maintenance",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{faults, lagos, pretty, query};
    use domain::service_status::ServiceTraffic;
    use std::time::Duration;
    use testkit::builders::at;

    const SOLD: [Service; 2] = [Service::Airtime, Service::Sms];

    fn statuses() -> Vec<ServiceStatus> {
        let busy = ServiceTraffic {
            success_rate: Some(97),
            latency: Some(Duration::from_millis(1_300)),
            pending: 20,
        };
        let of = |service, biller: Option<&str>, health| ServiceStatus {
            service,
            biller: biller.map(str::to_owned),
            health,
            traffic: ServiceTraffic::default(),
            until: None,
        };
        vec![
            ServiceStatus {
                traffic: busy,
                ..of(Service::Airtime, Some("MTN"), ServiceHealth::Up)
            },
            ServiceStatus {
                until: Some(at(60)),
                ..of(Service::Sms, None, ServiceHealth::Maintenance)
            },
            of(Service::Hlr, None, ServiceHealth::Down),
        ]
    }

    #[test]
    fn what_is_not_sold_is_refused_with_what_is() {
        let read = |text| parse(&query(text), Handling::Strict, &SOLD);
        assert_eq!(read("").unwrap().service, None);
        let named = read("service=SMS&orderby=prvStatus&sort=desc").unwrap();
        assert_eq!(named.service, Some(Service::Sms));
        let wrong = "service=hlr&orderby=prvLatency&length=0&biller=MTN";
        insta::assert_snapshot!(faults(read(wrong)), @r"
        400 -
        service: must be airtime or sms
        length: must be a whole number from 1 to 100
        orderby: must be service or prvStatus
        biller: is not an attribute of this request; leave it out
        ");
    }

    #[test]
    fn the_worst_come_first_where_that_is_asked_for() {
        let rows = listing(statuses(), &lagos());
        let page = "service=sms&orderby=prvStatus&sort=desc&length=2";
        let page = parse(&query(page), Handling::Strict, &SOLD).unwrap();
        let shown = pretty(&view(&rows, &page).into());
        insta::assert_snapshot!(shown, @r#"
        {
          services: [
            service {
              service: "sms"
              biller: null
              prvStatus: "Maintenance"
              prvSuccessRate: null
              prvLatency: null
              prvPending: 0
              until: "15-01-2026 10:01:00"
            }
            service {
              service: "hlr"
              biller: null
              prvStatus: "Down"
              prvSuccessRate: null
              prvLatency: null
              prvPending: 0
              until: null
            }
          ]
          metadata: {
            total: 2
          }
          query: {
            length: 2
            offset: 0
            total: 3
            found: 3
          }
        }
        "#);
        let links = link_header(&rows, &page);
        let next = "/operations/status?service=sms&offset=2&length=2&orderby=prvStatus&sort=desc";
        assert!(links.contains(next), "{links}");
    }

    #[test]
    fn what_payments_show_is_shown() {
        let rows = listing(statuses(), &lagos());
        let page = parse(&query("length=1"), Handling::Strict, &SOLD).unwrap();
        let shown = pretty(&view(&rows, &page).into());
        for field in [
            "biller: \"MTN\"",
            "prvSuccessRate: \"97.00\"",
            "prvLatency: 1300",
            "prvPending: 20",
        ] {
            assert!(shown.contains(field), "{shown}");
        }
    }
}
