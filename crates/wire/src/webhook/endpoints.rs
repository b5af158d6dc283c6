//! `GET /webhook/endpoint`. It must never show a secret.

use super::{ENDPOINTS, endpoint, endpoint_id};
use crate::attribute;
use crate::attributes::Attributes;
use crate::listing::{Layout, Listing, ListingOrder, OrderWord};
use crate::page::Paging;
use crate::reader::{FieldReader, Handling};
use crate::tree::Object;
use crate::violations::Violations;
use crate::zone::Zone;
use domain::webhook::{Endpoint, EndpointId};

const LAYOUT: Layout<EndpointDate> = Layout {
    path: ENDPOINTS,
    plural: "endpoints",
    singular: "endpoint",
    orders: &[ListingOrder {
        word: "whkDate",
        compare: |one, other| {
            let key = |dated: &EndpointDate| (dated.endpoint.created_at, dated.endpoint.id);
            key(one).cmp(&key(other))
        },
    }],
    entry: |dated| endpoint::view(&dated.endpoint, &dated.zone),
};

/// An endpoint with the time zone of its dates.
#[derive(Debug, Clone)]
pub struct EndpointDate {
    endpoint: Endpoint,
    zone: Zone,
}

/// The endpoints that are requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndpointsQuery {
    /// The one endpoint that is requested; without it, all of them.
    pub only: Option<EndpointId>,
    pub paging: Paging<OrderWord>,
}

/// Reads which endpoints are requested.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<EndpointsQuery, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let only = reader.optional(&attribute::WEBHOOK, endpoint_id);
    let paging = LAYOUT.read(&mut reader);
    reader.finish(|| {
        Ok(EndpointsQuery {
            only: only?,
            paging: paging?,
        })
    })
}

/// All endpoints of an account, for the list.
pub fn listing(endpoints: Vec<Endpoint>, zone: &Zone) -> Listing<EndpointDate> {
    let dated = endpoints.into_iter().map(|endpoint| EndpointDate {
        endpoint,
        zone: zone.clone(),
    });
    Listing::whole(dated.collect())
}

/// A page of the list.
pub fn view(endpoints: &Listing<EndpointDate>, query: &EndpointsQuery) -> Object {
    LAYOUT.view(endpoints, &query.paging)
}

/// The `Link` header of the answer.
pub fn link_header(endpoints: &Listing<EndpointDate>, query: &EndpointsQuery) -> String {
    LAYOUT.link_header((endpoints, &query.paging), &[])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{each, endpoint, faults, lagos, links_ask_for_the_same, query};

    fn read(text: &str) -> Result<EndpointsQuery, Violations> {
        parse(&query(text), Handling::Strict)
    }

    #[test]
    fn one_endpoint_is_asked_for_by_its_number() {
        assert_eq!(read("").unwrap().only, None);
        assert_eq!(read("whkIdentifier=42").unwrap().only, EndpointId::new(42));
        insta::assert_snapshot!(faults(read("whkIdentifier=x&orderby=whkUrl&whkUrl=")), @r"
        400 -
        whkIdentifier: must be the number of an endpoint; GET /webhook/endpoint lists those you have
        orderby: must be whkDate, or left out
        whkUrl: is not an attribute of this request; leave it out
        ");
    }

    #[test]
    fn endpoints_are_listed_in_parts_whose_links_ask_for_the_same() {
        let listing = listing([3, 1, 2].map(endpoint).into(), &lagos());
        let all = read("").unwrap();
        assert_eq!(each("whkIdentifier", &view(&listing, &all)), "1 2 3");
        let part = read("offset=1&length=1&sort=desc").unwrap();
        assert_eq!(each("whkIdentifier", &view(&listing, &part)), "2");
        let header = link_header(&listing, &part);
        links_ask_for_the_same(
            (ENDPOINTS, &header),
            part,
            |attributes| parse(attributes, Handling::Strict),
            |mut query| {
                query.paging.offset = 0;
                query
            },
        );
    }
}
