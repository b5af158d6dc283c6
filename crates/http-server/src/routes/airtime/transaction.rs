//! `GET /payment/airtime/transaction`. It must show nothing of another account.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::payment;
use application::Gateway;
use domain::order::Service;
use wire::airtime::transaction;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let reference = transaction::parse(&call.attributes, call.handling)?;
    let report = gateway.report(&call.merchant, Service::Airtime, &reference);
    payment::report(report.await?.as_ref(), &call.zone())
}

#[cfg(test)]
mod tests {
    use crate::testing::reports::Reported;

    const REPORTED: Reported = Reported {
        pay: "/payment/airtime",
        order: r#"{"mrcReference":"order-1","countryCode":566,"number":"2348031234567",
            "amount":"100","billing":"prepaid"}"#,
        report: "/payment/airtime/transaction",
        elsewhere: "/payment/electricity/transaction",
    };

    #[tokio::test]
    async fn the_report_shows_what_the_payment_showed() {
        REPORTED.shows_what_the_payment_showed().await;
    }

    #[tokio::test]
    async fn what_is_not_the_merchants_does_not_exist_for_him() {
        REPORTED.shows_one_merchant_nothing_of_another().await;
    }

    #[tokio::test]
    async fn a_report_without_a_reference_lacks_a_filter() {
        REPORTED.needs_a_reference().await;
    }
}
