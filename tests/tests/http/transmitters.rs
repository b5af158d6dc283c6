//! Devices that are located by the tables of the operator: what they hold counts for live accounts
//! too, and a table that cannot be read keeps the gateway from starting.

use std::fs;
use tests::folder::{GatewayFolder, QUICK};
use tests::merchant::TestMerchant;
use tests::process::{GatewayProcess, Launch};

const CELLS: &str = "radio,mcc,net,area,cell,unit,lon,lat,range,samples,changeable,created,\
    updated,averageSignal\nGSM,621,30,100,5,0,3.4,6.5,1200,1,1,0,0,0\n";
const WIFI: &str = "bssid,lat,lon,range\n\
    a4:2b:8c:00:00:01,6.6,3.3,40\na4:2b:8c:00:00:02,6.6001,3.3001,40\n";

/// Both tables in files, by the variables that name them.
fn tables(folder: &GatewayFolder, cells: &str) -> Vec<(&'static str, String)> {
    let written = [
        ("MANILLA_LOOKUP_CELLS_DB", "cells.csv", cells),
        ("MANILLA_LOOKUP_WIFI_DB", "wifi.csv", WIFI),
    ];
    let write = |(variable, name, text): (&'static str, &str, &str)| {
        let path = folder.beside(name);
        fs::write(&path, text).expect("a table is written");
        (variable, path.to_str().expect("UTF-8").to_owned())
    };
    written.map(write).to_vec()
}

#[tokio::test]
async fn the_tables_of_the_operator_locate_devices_of_test_and_live_accounts() {
    let folder = GatewayFolder::with(QUICK);
    let accounts = [
        folder.account("Test", "1.00"),
        folder.live_account("Live", "1.00"),
    ];
    let launch = Launch {
        environment: tables(&folder, CELLS),
        ..Launch::default()
    };
    let server = GatewayProcess::launch(&folder, &launch);
    for account in accounts {
        let merchant = TestMerchant::new(&folder, server.address(), &account);
        let located = async |query: &str| {
            let answer = merchant.get(&format!("/geolocation/device?{query}")).await;
            answer.with_status(200).json()
        };
        let circle = "locationLatitude=6.5&locationLongitude=3.4&radius=5000";
        let cell = located(&format!("cells=621,30,100,5&{circle}")).await;
        assert_eq!(cell["locationSource"], "cell", "{cell}");
        assert_eq!(cell["locationLatitude"], 6.5, "{cell}");
        assert_eq!(cell["locationAccuracy"], 1200, "{cell}");
        assert_eq!(cell["isInside"], "true", "{cell}");
        let points = "wifi=a4:2b:8c:00:00:01,-40;a4:2b:8c:00:00:02,-50";
        let wifi = located(points).await;
        assert_eq!(wifi["locationSource"], "wifi", "{wifi}");
        let unknown = "/geolocation/device?cells=621,30,100,6";
        let _none = merchant.get(unknown).await.with_status(404);
    }
}

#[test]
fn a_table_that_cannot_be_read_is_refused_at_the_start_with_its_line() {
    let folder = GatewayFolder::with(QUICK);
    let _account = folder.account("Test", "1.00");
    let wrong = CELLS.replace("6.5", "96.5");
    let mut command = folder.command(&["serve", "--listen", "127.0.0.1:0"]);
    command.envs(tables(&folder, &wrong));
    let refused = tests::program::run(command).refused().stderr;
    assert!(refused.contains("line 2"), "{refused}");
}
