//! Appointments that take the same time.

use crate::support::check;

#[tokio::test]
async fn i34_finds_appointments_that_take_the_same_time() {
    let offences = [
        (
            "UPDATE appointments SET starts_at = starts_at - 1 WHERE number = 53",
            "appointment 51 of kiosk takes time of staff ada that appointment 53 takes",
        ),
        (
            "UPDATE appointments SET resource = 'staff ada' WHERE number = 54",
            "appointment 51 of kiosk takes time of staff ada that appointment 54 takes",
        ),
        (
            "UPDATE appointments SET service = 2 WHERE number = 52",
            "appointment 51 of kiosk takes time of staff ada that appointment 52 takes",
        ),
        (
            "UPDATE appointments SET capacity = 1",
            "2 appointments of kiosk share a time of staff ada that is for 1",
        ),
    ];
    check("I34", &offences).await;
}
