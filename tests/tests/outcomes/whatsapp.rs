//! WhatsApp messages watched until no receipt of them is due any more.

use super::readable::{Ending, ending, follow_all};
use tests::folder::{GatewayFolder, QUICK};
use tests::merchant::TestMerchant;
use tests::orders::{self, OrderFamily};
use tests::process::GatewayProcess;

const ENDINGS: [Ending; 6] = [
    ending("0000", "Successful", "Read"),
    ending("0002", "Successful", "Read"),
    ending("0003", "Successful", "Read"),
    ending("0015", "Successful", "Failed"),
    ending("0025", "Successful", "Delivered"),
    ending("0001", "Failed", "Failed"),
];

#[tokio::test(flavor = "multi_thread")]
async fn a_whatsapp_message_is_followed_until_it_is_read() {
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Whatsapp", "1000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let sent = ENDINGS.map(|ending| {
        let reference = format!("followed-{}", ending.digits);
        let number = format!("234803123{}", ending.digits);
        (ending, orders::whatsapp(&reference, &number, "Hello"))
    });
    follow_all(&merchant, OrderFamily::Whatsapp, sent.to_vec()).await;
    // Five at 9.00 were taken over.
    let (available, held) = merchant.balance().await;
    assert_eq!((&*available, &*held), ("955.00", "0.00"));
}
