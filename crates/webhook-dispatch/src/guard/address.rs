//! Whether an address may be dialled. It must judge what is reached in the end, through every way
//! of writing one address within another.

use super::{AddressRule, Loopback, Port, UrlGuardSettings};
use domain::geolocation::Address;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};

/// Answers to every machine in a large cloud for the cloud itself, though its block is public.
const CLOUD_HOST: Ipv4Addr = Ipv4Addr::new(168, 63, 129, 16);

/// Kept for examples (RFC 5737, RFC 3849): no machine has them.
const UNASSIGNED_V4: Ipv4Addr = Ipv4Addr::new(192, 0, 2, 1);
const UNASSIGNED_V6: Ipv6Addr = Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1);

/// Whichever, but zero.
const ANY_PORT: u16 = 443;

pub(super) fn judge(
    settings: &UrlGuardSettings,
    address: IpAddr,
    port: Port,
) -> Result<(), AddressRule> {
    // Mapped into IPv6 it is the same address.
    let address = address.to_canonical();
    let reached = behind_translator(address);
    if port == Port::Ours && (is_ours(settings, address) || is_ours(settings, reached)) {
        return Err(AddressRule::Ourselves);
    }
    let on_this_machine = settings.loopback == Loopback::Allowed && address.is_loopback();
    let allowed = settings.allowed.iter().any(|net| net.contains(&address));
    if on_this_machine || allowed {
        return Ok(());
    }
    let public = Address::new(reached).is_public() && !is_tunnel(reached) && reached != CLOUD_HOST;
    if !public {
        Err(AddressRule::NotPublic)
    } else if is_ours(settings, reached) {
        // Whatever else listens here was not meant for merchants, and trusts its own machine.
        Err(AddressRule::Ourselves)
    } else {
        Ok(())
    }
}

/// The address that a translator between the versions dials for one of its prefix (RFC 6052 §2.1).
/// Where only IPv6 is spoken, the DNS answers these for every receiver that only has IPv4.
fn behind_translator(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V6(v6) => match v6.segments() {
            [0x64, 0xff9b, 0, 0, 0, 0, _, _] => {
                let [.., a, b, c, d] = v6.octets();
                Ipv4Addr::new(a, b, c, d).into()
            }
            _ => address,
        },
        IpAddr::V4(_) => address,
    }
}

/// Whether the end of a tunnel within a site is meant (ISATAP, RFC 5214 §6.1): its last half holds
/// an address of IPv4, whatever the first is.
fn is_tunnel(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(_) => false,
        IpAddr::V6(v6) => matches!(tail(v6), [0 | 0x200, 0x5efe]),
    }
}

const fn tail(address: Ipv6Addr) -> [u16; 2] {
    let [_, _, _, _, e, f, _, _] = address.segments();
    [e, f]
}

/// Whether this machine is reached there.
fn is_ours(settings: &UrlGuardSettings, address: IpAddr) -> bool {
    let listens = |own: &SocketAddr| own.ip().to_canonical() == address;
    settings.own.iter().any(listens) || is_of_this_machine(address)
}

fn is_of_this_machine(address: IpAddr) -> bool {
    address.is_loopback()
        || address.is_unspecified()
        || AddressSeen::of(address).is_of_this_machine(address)
}

/// What the machine does with an address, without sending anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct AddressSeen {
    /// Where a message to it would come from.
    source: Option<IpAddr>,
    /// Whether it can be bound to.
    binds: bool,
    /// Whether an address that no machine has can be bound to as well (`ip_nonlocal_bind`): then
    /// being able to says nothing.
    binds_anything: bool,
}

impl AddressSeen {
    fn of(address: IpAddr) -> Self {
        let unassigned = match address {
            IpAddr::V4(_) => IpAddr::V4(UNASSIGNED_V4),
            IpAddr::V6(_) => IpAddr::V6(UNASSIGNED_V6),
        };
        let bound = binds(address);
        Self {
            source: source(address),
            binds: bound,
            binds_anything: bound && binds(unassigned),
        }
    }

    /// A machine speaks to itself from the very address it is spoken to at; but from the first of a
    /// network where it has several, so being able to bind counts as well.
    fn is_of_this_machine(self, address: IpAddr) -> bool {
        self.source == Some(address) || (self.binds && !self.binds_anything)
    }
}

fn binds(address: IpAddr) -> bool {
    UdpSocket::bind((address, 0)).is_ok()
}

/// Connecting without a connection only looks up the way.
fn source(address: IpAddr) -> Option<IpAddr> {
    let any: IpAddr = match address {
        IpAddr::V4(_) => Ipv4Addr::UNSPECIFIED.into(),
        IpAddr::V6(_) => Ipv6Addr::UNSPECIFIED.into(),
    };
    let socket = UdpSocket::bind((any, 0)).ok()?;
    socket.connect((address, ANY_PORT)).ok()?;
    Some(socket.local_addr().ok()?.ip())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADDRESS: IpAddr = IpAddr::V4(Ipv4Addr::new(93, 184, 215, 14));

    #[test]
    fn being_bound_to_says_nothing_where_everything_can_be() {
        let another = Some(IpAddr::V4(Ipv4Addr::new(10, 0, 0, 7)));
        let seen = |source, binds, binds_anything| {
            let seen = AddressSeen {
                source,
                binds,
                binds_anything,
            };
            seen.is_of_this_machine(ADDRESS)
        };
        assert!(seen(Some(ADDRESS), false, false) && seen(Some(ADDRESS), true, true));
        // The second of two addresses of one network is answered from the first.
        assert!(seen(another, true, false));
        assert!(!seen(another, true, true));
        assert!(!seen(another, false, false) && !seen(None, false, false));
    }

    #[test]
    fn this_machine_is_known_by_its_addresses() {
        let here = IpAddr::V4(Ipv4Addr::LOCALHOST);
        assert_eq!(source(here), Some(here));
        assert!(AddressSeen::of(here).is_of_this_machine(here));
        assert!(!is_of_this_machine(UNASSIGNED_V4.into()));
        assert!(!is_of_this_machine(UNASSIGNED_V6.into()));
        assert!(!is_of_this_machine(ADDRESS));
    }
}
