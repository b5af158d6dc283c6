//! What was handed over, as flags. It must not know what an order needs of it.

use crate::failure::Failure;
use clap::Args;
use domain::voice::Call;

/// What a company, a biller or a caller says it handed over.
#[derive(Debug, Default, Args)]
pub(in crate::commands) struct VendOptions {
    /// Electricity, and bills with a token: the receipt number
    #[arg(long)]
    pub(super) receipt: Option<String>,
    /// Prepaid electricity, and bills with a token: its 20 digits
    #[arg(long)]
    pub(super) token: Option<String>,
    /// Its kilowatt-hours or cubic metres [default for electricity: from amount and tariff]
    #[arg(long)]
    pub(super) units: Option<String>,
    #[arg(
        long,
        value_name = "AMOUNT",
        help = "Electricity: debt recovered from the amount, in naira [default: 0.00]"
    )]
    pub(super) recovered: Option<String>,
    /// Calls: how long the call took, in seconds
    #[arg(long)]
    pub(super) seconds: Option<u32>,
}

impl VendOptions {
    /// The first flag given of those that describe what was handed over.
    pub(in crate::commands) fn given(&self) -> Option<&'static str> {
        let flags = [
            ("--receipt", &self.receipt),
            ("--token", &self.token),
            ("--units", &self.units),
            ("--recovered", &self.recovered),
        ];
        let given = flags.into_iter().find(|(_, value)| value.is_some());
        let given = given.map(|(flag, _)| flag);
        given.or_else(|| self.seconds.map(|_| "--seconds"))
    }

    /// A call: the minutes that it began are charged.
    pub(super) fn call(&self) -> Result<Call, Failure> {
        match self.given() {
            Some("--seconds") => Ok(Call {
                seconds: self.seconds,
                ..Call::UNDER_WAY
            }),
            None => {
                let why = "must say how long the call took: the minutes that it began are charged";
                Err(Failure::flag("--seconds", why))
            }
            Some(flag) => Err(Failure::flag(flag, "says nothing of a call; leave it out")),
        }
    }
}
