//! `GET /messaging/sms/transaction`. It must show nothing of another account.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::payment;
use application::Gateway;
use domain::order::Service;
use wire::sms::transaction;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let reference = transaction::parse(&call.attributes, call.handling)?;
    let report = gateway.report(&call.merchant, Service::Sms, &reference);
    payment::report(report.await?.as_ref(), &call.zone())
}

#[cfg(test)]
mod tests {
    use crate::testing::reports::Reported;

    const VARIANT_A: Reported = Reported {
        pay: "/messaging/sms",
        order: r#"{"mrcReference":"order-1","countryCode":566,"number":"2348031234567",
            "sender":100000000001,"type":"text","message":"Hi"}"#,
        report: "/messaging/sms/transaction",
        elsewhere: "/payment/airtime/transaction",
    };

    const VARIANT_B: Reported = Reported {
        order: r#"{"mrcReference":"order-1","countryCode":566,"phnNumber":"2348031234567",
            "msgSender":"100000000001","msgType":"text","msgContent":"Hi"}"#,
        ..VARIANT_A
    };

    #[tokio::test]
    async fn the_report_shows_what_sending_showed_in_the_same_names() {
        VARIANT_A.shows_what_the_payment_showed().await;
        VARIANT_B.shows_what_the_payment_showed().await;
    }

    #[tokio::test]
    async fn what_is_not_the_merchants_does_not_exist_for_him() {
        VARIANT_A.shows_one_merchant_nothing_of_another().await;
    }

    #[tokio::test]
    async fn a_report_without_a_reference_lacks_a_filter() {
        VARIANT_A.needs_a_reference().await;
    }
}
