//! Where operators' tools ask.

use std::net::SocketAddr;

use super::parse::{self, Parsed};

/// Where metrics are served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MonitoringAddress {
    /// Nowhere.
    Off,
    /// The default, unless another program has it.
    IfFree(SocketAddr),
    /// Here, or the server does not start.
    At(SocketAddr),
}

impl MonitoringAddress {
    /// Beside the default port of merchants, for this machine alone.
    pub(super) const DEFAULT: &'static str = "127.0.0.1:8444";

    pub(super) fn parse(text: &str) -> Parsed<Self> {
        match text {
            "off" => Ok(Self::Off),
            Self::DEFAULT => parse::address(text).map(Self::IfFree),
            _ => parse::address(text)
                .map(Self::At)
                .map_err(|problem| format!("{problem}, or off")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_that_is_set_must_be_free_and_the_default_need_not_be() {
        let read = |text| MonitoringAddress::parse(text);
        assert_eq!(read("off"), Ok(MonitoringAddress::Off));
        let default = read(MonitoringAddress::DEFAULT);
        assert!(matches!(default, Ok(MonitoringAddress::IfFree(_))));
        assert!(matches!(read("127.0.0.1:0"), Ok(MonitoringAddress::At(_))));
        let problem = read("metrics").unwrap_err();
        assert!(problem.ends_with("or off"), "{problem}");
    }
}
