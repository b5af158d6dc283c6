//! Appointments as rows. Who comes is one document, because nothing is looked for in it.

use super::super::RecordError;
use super::super::scalar::{Text, valid, word};
use super::{number, stored};
use crate::PART;
use domain::account::{AccountId, EmailAddress};
use domain::bank::GroupLabel;
use domain::booking::{
    Appointment, AppointmentStage, AppointmentState, Occupation, Seat, StaffName,
};
use domain::collection::RedirectUrl;
use domain::money::{Currency, Money};
use domain::phone::PhoneNumber;
use domain::reference::MerchantReference;
use domain::time::Timestamp;
use ports::{PortError, PortErrorKind};
use serde::{Deserialize, Serialize};

/// An appointment as stored, and what was paid.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AppointmentRow {
    /// The account.
    pub account: String,
    /// The gateway's number.
    pub id: i64,
    /// The merchant's reference.
    pub reference: String,
    /// The service.
    pub service: i64,
    /// What another appointment cannot have at the time.
    pub resource: String,
    /// Who serves.
    pub staff: Option<String>,
    /// When it begins, in milliseconds.
    pub starts_at: i64,
    /// When it ends.
    pub ends_at: i64,
    /// When the next can begin.
    pub busy_until: i64,
    /// How many share the time.
    pub capacity: i64,
    /// When it began at first, where it was moved.
    pub moved_from: Option<i64>,
    /// Who comes, as a document.
    pub customer: String,
    /// What it costs, in minor units.
    pub price: i64,
    /// Their currency.
    pub currency: String,
    /// How far it has come.
    pub stage: String,
    /// Until when it is held for its payment, of one that was made to be paid before.
    pub held_until: Option<i64>,
    /// Why it was called off.
    pub reason: Option<String>,
    /// Its version.
    pub version: i64,
    /// When it was booked.
    pub created_at: i64,
    /// The sum of what was paid, in minor units.
    pub paid: i64,
}

/// What takes time of a resource: number, resource, service, beginning, when the next can begin,
/// and until when it is held.
pub type OccupationRow = (i64, String, i64, i64, i64, Option<i64>);

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CustomerRecord<'a> {
    #[serde(borrow)]
    name: Text<'a>,
    #[serde(borrow)]
    phone: Text<'a>,
    #[serde(borrow)]
    email: Option<Text<'a>>,
    #[serde(borrow)]
    note: Option<Text<'a>>,
    #[serde(borrow)]
    zone: Option<Text<'a>>,
    /// Where the customer goes after the payment.
    #[serde(borrow)]
    redirect: Option<Text<'a>>,
}

impl AppointmentRow {
    /// The row of an appointment, without payments.
    ///
    /// # Errors
    /// When its customer cannot be written as a document.
    pub fn of(appointment: &Appointment) -> Result<Self, PortError> {
        let seat = &appointment.seat;
        let customer = CustomerRecord {
            name: appointment.customer.as_str().into(),
            phone: appointment.phone.digits().into(),
            email: appointment.email.as_ref().map(|it| it.as_str().into()),
            note: appointment.note.as_ref().map(|it| it.as_str().into()),
            zone: appointment.zone.as_deref().map(Into::into),
            redirect: appointment.redirect.as_ref().map(|it| it.as_str().into()),
        };
        let what = "write the customer of an appointment";
        let customer = serde_json::to_string(&customer);
        Ok(Self {
            account: appointment.account.as_str().to_owned(),
            id: stored(appointment.number),
            reference: appointment.reference.as_str().to_owned(),
            service: stored(seat.service),
            resource: seat.resource(),
            staff: seat.staff.as_ref().map(|it| it.as_str().to_owned()),
            starts_at: seat.starts_at.as_millis(),
            ends_at: seat.ends_at.as_millis(),
            busy_until: seat.busy_until.as_millis(),
            capacity: i64::from(seat.capacity),
            moved_from: appointment.moved_from.map(Timestamp::as_millis),
            customer: customer.map_err(|error| PortError::caused(PART, what, error))?,
            price: appointment.price.minor(),
            currency: appointment.price.currency().code().to_owned(),
            stage: appointment.stage.code().to_owned(),
            held_until: match appointment.stage {
                AppointmentStage::Held { until } => Some(until.as_millis()),
                AppointmentStage::Booked
                | AppointmentStage::Cancelled
                | AppointmentStage::Lapsed
                | AppointmentStage::Completed
                | AppointmentStage::Missed => None,
            },
            reason: appointment.reason.as_ref().map(|it| it.as_str().to_owned()),
            version: i64::from(appointment.version),
            created_at: appointment.created_at.as_millis(),
            paid: 0,
        })
    }

    /// The appointment, and what was paid.
    ///
    /// # Errors
    /// When the row breaks a rule; the error names the appointment.
    pub fn restore(&self) -> Result<AppointmentState, PortError> {
        self.read().map_err(|error| {
            let what = format!("appointment {} of {} cannot be read", self.id, self.account);
            PortError::caused(PART, what, error).with_trouble(PortErrorKind::Record)
        })
    }

    fn read(&self) -> Result<AppointmentState, RecordError> {
        let currency = word(Currency::from_code(&self.currency), "currency")?;
        let customer: CustomerRecord<'_> =
            serde_json::from_str(&self.customer).map_err(|_| RecordError::Value("customer"))?;
        let email = customer.email.as_deref().map(EmailAddress::parse);
        let note = customer.note.as_deref().map(GroupLabel::parse);
        let redirect = customer.redirect.as_deref().map(RedirectUrl::parse);
        let reason = self.reason.as_deref().map(GroupLabel::parse);
        for (minor, field) in [(self.price, "price"), (self.paid, "paid")] {
            word((0..=Money::MAX_MINOR).contains(&minor).then_some(()), field)?;
        }
        Ok(AppointmentState {
            appointment: Appointment {
                account: valid(AccountId::parse(&self.account), "account")?,
                number: number(self.id, "number")?,
                reference: valid(MerchantReference::parse(&self.reference), "reference")?,
                seat: self.seat()?,
                moved_from: self.moved_from.map(Timestamp::from_millis),
                customer: valid(GroupLabel::parse(&customer.name), "customer")?,
                phone: valid(PhoneNumber::parse(&customer.phone), "customer")?,
                email: valid(email.transpose(), "customer")?,
                note: valid(note.transpose(), "customer")?,
                zone: customer.zone.map(Text::into_owned),
                redirect: valid(redirect.transpose(), "customer")?,
                price: Money::from_minor(self.price, currency),
                stage: self.stage()?,
                reason: valid(reason.transpose(), "reason")?,
                version: valid(u32::try_from(self.version), "version")?,
                created_at: Timestamp::from_millis(self.created_at),
            },
            paid: Money::from_minor(self.paid, currency),
        })
    }

    fn seat(&self) -> Result<Seat, RecordError> {
        let staff = self.staff.as_deref().map(StaffName::parse).transpose();
        let seat = Seat {
            service: number(self.service, "service")?,
            staff: valid(staff, "staff")?,
            starts_at: Timestamp::from_millis(self.starts_at),
            ends_at: Timestamp::from_millis(self.ends_at),
            busy_until: Timestamp::from_millis(self.busy_until),
            capacity: valid(u16::try_from(self.capacity), "capacity")?,
        };
        let is_whole = seat.starts_at < seat.ends_at
            && seat.ends_at <= seat.busy_until
            && seat.resource() == self.resource;
        word(is_whole.then_some(seat), "seat")
    }

    fn stage(&self) -> Result<AppointmentStage, RecordError> {
        match (self.stage.as_str(), self.held_until) {
            ("held", Some(until)) => Ok(AppointmentStage::Held {
                until: Timestamp::from_millis(until),
            }),
            ("booked", None) => Ok(AppointmentStage::Booked),
            ("cancelled", _) => Ok(AppointmentStage::Cancelled),
            ("lapsed", Some(_)) => Ok(AppointmentStage::Lapsed),
            ("completed", _) => Ok(AppointmentStage::Completed),
            ("missed", _) => Ok(AppointmentStage::Missed),
            (_, _) => Err(RecordError::Value("stage")),
        }
    }

    /// What takes time, of a row of [`OccupationRow`].
    ///
    /// # Errors
    /// When the row breaks a rule.
    pub fn occupation(row: OccupationRow) -> Result<Occupation, PortError> {
        let (id, resource, service, starts_at, busy_until, held_until) = row;
        let broken = |error: RecordError| {
            let what = format!("appointment {id} cannot be read");
            PortError::caused(PART, what, error).with_trouble(PortErrorKind::Record)
        };
        Ok(Occupation {
            number: number(id, "number").map_err(broken)?,
            resource,
            service: number(service, "service").map_err(broken)?,
            starts_at: Timestamp::from_millis(starts_at),
            busy_until: Timestamp::from_millis(busy_until),
            held_until: held_until.map(Timestamp::from_millis),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::builders::{appointment, at};

    #[test]
    fn an_appointment_is_read_back_as_it_was_written() {
        let booked = appointment("shop", 7, 60);
        let held = Appointment {
            stage: AppointmentStage::Held { until: at(900) },
            moved_from: Some(at(5)),
            email: None,
            note: None,
            zone: None,
            redirect: None,
            ..booked.clone()
        };
        for made in [booked, held] {
            let row = AppointmentRow {
                paid: 700,
                ..AppointmentRow::of(&made).unwrap()
            };
            let state = row.restore().unwrap();
            assert_eq!((state.appointment, state.paid.minor()), (made, 700));
        }
    }

    #[test]
    fn a_row_that_breaks_a_rule_is_named() {
        let broken: [fn(&mut AppointmentRow); 17] = [
            |row| row.account = "a b".into(),
            |row| row.id = 0,
            |row| row.reference = "a b".into(),
            |row| row.service = 0,
            |row| row.resource = "staff Bola".into(),
            |row| row.staff = Some("Bola".into()),
            |row| row.ends_at = row.starts_at,
            |row| row.busy_until = row.starts_at,
            |row| row.capacity = -1,
            |row| row.customer = row.customer.replace("https", "ftp"),
            |row| row.customer = "{}".into(),
            |row| row.price = -1,
            |row| row.currency = "QQQ".into(),
            |row| row.stage = "held".into(),
            |row| row.reason = Some(String::new()),
            |row| row.version = -1,
            |row| row.paid = -1,
        ];
        let row = AppointmentRow::of(&appointment("shop", 7, 60)).unwrap();
        for spoil in broken {
            let mut spoiled = row.clone();
            spoil(&mut spoiled);
            assert_ne!(spoiled, row);
            let error = spoiled.restore().unwrap_err().to_string();
            assert!(error.contains("appointment "), "{error}");
        }
    }
}
