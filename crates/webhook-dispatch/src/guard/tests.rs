//! The rules of addresses, as tables of addresses. It must ask no real server of names.

use super::*;
use domain::webhook::DeliveryFailure;
use std::io;

/// Names that mean what a test says, and nothing else.
#[derive(Debug)]
struct Names(Vec<(&'static str, Vec<&'static str>)>);

#[async_trait]
impl HostResolver for Names {
    async fn addresses(&self, name: &str, _: LookupPriority) -> io::Result<Vec<IpAddr>> {
        let known = self.0.iter().find(|(known, _)| *known == name);
        let (_, addresses) = known.ok_or_else(|| io::Error::other("no such name"))?;
        let parse = |address: &&str| address.parse().unwrap();
        Ok(addresses.iter().map(parse).collect())
    }
}

fn guard(settings: UrlGuardSettings) -> Guard {
    let names = Names(vec![
        (
            "shop.example",
            vec!["93.184.215.14", "2606:2800:21f:cb07::1"],
        ),
        ("xn--nxasmm1c.example", vec!["93.184.215.14"]),
        ("shop.example.", vec!["93.184.215.14"]),
        ("nobody.example", vec![]),
        ("inside.example", vec!["10.0.0.1"]),
        ("half.example", vec!["93.184.215.14", "10.0.0.1"]),
        ("half-v6.example", vec!["93.184.215.14", "fd00::1"]),
        ("mapped.example", vec!["::ffff:127.0.0.1"]),
        ("dns64.example", vec!["64:ff9b::5db8:d70e"]),
        ("dns64-inside.example", vec!["64:ff9b::a00:1"]),
        ("rebound.localhost.example", vec!["127.0.0.1"]),
        ("shop.internal", vec!["10.0.0.1"]),
        ("shop", vec!["10.0.0.1"]),
    ]);
    Guard::new(settings, Arc::new(names))
}

fn shop() -> AccountId {
    AccountId::parse("shop").unwrap()
}

/// Looks at an address, and says what its failure at a delivery would be.
async fn rule_of(guard: &Guard, url: &str) -> Option<AddressRule> {
    let rule = match guard.examine(url) {
        Err(rule) => Some(rule),
        Ok(Examined { url, port }) => match url.host() {
            Some(Host::Domain(name)) => guard
                .addresses(name, port, LookupPriority::Proven)
                .await
                .err(),
            _ => None,
        },
    };
    let reported = guard.check(&shop(), url).await.err();
    assert_eq!(reported, rule.map(RejectedUrl::from), "{url}");
    rule
}

async fn check(settings: UrlGuardSettings, table: &[(&str, Option<AddressRule>)]) {
    let guard = guard(settings);
    for (url, expected) in table {
        assert_eq!(rule_of(&guard, url).await, *expected, "{url:?}");
    }
}

#[tokio::test]
async fn only_the_public_internet_is_delivered_to_however_an_address_is_written() {
    let refused = "
        127.0.0.1 127.0.0.1. 127.1 127.0.1 127.255.255.254 2130706433 0x7f000001 0x7f.0.0.1
        0x7f.1 0177.0.0.1 017700000001 0177.0x0.0.1 127.0x1 00000177.0.0.1 %31%32%37.0.0.1
        １２７.0.0.1 127。0。0。1 ①②⑦.⓪.⓪.①
        0.0.0.0 0 0x0 0.0.0.1 0.255.255.255 10.0.0.1 10.255.255.255 167772161 0x0a.1 012.0.0.1
        100.64.0.1 100.100.100.200 169.254.169.254 2852039166 0xa9fea9fe 0xa9.0xfe.0xa9.0xfe
        0251.0376.0251.0376 169.254.43518 172.16.0.1 172.31.255.255 192.0.0.1 192.0.0.192
        192.0.2.1 192.88.99.1 192.168.0.1 192.168.65535 3232235521 198.18.0.1 198.19.255.255
        198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 0xffffffff
        168.63.129.16 2822734096
        [::] [::1] [0:0:0:0:0:0:0:1] [0000::0001] [::127.0.0.1] [::7f00:1] [::8.8.8.8]
        [::ffff:127.0.0.1] [::ffff:7f00:1] [::ffff:10.0.0.1] [::ffff:169.254.169.254]
        [0:0:0:0:0:ffff:a9fe:a9fe] [::ffff:168.63.129.16] [::ffff:0:127.0.0.1] [::ffff:0:8.8.8.8]
        [64:ff9b::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b::10.0.0.1] [64:ff9b::169.254.169.254]
        [64:ff9b::168.63.129.16] [64:ff9b:1::1] [64:ff9b:1:a00:1::] [64:ff9b:0:1::8.8.8.8]
        [2002:7f00:1::] [2002:a00:1::1] [2002:808:808::1] [2001:0:4136:e378:8000:63bf:3fff:fdd2]
        [2001::1] [2606:4700::5efe:10.0.0.1] [2606:4700::200:5efe:10.0.0.1]
        [2606:4700::5efe:8.8.8.8] [fe80::5efe:10.0.0.1] [fe80::1] [febf::1] [fec0::1] [fc00::1]
        [fd00::1] [fd00:ec2::254] [fdff:ffff::1] [ff02::1] [ff0e::1] [2001:db8::1] [3fff::1]
        [100::1] [5f00::1] [4000::1] [2001:2::1] [2001:10::1]
    ";
    let mut forms = 0;
    let guard = guard(UrlGuardSettings::default());
    for host in refused.split_whitespace() {
        for url in [
            format!("https://{host}/"),
            format!("https://{host}:8443/a?b"),
        ] {
            assert_eq!(
                rule_of(&guard, &url).await,
                Some(AddressRule::NotPublic),
                "{url}"
            );
            forms += 1;
        }
    }
    assert!(forms >= 160, "{forms}");
}

#[tokio::test]
async fn what_is_public_is_delivered_to() {
    let guard = guard(UrlGuardSettings::default());
    let fit = "
        8.8.8.8 134744072 0x08080808 010.010.010.010 1.1 9.255.255.255 11.0.0.0 100.63.255.255
        100.128.0.0 172.15.255.255 172.32.0.0 192.167.255.255 223.255.255.255
        [2606:4700:4700::1111] [2c0f:f5c0::1] [::ffff:8.8.8.8] [64:ff9b::8.8.8.8]
        shop.example shop.example. SHOP.example βόλος.example dns64.example
    ";
    for host in fit.split_whitespace() {
        for url in [
            format!("https://{host}"),
            format!("https://{host}:8443/a?b=c"),
        ] {
            assert_eq!(rule_of(&guard, &url).await, None, "{url}");
        }
    }
}

#[tokio::test]
async fn one_address_that_is_not_fit_refuses_a_name_as_if_it_were_unknown() {
    let not_public = Some(AddressRule::Unresolved);
    let table = [
        ("https://inside.example/", not_public),
        ("https://half.example/", not_public),
        ("https://half-v6.example/", not_public),
        ("https://mapped.example/", not_public),
        ("https://dns64-inside.example/", not_public),
        ("https://rebound.localhost.example/", not_public),
        ("https://localhost/", not_public),
        ("https://LOCALHOST./", not_public),
        ("https://shop.localhost/", not_public),
        ("https://nobody.example/", Some(AddressRule::Unresolved)),
        ("https://unknown.example/", Some(AddressRule::Unresolved)),
    ];
    check(UrlGuardSettings::default(), &table).await;
}

#[tokio::test]
async fn an_address_is_refused_with_the_rule_of_form_that_it_breaks() {
    let long = format!("https://shop.example/{}", "a".repeat(Target::LENGTH_MAX));
    let long_in_the_end = format!("https://shop.example/{}", "ß".repeat(400));
    let table = [
        ("", Some(AddressRule::Malformed)),
        ("shop.example", Some(AddressRule::Malformed)),
        ("/events", Some(AddressRule::Malformed)),
        ("//shop.example", Some(AddressRule::Malformed)),
        ("https://", Some(AddressRule::Malformed)),
        ("https://[fe80::1%25eth0]/", Some(AddressRule::Malformed)),
        ("https://[::1/", Some(AddressRule::Malformed)),
        ("https://1.2.3.4.5/", Some(AddressRule::Malformed)),
        ("https://256.1.1.1/", Some(AddressRule::Malformed)),
        ("https://0x100000000/", Some(AddressRule::Malformed)),
        ("https://exa<mple.com/", Some(AddressRule::Malformed)),
        ("https://shop.example:65536/", Some(AddressRule::Port)),
        ("https://shop.example:http/", Some(AddressRule::Port)),
        ("https://shop.example:0/", Some(AddressRule::Port)),
        ("http://shop.example/", Some(AddressRule::NotSecure)),
        ("http://127.0.0.1/", Some(AddressRule::NotSecure)),
        ("ftp://shop.example/", Some(AddressRule::NotSecure)),
        ("file:///etc/passwd", Some(AddressRule::NotSecure)),
        ("gopher://127.0.0.1:25/", Some(AddressRule::NotSecure)),
        ("javascript:alert(1)", Some(AddressRule::NotSecure)),
        ("ws://shop.example/", Some(AddressRule::NotSecure)),
        ("https://me@shop.example/", Some(AddressRule::UserInfo)),
        (
            "https://me:secret@shop.example/",
            Some(AddressRule::UserInfo),
        ),
        ("https://@shop.example/", Some(AddressRule::UserInfo)),
        ("https://:@shop.example/", Some(AddressRule::UserInfo)),
        ("https://8.8.8.8@127.0.0.1/", Some(AddressRule::UserInfo)),
        ("https://shop.example/a@b?c@d", None),
        ("https://shop.example/#part", Some(AddressRule::Fragment)),
        ("https://shop.example/#", Some(AddressRule::Fragment)),
        ("https://shop.example/ a", Some(AddressRule::OddCharacter)),
        (" https://shop.example/", Some(AddressRule::OddCharacter)),
        ("https://shop\t.example/", Some(AddressRule::OddCharacter)),
        ("https://shop.example/\n", Some(AddressRule::OddCharacter)),
        (
            "https://shop.example\\@127.0.0.1/",
            Some(AddressRule::OddCharacter),
        ),
        ("https:\\\\127.0.0.1/", Some(AddressRule::OddCharacter)),
        ("https://shop/", Some(AddressRule::SingleLabel)),
        ("https://shop./", Some(AddressRule::SingleLabel)),
        ("https://printer.local/", Some(AddressRule::LocalName)),
        ("https://printer.LOCAL./", Some(AddressRule::LocalName)),
        (
            "https://metadata.google.internal/",
            Some(AddressRule::LocalName),
        ),
        ("https://router.home.arpa/", Some(AddressRule::LocalName)),
        (&long, Some(AddressRule::TooLong)),
    ];
    check(UrlGuardSettings::default(), &table).await;
    let written_out = guard(UrlGuardSettings::default())
        .check(&shop(), &long_in_the_end)
        .await;
    assert_eq!(written_out, Err(AddressRule::TooLong.into()));
}

#[tokio::test]
async fn an_operator_allows_networks_of_his_own() {
    let settings = UrlGuardSettings {
        allowed: vec!["10.0.0.0/8".parse().unwrap(), "fd00::/16".parse().unwrap()],
        ..UrlGuardSettings::default()
    };
    let table = [
        ("https://10.1.2.3/", None),
        ("https://[::ffff:10.1.2.3]/", None),
        ("https://[fd00::1]/", None),
        ("https://inside.example/", None),
        ("https://half-v6.example/", None),
        ("https://shop.internal/", None),
        ("https://shop/", None),
        ("https://[64:ff9b::a00:1]/", Some(AddressRule::NotPublic)),
        ("https://192.168.0.1/", Some(AddressRule::NotPublic)),
        ("https://[fd01::1]/", Some(AddressRule::NotPublic)),
        ("https://127.0.0.1/", Some(AddressRule::NotPublic)),
        ("https://mapped.example/", Some(AddressRule::Unresolved)),
        ("http://10.1.2.3/", Some(AddressRule::NotSecure)),
    ];
    check(settings, &table).await;
}

#[tokio::test]
async fn without_tls_only_this_machine_is_delivered_to_and_only_where_that_is_allowed() {
    let settings = UrlGuardSettings {
        loopback: Loopback::Allowed,
        ..UrlGuardSettings::default()
    };
    let table = [
        ("http://localhost:9000/", None),
        ("http://shop.localhost:9000/", None),
        ("http://127.0.0.1:9000/", None),
        ("http://127.9.9.9:9000/", None),
        ("http://[::1]:9000/", None),
        ("http://[::ffff:127.0.0.1]:9000/", None),
        ("https://localhost:9000/", None),
        ("https://mapped.example:9000/", None),
        ("http://mapped.example/", Some(AddressRule::NotSecureHere)),
        ("http://shop.example/", Some(AddressRule::NotSecureHere)),
        ("http://8.8.8.8/", Some(AddressRule::NotSecureHere)),
        ("http://0.0.0.0/", Some(AddressRule::NotSecureHere)),
        ("http://10.0.0.1/", Some(AddressRule::NotSecureHere)),
        ("https://0.0.0.0/", Some(AddressRule::NotPublic)),
        ("https://10.0.0.1/", Some(AddressRule::NotPublic)),
        ("https://inside.example/", Some(AddressRule::Unresolved)),
    ];
    check(settings, &table).await;
}

#[tokio::test]
async fn the_gateway_never_calls_itself_whatever_is_allowed() {
    let settings = UrlGuardSettings {
        allowed: vec!["0.0.0.0/0".parse().unwrap(), "::/0".parse().unwrap()],
        loopback: Loopback::Allowed,
        own: vec![
            "0.0.0.0:8443".parse().unwrap(),
            "93.184.215.14:9443".parse().unwrap(),
        ],
        names: vec!["Pay.Example.".into(), "βόλος.example".into()],
    };
    let ourselves = Some(AddressRule::Ourselves);
    let no_address = Some(AddressRule::Unresolved);
    let table = [
        ("https://127.0.0.1:8443/", ourselves),
        ("https://127.0.0.9:8443/", ourselves),
        ("https://[::1]:8443/", ourselves),
        ("https://[::ffff:127.0.0.1]:8443/", ourselves),
        ("https://[64:ff9b::127.0.0.1]:8443/", ourselves),
        ("https://0.0.0.0:8443/", ourselves),
        ("https://[::]:8443/", ourselves),
        ("http://localhost:8443/", no_address),
        ("https://mapped.example:8443/", no_address),
        ("https://93.184.215.14:9443/", ourselves),
        ("https://shop.example:9443/", no_address),
        ("https://pay.example/", ourselves),
        ("https://PAY.example.:9443/", ourselves),
        ("https://βόλος.EXAMPLE/", ourselves),
        ("https://127.0.0.1:8444/", None),
        ("http://localhost:8444/", None),
        ("https://10.0.0.1:8443/", None),
        ("https://shop.example/", None),
    ];
    check(settings, &table).await;
}

#[tokio::test]
async fn this_machine_is_called_at_no_port_unless_that_is_allowed() {
    let own = UrlGuardSettings {
        own: vec!["93.184.215.14:9443".parse().unwrap()],
        ..UrlGuardSettings::default()
    };
    let table = [
        ("https://93.184.215.14/", Some(AddressRule::Ourselves)),
        ("https://93.184.215.14:22/", Some(AddressRule::Ourselves)),
        (
            "https://[::ffff:93.184.215.14]/",
            Some(AddressRule::Ourselves),
        ),
        (
            "https://[64:ff9b::93.184.215.14]/",
            Some(AddressRule::Ourselves),
        ),
        ("https://shop.example/", Some(AddressRule::Unresolved)),
        ("https://93.184.215.15/", None),
    ];
    check(own.clone(), &table).await;
    let allowed = UrlGuardSettings {
        allowed: vec!["93.184.215.0/24".parse().unwrap()],
        ..own
    };
    let table = [
        ("https://93.184.215.14/", None),
        ("https://93.184.215.14:9443/", Some(AddressRule::Ourselves)),
    ];
    check(allowed, &table).await;
}

#[tokio::test]
async fn an_address_is_kept_as_it_is_dialled() {
    let guard = guard(UrlGuardSettings::default());
    let kept = async |url: &str| guard.check(&shop(), url).await.unwrap().as_str().to_owned();
    assert_eq!(kept("HTTPS://Shop.Example").await, "https://shop.example/");
    assert_eq!(
        kept("https://0x8080808:443/a/../b").await,
        "https://8.8.8.8/b"
    );
    assert_eq!(
        kept("https://shop.example/ß?x=ß").await,
        "https://shop.example/%C3%9F?x=%C3%9F"
    );
}

#[test]
fn an_unknown_name_is_another_failure_than_a_forbidden_address() {
    assert_eq!(
        AddressRule::Unresolved.failure(),
        DeliveryFailure::Unresolved
    );
    assert_eq!(AddressRule::NotPublic.failure(), DeliveryFailure::Forbidden);
    assert_eq!(AddressRule::Ourselves.failure(), DeliveryFailure::Forbidden);
}

#[tokio::test]
async fn the_machine_knows_its_own_name() {
    let found = SystemResolver::default()
        .addresses("localhost", LookupPriority::Proven)
        .await
        .unwrap();
    assert!(
        !found.is_empty() && found.iter().all(IpAddr::is_loopback),
        "{found:?}"
    );
}
