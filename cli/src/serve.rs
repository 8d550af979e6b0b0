//! The server in the browser's service: where it listens, where it keeps things.

use crate::games::Shelf;
use std::net::SocketAddr;
use std::path::PathBuf;
use trilogy_server::guard::network;
use trilogy_server::{Config, IpNet};

#[derive(clap::Args, Default)]
pub(crate) struct Args {
    /// Address and port; 0.0.0.0:7327 is for everyone who can reach this machine [default: 127.0.0.1:7327]
    #[arg(long, value_name = "A")]
    listen: Option<SocketAddr>,
    /// Folder for accounts, decks and matches [default: the user's data folder]
    #[arg(long, value_name = "DIR", conflicts_with = "database")]
    data: Option<PathBuf>,
    /// Rules and cards from DIR/<game>/ instead of the built-in ones; what is changed there counts for new matches at once
    #[arg(long, value_name = "DIR")]
    games: Option<PathBuf>,
    /// A PostgreSQL database instead: postgres://user:password@host/name
    #[arg(long, value_name = "URL")]
    database: Option<String>,
    /// Whoever enters this token becomes admin, once for good: a token that was used is not taken again
    #[arg(long, value_name = "T")]
    admin_token: Option<String>,
    /// Proxies in front of this server: from them the headers x-forwarded-for, -host and -proto are believed, from nobody else
    #[arg(long, value_name = "ADDR|NET", value_delimiter = ',', value_parser = network)]
    trusted_proxy: Vec<IpNet>,
    /// What this flag did is done by --trusted-proxy
    #[arg(long, hide = true)]
    trust_proxy: bool,
    /// Where clients reach this very server, when several share a database [default: the address it listens on]
    #[arg(long, value_name = "URL")]
    advertise: Option<String>,
    /// Only finish matches that no other server on the database can go on with, then stop: for the release before, beside a new one
    #[arg(long)]
    drain: bool,
    /// Set a limit by its name, as guests=200; docs/OPERATIONS.md lists them
    #[arg(long, value_name = "NAME=VALUE")]
    limit: Vec<String>,
    /// Do not open a browser
    #[arg(long)]
    no_browser: bool,
}

pub(crate) fn run(shelf: &Shelf, args: &Args) -> Result<(), String> {
    if args.trust_proxy {
        return Err(
            "--trust-proxy believed anybody who could reach the server; name the proxies instead, such as --trusted-proxy 127.0.0.1".into(),
        );
    }
    let usual = Config::default();
    let mut limits = usual.limits;
    args.limit.iter().try_for_each(|wish| limits.set(wish))?;
    trilogy_server::serve(Config {
        listen: args.listen.unwrap_or(usual.listen),
        data: args.data.clone().or_else(data_folder).unwrap_or(usual.data),
        database: args.database.clone(),
        games: args.games.clone().or_else(|| shelf.folder.clone()),
        admin_token: args.admin_token.clone(),
        advertise: args.advertise.clone(),
        drain: args.drain,
        open_browser: !args.no_browser && !args.drain,
        trusted_proxies: args.trusted_proxy.clone(),
        limits,
        matches: usual.matches,
    })
}

/// Where programs of this user keep their things.
pub(crate) fn data_folder() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from).filter(|path| path.is_absolute());
    match std::env::consts::OS {
        "windows" => folder("APPDATA").map(|path| path.join("Trilogy")),
        "macos" => folder("HOME").map(|path| path.join("Library/Application Support/Trilogy")),
        _ => folder("XDG_DATA_HOME").or_else(|| folder("HOME").map(|path| path.join(".local/share"))).map(|path| path.join("trilogy")),
    }
}
