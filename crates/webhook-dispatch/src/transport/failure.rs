//! What an error of the client means for a delivery. It must not call a receiver untrusted, or an
//! address forbidden, unless the verifier or the guard said so.

use crate::guard::AddressRule;
use domain::webhook::DeliveryFailure;
use std::error::Error;
use std::io;
use tokio_rustls::rustls;

pub(super) fn of(error: &reqwest::Error) -> DeliveryFailure {
    let judged = causes(error).find_map(|cause| {
        let rule = cause
            .downcast_ref::<AddressRule>()
            .map(|rule| rule.failure());
        rule.or_else(|| cause.downcast_ref().map(handshake))
    });
    if let Some(failure) = judged {
        failure
    } else if error.is_timeout() {
        DeliveryFailure::TimedOut
    } else if error.is_connect() && causes(error).any(connection_refused) {
        DeliveryFailure::Unreachable
    } else {
        DeliveryFailure::Broken
    }
}

type Cause = dyn Error + 'static;

/// An error and everything that lies behind it.
fn causes(error: &Cause) -> impl Iterator<Item = &Cause> {
    std::iter::successors(Some(error), |error| behind(*error))
}

/// One of input and output does not show what it was made of as its source.
fn behind(error: &Cause) -> Option<&Cause> {
    let hidden = error
        .downcast_ref::<io::Error>()
        .and_then(io::Error::get_ref);
    match hidden {
        Some(hidden) => Some(hidden),
        None => error.source(),
    }
}

/// What a failed agreement on keys means: only a certificate can be untrusted; whatever else went
/// wrong was no TLS.
fn handshake(error: &rustls::Error) -> DeliveryFailure {
    use rustls::Error::{InvalidCertificate, NoCertificatesPresented};
    if matches!(error, InvalidCertificate(_) | NoCertificatesPresented) {
        DeliveryFailure::Untrusted
    } else {
        DeliveryFailure::Broken
    }
}

fn connection_refused(cause: &Cause) -> bool {
    use io::ErrorKind::{
        AddrNotAvailable, ConnectionRefused, HostUnreachable, NetworkDown, NetworkUnreachable,
        PermissionDenied,
    };
    cause.downcast_ref::<io::Error>().is_some_and(|error| {
        matches!(
            error.kind(),
            AddrNotAvailable
                | ConnectionRefused
                | HostUnreachable
                | NetworkDown
                | NetworkUnreachable
                | PermissionDenied
        )
    })
}
