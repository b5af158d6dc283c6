//! Services and appointments. It must not document what no sample shows.

mod samples;

use crate::operation::{FileForm, Operation, OperationFamily, Parameter, optional, required};
use crate::states::{Sample, lagos, sample};
use domain::booking::{Appointment, AppointmentStage, FreeSlot};
use samples::{
    bare, booked, called_off, created, every, held, least, paging, shown, shown_appointment, state,
    the_appointment, whole, with_page,
};
use testkit::builders::{START, at};
use wire::attribute::{
    AMOUNT, BOOKING, BOOKING_BUFFER, BOOKING_CAPACITY, BOOKING_CLOSED, BOOKING_HOLD,
    BOOKING_HORIZON, BOOKING_HOURS, BOOKING_LOCATION, BOOKING_MINUTES, BOOKING_NAME, BOOKING_NOTE,
    BOOKING_NOTICE, BOOKING_OFFERED, BOOKING_REASON, BOOKING_SERVICE, BOOKING_STAFF, BOOKING_START,
    BOOKING_STEP, BOOKING_TEAM, BOOKING_ZONE, CURRENCY, CUSTOMER_EMAIL, CUSTOMER_NAME,
    CUSTOMER_TELEPHONE, FORMAT, FROM, REDIRECT_URL, REFERENCE, TO, VERSION,
};
use wire::booking::appointment::{self as appointments, AppointmentsPart};
use wire::booking::calendar;
use wire::booking::service::{self, ServicesPart};
use wire::booking::slots;

const NUMBER: u64 = 7_213_340_051;
const ID: &str = "7213340051";
const NAME: &str = "haircut-2026-0001";
const SERVICE: u64 = 7_213_340_050;
const SERVICE_ID: &str = "7213340050";
const MORNING: &str = "2029-12-31T09:00:00Z";

const PAGE: &str = "https://pay.example/checkout/pay/0721334005188a51f03be9d2c47e61b0f8d3a2c5";

pub(super) fn family() -> OperationFamily {
    OperationFamily {
        stem: "booking",
        name: "Booking",
        about: "What your customers can book with you, when it is free, and their appointments: \
                paid before where you want it, moved, called off, and as an entry of a calendar.",
        operations: vec![
            create(),
            list_services(),
            change(),
            free(),
            book(),
            report(),
            list(),
            calendar_file(),
            reschedule(),
            end(
                (
                    "/booking/cancel",
                    "cancelAppointment",
                    "Call an appointment off",
                ),
                CANCELLED,
                (AppointmentStage::Cancelled, "The appointment is cancelled."),
            ),
            end(
                (
                    "/booking/complete",
                    "completeAppointment",
                    "Say that a customer was served",
                ),
                COMPLETED,
                (AppointmentStage::Completed, "The customer was served."),
            ),
            end(
                (
                    "/booking/miss",
                    "missAppointment",
                    "Say that a customer did not come",
                ),
                MISSED,
                (AppointmentStage::Missed, "The customer did not come."),
            ),
        ],
    }
}

const CANCELLED: &str = "Its time is free at once, and its page asks for no money. What was paid \
                         stays with you, in `bkgPaid`: pay it back with a transfer. `version` is \
                         the one you have seen: where it has another by now, the answer is 409; \
                         with `If-Match` and its `ETag` it is 412. Doing it again is answered as \
                         done; one that has ended otherwise is answered 409.";
const COMPLETED: &str = "Once it is paid, where it is to be paid before; otherwise 409. `version` \
                         is the one you have seen: where it has another by now, the \
                         answer is 409; with `If-Match` and its `ETag` it is 412. Doing it again \
                         is answered as done.";
const MISSED: &str = "What was paid stays with you. One that waits for its payment is called \
                      off instead: 409. `version` is \
                      the one you have seen: where it has another by now, the answer is 409; with \
                      `If-Match` and its `ETag` it is 412. Doing it again is answered as done.";

fn create() -> Operation {
    let mut parameters = vec![required(&REFERENCE, "haircut")];
    parameters.extend(terms());
    Operation::post(
        "/booking/service",
        "createBookableService",
        "Make a service",
    )
    .detailed(
        "What can be booked, and when: each of `bkgHours` is a day of the week with two times \
             of the clock on the wall in `bkgTimezone`, so that a change of that clock moves the \
             appointments with it. From each opening on an appointment can begin every `bkgStep` \
             minutes, while it ends before the closing. With `bkgTeam` each appointment is with \
             one of the team, and a person of that name serves one appointment at a time, \
             whatever service it is of; without a team the service itself has one place. \
             `bkgCapacity` customers may share a time with one person, all from the same \
             beginning. With `bkgHold` and `redirectUrl` an appointment is paid before: its time \
             is held for so many minutes while its customer pays on a page. An account has 500 \
             services at most; those you no longer offer stay, with `bkgOffered` `false`.",
    )
    .takes(parameters)
    .creates(
        "BookableService",
        vec![
            created(shown("made", &whole(), "The service was made.")),
            created(shown("least", &least(), "The service was made.")).unseen(),
        ],
    )
    .refused(&[409])
}

fn list_services() -> Operation {
    let all = [whole(), least()];
    let part = ServicesPart {
        services: &all,
        total: 2,
    };
    let fields = service::view(part, &paging(), &lagos());
    Operation::get(
        "/booking/service",
        "listBookableServices",
        "List your services",
    )
    .in_parts(&["txnDate"])
    .lists(
        "BookableServices",
        vec![sample("all", "The services.", fields)],
    )
}

fn change() -> Operation {
    let mut parameters = vec![
        required(&BOOKING_SERVICE, SERVICE_ID),
        required(&VERSION, "1"),
    ];
    parameters.extend(terms());
    let path = "/booking/service/change";
    Operation::post(path, "changeBookableService", "Change a service")
        .detailed(
            "All that can be booked is sent anew. Appointments that were booked stay as they are, \
             at the price they had. `version` is the one you have seen: where the service has \
             another by now, the answer is 409; with `If-Match` and its `ETag` it is 412. What is \
             so already is answered as done.",
        )
        .takes(parameters)
        .answers(
            "BookableService",
            vec![
                shown("changed", &whole(), "The service was changed."),
                shown("least", &least(), "The service was changed.").unseen(),
            ],
        )
        .refused(&[404, 409, 412, 422])
}

fn free() -> Operation {
    let slot = |staff: bool| FreeSlot {
        starts_at: START,
        ends_at: at(1_800),
        staff: whole().terms.staff.into_iter().filter(|_| staff).collect(),
        seats: 2,
    };
    let fields = slots::view(&whole(), &[slot(true), slot(false)], &lagos());
    Operation::get(
        "/booking/slots",
        "listFreeSlots",
        "List the free times of a service",
    )
    .detailed(
        "In a period of seven days, and 20,000 times with all of the team, at most, and no later \
             than the service is booked ahead. Each has who of the team is free, and how many \
             appointments there is room for; empty of a service without a team. A time that is \
             held is not free; once the hold is over \
             and nothing was paid it is. Another customer may be faster: only `POST \
             /booking/appointment` takes a time.",
    )
    .takes([
        required(&BOOKING_SERVICE, SERVICE_ID),
        required(&FROM, "2029-12-31T00:00:00Z"),
        required(&TO, "2030-01-01T00:00:00Z"),
        optional(&BOOKING_STAFF).such_as("Ada"),
    ])
    .answers("FreeSlots", vec![sample("free", "The free times.", fields)])
    .refused(&[404, 409])
}

fn book() -> Operation {
    Operation::post(
        "/booking/appointment",
        "bookAppointment",
        "Book an appointment",
    )
    .detailed(
        "Each time is given away once, however many ask for it at the same moment: the others \
             are answered 409. Without `bkgStaff` it is with the first of the team who is free. \
             Where the service is paid before, the appointment is Held until `bkgHeldUntil` and \
             your customer pays at `chkUrl`; once all is paid it is Booked, and `account.credited` \
             with its `mrcReference` says so. A hold that is over gives its time to the next who \
             asks for it; until then a late payment still books it. What arrives after the time \
             was given away is credited all the same and shown in `bkgPaid`. Its session has the \
             number of the appointment and the same `mrcReference`, which is therefore unique \
             among your collections too.",
    )
    .takes([
        required(&REFERENCE, NAME),
        required(&BOOKING_SERVICE, SERVICE_ID),
        required(&BOOKING_START, MORNING),
        optional(&BOOKING_STAFF).such_as("Ada"),
        required(&CUSTOMER_NAME, "Ngozi Eze"),
        required(&CUSTOMER_TELEPHONE, "2348031234567"),
        optional(&CUSTOMER_EMAIL),
        optional(&BOOKING_NOTE),
        optional(&BOOKING_ZONE).such_as("Europe/London"),
    ])
    .creates("Appointment", every(201))
    .refused(&[404, 409])
}

fn report() -> Operation {
    Operation::get(
        "/booking/appointment",
        "reportAppointment",
        "Show an appointment",
    )
    .detailed("By one of its two names. The answer has an `ETag` with the `version`.")
    .takes_as("Reference", [required(&REFERENCE, NAME)])
    .takes_as("Number", [required(&BOOKING, ID)])
    .answers("Appointment", every(200))
    .refused(&[404])
}

fn list() -> Operation {
    let all = [held("0.00"), bare(), called_off()];
    let pages: Vec<_> = all.iter().map(with_page).collect();
    let part = AppointmentsPart {
        appointments: &pages,
        total: 3,
    };
    let fields = appointments::view(part, &paging(), &lagos());
    let path = "/booking/appointments";
    Operation::get(path, "listAppointments", "List your appointments")
        .detailed("Those that begin in a period, in the order of their beginnings.")
        .takes([
            required(&FROM, "2029-12-01T00:00:00Z"),
            required(&TO, "2030-01-01T00:00:00Z"),
        ])
        .in_parts(&["bkgStart"])
        .lists(
            "Appointments",
            vec![sample("all", "The appointments.", fields)],
        )
}

fn calendar_file() -> Operation {
    let file = calendar::file("Ngozi's", (&booked(), &whole()), START);
    let path = "/booking/calendar";
    Operation::get(
        path,
        "getAppointmentCalendar",
        "Get an appointment for a calendar",
    )
    .detailed(
        "A file that your customer adds to a calendar (iCalendar, RFC 5545). A later file of \
             the same appointment takes the place of the one before, also where it was moved or \
             called off. With `format=json` the fields come instead.",
    )
    .takes([
        required(&REFERENCE, NAME),
        optional(&FORMAT).one_of(&["calendar", "json"]),
    ])
    .answers("Appointment", every(200))
    .as_file(FileForm::Calendar(file))
    .refused(&[404])
}

fn reschedule() -> Operation {
    Operation::post(
        "/booking/reschedule",
        "rescheduleAppointment",
        "Move an appointment",
    )
    .detailed(
        "To another time of its service, with the same person where that is possible, under \
             the conditions of a new one; the price and a hold stay as they are, so that what \
             waits for its payment is not moved before `bkgHeldUntil`. A time that is taken is \
             answered 409, and the appointment stays where it was. `version` is the one you have \
             seen: where it has another by now, the answer is 409; with `If-Match` and its `ETag` \
             it is 412. Doing it again is answered \
             as done.",
    )
    .takes([
        required(&BOOKING, ID),
        required(&VERSION, "1"),
        required(&BOOKING_START, MORNING),
        optional(&BOOKING_STAFF).such_as("Bola"),
    ])
    .answers("Appointment", every(200))
    .refused(&[404, 409, 412, 422])
}

fn end(
    (path, id, summary): (&'static str, &'static str, &'static str),
    about: &'static str,
    (stage, message): (AppointmentStage, &'static str),
) -> Operation {
    let ended = state(
        Appointment {
            stage,
            ..the_appointment()
        },
        "5,000.00",
    );
    let mut all = vec![shown_appointment("ended", &ended, message)];
    all.extend(every(200).into_iter().map(Sample::unseen));
    Operation::post(path, id, summary)
        .detailed(about)
        .takes([
            required(&BOOKING, ID),
            required(&VERSION, "1"),
            optional(&BOOKING_REASON),
        ])
        .answers("Appointment", all)
        .refused(&[404, 409, 412, 422])
}

/// What can be booked, as it is sent.
fn terms() -> Vec<Parameter> {
    vec![
        required(&BOOKING_NAME, "Haircut"),
        optional(&BOOKING_LOCATION),
        required(&BOOKING_ZONE, "Africa/Lagos"),
        required(&BOOKING_HOURS, "Mon 09:00-17:00,Sat 09:00-12:00"),
        optional(&BOOKING_CLOSED).such_as("25-12-2029"),
        required(&BOOKING_MINUTES, "30"),
        optional(&BOOKING_STEP).such_as("30"),
        optional(&BOOKING_BUFFER).such_as("10"),
        optional(&BOOKING_NOTICE).such_as("60"),
        optional(&BOOKING_TEAM).such_as("Ada,Bola"),
        optional(&BOOKING_CAPACITY).such_as("1"),
        optional(&BOOKING_HORIZON).such_as("60"),
        optional(&AMOUNT).such_as("5,000.00"),
        required(&CURRENCY, "NGN").one_of(&["NGN"]),
        optional(&BOOKING_HOLD).such_as("15"),
        optional(&REDIRECT_URL).such_as("https://shop.example/done"),
        optional(&BOOKING_OFFERED).one_of(&["true", "false"]),
    ]
}
