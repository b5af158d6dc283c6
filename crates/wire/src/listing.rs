//! Lists kept in memory whole: sorted and cut into the requested page. It must list what it is
//! given: which entries belong in a list is not decided here.

use crate::attribute::{self, Attribute};
use crate::page::{self, PageWindow, Paging, sort_word};
use crate::reader::{FieldReader, InvalidField};
use crate::tree::{Node, Object};
use domain::retrieve::Retrieve;
use domain::statement::Sort;
use std::cmp::Ordering;

/// The entries that satisfy a query, on all pages.
#[derive(Debug, Clone)]
pub struct Listing<T> {
    pub found: Vec<T>,
    /// The number of entries, including those the filters leave out.
    pub total: usize,
}

impl<T> Listing<T> {
    /// A list without filtered entries.
    pub fn whole(found: Vec<T>) -> Self {
        let total = found.len();
        Self { found, total }
    }
}

/// The name of the field a list is ordered by.
pub type OrderWord = &'static str;

/// The layout of one kind of list.
#[derive(Debug)]
pub(crate) struct Layout<T: 'static> {
    pub(crate) path: &'static str,
    /// The name of the list.
    pub(crate) plural: &'static str,
    /// The name of one of its entries.
    pub(crate) singular: &'static str,
    /// The fields it can be ordered by; the first is the default.
    pub(crate) orders: &'static [ListingOrder<T>],
    pub(crate) entry: fn(&T) -> Object,
}

/// One order of entries.
#[derive(Debug)]
pub(crate) struct ListingOrder<T: 'static> {
    pub(crate) word: OrderWord,
    pub(crate) compare: fn(&T, &T) -> Ordering,
}

impl<T> Layout<T> {
    /// Reads which page is requested.
    pub(crate) fn read(
        &self,
        reader: &mut FieldReader<'_>,
    ) -> Result<Paging<OrderWord>, InvalidField> {
        let words: Vec<_> = self.orders.iter().map(|it| (it.word, it.word)).collect();
        Paging::read(reader, &words)
    }

    /// A page of the list, with the query and the counts.
    pub(crate) fn view(&self, listing: &Listing<T>, paging: &Paging<OrderWord>) -> Object {
        let window = window(listing, paging);
        let skipped = usize::try_from(window.offset).unwrap_or(usize::MAX);
        let part = self.ordered(listing, paging).into_iter().skip(skipped);
        let part: Vec<_> = part.take(paging.length as usize).map(self.entry).collect();
        let returned = part.len();
        Object::new()
            .with(self.plural, Node::objects(self.singular, part))
            .with("metadata", page::metadata(returned))
            .with("query", page::query(&window))
    }

    /// The `Link` header of the answer (RFC 8288): the neighbouring pages under the same filters,
    /// whose values must not need encoding in a query.
    pub(crate) fn link_header(
        &self,
        (listing, paging): (&Listing<T>, &Paging<OrderWord>),
        filters: &[(&Attribute, String)],
    ) -> String {
        page::link_header(&window(listing, paging), |offset| {
            self.address(paging, filters, offset)
        })
    }

    fn ordered<'a>(&self, listing: &'a Listing<T>, paging: &Paging<OrderWord>) -> Vec<&'a T> {
        let mut entries: Vec<_> = listing.found.iter().collect();
        let asked = |order: &&ListingOrder<T>| paging.order.is_none_or(|word| word == order.word);
        if let Some(order) = self.orders.iter().find(asked) {
            entries.sort_by(|one, other| (order.compare)(one, other));
        }
        if paging.sort == Sort::Descending {
            entries.reverse();
        }
        entries
    }

    fn address(
        &self,
        paging: &Paging<OrderWord>,
        filters: &[(&Attribute, String)],
        offset: u64,
    ) -> String {
        let mut pairs: Vec<(&str, String)> = filters
            .iter()
            .map(|(attribute, value)| (attribute.name, value.clone()))
            .collect();
        pairs.push((attribute::OFFSET.name, offset.to_string()));
        pairs.push((attribute::LENGTH.name, paging.length.to_string()));
        if let Some(order) = paging.order {
            pairs.push((attribute::ORDER_BY.name, order.to_owned()));
        }
        pairs.push((attribute::SORT.name, sort_word(paging.sort).to_owned()));
        let pairs = pairs.iter().map(|(name, value)| format!("{name}={value}"));
        format!("{}?{}", self.path, pairs.collect::<Vec<_>>().join("&"))
    }
}

/// The `retrieve` filter, where it was sent.
pub(crate) fn retrieve_filter(retrieve: Retrieve) -> Option<(&'static Attribute, String)> {
    match retrieve {
        Retrieve::Buyable => None,
        Retrieve::All => Some((&attribute::RETRIEVE, "all".to_owned())),
    }
}

/// Identifiers are numbers written as texts: the shorter one comes first.
pub(crate) fn by_number(one: &str, other: &str) -> Ordering {
    (one.len(), one).cmp(&(other.len(), other))
}

/// Compares names without regard to case; exactly where they differ in case alone.
pub(crate) fn by_name(one: &str, other: &str) -> Ordering {
    fn folded(name: &str) -> impl Iterator<Item = char> {
        name.chars().flat_map(char::to_lowercase)
    }
    let alike = folded(one).cmp(folded(other));
    alike.then_with(|| one.cmp(other))
}

fn window<T>(listing: &Listing<T>, paging: &Paging<OrderWord>) -> PageWindow {
    let count = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
    PageWindow {
        offset: paging.offset,
        length: paging.length,
        total: count(listing.total),
        found: count(listing.found.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attributes::Attributes;
    use crate::fixtures::{each, faults, links, query};
    use crate::reader::Handling;
    use crate::violations::Violations;
    use domain::country::CountryCode;
    use proptest::prelude::*;

    /// A list of numbers, many of which end alike.
    const NUMBERS: Layout<u32> = Layout {
        path: "/numbers",
        plural: "numbers",
        singular: "number",
        orders: &[
            ListingOrder {
                word: "value",
                compare: |one, other| one.cmp(other),
            },
            ListingOrder {
                word: "lastDigit",
                compare: |one, other| (one % 10).cmp(&(other % 10)),
            },
        ],
        entry: |number| Object::new().with("value", u64::from(*number)),
    };

    type RequestedPage = (CountryCode, Paging<OrderWord>);

    fn read(attributes: &Attributes, handling: Handling) -> Result<RequestedPage, Violations> {
        let mut reader = FieldReader::new(attributes, handling);
        let (country, paging) = (reader.country(), NUMBERS.read(&mut reader));
        reader.finish(|| Ok((country?, paging?)))
    }

    fn asked(text: &str) -> RequestedPage {
        let text = format!("countryCode=566&{text}");
        read(&query(text.trim_end_matches('&')), Handling::Strict).unwrap()
    }

    fn shown(list: &Listing<u32>, text: &str) -> String {
        each("value", &NUMBERS.view(list, &asked(text).1))
    }

    fn link_header(list: &Listing<u32>, (country, paging): &RequestedPage) -> String {
        let filters = [(&attribute::COUNTRY, country.to_string())];
        NUMBERS.link_header((list, paging), &filters)
    }

    /// A count of the answer, by its name.
    fn figure(shown: &Object, object: &str, name: &str) -> i64 {
        let of = |shown: &Object, wanted: &str| {
            let found = shown.fields().find(|(known, _)| *known == wanted);
            found.unwrap_or_else(|| panic!("{wanted}?")).1.clone()
        };
        let Node::Object(inner) = of(shown, object) else {
            panic!("{object} is no object")
        };
        let Node::Integer(figure) = of(&inner, name) else {
            panic!("{name} is no integer")
        };
        figure
    }

    #[test]
    fn a_list_is_ordered_by_its_first_word_unless_another_is_asked_for() {
        let list = Listing::whole(vec![30, 11, 2, 21]);
        assert_eq!(shown(&list, ""), "2 11 21 30");
        assert_eq!(shown(&list, "orderby=value&sort=desc"), "30 21 11 2");
        // Equal entries keep the order in which they were given.
        assert_eq!(shown(&list, "orderby=lastDigit"), "30 11 21 2");
        assert_eq!(shown(&list, "orderby=lastDigit&sort=desc"), "2 21 11 30");
    }

    #[test]
    fn a_part_is_cut_after_the_list_is_in_order() {
        let list = Listing::whole(vec![30, 11, 2, 21]);
        assert_eq!(shown(&list, "length=2"), "2 11");
        assert_eq!(shown(&list, "offset=1&length=2"), "11 21");
        assert_eq!(shown(&list, "offset=3&length=100"), "30");
        assert_eq!(shown(&list, "offset=4"), "");
        assert_eq!(shown(&list, "offset=9007199254740991"), "");
        assert_eq!(shown(&Listing::whole(Vec::new()), ""), "");
    }

    #[test]
    fn what_no_list_can_do_is_refused_with_what_it_can() {
        for text in ["length=0", "length=101", "length=-1", "length=ten"] {
            let attributes = query(&format!("countryCode=566&{text}"));
            let expected = "400 -\nlength: must be a whole number from 1 to 100";
            assert_eq!(
                faults(read(&attributes, Handling::Lenient)),
                expected,
                "{text}"
            );
        }
        let text = "countryCode=566&offset=-1&length=101&orderby=password&sort=up&page=2";
        insta::assert_snapshot!(faults(read(&query(text), Handling::Strict)), @r"
        400 -
        offset: must be a whole number from 0 to 9007199254740991
        length: must be a whole number from 1 to 100
        orderby: must be value or lastDigit
        sort: must be asc or desc
        page: is not an attribute of this request; leave it out
        ");
    }

    #[test]
    fn identifiers_are_ordered_as_the_numbers_they_are() {
        let mut identifiers = ["110", "99", "0103", "101", "9"];
        identifiers.sort_by(|one, other| by_number(one, other));
        assert_eq!(identifiers, ["9", "99", "101", "110", "0103"]);
    }

    #[test]
    fn names_are_ordered_whatever_their_case() {
        let mut names = ["Zenith", "eTranzact", "AB MFB", "Abbey", "ab MFB", "ABU"];
        names.sort_by(|one, other| by_name(one, other));
        let expected = ["AB MFB", "ab MFB", "Abbey", "ABU", "eTranzact", "Zenith"];
        assert_eq!(names, expected);
    }

    #[test]
    fn a_part_says_how_many_the_filters_left_out() {
        let list = Listing {
            found: vec![1, 2, 3],
            total: 7,
        };
        let shown = NUMBERS.view(&list, &asked("offset=1&length=1").1);
        assert_eq!(figure(&shown, "metadata", "total"), 1);
        assert_eq!(figure(&shown, "query", "found"), 3);
        assert_eq!(figure(&shown, "query", "total"), 7);
    }

    fn wishes() -> impl Strategy<Value = (u64, u32, usize, bool)> {
        (0_u64..60, 1_u32..=100, 0_usize..3, any::<bool>())
    }

    fn text((offset, length, order, descending): (u64, u32, usize, bool)) -> String {
        let order = ["", "&orderby=value", "&orderby=lastDigit"][order];
        let sort = if descending { "&sort=desc" } else { "" };
        format!("offset={offset}&length={length}{order}{sort}")
    }

    proptest! {
        #[test]
        fn following_the_links_shows_every_entry_once_in_one_order(
            found in prop::collection::vec(0_u32..50, 0..50), wish in wishes(),
        ) {
            let list = Listing::whole(found);
            let mut whole = list.found.clone();
            whole.sort_by_key(|number| if wish.2 == 2 { (number % 10, 0) } else { (0, *number) });
            if wish.3 {
                whole.reverse();
            }
            let whole: Vec<_> = whole.iter().map(ToString::to_string).collect();
            let mut part = asked(&text((0, wish.1, wish.2, wish.3)));
            let mut seen = Vec::new();
            loop {
                let view = NUMBERS.view(&list, &part.1);
                let values = each("value", &view);
                let values: Vec<_> = values.split_whitespace().map(str::to_owned).collect();
                let returned = i64::try_from(values.len()).unwrap();
                prop_assert_eq!(figure(&view, "metadata", "total"), returned);
                prop_assert!(values.len() <= wish.1 as usize);
                seen.extend(values);
                let header = link_header(&list, &part);
                let next = links(&header).into_iter().find(|(relation, _, _)| *relation == "next");
                let Some((_, path, address)) = next else { break };
                prop_assert_eq!(path, "/numbers");
                part = read(&query(address), Handling::Strict).unwrap();
            }
            prop_assert_eq!(seen, whole);
        }

        #[test]
        fn every_part_is_cut_from_the_same_list_and_its_links_ask_for_the_same(
            found in prop::collection::vec(0_u32..50, 0..50), wish in wishes(),
        ) {
            let list = Listing::whole(found);
            let whole = shown(&list, &text((0, 100, wish.2, wish.3)));
            let (skipped, taken) = (usize::try_from(wish.0).unwrap(), wish.1 as usize);
            let part: Vec<_> = whole.split_whitespace().skip(skipped).take(taken).collect();
            prop_assert_eq!(shown(&list, &text(wish)), part.join(" "));
            let here = asked(&text(wish));
            for (_, _, address) in links(&link_header(&list, &here)) {
                let there = read(&query(address), Handling::Strict).unwrap();
                let paging = Paging { offset: here.1.offset, ..there.1 };
                prop_assert_eq!((there.0, paging), here);
            }
        }
    }
}
