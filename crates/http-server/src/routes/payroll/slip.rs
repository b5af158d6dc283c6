//! `GET /transfer/payroll/payslip`. It must show no slip of another account, nor of a payout that
//! is no salary.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use application::Gateway;
use domain::order::Service;
use http::StatusCode;
use wire::attribute::REFERENCE;
use wire::payroll::slip::{self, SlipForm};
use wire::violations::Violations;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let (reference, form) = slip::parse(&call.attributes, call.handling)?;
    let found = gateway.report(&call.merchant, Service::Bank, &reference);
    let found = found.await?.ok_or_else(unknown)?;
    let zone = call.zone();
    match form {
        SlipForm::Fields => {
            let fields = slip::view(&found, &zone).ok_or_else(unknown)?;
            let message = wire::transaction::outcome(&found);
            Ok(HttpReply::success(StatusCode::OK, message, fields))
        }
        SlipForm::Pdf => {
            let employer = &call.merchant.account.name;
            let pages = slip::file(employer, &found, &zone).ok_or_else(unknown)?;
            let name = format!("{reference}.pdf");
            Ok(HttpReply::pdf(pages.into()).attached(&name))
        }
    }
}

fn unknown() -> HttpReply {
    let violations = Violations::of(&REFERENCE, "names no salary in your account");
    HttpReply::params(StatusCode::NOT_FOUND, "Not found.", violations)
}

#[cfg(test)]
mod tests {
    use crate::testing::{RouteTestWorld, TestAnswer, bare, get, post, request_of};
    use application::QueueWorker;

    const SLIP: &str = "/transfer/payroll/payslip?mrcReference=pay-1";

    fn payroll(pay_date: &str) -> String {
        format!(
            r#"{{"mrcReference":"pay-11","payPeriod":"2026-01","payDate":"{pay_date}","items":[
                {{"mrcReference":"pay-1","staffIdentifier":"E-17","bankIdentifier":"00000000058",
                "accountNumber":"0123476789","payGross":"1,500.00","deductions":[
                {{"dedType":"paye","dedAmount":"500.00"}}],"payNet":"1,000.00"}}]}}"#
        )
    }

    async fn asked(world: &RouteTestWorld, pay_date: &str) -> TestAnswer {
        world
            .send(post("/transfer/payroll", payroll(pay_date)))
            .await
    }

    #[tokio::test]
    async fn a_salary_is_paid_and_its_slip_says_so() {
        let world = RouteTestWorld::new().await;
        let answer = asked(&world, "15-01-2026").await;
        answer.assert_success(202);
        let report = "/transfer/payroll/transaction?mrcReference=pay-11";
        assert_eq!(answer.header("location"), report);
        let waiting = world.send(get(&format!("{SLIP}&format=pdf"))).await;
        assert!(waiting.text.contains("(Not paid yet)"), "{}", waiting.text);
        QueueWorker::new(&world.gateway).sweep().await.unwrap();
        let report = world.send(get(report)).await;
        let item = &report.json["items"][0];
        assert_eq!(item["txnStatus"], "Successful");
        assert_eq!(item["payGross"], "1,500.00");
        assert_eq!(item["deductions"][0]["dedAmount"], "500.00");
        let fields = world.send(get(SLIP)).await;
        fields.assert_success(200);
        assert_eq!(fields.json["payNet"], "1,000.00");
        let asked = request_of("shop", "GET", &format!("{SLIP}&format=pdf"));
        let slip = world.send(bare(asked.header("accept", "application/pdf")));
        let slip = slip.await;
        assert_eq!(slip.status, 200);
        assert_eq!(slip.header("content-type"), "application/pdf");
        let named = "attachment; filename=\"pay-1.pdf\"";
        assert_eq!(slip.header("content-disposition"), named);
        assert!(slip.text.starts_with("%PDF-1."), "{}", slip.text);
        assert!(slip.text.contains("(Paid)"), "{}", slip.text);
    }

    #[tokio::test]
    async fn salaries_wait_for_their_pay_day_and_can_be_cancelled() {
        let world = RouteTestWorld::new().await;
        asked(&world, "17-01-2026").await.assert_success(202);
        assert_eq!(QueueWorker::new(&world.gateway).sweep().await.unwrap(), 0);
        let cancel = r#"{"mrcReference":"pay-11"}"#;
        let bulk = world.send(post("/transfer/bulk/cancel", cancel)).await;
        bulk.assert_error(404, None, "/params/mrcReference");
        let cancelled = world.send(post("/transfer/payroll/cancel", cancel)).await;
        assert_eq!(cancelled.json["batStatus"], "Cancelled");
        let slip = world.send(get(&format!("{SLIP}&format=pdf"))).await;
        assert!(slip.text.contains("(Not paid)"), "{}", slip.text);
    }

    #[tokio::test]
    async fn no_salary_is_paid_on_a_day_that_is_over_or_far_ahead() {
        let world = RouteTestWorld::new().await;
        for pay_date in ["14-01-2026", "01-03-2026"] {
            let refused = asked(&world, pay_date).await;
            refused.assert_error(400, None, "/params/payDate");
        }
        let none = world.send(get(SLIP)).await;
        none.assert_error(404, None, "/params/mrcReference");
    }

    #[tokio::test]
    async fn a_slip_is_its_employers_and_a_payout_has_none() {
        let world = RouteTestWorld::new().await;
        asked(&world, "15-01-2026").await.assert_success(202);
        let foreign = world.send(bare(request_of("other", "GET", SLIP))).await;
        foreign.assert_error(404, None, "/params/mrcReference");
        let payout = r#"{"mrcReference":"rent","bankIdentifier":"00000000058",
            "accountNumber":"0123476789","txnAmount":"100","txnNarration":"Rent"}"#;
        let paid = world.send(post("/transfer/bank/payout", payout)).await;
        paid.assert_success(200);
        let slip = world.send(get("/transfer/payroll/payslip?mrcReference=rent"));
        slip.await.assert_error(404, None, "/params/mrcReference");
    }
}
