//! Sessions: bound, checked, bound again and left.

use crate::bench::{SmppBench, started};
use crate::fake::{FakeSmsc, Reply};
use domain::provider::{SubmitOutcome, UnknownCause};
use ports::receipts::Receipts as _;
use provider_smpp::BindMode;
use rusmpp_core::pdus::owned::Pdu;
use std::time::Duration;
use testkit::permit::FixedPermit;

#[tokio::test]
async fn a_session_is_bound_as_the_specification_says() {
    let bench = started().await;
    let record = bench.fake.record();
    let Some(Pdu::BindTransceiver(bind)) = record.binds[0].pdu() else {
        panic!("{:?}", record.binds);
    };
    assert_eq!(bind.system_id.as_str(), "gateway");
    assert_eq!(bind.password.as_str(), "s3cret");
    assert_eq!(u8::from(bind.interface_version), 0x34);
}

#[tokio::test]
async fn sending_and_receiving_may_be_bound_apart_and_several_times() {
    let bench = SmppBench::with(|it| {
        it.mode = BindMode::TransmitterAndReceiver;
        it.binds = 2;
    })
    .await;
    bench
        .eventually(|it| it.fake.record().binds.len() == 4)
        .await;
    let kinds = |wanted: u32| {
        let record = bench.fake.record();
        let binds = record.binds.iter();
        binds.filter(|bind| u32::from(bind.id()) == wanted).count()
    };
    assert_eq!((kinds(0x01), kinds(0x02)), (2, 2));
    let order = bench.order("Hi", &[]);
    let answer = bench.submit("apart", &order).await;
    assert!(matches!(answer.outcome, SubmitOutcome::Delivered(_)));
}

#[tokio::test]
async fn what_finds_no_session_is_not_sent_and_no_permit_is_asked_for() {
    let fake = FakeSmsc::start().await;
    fake.record().bind_status = 0x0E;
    let bench = SmppBench::unbound(fake, |it| it.timers.room = Duration::from_millis(200));
    bench.attach();
    bench
        .eventually(|it| it.fake.record().binds.len() > 1)
        .await;
    let (order, permit) = (bench.order("Hi", &[]), FixedPermit::granted());
    let answer = bench.submit_permitted("unbound", &order, &permit).await;
    assert_eq!(answer.outcome, SubmitOutcome::NotSent);
    assert_eq!(permit.asked(), 0);
    // Once the password is right, the message that comes next goes out.
    bench.fake.record().bind_status = 0;
    let order = bench.order("Hi", &[]);
    bench
        .eventually(|it| it.fake.record().binds.len() > 3)
        .await;
    let answer = bench.submit("bound", &order).await;
    assert!(
        matches!(answer.outcome, SubmitOutcome::Delivered(_)),
        "{:?}",
        answer.outcome
    );
}

#[tokio::test]
async fn a_session_that_breaks_is_bound_again_and_its_messages_are_not_sent_again() {
    let bench = started().await;
    let order = bench.order("Hi", &[Reply::Cut]);
    let answer = bench.submit("cut", &order).await;
    let lost = SubmitOutcome::Unknown(UnknownCause::ConnectionLost);
    assert_eq!(answer.outcome, lost);
    bench
        .eventually(|it| it.fake.record().binds.len() == 2)
        .await;
    assert_eq!(bench.fake.parts_for(order.digits()), 1);
    let order = bench.order("Hi", &[]);
    let answer = bench.submit("again", &order).await;
    assert!(matches!(answer.outcome, SubmitOutcome::Delivered(_)));
}

#[tokio::test]
async fn a_silent_session_is_checked_and_given_up_where_nothing_comes_back() {
    let bench = SmppBench::with(|it| {
        it.timers.enquire = Duration::from_millis(50);
        it.timers.enquire_answer = Duration::from_millis(50);
        it.timers.bind = Duration::from_millis(50);
    })
    .await;
    bench.eventually(|it| it.fake.record().enquiries > 2).await;
    assert_eq!(bench.fake.record().binds.len(), 1);
    bench.fake.record().deaf = true;
    tokio::time::sleep(Duration::from_millis(200)).await;
    bench.fake.record().deaf = false;
    bench
        .eventually(|it| it.fake.record().binds.len() > 1)
        .await;
}

#[tokio::test]
async fn enquiries_and_unbinds_of_the_smsc_are_answered() {
    let bench = started().await;
    let mut enquiry = Vec::new();
    for number in [16_u32, 0x15, 0, 77] {
        enquiry.extend(number.to_be_bytes());
    }
    let answer = bench.fake.exchange(&enquiry).await;
    assert_eq!(answer.pdu(), Some(&Pdu::EnquireLinkResp));
    let mut unknown = Vec::new();
    for number in [16_u32, 0x1234, 0, 77] {
        unknown.extend(number.to_be_bytes());
    }
    let answer = bench.fake.exchange(&unknown).await;
    assert_eq!(u32::from(answer.id()), 0x8000_0000);
    assert_eq!(u32::from(answer.status()), 0x03);
    bench.fake.send(Pdu::Unbind).await;
    bench
        .eventually(|it| it.fake.record().binds.len() == 2)
        .await;
}

#[tokio::test]
async fn a_pdu_that_is_too_long_ends_the_session() {
    let bench = started().await;
    let link = bench.fake.exchange(&[0x00, 0x01, 0x00, 0x01, 0, 0, 0, 5]);
    let binds = bench.eventually(|it| it.fake.record().binds.len() == 2);
    tokio::select! {
        _ = link => panic!("it was answered"),
        () = binds => {}
    }
}

#[tokio::test]
async fn closing_waits_for_what_is_outstanding_and_unbinds() {
    let bench = started().await;
    let held = std::sync::Arc::new(tokio::sync::Semaphore::new(0));
    bench.fake.record().held = Some(std::sync::Arc::clone(&held));
    let order = bench.order("Hi", &[]);
    let sending = bench.submit("last", &order);
    let closing = async {
        bench
            .eventually(|it| it.fake.record().outstanding == 1)
            .await;
        let closing = bench.provider.close();
        let releasing = async {
            tokio::time::sleep(Duration::from_millis(50)).await;
            assert_eq!(bench.fake.record().unbinds, 0);
            held.add_permits(1);
        };
        tokio::join!(closing, releasing);
    };
    let (answer, ()) = tokio::join!(sending, closing);
    assert!(
        matches!(answer.outcome, SubmitOutcome::Delivered(_)),
        "{:?}",
        answer.outcome
    );
    assert_eq!(bench.fake.record().unbinds, 1);
    let order = bench.order("Hi", &[]);
    let answer = bench.submit("closed", &order).await;
    assert_eq!(answer.outcome, SubmitOutcome::NotSent);
    assert_eq!(bench.fake.record().binds.len(), 1);
}
