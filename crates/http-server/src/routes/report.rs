//! The report of a transaction, for every family. It must name no product: the route table maps
//! paths to products.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::payment;
use crate::routes::row::{RouteHandler, operation};
use application::Gateway;
use domain::order::Service;

/// The report of a transaction of a product.
pub(super) fn reporting(service: Service) -> RouteHandler {
    operation(move |gateway, call| handle(gateway, call, service))
}

async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
    service: Service,
) -> Result<HttpReply, HttpReply> {
    let reference = wire::transaction::parse_reference(&call.attributes, call.handling)?;
    let report = gateway.report(&call.merchant, service, &reference);
    payment::report(report.await?.as_ref(), &call.zone())
}

#[cfg(test)]
mod tests {
    use crate::testing::{RouteTestWorld, bare, get, post, request_of};
    use domain::order::Service;

    /// A request of a family and its report.
    struct Reported {
        pay: &'static str,
        /// A request under `order-1` that is delivered at once.
        order: &'static str,
        report: &'static str,
        /// The path of another product's reports.
        elsewhere: &'static str,
    }

    const REPORTED: [Reported; 16] = [
        Reported {
            pay: "/payment/airtime",
            order: r#"{"mrcReference":"order-1","countryCode":566,"number":"2348031234567",
                "amount":"100","billing":"prepaid"}"#,
            report: "/payment/airtime/transaction",
            elsewhere: "/payment/electricity/transaction",
        },
        Reported {
            pay: "/payment/cabletv",
            order: r#"{"mrcReference":"order-1","provider":2,"number":"0201234567",
                "subscribe":"instant","identifier":204,"duration":1}"#,
            report: "/payment/cabletv/transaction",
            elsewhere: "/payment/airtime/transaction",
        },
        Reported {
            pay: "/payment/electricity",
            order: r#"{"mrcReference":"order-1","disco":101,"number":"04123456789",
                "amount":"1000","billing":"prepaid"}"#,
            report: "/payment/electricity/transaction",
            elsewhere: "/payment/airtime/transaction",
        },
        Reported {
            pay: "/payment/internet",
            order: r#"{"mrcReference":"order-1","identifier":105,"number":"2348031234567"}"#,
            report: "/payment/internet/transaction",
            elsewhere: "/payment/airtime/transaction",
        },
        Reported {
            pay: "/payment/gas",
            order: r#"{"mrcReference":"order-1","provider":701,"number":"3100456789",
                "amount":"5000"}"#,
            report: "/payment/gas/transaction",
            // Another category of the same family.
            elsewhere: "/payment/water/transaction",
        },
        Reported {
            pay: "/transfer/bank/payout",
            order: r#"{"mrcReference":"order-1","bankIdentifier":"00000000058",
                "accountNumber":"0123476789","txnAmount":"1000","txnNarration":"Rent"}"#,
            report: "/transfer/bank/transaction",
            elsewhere: "/payment/airtime/transaction",
        },
        Reported {
            pay: "/transfer/wallet",
            order: r#"{"mrcReference":"order-1","walFrom":"NGN","walTo":"CRD",
                "txnAmount":"100.00","txnNarration":"Messages"}"#,
            report: "/transfer/wallet/transaction",
            elsewhere: "/payment/airtime/transaction",
        },
        Reported {
            pay: "/transfer/user",
            order: r#"{"mrcReference":"order-1","usrIdentity":"other",
                "txnAmount":"100.00","txnNarration":"Rent"}"#,
            report: "/transfer/user/transaction",
            elsewhere: "/payment/airtime/transaction",
        },
        Reported {
            pay: "/transfer/card",
            order: r#"{"mrcReference":"order-1","crdToken":"tok_visa_6789","txnAmount":"1000",
                "txnNarration":"Rent"}"#,
            report: "/transfer/card/transaction",
            elsewhere: "/payment/airtime/transaction",
        },
        Reported {
            pay: "/transfer/mobilemoney",
            order: r#"{"mrcReference":"order-1","countryCode":566,"identifier":901,
                "number":"2348031236789","txnAmount":"1000","txnNarration":"Rent"}"#,
            report: "/transfer/mobilemoney/transaction",
            elsewhere: "/payment/airtime/transaction",
        },
        Reported {
            pay: "/messaging/rcs",
            order: r#"{"mrcReference":"order-1","countryCode":566,"number":"2348031234567",
                "sender":100000000001,"type":"text","content":"Hi"}"#,
            report: "/messaging/rcs/transaction",
            elsewhere: "/messaging/whatsapp/transaction",
        },
        Reported {
            pay: "/messaging/whatsapp",
            order: r#"{"mrcReference":"order-1","countryCode":566,"number":"2348031234567",
                "sender":100000000001,"type":"text","content":"Hi"}"#,
            report: "/messaging/whatsapp/transaction",
            elsewhere: "/messaging/sms/transaction",
        },
        Reported {
            pay: "/messaging/voice",
            order: r#"{"mrcReference":"order-1","countryCode":566,"number":"2348031234567",
                "sender":100000000001,"type":"speech","content":"Hi"}"#,
            report: "/messaging/voice/transaction",
            elsewhere: "/messaging/sms/transaction",
        },
        Reported {
            pay: "/messaging/ivr",
            order: r#"{"mrcReference":"order-1","countryCode":566,"number":"2348031234567",
                "sender":100000000001,"flwIdentifier":7,
                "variables":[{"name":"first","value":"Ada"}]}"#,
            report: "/messaging/ivr/transaction",
            elsewhere: "/messaging/voice/transaction",
        },
        Reported {
            pay: "/messaging/sms",
            order: r#"{"mrcReference":"order-1","countryCode":566,"number":"2348031234567",
                "sender":100000000001,"type":"text","message":"Hi"}"#,
            report: "/messaging/sms/transaction",
            elsewhere: "/payment/airtime/transaction",
        },
        Reported {
            pay: "/messaging/sms",
            order: r#"{"mrcReference":"order-1","countryCode":566,"phnNumber":"2348031234567",
                "msgSender":"100000000001","msgType":"text","msgContent":"Hi"}"#,
            report: "/messaging/sms/transaction",
            elsewhere: "/payment/airtime/transaction",
        },
    ];

    fn of(path: &str, reference: &str) -> String {
        format!("{path}?mrcReference={reference}")
    }

    #[test]
    fn every_family_is_tried() {
        let reference = testkit::builders::reference("order-1");
        for service in Service::all() {
            let address = wire::report_path(service, &reference);
            let tried = REPORTED.iter().any(|it| address.starts_with(it.report));
            // A transfer abroad needs a quote first: its own tests and the end-to-end cases try it.
            let is_exempt = matches!(
                service,
                Service::Hlr | Service::Lookup(_) | Service::International | Service::Bill(_)
            );
            assert!(tried || is_exempt, "{address}");
        }
    }

    #[tokio::test]
    async fn the_report_shows_what_the_request_showed() {
        for it in REPORTED {
            let world = RouteTestWorld::new().await;
            let paid = world.send(post(it.pay, it.order)).await;
            paid.assert_success(200);
            let report = world.send(get(&of(it.report, "order-1"))).await;
            report.assert_success(200);
            for (name, value) in paid.json.as_object().unwrap() {
                assert_eq!(&report.json[name], value, "{}: {name}", it.report);
            }
        }
    }

    #[tokio::test]
    async fn a_transaction_of_another_account_or_product_does_not_exist() {
        for it in REPORTED {
            let world = RouteTestWorld::new().await;
            let paid = world.send(post(it.pay, it.order)).await;
            paid.assert_success(200);
            let foreign = request_of("other", "GET", &of(it.report, "order-1"));
            let answers = [
                world.send(get(&of(it.report, "order-2"))).await,
                world.send(get(&of(it.elsewhere, "order-1"))).await,
                world.send(bare(foreign)).await,
            ];
            let shown = answers.map(|answer| {
                answer.assert_error(404, None, "/params/mrcReference");
                let id = answer.header("x-request-id").to_owned();
                answer.text.replace(&id, "the id")
            });
            assert_eq!(shown[0], shown[1], "{}", it.report);
            assert_eq!(shown[0], shown[2], "{}", it.report);
        }
    }

    #[tokio::test]
    async fn a_report_without_a_reference_lacks_a_filter() {
        let world = RouteTestWorld::new().await;
        for it in REPORTED {
            let missing = world.send(get(it.report)).await;
            missing.assert_error(405, None, "/params/mrcReference");
            assert_eq!(missing.header("allow"), "GET, HEAD, OPTIONS");
            let invalid = world.send(get(&of(it.report, "a%20b"))).await;
            invalid.assert_error(400, None, "/params/mrcReference");
        }
    }
}
