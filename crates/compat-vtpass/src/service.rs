//! Which of our families and billers a `serviceID` of VTpass means. It must not know plans: a
//! `variation_code` is our identity of a plan.

/// What a `serviceID` sells here. Numbers are our identities of billers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SoldService {
    /// Airtime of the network with this brand, as the numbering plan writes it.
    Airtime(&'static str),
    /// Internet data of this provider.
    Internet(u64),
    /// Cable TV of this provider.
    CableTv(u64),
    /// Electricity of this distribution company.
    Electricity(u64),
}

/// A category of services, as VTpass identifies and names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Category {
    pub(crate) identifier: &'static str,
    pub(crate) name: &'static str,
}

const AIRTIME: Category = Category::of("airtime", "Airtime Recharge");
const DATA: Category = Category::of("data", "Data Services");
const TV: Category = Category::of("tv-subscription", "TV Subscription");
const ELECTRICITY: Category = Category::of("electricity-bill", "Electricity Bill");

/// Every category that something is sold of.
pub(crate) const CATEGORIES: [Category; 4] = [AIRTIME, DATA, TV, ELECTRICITY];

/// Every service that can be bought, with its name.
pub(crate) const SOLD: [(&str, &str, SoldService); 24] = [
    ("mtn", "MTN Airtime VTU", SoldService::Airtime("MTN")),
    (
        "airtel",
        "Airtel Airtime VTU",
        SoldService::Airtime("Airtel"),
    ),
    ("glo", "GLO Airtime VTU", SoldService::Airtime("Glo")),
    (
        "etisalat",
        "9mobile Airtime VTU",
        SoldService::Airtime("9mobile"),
    ),
    ("mtn-data", "MTN Data", SoldService::Internet(301)),
    ("airtel-data", "Airtel Data", SoldService::Internet(302)),
    ("glo-data", "GLO Data", SoldService::Internet(303)),
    ("etisalat-data", "9mobile Data", SoldService::Internet(304)),
    ("dstv", "DSTV Subscription", SoldService::CableTv(201)),
    ("gotv", "Gotv Payment", SoldService::CableTv(202)),
    (
        "startimes",
        "Startimes Subscription",
        SoldService::CableTv(203),
    ),
    ("showmax", "ShowMax", SoldService::CableTv(204)),
    (
        "abuja-electric",
        "Abuja Electric - AEDC",
        SoldService::Electricity(101),
    ),
    (
        "benin-electric",
        "Benin Electric - BEDC",
        SoldService::Electricity(102),
    ),
    (
        "eko-electric",
        "Eko Electric - EKEDC",
        SoldService::Electricity(103),
    ),
    (
        "enugu-electric",
        "Enugu Electric - EEDC",
        SoldService::Electricity(104),
    ),
    (
        "ibadan-electric",
        "Ibadan Electric - IBEDC",
        SoldService::Electricity(105),
    ),
    (
        "ikeja-electric",
        "Ikeja Electric - IKEDC",
        SoldService::Electricity(106),
    ),
    (
        "jos-electric",
        "Jos Electric - JED",
        SoldService::Electricity(107),
    ),
    (
        "kaduna-electric",
        "Kaduna Electric - KAEDCO",
        SoldService::Electricity(108),
    ),
    (
        "kano-electric",
        "Kano Electric - KEDCO",
        SoldService::Electricity(109),
    ),
    (
        "portharcourt-electric",
        "Port Harcourt Electric - PHED",
        SoldService::Electricity(110),
    ),
    (
        "yola-electric",
        "Yola Electric - YEDC",
        SoldService::Electricity(111),
    ),
    (
        "aba-electric",
        "Aba Electric - ABA",
        SoldService::Electricity(112),
    ),
];

/// What a `serviceID` sells here; `None` where it sells nothing.
pub fn sold(service_id: &str) -> Option<SoldService> {
    let found = SOLD.iter().find(|(id, ..)| *id == service_id);
    found.map(|(.., service)| *service)
}

impl Category {
    const fn of(identifier: &'static str, name: &'static str) -> Self {
        Self { identifier, name }
    }
}

impl SoldService {
    pub(crate) const fn category(self) -> Category {
        match self {
            Self::Airtime(_) => AIRTIME,
            Self::Internet(_) => DATA,
            Self::CableTv(_) => TV,
            Self::Electricity(_) => ELECTRICITY,
        }
    }

    /// What VTpass calls an attribute of the operation that sells it.
    pub fn name_of(self, attribute: &str) -> &str {
        match (attribute, self) {
            ("mrcReference", _) => "request_id",
            ("number" | "countryCode", Self::Airtime(_)) | ("customerNumber", _) => "phone",
            ("number", _) => "billersCode",
            ("identifier" | "billing", _) => "variation_code",
            ("provider" | "disco" | "network", _) => "serviceID",
            (other, _) => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_service_is_listed_once() {
        for (id, _, service) in SOLD {
            assert_eq!(sold(id), Some(service));
            let same = SOLD.iter().filter(|(.., other)| *other == service);
            assert_eq!(same.count(), 1, "{id}");
        }
        assert_eq!(sold("bank-deposit"), None);
    }
}
