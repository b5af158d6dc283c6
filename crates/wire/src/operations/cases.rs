//! `GET /operations/cases`: what waits for a person. It must be shown to operators alone.

use super::{Placed, placed};
use crate::attribute::{Attribute, CASE_KIND};
use crate::attributes::Attributes;
use crate::listing::{Layout, Listing, ListingOrder, OrderWord};
use crate::page::Paging;
use crate::reader::{FieldReader, Handling};
use crate::tree::Object;
use crate::violations::Violations;
use crate::zone::Zone;
use domain::money::{Currency, Money};
use domain::operations::{CaseKind, CaseOverview};

const LAYOUT: Layout<Placed<CaseOverview>> = Layout {
    path: "/operations/cases",
    plural: "cases",
    singular: "case",
    orders: &[ListingOrder {
        word: "caseDate",
        compare: |one, other| one.place.cmp(&other.place),
    }],
    entry,
};

/// The cases that are asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CasesQuery {
    /// The one kind; without it, all of them.
    pub kind: Option<CaseKind>,
    pub paging: Paging<OrderWord>,
}

/// Reads which cases are asked for.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<CasesQuery, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let kind = reader.choice(&CASE_KIND, &CaseKind::ALL.map(|it| (it.word(), it)));
    let paging = LAYOUT.read(&mut reader);
    reader.finish(|| {
        Ok(CasesQuery {
            kind: kind?,
            paging: paging?,
        })
    })
}

/// Those that are asked for, in the order in which they wait.
pub fn listing(
    found: Vec<CaseOverview>,
    zone: &Zone,
    query: &CasesQuery,
) -> Listing<Placed<CaseOverview>> {
    let mut rows = placed(found, zone);
    let is_asked = |kind| query.kind.is_none_or(|only| only == kind);
    rows.found.retain(|row| is_asked(row.shown.kind));
    rows
}

/// A page of them.
pub fn view(rows: &Listing<Placed<CaseOverview>>, query: &CasesQuery) -> Object {
    LAYOUT.view(rows, &query.paging)
}

/// The `Link` header of the answer.
pub fn link_header(rows: &Listing<Placed<CaseOverview>>, query: &CasesQuery) -> String {
    let filter = query.kind.map(|it| (&CASE_KIND, it.word().to_owned()));
    let filters: Vec<(&Attribute, String)> = filter.into_iter().collect();
    LAYOUT.link_header((rows, &query.paging), &filters)
}

fn entry(row: &Placed<CaseOverview>) -> Object {
    let Placed { shown, zone, .. } = row;
    let currency = shown.amount.map(Money::currency).map(Currency::code);
    Object::new()
        .with("caseIdentifier", shown.id.as_str())
        .with("caseKind", shown.kind.word())
        .with("caseStatus", shown.status())
        .with("mrcIdentity", shown.account.as_deref())
        .with("mrcReference", shown.reference.as_deref())
        .with("prvIdentifier", shown.provider.as_deref())
        .with("prvReference", shown.provider_reference.as_deref())
        .with("caseAmount", shown.amount)
        .with("caseCurrency", currency)
        .with("caseDate", shown.since.map(|at| zone.date_time(at)))
        .with("caseAbout", shown.about.as_str())
        .with("caseAction", shown.todo.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{faults, lagos, pretty, query};
    use testkit::builders::{at, naira};

    fn cases() -> Vec<CaseOverview> {
        let review = CaseOverview {
            id: "review:shop:order-1".to_owned(),
            kind: CaseKind::Review,
            account: Some("shop".to_owned()),
            reference: Some("order-1".to_owned()),
            provider: Some("sandbox".to_owned()),
            provider_reference: Some("shop.order-1.1".to_owned()),
            amount: Some(naira("1,000.00")),
            since: Some(at(5)),
            about: "no evidence".to_owned(),
            todo: "find out".to_owned(),
            awaits_approval: true,
        };
        let difference = CaseOverview {
            id: "difference:00".to_owned(),
            kind: CaseKind::Difference,
            account: None,
            reference: None,
            provider: None,
            provider_reference: None,
            amount: None,
            since: None,
            awaits_approval: false,
            ..review.clone()
        };
        vec![review, difference]
    }

    #[test]
    fn one_kind_of_cases_is_asked_for() {
        let read = |text| parse(&query(text), Handling::Strict);
        let late = read("caseKind=Late-Delivery").unwrap();
        assert_eq!(late.kind, Some(CaseKind::LateDelivery));
        let refused = faults(read("caseKind=x&length=0&x=1"));
        for fault in [
            "caseKind: must be review or reference or dead-letter",
            "length: must be",
            "x: is not an attribute",
        ] {
            assert!(refused.contains(fault), "{refused}");
        }
        let one = read("caseKind=difference").unwrap();
        let rows = listing(cases(), &lagos(), &one);
        assert_eq!((rows.found.len(), rows.total), (1, 2));
        assert!(link_header(&rows, &one).contains("caseKind=difference&"));
    }

    #[test]
    fn what_is_not_known_of_a_case_is_null() {
        let all = parse(&query(""), Handling::Strict).unwrap();
        let shown = pretty(&view(&listing(cases(), &lagos(), &all), &all).into());
        insta::assert_snapshot!(shown, @r#"
        {
          cases: [
            case {
              caseIdentifier: "review:shop:order-1"
              caseKind: "review"
              caseStatus: "Waiting"
              mrcIdentity: "shop"
              mrcReference: "order-1"
              prvIdentifier: "sandbox"
              prvReference: "shop.order-1.1"
              caseAmount: "1,000.00"
              caseCurrency: "NGN"
              caseDate: "15-01-2026 10:00:05"
              caseAbout: "no evidence"
              caseAction: "find out"
            }
            case {
              caseIdentifier: "difference:00"
              caseKind: "difference"
              caseStatus: "Open"
              mrcIdentity: null
              mrcReference: null
              prvIdentifier: null
              prvReference: null
              caseAmount: null
              caseCurrency: null
              caseDate: null
              caseAbout: "no evidence"
              caseAction: "find out"
            }
          ]
          metadata: {
            total: 2
          }
          query: {
            length: 100
            offset: 0
            total: 2
            found: 2
          }
        }
        "#);
    }
}
