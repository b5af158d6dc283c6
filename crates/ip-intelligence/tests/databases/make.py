"""Makes the small databases the tests read: python3 make.py, with mmdb_writer 0.2.7 from PyPI.

It is another program than the one under test, and knows nothing of it. The addresses are those of
documentation and of networks everybody knows; what is said of them is made up.
"""

from netaddr import IPSet
from mmdb_writer import MMDBWriter

MTN = {
    "continent": {"code": "AF", "names": {"en": "Africa"}},
    "country": {"iso_code": "NG", "names": {"en": "Nigeria", "de": "Nigeria"}},
    "subdivisions": [
        {"iso_code": "LA", "names": {"en": "Lagos"}},
        {"names": {"en": "Eti-Osa"}},
    ],
    "city": {"names": {"en": "Lekki"}},
    "postal": {"code": "106104"},
    "location": {"latitude": 6.4474, "longitude": 3.4729, "time_zone": "Africa/Lagos"},
}
# As DB-IP writes records: no time zone, no codes of regions.
BERLIN = {
    "continent": {"code": "EU", "names": {"en": "Europe"}},
    "country": {"iso_code": "DE", "names": {"en": "Germany"}},
    "subdivisions": [{"names": {"en": "Berlin"}}],
    "city": {"names": {"en": "Berlin (Mitte)"}},
    "location": {"latitude": 52.52, "longitude": 13.405},
}
# All that is known is who registered the block.
REGISTERED = {"registered_country": {"iso_code": "CA", "names": {"en": "Canada"}}}


def database(name, kind, records, version=6):
    writer = MMDBWriter(
        ip_version=version,
        ipv4_compatible=version == 6,
        database_type=kind,
        languages=["en"],
        description="Made for tests",
        int_type="u32",
    )
    for network, record in records.items():
        writer.insert_network(IPSet([network]), record)
    writer.to_db_file(name)


database(
    "city.mmdb",
    "GeoLite2-City",
    {"197.210.0.0/16": MTN, "2a02:8109::/32": BERLIN, "8.8.8.0/24": REGISTERED},
)
database(
    "isp.mmdb",
    "GeoIP2-ISP",
    {
        "197.210.0.0/16": {
            "autonomous_system_number": 64500,
            "autonomous_system_organization": "Example Announcer",
            "isp": "Example Mobile",
            "organization": "Example Subscriber",
            "mobile_country_code": "621",
            "mobile_network_code": "30",
        },
        "8.8.8.0/24": {"isp": "Example Fixed", "organization": " "},
    },
)
database(
    "enterprise.mmdb",
    "DBIP-ISP (compat=Enterprise)",
    {
        "197.210.0.0/16": {"traits": {"isp": "Example Mobile", "connection_type": "Cellular"}},
        "8.8.8.0/24": {
            "traits": {
                "autonomous_system_number": 64501,
                "isp": "Example Fixed",
                "connection_type": "Corporate",
            }
        },
    },
)
database(
    "anonymity.mmdb",
    "GeoIP2-Anonymous-IP",
    {
        "9.9.9.0/24": {"is_anonymous": True, "is_hosting_provider": True},
        "185.220.101.0/24": {"is_anonymous": True, "is_tor_exit_node": True},
        "2606:4700::/32": {
            "is_anonymous": True,
            "is_anonymous_vpn": True,
            "is_hosting_provider": True,
        },
    },
)
# A database of IPv4 alone, and one whose records have the wrong shape.
database("asn-ipv4.mmdb", "DBIP-ASN-Lite", {
    "8.8.8.0/24": {"autonomous_system_number": 64502, "autonomous_system_organization": "Four"},
}, version=4)
database("misshapen.mmdb", "GeoLite2-City", {"8.8.8.0/24": {"country": "United States"}})
