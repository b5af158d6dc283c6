//! What can be booked, as its merchant configures it.

use super::OpenHours;
use crate::account::AccountId;
use crate::bank::GroupLabel;
use crate::collection::RedirectUrl;
use crate::money::Money;
use crate::reference::{MerchantReference, TransactionNumber};
use crate::text::{self, UnfitLine};
use crate::time::Timestamp;
use std::fmt;

/// Most services of an account, so that a list of them stays short.
pub const SERVICES_MAX: u32 = 500;

/// Most people who serve: free times are looked for with each of them.
pub const STAFF_MAX: usize = 50;

/// Most appointments of a service at one time, with all who serve: they are read as one is booked.
pub const SHARED_MAX: usize = 2_000;

/// The shortest that an appointment is held for its payment, within which one is made.
pub const HOLD_MINUTES_MIN: u32 = 5;

/// The longest that an appointment is held for its payment: 30 days, as long as a checkout session
/// may wait.
pub const HOLD_MINUTES_MAX: u32 = 30 * 24 * 60;

/// Why a text is no name of a person who serves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidStaffName {
    /// It is not one line.
    #[error(transparent)]
    Line(#[from] UnfitLine),
    /// Names are written in lists with commas in between.
    #[error("must not hold a comma")]
    Comma,
}

/// Who serves. The same name in two services is the same person, in any case.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StaffName(String);

impl StaffName {
    /// Most characters.
    pub const LENGTH_MAX: usize = 60;

    /// Reads a name.
    ///
    /// # Errors
    /// Refuses an empty name, one over [`Self::LENGTH_MAX`], commas, line breaks and hidden
    /// characters.
    pub fn parse(text: &str) -> Result<Self, InvalidStaffName> {
        let name = text::line(text, Self::LENGTH_MAX)?;
        if name.contains(',') {
            return Err(InvalidStaffName::Comma);
        }
        Ok(Self(name.to_owned()))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What two spellings of one name have in common: neither case nor the length of blanks.
    pub fn key(&self) -> String {
        let words: Vec<_> = self.0.split_whitespace().map(str::to_lowercase).collect();
        words.join(" ")
    }
}

impl fmt::Display for StaffName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A text is no day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be a day such as 25-12-2026")]
pub struct InvalidCivilDay;

/// A day of the calendar, in no time zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CivilDay {
    /// The year, of four digits.
    pub year: u16,
    /// The month, from 1.
    pub month: u8,
    /// The day, from 1.
    pub day: u8,
}

/// `DD-MM-YYYY`.
impl fmt::Display for CivilDay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}-{:02}-{:04}", self.day, self.month, self.year)
    }
}

/// The times of a service, in minutes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ServiceMinutes {
    /// How long an appointment takes.
    pub length: u16,
    /// From one possible beginning to the next.
    pub step: u16,
    /// Between an appointment and the next with the same person.
    pub buffer: u16,
    /// How long before its beginning an appointment is booked at the latest.
    pub notice: u32,
}

impl ServiceMinutes {
    /// The shortest appointment, and the smallest step.
    pub const MIN: u16 = 5;

    /// The longest of each but the notice: a day.
    pub const MAX: u16 = 24 * 60;

    /// The longest notice: 30 days.
    pub const NOTICE_MAX: u32 = 30 * 24 * 60;
}

/// That an appointment is held until it is paid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prepayment {
    /// How many minutes it is held.
    pub hold: u32,
    /// Where the customer goes after the payment.
    pub redirect: RedirectUrl,
}

/// What can be booked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceTerms {
    /// What customers know it as.
    pub name: GroupLabel,
    /// Where it is served.
    pub location: Option<GroupLabel>,
    /// The name of the time zone of its hours, in the time zone database.
    pub zone: String,
    /// When it can be booked.
    pub hours: Vec<OpenHours>,
    /// Days on which it cannot.
    pub closed: Vec<CivilDay>,
    /// How long things take.
    pub minutes: ServiceMinutes,
    /// Who serves, those first who are to be booked first; empty where no person is booked.
    pub staff: Vec<StaffName>,
    /// How many book one time with one person, all with the same beginning.
    pub capacity: u16,
    /// How many days ahead it can be booked.
    pub horizon: u16,
    /// What an appointment costs; zero where nothing.
    pub price: Money,
    /// Whether the price is paid before.
    pub prepayment: Option<Prepayment>,
    /// Whether it can be booked at present.
    pub is_offered: bool,
}

impl ServiceTerms {
    /// Most that book one time.
    pub const CAPACITY_MAX: u16 = 1_000;

    /// The farthest that is booked ahead, in days: two years.
    pub const HORIZON_MAX: u16 = 731;

    /// Most days on which a service is closed: as many as a year has.
    pub const CLOSED_MAX: usize = 366;

    /// Whether every number is within its limits.
    pub fn keeps_limits(&self) -> bool {
        let times = ServiceMinutes::MIN..=ServiceMinutes::MAX;
        let hold = self
            .prepayment
            .as_ref()
            .map_or(HOLD_MINUTES_MIN, |it| it.hold);
        let shared = self.staff.len().max(1).saturating_mul(self.capacity.into());
        times.contains(&self.minutes.length)
            && times.contains(&self.minutes.step)
            && self.minutes.buffer <= ServiceMinutes::MAX
            && self.minutes.notice <= ServiceMinutes::NOTICE_MAX
            && (1..=Self::CAPACITY_MAX).contains(&self.capacity)
            && (1..=Self::HORIZON_MAX).contains(&self.horizon)
            && (HOLD_MINUTES_MIN..=HOLD_MINUTES_MAX).contains(&hold)
            && self.staff.len() <= STAFF_MAX
            && shared <= SHARED_MAX
            && self.price.minor() >= 0
    }
}

/// A service to make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewBookableService {
    /// The merchant's reference.
    pub reference: MerchantReference,
    /// What can be booked.
    pub terms: ServiceTerms,
}

/// A service as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookableService {
    /// Whose.
    pub account: AccountId,
    /// The gateway's number of it, unique in the account.
    pub number: TransactionNumber,
    /// The merchant's reference, unique among the services of the account.
    pub reference: MerchantReference,
    /// What can be booked.
    pub terms: ServiceTerms,
    /// 1, and one more with each change.
    pub version: u32,
    /// When it was made.
    pub created_at: Timestamp,
}
