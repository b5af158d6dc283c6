//! Which provider delivers which family. The choice is made before an attempt is recorded and stays
//! with that attempt for ever.

use domain::order::Service;
use domain::provider::ProviderId;
use ports::provider::Provider;
use std::sync::Arc;

/// The providers of a gateway.
#[derive(Debug, Clone, Default)]
pub struct Providers {
    routes: Vec<(Service, Arc<dyn Provider>)>,
}

impl Providers {
    /// Providers by the family they deliver; the first for a family is chosen.
    pub fn new(routes: Vec<(Service, Arc<dyn Provider>)>) -> Self {
        Self { routes }
    }

    /// Who delivers a family.
    pub(crate) fn delivering(&self, service: Service) -> Option<Arc<dyn Provider>> {
        self.routes
            .iter()
            .find(|(served, _)| *served == service)
            .map(|(_, p)| Arc::clone(p))
    }

    /// Who else delivers a family: the first that is not the given one.
    pub(crate) fn delivering_besides(
        &self,
        service: Service,
        tried: &ProviderId,
    ) -> Option<Arc<dyn Provider>> {
        let mut others = self.routes.iter();
        let other = others.find(|(served, it)| *served == service && it.id() != tried);
        other.map(|(_, provider)| Arc::clone(provider))
    }

    /// A provider by its identity, as a stored transaction names it.
    pub(crate) fn named(&self, id: &ProviderId) -> Option<Arc<dyn Provider>> {
        self.routes
            .iter()
            .find(|(_, provider)| provider.id() == id)
            .map(|(_, p)| Arc::clone(p))
    }

    /// Every provider once.
    pub(crate) fn distinct(&self) -> Vec<Arc<dyn Provider>> {
        let mut distinct: Vec<Arc<dyn Provider>> = Vec::new();
        for (_, provider) in &self.routes {
            if !distinct.iter().any(|known| known.id() == provider.id()) {
                distinct.push(Arc::clone(provider));
            }
        }
        distinct
    }
}
