//! `manilla provider float`: what a provider says is left of our money, beside what the ledger
//! says. It must book neither: a difference is shown, and a person finds out why.

use clap::Args;
use domain::float::{LedgerFloat, ProviderBalance};
use domain::money::{Currency, Money};
use domain::provider::ProviderId;
use serde::Serialize;

use super::fund::configured;
use super::reading::{ForecastView, ReadingView};
use crate::compose::{AdminContext, DataFolder, OpenedAccounts};
use crate::config::Config;
use crate::failure::Failure;
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  manilla provider float
  manilla provider float my-shop --json

BALANCE is what the provider says is left, asked for now. LEDGER is what was paid in, by `manilla
provider fund`, less what the provider took for deliveries: the cost that it reported, else the cost
that was quoted. Payments under way, and costs that were not reported, are in the DIFFERENCE. LASTS
is for how long the balance lasts at the pace of the last day, by what a server read. Exit status 1
if a balance could not be read.")]
pub(crate) struct ProviderFloatOptions {
    /// The account, as [provider.NAME] calls it [default: all]
    name: Option<String>,
    /// One JSON document for scripts
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    providers: Vec<FloatView>,
}

/// One account at a provider.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct FloatView {
    name: String,
    currency: &'static str,
    /// What the provider says is left; absent where it does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    balance: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    held: Option<String>,
    /// How old the balance is.
    #[serde(skip_serializing_if = "Option::is_none")]
    age_seconds: Option<u64>,
    prefunded: String,
    spent: String,
    /// What must be left.
    ledger: String,
    /// What is left more than must be.
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<String>,
    /// For how long the balance lasts, by what a server read.
    #[serde(skip_serializing_if = "Option::is_none")]
    forecast: Option<ForecastView>,
    /// Why the balance could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    failed: Option<String>,
}

/// What a provider answered when it was asked for its balance.
type Asked = Result<Option<ProviderBalance>, String>;

pub(super) async fn run(options: &ProviderFloatOptions, config: &Config) -> Result<(), Failure> {
    let names: Vec<ProviderId> = match &options.name {
        Some(name) => vec![configured(name, config)?],
        None => config.accounts.iter().map(|it| it.id.clone()).collect(),
    };
    let context = AdminContext::open(config, DataFolder::MustExist).await?;
    let read = views(&context, config, &names).await;
    context.close().await;
    let providers = read?;
    let failed = providers.iter().any(|view| view.failed.is_some());
    if options.json {
        output::json(&Document { providers })?;
    } else {
        output::line(text(&providers))?;
    }
    if failed {
        return Err(Failure::AlreadyReported);
    }
    Ok(())
}

async fn views(
    context: &AdminContext,
    config: &Config,
    names: &[ProviderId],
) -> Result<Vec<FloatView>, Failure> {
    let mut views = Vec::new();
    for name in names {
        // The balance first: what is delivered after it is not taken for a difference of theirs.
        let asked = asked(config, name).await;
        let floats = context.floats.floats(name).await?;
        let mut of_name = view(name, asked, (&floats, context.now()));
        let shown = of_name.iter_mut().find(|it| it.balance.is_some());
        if let Some(shown) = shown {
            let reading = ReadingView::of(context, name).await?;
            shown.forecast = reading.and_then(|it| it.forecast);
        }
        views.append(&mut of_name);
    }
    Ok(views)
}

async fn asked(config: &Config, name: &ProviderId) -> Asked {
    let opened = OpenedAccounts::open_one(config, name.as_str());
    let opened = opened.map_err(|error| format!("{error:#}"))?;
    let Some(account) = opened else {
        return Ok(None);
    };
    let balance = account.provider.balance();
    match tokio::time::timeout(config.settings.call_deadline, balance).await {
        Ok(answer) => answer.map_err(|error| error.to_string()),
        Err(_) => Err("it did not answer in time".to_owned()),
    }
}

/// The rows of one provider: of each currency that moved or is left there, naira where nothing is.
fn view(
    name: &ProviderId,
    asked: Asked,
    (floats, now): (&[LedgerFloat], domain::time::Timestamp),
) -> Vec<FloatView> {
    let (balance, failed) = match asked {
        Ok(balance) => (balance, None),
        Err(why) => (None, Some(why)),
    };
    let said = balance.map_or(Currency::Ngn, |it| it.available.currency());
    let mut currencies: Vec<Currency> = floats.iter().map(|it| it.spent.currency()).collect();
    if !currencies.contains(&said) {
        currencies.push(said);
    }
    let row = |currency: Currency| {
        let zero = Money::zero(currency);
        let mut known = floats.iter();
        let float = known.find(|it| it.spent.currency() == currency).copied();
        let float = float.unwrap_or(LedgerFloat {
            prefunded: zero,
            spent: zero,
        });
        let balance = balance.filter(|it| it.available.currency() == currency);
        // What is held is still ours until it is taken.
        let whole = balance.and_then(|it| it.available.checked_add(it.held.unwrap_or(zero)));
        let left = float.left();
        let difference = whole
            .zip(left)
            .and_then(|(whole, left)| whole.checked_sub(left));
        FloatView {
            name: name.to_string(),
            currency: currency.code(),
            balance: balance.map(|it| it.available.to_string()),
            held: balance.and_then(|it| it.held).map(|it| it.to_string()),
            age_seconds: balance.map(|it| now.since(it.at).as_secs()),
            prefunded: float.prefunded.to_string(),
            spent: float.spent.to_string(),
            ledger: left.map_or_else(|| "beyond limit".to_owned(), |it| it.to_string()),
            difference: difference.map(|it| it.to_string()),
            forecast: None,
            failed: failed.clone().filter(|_| currency == said),
        }
    };
    currencies.into_iter().map(row).collect()
}

fn text(views: &[FloatView]) -> String {
    let rows: Vec<[String; 7]> = views
        .iter()
        .map(|view| {
            let balance = match (&view.balance, &view.failed) {
                (Some(balance), _) => balance.clone(),
                (None, Some(_)) => "failed".to_owned(),
                (None, None) => "not shown".to_owned(),
            };
            [
                view.name.clone(),
                view.currency.to_owned(),
                balance,
                view.ledger.clone(),
                view.difference.clone().unwrap_or_default(),
                view.age_seconds
                    .map_or_else(String::new, |age| format!("{age} s")),
                view.forecast
                    .as_ref()
                    .map_or_else(String::new, ForecastView::text),
            ]
        })
        .collect();
    let headings = [
        "PROVIDER",
        "CURRENCY",
        "BALANCE",
        "LEDGER",
        "DIFFERENCE",
        "AGE",
        "LASTS",
    ];
    let mut text = output::table(headings, &rows);
    for view in views {
        if let Some(why) = &view.failed {
            text = format!(
                "{text}\n\nThe balance of {} could not be read: {why}",
                view.name
            );
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use domain::time::Timestamp;

    use super::*;

    fn naira(minor: i64) -> Money {
        Money::from_minor(minor, Currency::Ngn)
    }

    fn shown(asked: Asked, floats: &[LedgerFloat]) -> Vec<FloatView> {
        let name = ProviderId::parse("shop").unwrap();
        view(&name, asked, (floats, Timestamp::from_millis(9_500)))
    }

    const FLOAT: LedgerFloat = LedgerFloat {
        prefunded: Money::from_minor(100_000, Currency::Ngn),
        spent: Money::from_minor(30_000, Currency::Ngn),
    };

    fn balance(available: i64, held: Option<i64>) -> ProviderBalance {
        ProviderBalance {
            available: naira(available),
            held: held.map(naira),
            at: Timestamp::from_millis(2_000),
        }
    }

    #[test]
    fn the_difference_is_what_is_left_more_than_must_be_with_what_is_held() {
        for (asked, difference) in [
            (balance(70_000, None), "0.00"),
            (balance(69_000, Some(1_000)), "0.00"),
            (balance(69_000, None), "-10.00"),
            (balance(70_100, None), "1.00"),
        ] {
            let [view] = &shown(Ok(Some(asked)), &[FLOAT])[..] else {
                panic!("one row");
            };
            assert_eq!(view.difference.as_deref(), Some(difference));
            assert_eq!(
                (view.ledger.as_str(), view.age_seconds),
                ("700.00", Some(7))
            );
        }
    }

    #[test]
    fn what_is_not_shown_or_failed_has_no_difference() {
        let views = shown(Ok(None), &[]);
        assert_eq!(
            (views[0].ledger.as_str(), &views[0].difference),
            ("0.00", &None)
        );
        assert!(text(&views).contains("not shown"));
        let views = shown(Err("it is away".to_owned()), &[FLOAT]);
        assert_eq!(views[0].difference, None);
        assert!(text(&views).ends_with("shop could not be read: it is away"));
    }

    #[test]
    fn each_currency_has_a_row() {
        let zero = Money::zero(Currency::Crd);
        let credits = LedgerFloat {
            prefunded: zero,
            spent: zero,
        };
        let views = shown(Ok(Some(balance(5, None))), &[credits]);
        let currencies: Vec<_> = views.iter().map(|it| it.currency).collect();
        assert_eq!(currencies, ["CRD", "NGN"]);
        assert_eq!(views[0].balance, None);
    }
}
