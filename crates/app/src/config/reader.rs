//! From texts to a configuration. It must look at every setting before it gives up, so that all
//! problems are named at once.

mod database;
mod secrets;
mod sold;
mod together;

use application::maintenance::MaintenanceWindow;
use application::price_overrides::PriceOverride;
use application::settings::Settings;
use domain::bank::charges::ChargeRules;
use domain::collection::CollectionCharges;
use domain::provider::AbsencePolicy;
use domain::wallet::CreditPrices;
use http_server::{Limits, Quota};

use super::account::AccountConfig;
use super::account_limit::{self, OwnLimits};
use super::effective::{Config, Flags, HttpLimits, LookupConfig, OperatorConfig, Sandbox, Webhook};
use super::key::SettingKey;
use super::problem::Problem;
use super::sources::Values;
use super::{
    account, charge, collection_charge, credit_price, keys, maintenance, price_override, route,
    show,
};
use crate::registry::Registry;

/// Reads values and remembers every problem.
pub(super) struct SettingReader<'a> {
    values: &'a Values,
    registry: &'a Registry,
    pub(super) problems: Vec<Problem>,
    /// What is worth a warning.
    pub(super) warnings: Vec<String>,
}

impl<'a> SettingReader<'a> {
    pub(super) fn new(values: &'a Values, registry: &'a Registry) -> Self {
        Self {
            values,
            registry,
            problems: values.problems.clone(),
            warnings: Vec::new(),
        }
    }

    fn get<T>(&mut self, key: &SettingKey<T>) -> Option<T> {
        let raw = self.values.raw(key);
        (key.parse)(&raw.text)
            .map_err(|wrong| {
                let named = show::named(key, &raw);
                self.problems.push(Problem(format!("{named}: {wrong}")));
            })
            .ok()
    }

    /// The configuration, where every value could be read.
    pub(super) fn config(&mut self) -> Option<Config> {
        // Every part is read before any is missed, so that all problems are named at once.
        let data = self.get(&keys::DATA);
        let database = self.database();
        let server = self.server();
        let door = self.http_limits();
        let pepper = self.secret(&secrets::PEPPER);
        let key_ring = self.secret(&secrets::KEY_RING);
        let operator = self.operator();
        let settings = self.settings();
        let lookup = self.lookup();
        let webhook = self.webhook();
        let meter_tokens = self.get(&keys::METER_TOKENS);
        let report_files = self.get(&keys::REPORT_FILES);
        let sandbox = self.sandbox();
        let overrides = self.price_overrides();
        let charges = self.charges();
        let credit_prices = self.credit_prices();
        let top_up = self.top_up();
        let collection = self.collection(server.as_ref());
        let billers = self.billers();
        let paid_lookups = self.paid_lookups();
        let accounts = self.accounts();
        let routes = self.routes(
            billers.as_deref().unwrap_or_default(),
            paid_lookups.as_deref().unwrap_or_default(),
        );
        if let (Some(accounts), Some(routes)) = (&accounts, &routes) {
            self.problems.extend(route::two_issuers(routes, accounts));
        }
        let maintenance = self.maintenance();
        let monitoring = self.get(&keys::MONITORING_LISTEN);
        let traces = self.traces();
        let log = self.log();
        Some(Config {
            data: data?,
            database: database?,
            server: server?,
            monitoring: monitoring?,
            traces: traces?,
            http_limits: door?,
            pepper: pepper?,
            keys: key_ring?,
            operator: operator?,
            settings: settings?,
            lookup: lookup?,
            webhook: webhook?,
            meter_tokens: meter_tokens?,
            report_files: report_files?,
            sandbox: sandbox?,
            price_overrides: overrides,
            charges: charges?,
            credit_prices: credit_prices?,
            billers: billers?,
            paid_lookups: paid_lookups?,
            top_up: top_up?,
            collection: collection?,
            registry: self.registry.clone(),
            accounts: accounts?,
            routes: routes?,
            maintenance: maintenance?,
            log: log?,
            warnings: Vec::new(),
            file: None,
            shown: Vec::new(),
            flags: Flags::default(),
        })
    }

    fn http_limits(&mut self) -> Option<HttpLimits> {
        let trusted_proxies = self.get(&keys::TRUSTED_PROXIES);
        let cors_origins = self.get(&keys::CORS_ORIGINS);
        let vtpass = self.get(&keys::VTPASS);
        let http2 = self.get(&keys::HTTP2);
        let limits = self.limits();
        let own = limits.and_then(|standard| self.account_limits(standard));
        Some(HttpLimits {
            limits: limits?,
            own: own?,
            trusted_proxies: trusted_proxies?,
            cors_origins: cors_origins?,
            vtpass: vtpass?,
            http2: http2?,
        })
    }

    /// The limits of accounts that have their own.
    fn account_limits(&mut self, standard: Limits) -> Option<Vec<OwnLimits>> {
        account_limit::parse(&self.values.account_limits, standard)
            .map_err(|problems| self.problems.extend(problems))
            .ok()
    }

    fn limits(&mut self) -> Option<Limits> {
        let payments = self.get(&keys::PAYMENTS_PER_MINUTE);
        let payments_at_once = self.get(&keys::PAYMENTS_AT_ONCE);
        let bulks = self.get(&keys::BULKS_PER_MINUTE);
        let reads = self.get(&keys::READS_PER_MINUTE);
        let lookups = self.get(&keys::LOOKUPS_PER_MINUTE);
        let violation_minutes_per_hour = self.get(&keys::VIOLATION_MINUTES_PER_HOUR);
        let failed_logins = self.get(&keys::FAILED_LOGINS_PER_MINUTE);
        let (payments, payments_at_once) = (payments?, payments_at_once?);
        if payments_at_once > payments {
            self.problem(
                "`limits.payments_at_once` must not be above `limits.payments_per_minute`: raise \
                 the one or lower the other",
            );
        }
        Some(Limits {
            payments: Quota::new(payments, payments_at_once),
            bulks: Quota::per_minute(bulks?),
            reads: Quota::per_minute(reads?),
            lookups: Quota::per_minute(lookups?),
            violation_minutes_per_hour: violation_minutes_per_hour?,
            failed_logins_per_minute: failed_logins?,
        })
    }

    fn operator(&mut self) -> Option<OperatorConfig> {
        let key = self.get(&keys::OPERATOR_KEY);
        let passphrase_file = self.get(&keys::PASSPHRASE_FILE);
        Some(OperatorConfig {
            key: key?,
            passphrase_file: passphrase_file?,
        })
    }

    fn lookup(&mut self) -> Option<LookupConfig> {
        let city_db = self.get(&keys::CITY_DB);
        let isp_db = self.get(&keys::ISP_DB);
        let anonymity_db = self.get(&keys::ANONYMITY_DB);
        let cells_db = self.get(&keys::CELLS_DB);
        let wifi_db = self.get(&keys::WIFI_DB);
        let dns = self.get(&keys::DNS);
        let as_names = self.get(&keys::AS_NAMES);
        Some(LookupConfig {
            city_db: city_db?,
            isp_db: isp_db?,
            anonymity_db: anonymity_db?,
            cells_db: cells_db?,
            wifi_db: wifi_db?,
            dns: dns?,
            as_names: as_names?,
        })
    }

    fn webhook(&mut self) -> Option<Webhook> {
        let networks = self.get(&keys::ALLOW_NETWORKS);
        let loopback = self.get(&keys::ALLOW_LOOPBACK);
        let authorities = self.get(&keys::AUTHORITIES);
        let remembered = self.get(&keys::DELIVERIES);
        let deliveries_max = self.get(&keys::DELIVERIES_MAX);
        Some(Webhook {
            networks: networks?,
            loopback: loopback?,
            authorities: authorities?,
            remembered: remembered?,
            deliveries_max: deliveries_max?,
        })
    }

    fn settings(&mut self) -> Option<Settings> {
        let answer_window = self.get(&keys::ANSWER_WINDOW);
        let call_deadline = self.get(&keys::CALL_DEADLINE);
        let lookup_deadline = self.get(&keys::LOOKUP_DEADLINE);
        let reverse_dns_deadline = self.get(&keys::DNS_DEADLINE);
        let send_within = self.get(&keys::SEND_WITHIN);
        let lease = self.get(&keys::LEASE);
        let recheck_first = self.get(&keys::RECHECK_FIRST);
        let recheck_waiting_max = self.get(&keys::RECHECK_WAITING_MAX);
        let recheck_max = self.get(&keys::RECHECK_MAX);
        let replay_wait = self.get(&keys::REPLAY_WAIT);
        let credential_ttl = self.get(&keys::CREDENTIAL_TTL);
        let recovery_interval = self.get(&keys::RECOVERY_INTERVAL);
        let recovery_batch = self.get(&keys::RECOVERY_BATCH);
        let changes_interval = self.get(&keys::CHANGES_INTERVAL);
        let payments_max = self.get(&keys::PAYMENTS_MAX);
        let dual_control_above = self.get(&keys::DUAL_CONTROL_ABOVE);
        let settings = Settings {
            answer_window: answer_window?,
            call_deadline: call_deadline?,
            lookup_deadline: lookup_deadline?,
            reverse_dns_deadline: reverse_dns_deadline?,
            send_within: send_within?,
            lease: lease?,
            recheck_first: recheck_first?,
            recheck_waiting_max: recheck_waiting_max?,
            recheck_max: recheck_max?,
            replay_wait: replay_wait?,
            credential_ttl: credential_ttl?,
            recovery_interval: recovery_interval?,
            recovery_batch: recovery_batch?,
            changes_interval: changes_interval?,
            payments_max: payments_max?,
            dual_control_above: dual_control_above?,
            ..Settings::default()
        };
        if settings.lease <= settings.call_deadline.saturating_add(settings.send_within) {
            self.problem(
                "`payment.lease_ms` must be more than `payment.call_deadline_ms` and \
                 `payment.send_within_ms` together: recovery would take over what is still on its \
                 way",
            );
        }
        Some(settings)
    }

    fn sandbox(&mut self) -> Option<Sandbox> {
        let seed = self.get(&keys::SANDBOX_SEED);
        let later = self.get(&keys::SANDBOX_LATER);
        let slow = self.get(&keys::SANDBOX_SLOW);
        let profile = self.sandbox_profile();
        let latency_min = self.get(&keys::SANDBOX_LATENCY_MIN);
        let latency_max = self.get(&keys::SANDBOX_LATENCY_MAX);
        let request_lost = self.get(&keys::FAULT_REQUEST_LOST);
        let answer_lost = self.get(&keys::FAULT_ANSWER_LOST);
        let not_sent = self.get(&keys::FAULT_NOT_SENT);
        let sync = self.get(&keys::SANDBOX_SYNC);
        let sandbox = Sandbox {
            seed: seed?,
            later: later?,
            slow: slow?,
            profile: profile?,
            latency: latency_min?..=latency_max?,
            request_lost_per_mille: request_lost?,
            answer_lost_per_mille: answer_lost?,
            not_sent_per_mille: not_sent?,
            sync: sync?,
        };
        if sandbox.latency.is_empty() {
            self.problem("`sandbox.latency_min_ms` must not be above `sandbox.latency_max_ms`");
        }
        let faults = [
            sandbox.request_lost_per_mille,
            sandbox.answer_lost_per_mille,
            sandbox.not_sent_per_mille,
        ];
        if faults.into_iter().map(u32::from).sum::<u32>() > 1000 {
            self.problem(
                "`sandbox.request_lost_per_mille`, `sandbox.answer_lost_per_mille` and \
                 `sandbox.not_sent_per_mille` must not exceed 1000 together",
            );
        }
        Some(sandbox)
    }

    fn sandbox_profile(&mut self) -> Option<AbsencePolicy> {
        let quarantine = self.get(&keys::SANDBOX_QUARANTINE);
        let not_found_min = self.get(&keys::SANDBOX_NOT_FOUND_MIN);
        let not_found_spacing = self.get(&keys::SANDBOX_NOT_FOUND_SPACING);
        let review_after = self.get(&keys::SANDBOX_REVIEW_AFTER);
        Some(AbsencePolicy {
            quarantine: quarantine?,
            not_found_min: not_found_min?,
            not_found_spacing: not_found_spacing?,
            review_after: review_after?,
            ends: AbsencePolicy::CAUTIOUS.ends,
        })
    }

    /// What payouts are charged.
    fn charges(&mut self) -> Option<ChargeRules> {
        charge::parse(&self.values.charges)
            .map_err(|problems| self.problems.extend(problems))
            .ok()
    }

    /// What message credits cost.
    fn credit_prices(&mut self) -> Option<CreditPrices> {
        credit_price::parse(&self.values.credit_prices)
            .map_err(|problems| self.problems.extend(problems))
            .ok()
    }

    /// What payments to collections are charged.
    fn collection_charges(&mut self) -> Option<CollectionCharges> {
        collection_charge::parse(&self.values.collection_charges)
            .map_err(|problems| self.problems.extend(problems))
            .ok()
    }

    /// The accounts at providers.
    fn accounts(&mut self) -> Option<Vec<AccountConfig>> {
        account::parse(&self.values.accounts, self.registry)
            .map_err(|problems| self.problems.extend(problems))
            .ok()
    }

    /// When accounts are given nothing new.
    fn maintenance(&mut self) -> Option<Vec<MaintenanceWindow>> {
        let providers = self.values.accounts.names();
        maintenance::parse(&self.values.maintenance, &providers)
            .map_err(|problems| self.problems.extend(problems))
            .ok()
    }

    fn price_overrides(&mut self) -> Vec<PriceOverride> {
        let mut overrides: Vec<PriceOverride> = Vec::new();
        for (index, raw) in (1_usize..).zip(&self.values.price_overrides) {
            match price_override::parse(raw, index) {
                Ok(new) => {
                    let same = |price: &PriceOverride| {
                        price.account == new.account && price.product == new.product
                    };
                    if overrides.iter().any(same) {
                        self.problems.push(Problem(format!(
                            "price_override {index}: {} has one for {} already; keep one of them",
                            new.account, new.product
                        )));
                    }
                    overrides.push(new);
                }
                Err(problems) => self.problems.extend(problems),
            }
        }
        overrides
    }

    fn problem(&mut self, text: &str) {
        self.problems.push(Problem(text.to_owned()));
    }
}
