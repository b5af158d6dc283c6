//! The record of what a lookup found. It must keep every value the provider reported.

use crate::record::RecordError;
use crate::record::labelled_value::{LabelledValueRecord, restore_all};
use crate::record::scalar::Text;
use domain::geolocation::device::GeoPoint;
use domain::paid_lookup::{DevicePosition, LookupCategory, LookupFindings};
use domain::time::Timestamp;
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
pub(in crate::record) struct FindingsRecord<'a> {
    #[serde(borrow)]
    category: Text<'a>,
    #[serde(borrow)]
    values: Vec<LabelledValueRecord<'a>>,
    location: Option<DevicePositionRecord>,
}

/// Degrees are in millionths, the radius in metres.
#[derive(Debug, Serialize, Deserialize)]
struct DevicePositionRecord {
    latitude: i32,
    longitude: i32,
    accuracy: u32,
    located_at: i64,
}

impl<'a> From<&'a LookupFindings> for FindingsRecord<'a> {
    fn from(findings: &'a LookupFindings) -> Self {
        Self {
            category: findings.category.code().into(),
            values: findings.values.iter().map(Into::into).collect(),
            location: findings.location.map(|fix| DevicePositionRecord {
                latitude: fix.at.micros().0,
                longitude: fix.at.micros().1,
                accuracy: fix.accuracy,
                located_at: fix.located_at.as_millis(),
            }),
        }
    }
}

impl FindingsRecord<'_> {
    pub(super) fn restore(self) -> Result<LookupFindings, RecordError> {
        let category = LookupCategory::from_code(&self.category);
        let location = self.location.map(|fix| {
            let at = GeoPoint::from_micros(fix.latitude, fix.longitude);
            Ok(DevicePosition {
                at: at.ok_or(RecordError::Value("location"))?,
                accuracy: fix.accuracy,
                located_at: Timestamp::from_millis(fix.located_at),
            })
        });
        Ok(LookupFindings {
            category: category.ok_or(RecordError::Value("category"))?,
            values: restore_all(self.values),
            location: location.transpose()?,
        })
    }
}
