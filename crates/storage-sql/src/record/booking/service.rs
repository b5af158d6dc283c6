//! Services as rows: what can be booked is one document, because nothing is looked for in it.

use super::super::RecordError;
use super::super::scalar::{MoneyRecord, valid, word};
use super::{number, stored};
use crate::PART;
use domain::account::AccountId;
use domain::bank::GroupLabel;
use domain::booking::{
    BookableService, CivilDay, OpenHours, Prepayment, ServiceMinutes, ServiceTerms, StaffName,
};
use domain::collection::RedirectUrl;
use domain::reference::MerchantReference;
use domain::time::Timestamp;
use ports::{PortError, PortErrorKind};
use serde::{Deserialize, Serialize};

/// A service as stored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BookableServiceRow {
    /// The account.
    pub account: String,
    /// The gateway's number.
    pub id: i64,
    /// The merchant's reference.
    pub reference: String,
    /// What can be booked, as a document.
    pub terms: String,
    /// Its version.
    pub version: i64,
    /// When it was made, in milliseconds.
    pub created_at: i64,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TermsRecord<'a> {
    name: String,
    location: Option<String>,
    zone: String,
    hours: Vec<String>,
    /// Year, month and day.
    closed: Vec<(u16, u8, u8)>,
    /// Of an appointment, of a step, between two, and before one.
    minutes: (u16, u16, u16, u32),
    staff: Vec<String>,
    capacity: u16,
    horizon: u16,
    #[serde(borrow)]
    price: MoneyRecord<'a>,
    /// Minutes of the hold, and where the customer goes after the payment.
    prepayment: Option<(u32, String)>,
    offered: bool,
}

impl BookableServiceRow {
    /// The row of a service.
    ///
    /// # Errors
    /// When the terms cannot be written as a document.
    pub fn of(service: &BookableService) -> Result<Self, PortError> {
        let what = "write what can be booked";
        let terms = serde_json::to_string(&written(&service.terms));
        Ok(Self {
            account: service.account.as_str().to_owned(),
            id: stored(service.number),
            reference: service.reference.as_str().to_owned(),
            terms: terms.map_err(|error| PortError::caused(PART, what, error))?,
            version: i64::from(service.version),
            created_at: service.created_at.as_millis(),
        })
    }

    /// The service.
    ///
    /// # Errors
    /// When the row breaks a rule; the error names the service.
    pub fn restore(&self) -> Result<BookableService, PortError> {
        self.read().map_err(|error| {
            let what = format!("service {} of {} cannot be read", self.id, self.account);
            PortError::caused(PART, what, error).with_trouble(PortErrorKind::Record)
        })
    }

    fn read(&self) -> Result<BookableService, RecordError> {
        let terms: TermsRecord<'_> =
            serde_json::from_str(&self.terms).map_err(|_| RecordError::Value("terms"))?;
        Ok(BookableService {
            account: valid(AccountId::parse(&self.account), "account")?,
            number: number(self.id, "number")?,
            reference: valid(MerchantReference::parse(&self.reference), "reference")?,
            terms: read(&terms)?,
            version: valid(u32::try_from(self.version), "version")?,
            created_at: Timestamp::from_millis(self.created_at),
        })
    }
}

fn written(terms: &ServiceTerms) -> TermsRecord<'_> {
    let ServiceMinutes {
        length,
        step,
        buffer,
        notice,
    } = terms.minutes;
    let closed = terms.closed.iter();
    let prepayment = terms.prepayment.as_ref();
    TermsRecord {
        name: terms.name.as_str().to_owned(),
        location: terms.location.as_ref().map(|it| it.as_str().to_owned()),
        zone: terms.zone.clone(),
        hours: terms.hours.iter().map(ToString::to_string).collect(),
        closed: closed.map(|it| (it.year, it.month, it.day)).collect(),
        minutes: (length, step, buffer, notice),
        staff: terms.staff.iter().map(ToString::to_string).collect(),
        capacity: terms.capacity,
        horizon: terms.horizon,
        price: terms.price.into(),
        prepayment: prepayment.map(|it| (it.hold, it.redirect.as_str().to_owned())),
        offered: terms.is_offered,
    }
}

fn read(terms: &TermsRecord<'_>) -> Result<ServiceTerms, RecordError> {
    let hours = terms.hours.iter();
    let hours: Result<Vec<_>, _> = hours.map(|it| valid(it.parse(), "hours")).collect();
    let hours: Vec<OpenHours> = hours?;
    let staff = terms.staff.iter();
    let staff: Result<_, _> = staff
        .map(|it| valid(StaffName::parse(it), "staff"))
        .collect();
    let closed = terms.closed.iter();
    let location = terms.location.as_deref().map(GroupLabel::parse);
    let prepayment = terms.prepayment.as_ref().map(|(hold, redirect)| {
        let redirect = valid(RedirectUrl::parse(redirect), "redirect")?;
        Ok(Prepayment {
            hold: *hold,
            redirect,
        })
    });
    let (length, step, buffer, notice) = terms.minutes;
    let read = ServiceTerms {
        name: valid(GroupLabel::parse(&terms.name), "name")?,
        location: valid(location.transpose(), "location")?,
        zone: terms.zone.clone(),
        hours,
        closed: closed
            .map(|(year, month, day)| CivilDay {
                year: *year,
                month: *month,
                day: *day,
            })
            .collect(),
        minutes: ServiceMinutes {
            length,
            step,
            buffer,
            notice,
        },
        staff: staff?,
        capacity: terms.capacity,
        horizon: terms.horizon,
        price: terms.price.restore("price")?,
        prepayment: prepayment.transpose()?,
        is_offered: terms.offered,
    };
    word(Some(read).filter(ServiceTerms::keeps_limits), "terms")
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::builders::bookable_service;

    #[test]
    fn a_service_is_read_back_as_it_was_written() {
        let whole = bookable_service("shop", 7);
        let mut bare = whole.clone();
        bare.terms.location = None;
        bare.terms.prepayment = None;
        bare.terms.staff.clear();
        bare.terms.closed.clear();
        for service in [whole, bare] {
            let row = BookableServiceRow::of(&service).unwrap();
            assert_eq!(row.restore().unwrap(), service);
        }
    }

    #[test]
    fn a_row_that_breaks_a_rule_is_named() {
        let broken: [fn(&mut BookableServiceRow); 11] = [
            |row| row.account = "a b".into(),
            |row| row.id = 0,
            |row| row.reference = "a b".into(),
            |row| row.version = -1,
            |row| row.terms = "{}".into(),
            |row| row.terms = row.terms.replace("Mon 09:00", "Mon 25:00"),
            |row| row.terms = row.terms.replace("Ada", "Ada, Bola"),
            |row| row.terms = row.terms.replace("https://", "ftp://"),
            |row| row.terms = row.terms.replace("[30,30,", "[0,30,"),
            |row| row.terms = row.terms.replace("[30,30,", "[30,1441,"),
            |row| row.terms = row.terms.replace("\"capacity\":1", "\"capacity\":0"),
        ];
        let row = BookableServiceRow::of(&bookable_service("shop", 7)).unwrap();
        for spoil in broken {
            let mut spoiled = row.clone();
            spoil(&mut spoiled);
            assert_ne!(spoiled, row);
            let error = spoiled.restore().unwrap_err().to_string();
            assert!(error.contains("service "), "{error}");
        }
    }
}
