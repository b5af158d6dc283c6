//! What is sold beside the catalogue of the program, and which routes lead to it. A route must not
//! name what is not sold.

use application::routes::ProviderRoute;
use domain::bill::Biller;
use provider_sim::SandboxCatalogue;

use super::super::biller;
use super::super::paid_lookup::{self, PricedLookup};
use super::super::route::{self, KnownNames};
use super::SettingReader;

impl SettingReader<'_> {
    /// The billers an operator added.
    pub(super) fn billers(&mut self) -> Option<Vec<Biller>> {
        biller::parse(&self.values.billers)
            .map_err(|problems| self.problems.extend(problems))
            .ok()
    }

    /// The lookups an operator added.
    pub(super) fn paid_lookups(&mut self) -> Option<Vec<PricedLookup>> {
        paid_lookup::parse(&self.values.paid_lookups)
            .map_err(|problems| self.problems.extend(problems))
            .ok()
    }

    /// The routes to them. An account that has a problem of its own counts as known.
    pub(super) fn routes(
        &mut self,
        billers: &[Biller],
        lookups: &[PricedLookup],
    ) -> Option<Vec<ProviderRoute>> {
        let names = KnownNames {
            providers: self.values.accounts.names(),
            catalogue: SandboxCatalogue::new()
                .with_billers(billers.iter().cloned())
                .with_lookups(lookups.iter().cloned()),
        };
        route::parse(&self.values.routes, &names)
            .map_err(|problems| self.problems.extend(problems))
            .ok()
    }
}
