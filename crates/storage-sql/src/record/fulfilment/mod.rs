//! Records of what was handed over, one file per family that hands over more than the fact. They
//! must keep every value a provider reported.

mod bill;
mod electricity;
mod hlr;
mod international;
mod ivr;
mod messaging;
mod paid_lookup;
mod rcs;
mod sms;
mod token;
mod voice;

use super::RecordError;
use super::scalar::Text;
use bill::BillReceiptRecord;
use domain::provider::Fulfilment;
use electricity::VendRecord;
use hlr::ReportRecord;
use international::RemittanceRecord;
use ivr::FlowRunRecord;
use messaging::MessageDeliveryRecord;
use paid_lookup::FindingsRecord;
use rcs::RcsDeliveryRecord;
use serde::{Deserialize, Serialize};
use sms::DispatchRecord;
use voice::CallRecord;

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum FulfilmentRecord<'a> {
    Airtime,
    #[serde(rename = "cabletv")]
    CableTv,
    #[serde(borrow)]
    Electricity(VendRecord<'a>),
    Internet,
    #[serde(borrow)]
    Sms(DispatchRecord<'a>),
    #[serde(borrow)]
    Whatsapp(MessageDeliveryRecord<'a>),
    #[serde(borrow)]
    Rcs(RcsDeliveryRecord<'a>),
    #[serde(borrow)]
    Voice(CallRecord<'a>),
    #[serde(borrow)]
    Ivr(FlowRunRecord<'a>),
    Bank,
    Card,
    #[serde(borrow)]
    International(RemittanceRecord<'a>),
    #[serde(rename = "mobilemoney")]
    MobileMoney,
    #[serde(borrow)]
    Hlr(ReportRecord<'a>),
    #[serde(borrow)]
    Bill(BillReceiptRecord<'a>),
    #[serde(borrow)]
    Lookup(FindingsRecord<'a>),
}

impl<'a> From<&'a Fulfilment> for FulfilmentRecord<'a> {
    fn from(fulfilment: &'a Fulfilment) -> Self {
        match fulfilment {
            Fulfilment::Airtime => Self::Airtime,
            Fulfilment::CableTv => Self::CableTv,
            Fulfilment::Electricity(vend) => Self::Electricity(vend.into()),
            Fulfilment::Internet => Self::Internet,
            Fulfilment::Sms(dispatch) => Self::Sms(dispatch.into()),
            Fulfilment::Whatsapp(delivery) => Self::Whatsapp(delivery.into()),
            Fulfilment::Rcs(delivery) => Self::Rcs(delivery.into()),
            Fulfilment::Voice(call) => Self::Voice(call.into()),
            Fulfilment::Ivr(run) => Self::Ivr(run.into()),
            Fulfilment::Bank => Self::Bank,
            Fulfilment::Card => Self::Card,
            Fulfilment::International(remittance) => Self::International(remittance.into()),
            Fulfilment::MobileMoney => Self::MobileMoney,
            Fulfilment::Hlr(report) => Self::Hlr(report.into()),
            Fulfilment::Bill(receipt) => Self::Bill(receipt.into()),
            Fulfilment::Lookup(findings) => Self::Lookup(findings.into()),
        }
    }
}

impl<'a> FulfilmentRecord<'a> {
    /// Where the number of a meter token stands, if there is one.
    pub(super) fn token(&mut self) -> Option<&mut Option<Text<'a>>> {
        match self {
            Self::Electricity(vend) => vend.token(),
            Self::Bill(receipt) => receipt.token(),
            Self::Airtime
            | Self::CableTv
            | Self::Internet
            | Self::Sms(_)
            | Self::Whatsapp(_)
            | Self::Rcs(_)
            | Self::Voice(_)
            | Self::Ivr(_)
            | Self::Bank
            | Self::MobileMoney
            | Self::Card
            | Self::International(_)
            | Self::Hlr(_)
            | Self::Lookup(_) => None,
        }
    }

    pub(super) fn restore(self) -> Result<Fulfilment, RecordError> {
        match self {
            Self::Airtime => Ok(Fulfilment::Airtime),
            Self::CableTv => Ok(Fulfilment::CableTv),
            Self::Electricity(vend) => vend.restore().map(Fulfilment::Electricity),
            Self::Internet => Ok(Fulfilment::Internet),
            Self::Sms(dispatch) => dispatch.restore().map(Fulfilment::Sms),
            Self::Whatsapp(delivery) => delivery.restore().map(Fulfilment::Whatsapp),
            Self::Rcs(delivery) => delivery.restore().map(Fulfilment::Rcs),
            Self::Voice(call) => call.restore().map(Fulfilment::Voice),
            Self::Ivr(run) => run.restore().map(Fulfilment::Ivr),
            Self::Bank => Ok(Fulfilment::Bank),
            Self::Card => Ok(Fulfilment::Card),
            Self::International(remittance) => remittance.restore().map(Fulfilment::International),
            Self::MobileMoney => Ok(Fulfilment::MobileMoney),
            Self::Hlr(report) => report.restore().map(Fulfilment::Hlr),
            Self::Bill(receipt) => receipt.restore().map(Fulfilment::Bill),
            Self::Lookup(findings) => findings.restore().map(Fulfilment::Lookup),
        }
    }
}
