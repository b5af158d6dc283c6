//! Makes the tables of where addresses are and who announces them. It must not correct what its
//! packages say: it leaves out what cannot be shown, and says how much that was.

mod countries;
mod ranges;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use self::ranges::Version;
use super::archives::{Archive, Registry};
use crate::repo::Repo;

const FOLDER: &str = "crates/ip-intelligence/data";

/// Ranges of addresses with the autonomous system that announces them.
const SYSTEMS: Archive = Archive {
    registry: Registry::Npm,
    package: "@ip-location-db/asn@2.3.2026061719",
    file: "ip-location-db-asn-2.3.2026061719.tgz",
    sha256: "b9425daf2f011c28f8586685d4f89166e77627e2c15fd93c6262c3e2dead6153",
    member: "package",
};

/// Ranges of addresses with the country they are used in.
const COUNTRIES: Archive = Archive {
    registry: Registry::Npm,
    package: "@ip-location-db/geo-whois-asn-country@2.3.2026061719",
    file: "ip-location-db-geo-whois-asn-country-2.3.2026061719.tgz",
    sha256: "2a3e609015884c93c2d398e777ce1d2d34cab026054c43559bff32b25669f606",
    member: "package",
};

/// Names, continents and currencies of countries.
const COUNTRY_FACTS: Archive = Archive {
    registry: Registry::Npm,
    package: "countries-list@3.4.1",
    file: "countries-list-3.4.1.tgz",
    sha256: "572934a82137ec58a84a3e32635ec589cb9788e8df408f15677c71009d2adff2",
    member: "package/countries.min.json",
};

/// Which time zones lie in which country.
const TIME_ZONES: Archive = Archive {
    registry: Registry::PyPi,
    package: "tzdata==2026.6",
    file: "tzdata-2026.6-py2.py3-none-any.whl",
    sha256: "0a10eec6e13ef16b627fabed9a5f2ba61a62b1c67f327305f4e7e412a70b4aec",
    member: "tzdata/zoneinfo",
};

const SYSTEMS_HEADER: &str = "\
# The organisations that run autonomous systems; sorted by number. Made by `cargo xtask data`, never
# by hand. Origin, licences and attribution: README.md beside this file.
# Columns, one tab apart: number, organisation.
";

/// Everything that is made, by its name in the folder.
type GeneratedTables = BTreeMap<&'static str, Vec<u8>>;

pub(super) fn run(repo: &Repo, check: bool) -> Result<()> {
    let folder = repo.root().join(FOLDER);
    for (name, bytes) in make()? {
        let path = folder.join(name);
        if fs::read(&path).is_ok_and(|before| before == bytes) {
            println!(
                "data: {FOLDER}/{name} is up to date ({} bytes)",
                bytes.len()
            );
            continue;
        }
        if check {
            bail!("{FOLDER}/{name} is not what its packages make; run `cargo xtask data`");
        }
        fs::write(&path, &bytes).with_context(|| format!("writing {}", path.display()))?;
        println!("data: wrote {FOLDER}/{name} ({} bytes)", bytes.len());
    }
    Ok(())
}

fn make() -> Result<GeneratedTables> {
    let folder = tempfile::tempdir().context("no temporary folder")?;
    let facts = fetched(&COUNTRY_FACTS, &folder.path().join("facts"))?;
    let zones = fetched(&TIME_ZONES, &folder.path().join("zones"))?;
    let countries = countries::table(
        &read(&facts)?,
        &read(&zones.join("iso3166.tab"))?,
        &read(&zones.join("zone.tab"))?,
    )?;
    let used = fetched(&COUNTRIES, &folder.path().join("countries"))?;
    let announced = fetched(&SYSTEMS, &folder.path().join("systems"))?;
    let mut tables = GeneratedTables::new();
    let mut organisations = BTreeMap::new();
    for (version, systems_name, countries_name) in [
        (
            Version::Four,
            "systems-ipv4.ranges",
            "countries-ipv4.ranges",
        ),
        (Version::Six, "systems-ipv6.ranges", "countries-ipv6.ranges"),
    ] {
        let digit = version.digit();
        let text = read(&used.join(format!("geo-whois-asn-country-ipv{digit}-num.csv")))?;
        let by_country = |fields: &str| Ok(countries::number(fields, &countries));
        tables.insert(countries_name, ranges::table(version, &text, by_country)?);
        let text = read(&announced.join(format!("asn-ipv{digit}-num.csv")))?;
        let by_system = |fields: &str| system(fields, &mut organisations).map(Some);
        tables.insert(systems_name, ranges::table(version, &text, by_system)?);
    }
    tables.insert("countries.tsv", countries::written(&countries).into_bytes());
    tables.insert("systems.tsv", written(&organisations).into_bytes());
    Ok(tables)
}

/// The number of the system in the last fields of a line, whose name is noted.
fn system(fields: &str, organisations: &mut BTreeMap<u32, String>) -> Result<u64> {
    let (number, name) = fields.split_once(',').context("has no organisation")?;
    let number: u32 = number.parse().context("has no number of a system")?;
    let name = unquoted(name);
    // Where the organisation is not known, the package repeats the number.
    if name != format!("AS{number}") && !name.is_empty() {
        organisations.insert(number, name);
    }
    Ok(u64::from(number))
}

/// A field of a CSV file, on one line and without spaces around it.
fn unquoted(field: &str) -> String {
    let inner = field
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    let text = inner.map_or_else(|| field.to_owned(), |inner| inner.replace("\"\"", "\""));
    text.split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

fn written(organisations: &BTreeMap<u32, String>) -> String {
    let lines = organisations
        .iter()
        .map(|(number, name)| format!("{number}\t{name}\n"));
    SYSTEMS_HEADER.to_owned() + &lines.collect::<String>()
}

/// Fetches and unpacks an archive; the path of the member that is used.
fn fetched(archive: &Archive, folder: &Path) -> Result<PathBuf> {
    fs::create_dir(folder).context("no temporary folder")?;
    archive
        .unpack_into(folder)
        .with_context(|| format!("package {}", archive.package))?;
    Ok(folder.join(archive.member))
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_out_of_its_quotes_and_a_number_is_no_name() {
        let mut organisations = BTreeMap::new();
        let mut read = |fields| system(fields, &mut organisations).unwrap();
        assert_eq!(read("13335,\"Cloudflare, Inc.\""), 13_335);
        assert_eq!(read("64500,\"The \"\"Big\"\"  One\""), 64_500);
        assert_eq!(read("219474,AS219474"), 219_474);
        let expected = [
            (13_335, "Cloudflare, Inc.".to_owned()),
            (64_500, "The \"Big\" One".to_owned()),
        ];
        assert_eq!(organisations, BTreeMap::from(expected));
    }
}
