//! Which of our families and billers a `serviceID` of VTpass means. It must not know plans: a
//! `variation_code` is our identity of a plan.

/// What a `serviceID` sells here. Numbers are our identities of billers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SoldService {
    /// Airtime of the network with this code.
    Airtime(&'static str),
    /// Internet data of this provider.
    Internet(u64),
    /// Cable TV of this provider.
    CableTv(u64),
    /// Electricity of this distribution company.
    Electricity(u64),
}

/// Every service that can be bought.
const SOLD: [(&str, SoldService); 24] = [
    ("mtn", SoldService::Airtime("mtn")),
    ("airtel", SoldService::Airtime("airtel")),
    ("glo", SoldService::Airtime("glo")),
    ("etisalat", SoldService::Airtime("9mobile")),
    ("mtn-data", SoldService::Internet(301)),
    ("airtel-data", SoldService::Internet(302)),
    ("glo-data", SoldService::Internet(303)),
    ("etisalat-data", SoldService::Internet(304)),
    ("dstv", SoldService::CableTv(201)),
    ("gotv", SoldService::CableTv(202)),
    ("startimes", SoldService::CableTv(203)),
    ("showmax", SoldService::CableTv(204)),
    ("abuja-electric", SoldService::Electricity(101)),
    ("benin-electric", SoldService::Electricity(102)),
    ("eko-electric", SoldService::Electricity(103)),
    ("enugu-electric", SoldService::Electricity(104)),
    ("ibadan-electric", SoldService::Electricity(105)),
    ("ikeja-electric", SoldService::Electricity(106)),
    ("jos-electric", SoldService::Electricity(107)),
    ("kaduna-electric", SoldService::Electricity(108)),
    ("kano-electric", SoldService::Electricity(109)),
    ("portharcourt-electric", SoldService::Electricity(110)),
    ("yola-electric", SoldService::Electricity(111)),
    ("aba-electric", SoldService::Electricity(112)),
];

/// What a `serviceID` sells here; `None` where it sells nothing.
pub fn sold(service_id: &str) -> Option<SoldService> {
    let found = SOLD.iter().find(|(name, _)| *name == service_id);
    found.map(|(_, service)| *service)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_service_is_listed_once() {
        for (name, service) in SOLD {
            assert_eq!(sold(name), Some(service));
            let same = SOLD.iter().filter(|(_, other)| *other == service);
            assert_eq!(same.count(), 1, "{name}");
        }
        assert_eq!(sold("bank-deposit"), None);
    }
}
