//! Whether an address may be dialled. It must judge what is reached in the end, through every way
//! of writing one address within another.

use super::{Loopback, Port, Rule, Settings};
use domain::geolocation::Address;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};

/// Answers to every machine in a large cloud for the cloud itself, though its block is public.
const CLOUD_HOST: Ipv4Addr = Ipv4Addr::new(168, 63, 129, 16);

pub(super) fn judge(settings: &Settings, address: IpAddr, port: Port) -> Result<(), Rule> {
    // Mapped into IPv6 it is the same address.
    let address = address.to_canonical();
    let reached = behind_translator(address);
    if port == Port::Ours && (is_ours(settings, address) || is_ours(settings, reached)) {
        return Err(Rule::Ourselves);
    }
    let on_this_machine = settings.loopback == Loopback::Allowed && address.is_loopback();
    let allowed = settings.allowed.iter().any(|net| net.contains(&address));
    if on_this_machine || allowed {
        return Ok(());
    }
    let public = Address::new(reached).is_public() && !is_tunnel(reached) && reached != CLOUD_HOST;
    public.then_some(()).ok_or(Rule::NotPublic)
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

/// Whether this gateway is reached there at its own port.
fn is_ours(settings: &Settings, address: IpAddr) -> bool {
    let listens = |own: &SocketAddr| own.ip().to_canonical() == address;
    settings.own.iter().any(listens) || is_of_this_machine(address)
}

/// Only an address of the machine can be bound to.
fn is_of_this_machine(address: IpAddr) -> bool {
    address.is_loopback() || address.is_unspecified() || UdpSocket::bind((address, 0)).is_ok()
}
