//! Where traces are exported to. A program that cannot export must refuse an address, not pass over
//! it.

use outbound_http::{OutboundTarget, PlainHttp};

use super::parse::Parsed;

/// What is exported of traces.
#[derive(Debug)]
pub(crate) struct Traces {
    /// The base address of the collector, where there is one.
    pub(crate) collector: Option<OutboundTarget>,
    /// How many of a thousand.
    #[cfg_attr(
        not(feature = "opentelemetry"),
        expect(dead_code, reason = "only builds that export traces choose among them")
    )]
    pub(crate) per_mille: u16,
}

/// Whether this program can export traces.
const IS_BUILT_WITH: bool = cfg!(feature = "opentelemetry");

/// The address of a collector, or the empty text for none.
pub(super) fn collector(text: &str) -> Parsed<Option<OutboundTarget>> {
    if text.is_empty() {
        return Ok(None);
    }
    if !IS_BUILT_WITH {
        return Err(
            "needs traces, which this program was built without: build it with `cargo build \
             --features opentelemetry`, or remove the setting"
                .to_owned(),
        );
    }
    let target = OutboundTarget::parse(text, PlainHttp::ToLoopback);
    target.map(Some).map_err(|_| {
        "must be the base address of a collector, https://, or http:// on this machine, such as \
         http://127.0.0.1:4318, without a user, a password or a query"
            .to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_an_address_nothing_is_exported() {
        assert_eq!(collector(""), Ok(None));
    }

    #[cfg(not(feature = "opentelemetry"))]
    #[test]
    fn a_program_without_traces_refuses_an_address_and_says_how_to_have_them() {
        let refused = collector("http://127.0.0.1:4318").unwrap_err();
        assert!(refused.contains("--features opentelemetry"), "{refused}");
    }

    #[cfg(feature = "opentelemetry")]
    #[test]
    fn a_collector_on_another_machine_is_reached_with_encryption_alone() {
        for allowed in ["http://127.0.0.1:4318", "https://otlp.example.com/otlp"] {
            assert!(matches!(collector(allowed), Ok(Some(_))), "{allowed}");
        }
        for text in [
            "http://otlp.example.com:4318",
            "https://u:p@otlp.example.com",
            "4318",
        ] {
            let refused = collector(text).unwrap_err();
            assert!(refused.starts_with("must be the base address"), "{refused}");
        }
    }
}
