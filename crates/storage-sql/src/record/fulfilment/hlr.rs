//! The record of what a register answered. What the register did not report must stay absent.

use crate::record::RecordError;
use crate::record::scalar::{Text, country, word};
use domain::country::CountryCode;
use domain::hlr::{HlrReport, HlrStatus};
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
pub(in crate::record) struct ReportRecord<'a> {
    #[serde(borrow)]
    status: Text<'a>,
    live: Option<bool>,
    ported: Option<bool>,
    roaming: Option<bool>,
    #[serde(borrow)]
    network_current: Option<Text<'a>>,
    #[serde(borrow)]
    mcc: Option<Text<'a>>,
    #[serde(borrow)]
    mnc: Option<Text<'a>>,
    roaming_country: Option<u16>,
}

impl<'a> From<&'a HlrReport> for ReportRecord<'a> {
    fn from(report: &'a HlrReport) -> Self {
        Self {
            status: report.status.code().into(),
            live: report.live,
            ported: report.ported,
            roaming: report.roaming,
            network_current: report.network_current.as_ref().map(Into::into),
            mcc: report.mcc.as_ref().map(Into::into),
            mnc: report.mnc.as_ref().map(Into::into),
            roaming_country: report.roaming_country.map(CountryCode::get),
        }
    }
}

impl ReportRecord<'_> {
    pub(super) fn restore(self) -> Result<HlrReport, RecordError> {
        Ok(HlrReport {
            status: word(HlrStatus::from_code(&self.status), "status")?,
            live: self.live,
            ported: self.ported,
            roaming: self.roaming,
            network_current: self.network_current.map(Text::into_owned),
            mcc: self.mcc.map(Text::into_owned),
            mnc: self.mnc.map(Text::into_owned),
            roaming_country: self.roaming_country.map(country).transpose()?,
        })
    }
}
