//! What DT One calls what we sell: numbers of its products, which are the operator's to map. What
//! is not mapped must not be served.

use domain::airtime::AirtimeOrder;
use domain::subscription::PlanCode;
use std::collections::BTreeMap;

/// The number of a product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DtoneProductId(pub(crate) u64);

/// Products by what they deliver.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DtoneProducts {
    airtime: BTreeMap<String, u64>,
    internet: BTreeMap<PlanCode, u64>,
}

/// Why products cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidDtoneProducts {
    /// A network is not one.
    #[error(
        "must list networks as COUNTRY:NETWORK=PRODUCT, separated by commas, such as NG:mtn=1234"
    )]
    Airtime,
    /// A plan is not one.
    #[error("must list plans as OURS=PRODUCT, separated by commas, such as 30109=4321")]
    Internet,
    /// Something is mapped twice.
    #[error("must not map anything twice")]
    Twice,
}

impl DtoneProducts {
    /// Reads the products of networks and of plans.
    pub fn parse(airtime: &str, internet: &str) -> Result<Self, InvalidDtoneProducts> {
        let network = |key: &str| {
            let (country, network) = key.split_once(':')?;
            let fits = country.len() == 2
                && country.bytes().all(|b| b.is_ascii_uppercase())
                && !network.is_empty()
                && network.bytes().all(|b| b.is_ascii_graphic());
            fits.then(|| key.to_owned())
        };
        let plan = |key: &str| PlanCode::parse(key).ok();
        Ok(Self {
            airtime: mapping(airtime, (network, InvalidDtoneProducts::Airtime))?,
            internet: mapping(internet, (plan, InvalidDtoneProducts::Internet))?,
        })
    }

    /// The product of an order's network.
    pub(crate) fn airtime(&self, order: &AirtimeOrder) -> Option<DtoneProductId> {
        let country = order.country.alpha_2()?;
        let key = format!("{country}:{}", order.network_code);
        self.airtime.get(&key).copied().map(DtoneProductId)
    }

    /// The product of a plan.
    pub(crate) fn internet(&self, plan: &PlanCode) -> Option<DtoneProductId> {
        self.internet.get(plan).copied().map(DtoneProductId)
    }
}

/// `KEY=NUMBER` pairs, separated by commas or lines.
fn mapping<K: Ord>(
    text: &str,
    (key, wrong): (impl Fn(&str) -> Option<K>, InvalidDtoneProducts),
) -> Result<BTreeMap<K, u64>, InvalidDtoneProducts> {
    let mut mapped = BTreeMap::new();
    let pairs = text.split([',', '\n']).map(str::trim);
    for pair in pairs.filter(|pair| !pair.is_empty()) {
        let (ours, theirs) = pair.split_once('=').ok_or(wrong)?;
        let ours = key(ours.trim()).ok_or(wrong)?;
        let theirs = theirs.trim();
        let is_number = theirs.bytes().all(|b| b.is_ascii_digit());
        let number = theirs
            .parse()
            .ok()
            .filter(|number| is_number && *number > 0);
        if mapped.insert(ours, number.ok_or(wrong)?).is_some() {
            return Err(InvalidDtoneProducts::Twice);
        }
    }
    Ok(mapped)
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::country::CountryCode;
    use domain::order::Order;
    use testkit::builders::airtime;

    #[test]
    fn a_network_is_mapped_in_its_country() {
        let products = DtoneProducts::parse("NG:mtn=1234, GH:mtn=77", "30109=9").unwrap();
        let Order::Airtime(mut order) = airtime().order() else {
            panic!("airtime");
        };
        assert_eq!(products.airtime(&order), Some(DtoneProductId(1234)));
        order.country = CountryCode::parse("288").unwrap();
        assert_eq!(products.airtime(&order), Some(DtoneProductId(77)));
        order.network_code = "glo".into();
        assert_eq!(products.airtime(&order), None);
        let plan = PlanCode::parse("30109").unwrap();
        assert_eq!(products.internet(&plan), Some(DtoneProductId(9)));
    }

    #[test]
    fn what_is_not_a_product_is_refused() {
        for wrong in [
            "mtn=1",
            "NG:mtn",
            "NG:mtn=x",
            "NG:mtn=0",
            "ng:mtn=1",
            "NG:=1",
            "566:mtn=1",
        ] {
            let refused = DtoneProducts::parse(wrong, "").unwrap_err();
            assert_eq!(refused, InvalidDtoneProducts::Airtime, "{wrong}");
        }
        for wrong in ["30109", "a=1", "30109=-1", "30109=+1"] {
            let refused = DtoneProducts::parse("", wrong).unwrap_err();
            assert_eq!(refused, InvalidDtoneProducts::Internet, "{wrong}");
        }
        let twice = DtoneProducts::parse("", "30109=1,30109=2").unwrap_err();
        assert_eq!(twice, InvalidDtoneProducts::Twice);
    }
}
