//! The introduction of the document. Its tables are those of docs/API.md: it must not repeat the
//! text of that page.

use anyhow::{Context, Result};

const API: &str = include_str!("../../../../docs/API.md");

/// The first lines of the tables in docs/API.md.
const STATUSES: &str = "| status | when |";
const SERVICE_CODES: &str = "| `serviceCode` |";
const OUTCOMES: &str = "| digits | what the provider does |";

const MONEY: &str = "A payment answered 2xx has a transaction, and `txnStatus` is the truth of it. \
A payment answered 4xx moved no money and stored nothing. After a 5xx, or no answer at all, ask \
for the report by `mrcReference`: it is there if and only if the payment exists.\n\nAnswers come \
as JSON or, with `Accept: application/xml`, as XML.";

const TRUST: &str = "The gateway makes a certificate authority of its own unless the operator \
brings a certificate. Its certificate is `ca.pem` in the data folder of the gateway; have your \
client trust it, and do not turn verification off:\n\n```sh\ncurl --cacert manilla-data/ca.pem \
-u mrcIdentity:mrcAPIKey https://127.0.0.1:8443/account/balance\n```\n\nPython: \
`verify=\"ca.pem\"` (requests, httpx). Node.js: the variable `NODE_EXTRA_CA_CERTS=ca.pem`. PHP: \
`curl_setopt($handle, CURLOPT_CAINFO, \"ca.pem\")`. Java: `keytool -importcert -file ca.pem`. \
Go: `x509.CertPool.AppendCertsFromPEM`.";

const SANDBOX: &str = "In the sandbox every valid number, meter, smartcard and bank account works, \
and its last four digits force an outcome:";

/// The text, in Markdown.
pub(super) fn text() -> Result<String> {
    let (statuses, codes) = (table(STATUSES)?, table(SERVICE_CODES)?);
    let outcomes = table(OUTCOMES)?;
    Ok(format!(
        "{MONEY}\n\n## Trust the certificate\n\n{TRUST}\n\n## Forced outcomes\n\n{SANDBOX}\n\n\
         {outcomes}\n\n## Errors\n\n{statuses}\n\n{codes}"
    ))
}

/// A table of docs/API.md without its links, which lead to other parts of that page.
fn table(begins: &str) -> Result<String> {
    let from = API.find(begins);
    let from = from.with_context(|| format!("docs/API.md has no table `{begins}`"))?;
    let rest = API.get(from..).unwrap_or_default();
    let whole = rest.split("\n\n").next().unwrap_or_default();
    Ok(without_links(whole))
}

fn without_links(markdown: &str) -> String {
    let mut parts = markdown.split("](");
    let first = parts.next().unwrap_or_default().to_owned();
    let shown = parts.fold(first, |text, part| {
        text + part.split_once(')').map_or(part, |(_, rest)| rest)
    });
    shown.replace('[', "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_leaves_its_text() {
        let links = without_links("| over a [limit](#limits), or [two](#2) |");
        assert_eq!(links, "| over a limit, or two |");
    }

    #[test]
    fn the_tables_are_whole() {
        let text = text().unwrap();
        for row in [
            "| 0001 |",
            "| 0017 |",
            "| 200 |",
            "| 502, 503 |",
            "| 801 |",
            "| 870 |",
        ] {
            assert!(text.contains(row), "{row}");
        }
        assert!(!text.contains("]("), "{text}");
    }
}
