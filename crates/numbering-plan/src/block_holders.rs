//! The networks that number blocks were given to, from the tables in `data/`. It must never be
//! taken for the network that serves a number today.

use domain::country::CountryCode;

use crate::table;

/// One table per country whose blocks are recorded.
const TABLES: [(CountryCode, &str); 1] = [(
    CountryCode::NIGERIA,
    include_str!("../data/carriers-566.tsv"),
)];

#[derive(Debug)]
struct Block {
    country: CountryCode,
    /// Leading digits of its numbers, in international format.
    prefix: &'static str,
    brand: &'static str,
}

/// All recorded blocks.
#[derive(Debug)]
pub(crate) struct BlockHolders(Vec<Block>);

impl BlockHolders {
    pub(crate) fn new() -> Self {
        let blocks = TABLES.iter().flat_map(|&(country, file)| {
            table::records(file).map(move |(prefix, brand)| Block {
                country,
                prefix,
                brand,
            })
        });
        Self(blocks.collect())
    }

    /// Brand of the smallest recorded block that `digits` lies in. Comparing the fifty-odd prefixes
    /// takes well under a microsecond, so no index is kept.
    pub(crate) fn find(&self, country: CountryCode, digits: &str) -> Option<&'static str> {
        let holding = |block: &&Block| block.country == country && digits.starts_with(block.prefix);
        let smallest = self
            .0
            .iter()
            .filter(holding)
            .max_by_key(|block| block.prefix.len());
        smallest.map(|block| block.brand)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_line_of_the_tables_is_a_block_and_none_is_given_twice() {
        for (_, file) in TABLES {
            table::assert_well_formed(file, 2);
        }
    }

    #[test]
    fn nigerian_blocks_lie_under_234_and_carry_known_brands() {
        let holders = BlockHolders::new();
        assert!(holders.0.iter().all(|block| {
            (5..=7).contains(&block.prefix.len())
                && block.prefix.starts_with("234")
                && block.prefix.bytes().all(|byte| byte.is_ascii_digit())
        }));
        let brands: BTreeSet<&str> = holders.0.iter().map(|block| block.brand).collect();
        let known = [
            "9mobile",
            "Airtel",
            "Glo",
            "Lebara",
            "MAFAB",
            "MTN",
            "Multilinks",
            "Prestel",
            "Smile",
            "Starcomms",
            "ntel",
        ];
        assert_eq!(brands, BTreeSet::from(known));
    }

    #[test]
    fn the_longest_prefix_decides() {
        let block = |prefix, brand| Block {
            country: CountryCode::NIGERIA,
            prefix,
            brand,
        };
        let holders = BlockHolders(vec![
            block("234702", "outer"),
            block("2347020", "inner"),
            block("23470", "outermost"),
        ]);
        let find = |digits| holders.find(CountryCode::NIGERIA, digits);
        assert_eq!(find("2347020000000"), Some("inner"));
        assert_eq!(find("2347021000000"), Some("outer"));
        assert_eq!(find("2347031000000"), Some("outermost"));
        assert_eq!(find("2348031000000"), None);
    }

    #[test]
    fn a_block_is_found_only_under_its_own_country() {
        let ghana = CountryCode::parse("288").unwrap();
        assert_eq!(BlockHolders::new().find(ghana, "2348031234567"), None);
    }
}
