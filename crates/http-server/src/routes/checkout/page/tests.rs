//! Pages of checkout sessions, without credentials. A page must show its own session alone.

use super::*;
use crate::testing::{RouteTestWorld, TestAnswer, bare, body as body_of, get, post};
use domain::account::AccountStatus;
use ports::accounts::Accounts;

/// A session of 5,000.00 for two yams, and the path of its page.
async fn opened(world: &RouteTestWorld, reference: &str) -> (TestAnswer, String) {
    let body = format!(
        r#"{{"mrcReference":"{reference}","amount":"5,000.00","currency":"NGN",
            "chkChannels":["transfer"],"customerEmail":"ada@example.com",
            "redirectUrl":"https://shop.example/orders?id=1",
            "items":[{{"name":"Yam <b>","quantity":2,"amount":"2,500.00"}}]}}"#
    );
    let answer = world.send(post("/checkout/session", body)).await;
    answer.assert_success(201);
    let url = answer.json["chkUrl"].as_str().unwrap();
    let at = url.find(CHECKOUT_PAGES).unwrap();
    let path = url[at..].to_owned();
    (answer, path)
}

fn visit(method: &str, path: &str) -> Request<Body> {
    let request = Request::builder().method(method).uri(path);
    bare(request.header("Host", "localhost"))
}

async fn page(world: &RouteTestWorld, path: &str) -> TestAnswer {
    let answer = world.send(visit("GET", path)).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer
}

async fn click(world: &RouteTestWorld, path: &str, form: &'static str) -> TestAnswer {
    let request = Request::builder().method("POST").uri(path);
    let request = request.header("Content-Type", "application/x-www-form-urlencoded");
    world.send(request.body(body_of(form)).unwrap()).await
}

#[tokio::test]
async fn a_page_is_shown_to_anyone_with_its_address_and_to_no_one_else() {
    let world = RouteTestWorld::new().await;
    let (opened, path) = opened(&world, "order-1").await;
    let shown = page(&world, &path).await;
    assert_eq!(shown.header("content-type"), "text/html; charset=utf-8");
    assert_eq!(shown.header("content-security-policy"), POLICY);
    assert_eq!(shown.header("referrer-policy"), "no-referrer");
    assert_eq!(shown.header("cache-control"), "no-store");
    let reference = opened.json["colReference"].as_str().unwrap();
    let group = |digits: &str| format!("<span class=\"group\">{digits}</span>");
    let digits = [&reference[..4], &reference[4..8], &reference[8..]].map(group);
    let texts = ["5,000.00", "Yam &lt;b&gt;", "order-1", &digits.concat()];
    for text in texts {
        assert!(shown.text.contains(text), "{text} in {}", shown.text);
    }
    assert!(!shown.text.contains("ada@example.com"), "{}", shown.text);
    assert!(!shown.text.contains("<b>Yam") && !shown.text.contains("Yam <b>"));
    let head = world.answer(visit("HEAD", &path)).await;
    assert_eq!(head.status(), 200);
    let name = path.strip_prefix(CHECKOUT_PAGES).unwrap();
    let other = if name.ends_with('0') { '1' } else { '0' };
    let forged = format!("{}{other}", &name[..name.len() - 1]);
    for wrong in [
        "",
        "x",
        &name[..12],
        &name[..28],
        &forged,
        &name.to_uppercase(),
    ] {
        let answer = world
            .send(visit("GET", &format!("{CHECKOUT_PAGES}{wrong}")))
            .await;
        assert_eq!(answer.status, 404, "{wrong}");
        assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
        assert!(!answer.text.contains("order-1"));
    }
    let style = world.send(visit("GET", STYLE)).await;
    assert_eq!(style.header("content-type"), "text/css; charset=utf-8");
    assert!(shown.text.contains("href=\"../page.css\""));
}

#[tokio::test]
async fn a_test_session_is_paid_on_its_page_once_for_each_click() {
    let world = RouteTestWorld::new().await;
    let (_, path) = opened(&world, "order-1").await;
    for _ in 0..3 {
        let paid = click(&world, &path, "pay=less-0").await;
        let name = path.strip_prefix(CHECKOUT_PAGES).unwrap();
        assert_eq!((paid.status, paid.header("location")), (303, name));
    }
    let part = page(&world, &path).await;
    assert!(part.text.contains("2,500.00"), "{}", part.text);
    let report = get("/checkout/session/transaction?mrcReference=order-1");
    let report = world.send(report).await;
    assert_eq!(report.json["chkStatus"], "Open");
    assert_eq!(report.json["chkDifference"], "-2,500.00");
    assert_eq!(report.json["payerBank"], "Sandbox Bank");
    // What a page did not show is not paid on it.
    click(&world, &path, "pay=exact-7").await;
    click(&world, &path, "pay=exact-1").await;
    let paid = page(&world, &path).await;
    let back = "https://shop.example/orders?id=1&amp;chkIdentifier=";
    assert!(paid.text.contains(back), "{}", paid.text);
    let report = get("/checkout/session/transaction?mrcReference=order-1");
    let report = world.send(report).await;
    assert_eq!(report.json["chkStatus"], "Paid");
    assert_eq!(report.json["chkDifference"], "0.00");
    click(&world, &path, "pay=more-2").await;
    let balance = world.send(get("/account/balance")).await;
    assert_eq!(balance.json["accBalance"], "22,500.00");
}

#[tokio::test]
async fn what_is_no_form_of_a_page_pays_nothing() {
    let world = RouteTestWorld::new().await;
    let (_, path) = opened(&world, "order-1").await;
    for form in [
        "",
        "pay=exact",
        "pay=all-0",
        "pay=exact-x",
        "amount=1",
        "pay=exact--1",
    ] {
        assert_eq!(click(&world, &path, form).await.status, 400, "{form}");
    }
    let wrong = world.send(visit("DELETE", &path)).await;
    assert_eq!(
        (wrong.status, wrong.header("allow")),
        (405, "GET, HEAD, POST")
    );
    let wrong = world.send(visit("POST", STYLE)).await;
    assert_eq!((wrong.status, wrong.header("allow")), (405, "GET, HEAD"));
    let balance = world.send(get("/account/balance")).await;
    assert_eq!(balance.json["accBalance"], "10,000.00");
}

#[tokio::test]
async fn a_page_is_loaded_so_often_in_a_minute() {
    let world = RouteTestWorld::new().await;
    let (_, path) = opened(&world, "order-1").await;
    let (_, other) = opened(&world, "order-2").await;
    for _ in 0..20 {
        page(&world, &path).await;
    }
    let refused = world.send(visit("GET", &path)).await;
    assert_eq!((refused.status, refused.header("retry-after")), (429, "5"));
    page(&world, &other).await;
}

#[tokio::test]
async fn another_end_of_an_address_is_no_other_page_to_the_limit() {
    let world = RouteTestWorld::new().await;
    let (_, path) = opened(&world, "order-1").await;
    let mut statuses = Vec::new();
    for end in 0..40 {
        let forged = format!("{}{end:02}", &path[..path.len() - 2]);
        statuses.push(world.send(visit("GET", &forged)).await.status);
    }
    assert_eq!(statuses.iter().filter(|it| **it == 429).count(), 20);
    for long in [format!("{path}0"), format!("{path}{}", "a".repeat(9_000))] {
        assert_eq!(world.send(visit("GET", &long)).await.status, 404);
    }
}

#[tokio::test]
async fn a_form_of_another_size_is_not_read() {
    let world = RouteTestWorld::new().await;
    let (_, path) = opened(&world, "order-1").await;
    let large = Request::builder().method("POST").uri(&path);
    let large = large.body(body_of(vec![b'x'; 100_000])).unwrap();
    assert_eq!(world.send(large).await.status, 400);
    let nowhere = Request::builder().method("POST").uri("/checkout/pay/x");
    let nowhere = nowhere.body(body_of("pay=exact-0")).unwrap();
    assert_eq!(world.send(nowhere).await.status, 404);
}

#[tokio::test]
async fn no_one_is_asked_to_pay_a_suspended_merchant() {
    let world = RouteTestWorld::new().await;
    let (opened, path) = opened(&world, "order-1").await;
    let digits = &opened.json["colReference"].as_str().unwrap()[..4];
    let group = format!(">{digits}<");
    assert!(page(&world, &path).await.text.contains(&group));
    let id = testkit::builders::account_id("shop");
    let suspended = world.store.set_status(&id, AccountStatus::Suspended).await;
    assert!(suspended.unwrap());
    let shown = page(&world, &path).await.text;
    assert!(
        !shown.contains(&group) && shown.contains("cannot be paid"),
        "{shown}"
    );
}

#[test]
fn a_word_and_a_number_are_what_a_form_says() {
    let of = |form: &str| Wish::of(form.as_bytes());
    let less = Wish {
        how: HowMuch::Less,
        seen: 12,
    };
    assert_eq!(of("pay=less-12"), Some(less));
    assert_eq!(Wish::of(&[0xff]), None);
    assert_eq!(PagePath::of("/checkout/session"), None);
    assert_eq!(PagePath::of(STYLE).map(PagePath::listed), Some(STYLE));
    let named = PagePath::of("/checkout/pay/secret");
    assert_eq!(named.map(PagePath::listed), Some(LISTED));
}
