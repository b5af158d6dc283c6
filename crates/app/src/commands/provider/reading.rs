//! The last balance at a provider that a server read, and for how long it lasts. It must reach no
//! provider.

use domain::float_forecast::FloatForecast;
use domain::provider::ProviderId;
use jiff::Timestamp as Moment;
use serde::Serialize;

use crate::compose::AdminContext;
use crate::failure::Failure;
use crate::output;

/// What a provider last said is left.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::commands) struct ReadingView {
    currency: &'static str,
    available: String,
    read_at: String,
    /// Whether it was below `low_float`.
    low: bool,
    /// Absent where too little was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) forecast: Option<ForecastView>,
}

/// For how long it lasts.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ForecastView {
    /// What was spent within the last day, or since the first reading.
    spent: String,
    within_seconds: u64,
    /// Absent where nothing was spent.
    #[serde(skip_serializing_if = "Option::is_none")]
    lasts_seconds: Option<u64>,
}

impl ForecastView {
    fn of(forecast: FloatForecast) -> Self {
        Self {
            spent: forecast.spent.to_string(),
            within_seconds: forecast.within.as_secs(),
            lasts_seconds: forecast.lasts.map(|lasts| lasts.as_secs()),
        }
    }

    /// In one cell of a table.
    pub(super) fn text(&self) -> String {
        self.lasts_seconds
            .map_or_else(|| "nothing spent".to_owned(), output::duration)
    }
}

impl ReadingView {
    /// The last reading of a provider, if there is one.
    pub(in crate::commands) async fn of(
        context: &AdminContext,
        provider: &ProviderId,
    ) -> Result<Option<Self>, Failure> {
        let Some(last) = context.readings.last(provider).await? else {
            return Ok(None);
        };
        let from = last.read_at.minus(FloatForecast::LOOKS_BACK);
        let readings = context.readings.since(provider, from).await?;
        let forecast = FloatForecast::of(&readings).map(ForecastView::of);
        let available = last.balance.available;
        Ok(Some(Self {
            currency: available.currency().code(),
            available: available.to_string(),
            read_at: Moment::from_millisecond(last.read_at.as_millis())?.to_string(),
            low: last.is_low,
            forecast,
        }))
    }

    /// Whether it was below `low_float`.
    pub(in crate::commands) const fn is_low(&self) -> bool {
        self.low
    }

    /// In one cell of a table.
    pub(in crate::commands) fn text(&self) -> String {
        let low = if self.low { ", low" } else { "" };
        let lasts = self.forecast.as_ref().and_then(|it| it.lasts_seconds);
        let lasts = lasts.map(|it| format!(", lasts {}", output::duration(it)));
        let (currency, available) = (self.currency, &self.available);
        format!("{currency} {available}{low}{}", lasts.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_says_what_is_left_whether_it_is_low_and_how_long_it_lasts() {
        let forecast = |lasts_seconds| ForecastView {
            spent: "5.00".to_owned(),
            within_seconds: 86_400,
            lasts_seconds,
        };
        let mut view = ReadingView {
            currency: "NGN",
            available: "1,200.00".to_owned(),
            read_at: String::new(),
            low: false,
            forecast: None,
        };
        assert_eq!(view.text(), "NGN 1,200.00");
        view.forecast = Some(forecast(None));
        assert_eq!(view.text(), "NGN 1,200.00");
        view.forecast = Some(forecast(Some(7_201)));
        view.low = true;
        assert_eq!(view.text(), "NGN 1,200.00, low, lasts 2 h");
        assert_eq!(forecast(None).text(), "nothing spent");
    }
}
