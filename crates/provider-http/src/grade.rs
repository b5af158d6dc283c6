//! Which services may be sold on what a provider promises of them. Where only a person can settle
//! silence, no money may move: a payment would wait for that person.

use domain::order::Service;
use domain::provider::ProviderId;
use provider_protocol::{Capabilities, ProviderGrade, ServiceProfile};

/// Whether a service is delivered, and its promises are enough for what it is.
pub(crate) fn sells(agreed: &Capabilities, service: Service) -> bool {
    let profile = agreed.profile(service);
    profile.is_some_and(|profile| suffices(service, profile))
}

/// Whether the promises are enough: C is enough for messages, calls and lookups of numbers, whose
/// price is small and whose loss a person can settle; everything else needs B.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "a family needs the better grade unless it is listed"
)]
fn suffices(service: Service, profile: &ServiceProfile) -> bool {
    match service {
        Service::Sms
        | Service::Whatsapp
        | Service::Rcs
        | Service::Voice
        | Service::Ivr
        | Service::Hlr
        | Service::Lookup(_) => true,
        _ => match profile.grade() {
            ProviderGrade::A | ProviderGrade::B => true,
            ProviderGrade::C => false,
        },
    }
}

/// Warns of the services that a provider offers and that are not sold.
pub(crate) fn warn_of_unsold(promised: &Capabilities, provider: &ProviderId) {
    for service in unsold(promised) {
        tracing::warn!(
            %provider,
            service = service.code(),
            "the provider promises no proof of absence (grade C), which is not enough for money: \
             no orders of this service are sent to it"
        );
    }
}

fn unsold(promised: &Capabilities) -> impl Iterator<Item = Service> {
    let offered = Service::delivered().filter(|service| promised.profile(*service).is_some());
    offered.filter(|service| !sells(promised, *service))
}

#[cfg(test)]
mod tests {
    use super::*;
    use provider_protocol::{AbsenceProof, read};

    #[test]
    fn without_a_proof_of_absence_only_messages_and_lookups_are_sold() {
        let text = include_bytes!("../../provider-protocol/tests/vectors/capabilities.json");
        let mut promised: Capabilities = read(text).unwrap();
        let mut profile = promised.services["airtime"];
        let sold = |promised: &Capabilities| {
            let sold = Service::delivered().filter(|service| sells(promised, *service));
            sold.map(Service::code).collect::<Vec<_>>()
        };
        for service in Service::delivered() {
            promised.services.insert(service.code().to_owned(), profile);
        }
        assert_eq!(unsold(&promised).count(), 0);
        profile.absence = AbsenceProof::Never;
        for service in Service::delivered() {
            promised.services.insert(service.code().to_owned(), profile);
        }
        assert_eq!(
            sold(&promised),
            [
                "sms", "whatsapp", "rcs", "voice", "ivr", "hlr", "lookup", "device"
            ]
        );
        promised.services.clear();
        assert!(sold(&promised).is_empty());
    }
}
