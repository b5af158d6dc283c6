//! The configuration in force. Every value in it must have been checked.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use application::collections::CollectionTerms;
use application::maintenance::MaintenanceWindow;
use application::price_overrides::PriceOverride;
use application::routes::ProviderRoute;
use application::settings::Settings;
use domain::bank::charges::ChargeRules;
use domain::bill::Biller;
use domain::provider::AbsencePolicy;
use domain::top_up::ReceivingAccount;
use domain::wallet::CreditPrices;
use http_server::{Http2Support, Limits, VtpassRequests};
use ip_intelligence::Servers;
use ipnet::IpNet;
use key_ring::KeyRing;
use provider_sim::JournalSync;
use webhook_dispatch::guard::Loopback;

use super::account::AccountConfig;
use super::account_limit::OwnLimits;
use super::database::DatabaseConfig;
use super::log::Log;
use super::monitoring::MonitoringAddress;
use super::paid_lookup::PricedLookup;
use super::traces::Traces;
use super::view::SettingView;
use crate::registry::Registry;
use crate::secrets::PepperBytes;

/// What the command line says of settings.
#[derive(Debug, Default, Clone)]
pub(crate) struct Flags {
    pub(crate) config: Option<PathBuf>,
    pub(crate) data: Option<PathBuf>,
    pub(crate) database: Option<String>,
    pub(crate) listen: Option<String>,
    pub(crate) log_level: Option<String>,
    pub(crate) log_format: Option<String>,
    pub(crate) operator_key: Option<PathBuf>,
    pub(crate) set: Vec<String>,
}

/// The effective configuration.
#[derive(Debug)]
pub(crate) struct Config {
    pub(crate) data: PathBuf,
    pub(crate) database: DatabaseConfig,
    pub(crate) server: ServerConfig,
    pub(crate) monitoring: MonitoringAddress,
    pub(crate) traces: Traces,
    pub(crate) http_limits: HttpLimits,
    pub(crate) pepper: Option<PepperBytes>,
    /// The keys, where the data folder does not hold them.
    pub(crate) keys: Option<KeyRing>,
    pub(crate) operator: OperatorConfig,
    pub(crate) settings: Settings,
    pub(crate) lookup: LookupConfig,
    pub(crate) webhook: Webhook,
    /// How long meter tokens are kept, if not for ever.
    pub(crate) meter_tokens: Option<Duration>,
    /// How long files of reports are kept.
    pub(crate) report_files: Duration,
    pub(crate) sandbox: Sandbox,
    pub(crate) price_overrides: Vec<PriceOverride>,
    /// Billers beside those of the catalogue.
    pub(crate) billers: Vec<Biller>,
    /// Lookups beside those of the catalogue.
    pub(crate) paid_lookups: Vec<PricedLookup>,
    /// What payouts are charged.
    pub(crate) charges: ChargeRules,
    /// What message credits cost.
    pub(crate) credit_prices: CreditPrices,
    pub(crate) top_up: TopUpConfig,
    /// How collections are made, and what is charged for what is paid to them.
    pub(crate) collection: CollectionTerms,
    /// The adapters of the program.
    pub(crate) registry: Registry,
    /// Accounts at providers, the sandbox first.
    pub(crate) accounts: Vec<AccountConfig>,
    /// Which provider delivers what; without any, the sandbox delivers to test accounts.
    pub(crate) routes: Vec<ProviderRoute>,
    /// When accounts are given nothing new.
    pub(crate) maintenance: Vec<MaintenanceWindow>,
    pub(crate) log: Log,
    /// Things worth a warning in the log.
    pub(crate) warnings: Vec<String>,
    /// The file that was read, if any.
    pub(crate) file: Option<PathBuf>,
    /// Every setting with its source, for showing.
    pub(crate) shown: Vec<SettingView>,
    /// What the command line said.
    pub(super) flags: Flags,
}

/// Where to answer, and what certificate to show.
#[derive(Debug)]
pub(crate) struct ServerConfig {
    pub(crate) listen: SocketAddr,
    /// Chain and key, where an operator brings them.
    pub(crate) certificate: Option<(PathBuf, PathBuf)>,
    /// More names the local certificate is for.
    pub(crate) names: Vec<String>,
}

/// Where the key of the operator who acts is, and its passphrase.
#[derive(Debug)]
pub(crate) struct OperatorConfig {
    pub(crate) key: Option<PathBuf>,
    pub(crate) passphrase_file: Option<PathBuf>,
}

/// Who is let in, and how often.
#[derive(Debug)]
pub(crate) struct HttpLimits {
    pub(crate) limits: Limits,
    /// Those of accounts that have their own.
    pub(crate) own: Vec<OwnLimits>,
    /// Whose word counts on who a request is passed on for.
    pub(crate) trusted_proxies: Vec<IpNet>,
    /// The origins whose pages may read answers; all where there is none.
    pub(crate) cors_origins: Option<Vec<String>>,
    /// Whether requests in VTpass's shape are served.
    pub(crate) vtpass: VtpassRequests,
    /// Whether clients may speak HTTP/2.
    pub(crate) http2: Http2Support,
}

/// Where merchants pay to.
#[derive(Debug)]
pub(crate) struct TopUpConfig {
    /// The bank account, where one is named.
    pub(crate) receiving: Option<ReceivingAccount>,
}

/// Where what is known of IP addresses comes from.
#[derive(Debug)]
pub(crate) struct LookupConfig {
    pub(crate) city_db: Option<PathBuf>,
    pub(crate) isp_db: Option<PathBuf>,
    pub(crate) cells_db: Option<PathBuf>,
    pub(crate) wifi_db: Option<PathBuf>,
    pub(crate) anonymity_db: Option<PathBuf>,
    /// The servers for names; none where reverse lookups are off.
    pub(crate) dns: Option<Servers>,
    /// The zone that knows the names of autonomous systems.
    pub(crate) as_names: Option<String>,
}

/// Where events may be delivered to.
#[derive(Debug)]
pub(crate) struct Webhook {
    /// Networks that are delivered to although they are not public.
    pub(crate) networks: Vec<IpNet>,
    pub(crate) loopback: Loopback,
    /// Certificates of authorities besides those the machine trusts.
    pub(crate) authorities: Option<PathBuf>,
    /// How long a delivery is kept once it was made.
    pub(crate) remembered: Duration,
    /// How many deliveries an account may store.
    pub(crate) deliveries_max: NonZeroU32,
}

/// How the sandbox provider behaves.
#[derive(Debug)]
pub(crate) struct Sandbox {
    pub(crate) seed: u64,
    pub(crate) later: Duration,
    pub(crate) slow: Duration,
    pub(crate) profile: AbsencePolicy,
    pub(crate) latency: RangeInclusive<Duration>,
    pub(crate) request_lost_per_mille: u16,
    pub(crate) answer_lost_per_mille: u16,
    pub(crate) not_sent_per_mille: u16,
    pub(crate) sync: JournalSync,
}
