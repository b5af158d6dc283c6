//! Lists that are the same for everyone.

use crate::operation::Operation;
use crate::states::sample;
use domain::country::CountryCode;
use domain::order::Service;
use domain::statement::Sort;
use testkit::builders::START;
use wire::listing::Listing;
use wire::page::Paging;
use wire::tools::countries::{self, ListedCountry};
use wire::tools::currencies::{self, ListedCurrency};
use wire::tools::timezones::{self, ListedZone};

const KEPT: &str = "A client may keep the answer for an hour, and then ask with `If-None-Match`.";

/// The first two of a list.
const fn first<O>() -> Paging<O> {
    Paging {
        offset: 0,
        length: 2,
        order: None,
        sort: Sort::Ascending,
    }
}

pub(super) fn countries() -> Operation {
    let served = CountryCode::all().map(|code| ListedCountry {
        code,
        services: if code == CountryCode::NIGERIA {
            vec![
                Service::Airtime,
                Service::Sms,
                Service::Whatsapp,
                Service::Rcs,
                Service::Voice,
            ]
        } else {
            Vec::new()
        },
    });
    let shown = countries::view(&Listing::whole(served.collect()), &first());
    Operation::get("/tools/countries", "listCountries", "List the countries")
        .detailed("A client asks again with `If-None-Match`.")
        .kept()
        .in_parts(&["countryName", "countryCode"])
        .lists(
            "Countries",
            vec![sample("countries", "The countries.", shown)],
        )
}

pub(super) fn currencies() -> Operation {
    let shown = currencies::view(&Listing::whole(ListedCurrency::all()), &first());
    Operation::get("/tools/currencies", "listCurrencies", "List the currencies")
        .detailed(KEPT)
        .kept()
        .in_parts(&["currencyCode"])
        .lists(
            "Currencies",
            vec![sample("currencies", "The currencies.", shown)],
        )
}

pub(super) fn timezones() -> Operation {
    let zones = ["Africa/Lagos", "America/New_York"].into_iter();
    let zones = zones.filter_map(|name| ListedZone::named(name, START));
    let shown = timezones::view(&Listing::whole(zones.collect()), &first());
    Operation::get("/tools/timezones", "listTimeZones", "List the time zones")
        .detailed(KEPT)
        .kept()
        .in_parts(&["zoneName", "utcOffset"])
        .lists(
            "TimeZones",
            vec![sample("time zones", "The time zones.", shown)],
        )
}
