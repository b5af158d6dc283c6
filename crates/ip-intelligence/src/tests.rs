//! Tests how the data of several sources is combined. They must need no network.

use super::*;
use databases::DatabaseError;
use domain::geolocation::{AutonomousSystem, CodedName};
use proptest::prelude::*;
use std::error::Error;
use std::path::{Path, PathBuf};

/// 2026-07-15T12:00:00Z, when it is summer in Berlin.
const SUMMER: Timestamp = Timestamp::from_millis(1_784_116_800_000);

const MTN: &str = "197.210.64.1";
const GOOGLE: &str = "8.8.8.8";

fn path(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    folder.join("tests/databases").join(name)
}

fn city() -> IpTables {
    IpTables::embedded().with_city(Some(City::open(&path("city.mmdb")).unwrap()))
}

fn isp(name: &str) -> IpTables {
    IpTables::embedded().with_isp(Some(Isp::open(&path(name)).unwrap()))
}

fn locate(tables: &IpTables, text: &str) -> Location {
    tables.locate(Address::parse(text).unwrap(), SUMMER)
}

fn system(location: &Location) -> Option<(u32, Option<&str>)> {
    match &location.announced {
        AddressOrigin::NotAnnounced => None,
        AddressOrigin::AnnouncedBy(AutonomousSystem {
            number,
            organisation,
            ..
        }) => Some((*number, organisation.as_deref())),
    }
}

fn name(named: Option<&CodedName>) -> Option<&str> {
    named?.name.as_deref()
}

fn code(named: Option<&CodedName>) -> Option<&str> {
    named?.code.as_deref()
}

#[test]
fn the_embedded_tables_know_the_country_the_network_and_what_follows_from_the_country() {
    let found = locate(&IpTables::embedded(), MTN);
    let mtn = "MTN NIGERIA Communication limited";
    assert_eq!(system(&found), Some((29_465, Some(mtn))));
    let place = &found.place;
    assert_eq!(name(place.country.as_ref()), Some("Nigeria"));
    assert_eq!(code(place.country.as_ref()), Some("NG"));
    assert_eq!(name(place.continent.as_ref()), Some("Africa"));
    assert_eq!(place.currency.as_deref(), Some("NGN"));
    assert_eq!(place.timezone.as_deref(), Some("Africa/Lagos"));
    assert_eq!(place.utc_offset, Some(3_600));
}

#[test]
fn nothing_is_said_that_no_table_says() {
    let found = locate(&IpTables::embedded(), GOOGLE);
    assert_eq!(
        found.provider,
        domain::geolocation::InternetProvider::default()
    );
    assert_eq!(found.connection, Connection::default());
    let place = &found.place;
    assert_eq!(code(place.country.as_ref()), Some("US"));
    assert_eq!(place.timezone, None, "the country has several");
    assert_eq!(place.utc_offset, None);
    assert_eq!(
        (&place.region, &place.city, &place.position),
        (&None, &None, &None)
    );
}

#[test]
fn an_address_no_table_knows_has_nothing() {
    let found = locate(&IpTables::embedded(), "2000::1");
    assert_eq!(found, Location::default());
}

#[test]
fn a_database_of_places_adds_what_is_within_the_country() {
    let found = locate(&city(), MTN);
    let place = &found.place;
    assert_eq!(name(place.region.as_ref()), Some("Lagos"));
    assert_eq!(code(place.region.as_ref()), Some("LA"));
    assert_eq!(place.district.as_deref(), Some("Eti-Osa"));
    assert_eq!(place.city.as_deref(), Some("Lekki"));
    assert_eq!(place.postal_code.as_deref(), Some("106104"));
    let position = place.position.unwrap();
    let degrees = (
        position.latitude.to_string(),
        position.longitude.to_string(),
    );
    assert_eq!(degrees, ("6.4474".to_owned(), "3.4729".to_owned()));
    assert_eq!(
        place.currency.as_deref(),
        Some("NGN"),
        "that follows from the country"
    );
    assert_eq!(
        system(&found).unwrap().0,
        29_465,
        "the database has no entry for it"
    );
}

#[test]
fn what_an_operators_database_does_not_know_the_embedded_tables_answer() {
    let tables = city();
    let found = locate(&tables, "9.9.9.9");
    assert_eq!(code(found.place.country.as_ref()), Some("US"));
    let berlin = locate(&tables, "2a02:8109::1");
    assert_eq!(berlin.place.city.as_deref(), Some("Berlin (Mitte)"));
    assert_eq!(code(berlin.place.region.as_ref()), None);
    assert_eq!(
        berlin.place.timezone, None,
        "the record and the country leave it open"
    );
}

#[test]
fn where_a_block_is_registered_is_not_where_an_address_is() {
    let tables = city();
    let found = locate(&tables, GOOGLE);
    assert_eq!(code(found.place.country.as_ref()), Some("US"), "and not CA");
}

#[test]
fn a_database_of_providers_goes_over_the_embedded_table() {
    let found = locate(&isp("isp.mmdb"), MTN);
    assert_eq!(system(&found), Some((64_500, Some("Example Announcer"))));
    assert_eq!(found.provider.name.as_deref(), Some("Example Mobile"));
    assert_eq!(
        found.provider.organisation.as_deref(),
        Some("Example Subscriber")
    );
    assert_eq!(found.connection.mobile, Some(true));

    let fixed = locate(&isp("isp.mmdb"), GOOGLE);
    assert_eq!(system(&fixed), Some((15_169, Some("Google LLC"))));
    assert_eq!(fixed.provider.organisation, None, "spaces are no name");
    assert_eq!(
        fixed.connection.mobile, None,
        "no code of a network proves nothing"
    );
}

#[test]
fn a_type_of_connection_says_whether_it_is_cellular() {
    let tables = isp("enterprise.mmdb");
    assert_eq!(locate(&tables, MTN).connection.mobile, Some(true));
    let fixed = locate(&tables, GOOGLE);
    assert_eq!(fixed.connection.mobile, Some(false));
    assert_eq!(system(&fixed), Some((64_501, None)));
    assert_eq!(locate(&tables, "9.9.9.9").connection.mobile, None);
}

#[test]
fn a_database_of_proxies_knows_of_every_address_whether_it_is_one() {
    let anonymity = Anonymity::open(&path("anonymity.mmdb")).unwrap();
    let tables = IpTables::embedded().with_anonymity(Some(anonymity));
    let reported = |text| {
        let connection = locate(&tables, text).connection;
        (connection.proxy, connection.hosting)
    };
    assert_eq!(
        reported("9.9.9.9"),
        (Some(false), Some(true)),
        "a data centre is not a proxy"
    );
    assert_eq!(reported("185.220.101.1"), (Some(true), Some(false)));
    assert_eq!(reported("2606:4700:4700::1111"), (Some(true), Some(true)));
    assert_eq!(reported(GOOGLE), (Some(false), Some(false)));
}

#[test]
fn a_database_of_ipv4_alone_says_nothing_of_ipv6() {
    let tables = isp("asn-ipv4.mmdb");
    assert_eq!(
        system(&locate(&tables, GOOGLE)),
        Some((64_502, Some("Four")))
    );
    let ipv6 = locate(&tables, "2001:4860:4860::8888");
    assert_eq!(system(&ipv6), Some((15_169, Some("Google LLC"))));
}

#[test]
fn a_record_that_cannot_be_read_leaves_what_else_is_known() {
    let misshapen = City::open(&path("misshapen.mmdb")).unwrap();
    let found = locate(&IpTables::embedded().with_city(Some(misshapen)), GOOGLE);
    assert_eq!(code(found.place.country.as_ref()), Some("US"));
}

#[test]
fn a_database_of_something_else_is_refused_by_what_it_says_it_is() {
    let refused = City::open(&path("isp.mmdb")).unwrap_err();
    let reported = refused.to_string();
    assert!(
        reported.contains("isp.mmdb") && reported.contains("`GeoIP2-ISP`"),
        "{reported}"
    );
    assert!(
        reported.contains("City or Enterprise or Location"),
        "{reported}"
    );
    assert!(Isp::open(&path("anonymity.mmdb")).is_err());
    assert!(Anonymity::open(&path("city.mmdb")).is_err());
}

#[test]
fn a_file_that_is_no_database_is_refused_with_its_path() {
    for name in ["no-such.mmdb", "make.py"] {
        let refused = City::open(&path(name)).unwrap_err();
        assert!(matches!(refused, DatabaseError::Unreadable { .. }));
        assert!(refused.to_string().contains(name), "{refused}");
        assert!(refused.source().is_some());
    }
}

proptest! {
    #[test]
    fn no_address_breaks_a_lookup_in_any_database(bits: u128, short: u32) {
        let isp = Isp::open(&path("asn-ipv4.mmdb")).unwrap();
        let tables = city().with_isp(Some(isp));
        for address in [bits.to_be_bytes().into(), short.to_be_bytes().into()] {
            let _ = tables.locate(Address::new(address), SUMMER);
        }
    }
}
