//! Services and appointments that answers show: in every status, with and without all that may be
//! left out.

use super::{NAME, NUMBER, PAGE, SERVICE};
use crate::states::{Sample, lagos, sample};
use domain::booking::{
    Appointment, AppointmentStage, AppointmentState, BookableService, Seat, ServiceTerms,
};
use domain::reference::TransactionNumber;
use domain::statement::Sort;
use testkit::builders::{appointment, at, bookable_service, naira, reference, seat};
use wire::booking::appointment::{self as appointments, ShownAppointment};
use wire::booking::service;
use wire::page::{LENGTH_MAX, Paging};

pub(super) const fn paging() -> Paging<()> {
    Paging {
        offset: 0,
        length: LENGTH_MAX,
        order: None,
        sort: Sort::Ascending,
    }
}

pub(super) fn whole() -> BookableService {
    BookableService {
        reference: reference("haircut"),
        ..bookable_service("shop", SERVICE)
    }
}

/// Of a service without all that may be left out.
pub(super) fn least() -> BookableService {
    let whole = whole();
    let terms = ServiceTerms {
        location: None,
        closed: Vec::new(),
        staff: Vec::new(),
        price: naira("0.00"),
        prepayment: None,
        ..whole.terms
    };
    BookableService { terms, ..whole }
}

pub(super) fn shown(
    name: &'static str,
    service: &BookableService,
    message: &'static str,
) -> Sample {
    sample(name, message, service::view_one(service, &lagos()))
}

pub(super) fn created(sample: Sample) -> Sample {
    Sample {
        status: 201,
        ..sample
    }
}

pub(super) fn the_appointment() -> Appointment {
    let service = TransactionNumber::try_new(SERVICE).expect("a number");
    Appointment {
        reference: reference(NAME),
        seat: Seat {
            service,
            ..seat(60)
        },
        ..appointment("shop", NUMBER, 60)
    }
}

pub(super) fn held(paid: &str) -> AppointmentState {
    let held = Appointment {
        stage: AppointmentStage::Held { until: at(900) },
        ..the_appointment()
    };
    state(held, paid)
}

pub(super) fn booked() -> AppointmentState {
    state(the_appointment(), "0.00")
}

/// One with nothing that may be left out, with no person, called off.
pub(super) fn bare() -> AppointmentState {
    let whole = the_appointment();
    let bare = Appointment {
        email: None,
        note: None,
        zone: None,
        seat: Seat {
            staff: None,
            ..whole.seat.clone()
        },
        ..whole
    };
    state(bare, "0.00")
}

pub(super) fn called_off() -> AppointmentState {
    let off = Appointment {
        stage: AppointmentStage::Cancelled,
        reason: the_appointment().note,
        version: 2,
        ..the_appointment()
    };
    state(off, "0.00")
}

pub(super) fn state(appointment: Appointment, paid: &str) -> AppointmentState {
    AppointmentState {
        appointment,
        paid: naira(paid),
    }
}

pub(super) fn with_page(state: &AppointmentState) -> ShownAppointment<'_> {
    ShownAppointment {
        state,
        page: state.held_until().map(|_| PAGE.to_owned()),
    }
}

pub(super) fn shown_appointment(
    name: &'static str,
    state: &AppointmentState,
    message: &'static str,
) -> Sample {
    let fields = appointments::view_one(&with_page(state), &lagos());
    sample(name, message, fields)
}

/// Appointments in every status.
pub(super) fn every(status: u16) -> Vec<Sample> {
    let ended = |stage| {
        let ended = Appointment {
            stage,
            ..the_appointment()
        };
        state(ended, "5,000.00")
    };
    let waits = "The appointment waits for its payment.";
    let is_booked = "The appointment is booked.";
    let all = [
        shown_appointment("held", &held("0.00"), waits),
        shown_appointment("booked", &booked(), is_booked),
        shown_appointment("least", &bare(), is_booked).unseen(),
        shown_appointment("cancelled", &called_off(), "The appointment is cancelled.").unseen(),
        shown_appointment("completed", &ended(AppointmentStage::Completed), "Served.").unseen(),
        shown_appointment("missed", &ended(AppointmentStage::Missed), "Missed.").unseen(),
    ];
    let all = all.into_iter().map(|sample| Sample { status, ..sample });
    all.collect()
}
