//! A server as a program: logs, the greeting in the terminal, the browser, and the signals that end it.

use crate::app::{Config, start};
use std::io::{IsTerminal, Write};
use std::process::{Command, Stdio};

/// Run until the program is told to end. Takes the whole thread.
pub fn serve(config: Config) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(|error| error.to_string())?;
    start_log();
    take_all_files();
    runtime.block_on(async {
        let browser = config.open_browser;
        let running = start(config).await?;
        // A reader that has gone away does not end a server.
        let mut out = std::io::stdout();
        let _ = writeln!(out, "Trilogy is at {}", running.url());
        if let Some(token) = &running.admin_token {
            let _ = writeln!(out, "Admin token, shown only now: {token}  (register, then enter it on the page /admin)");
        }
        let _ = out.flush();
        tell_systemd(true);
        if browser {
            open_browser(&running.url());
        }
        tokio::select! {
            () = until_told() => {}
            () = running.drained() => {
                let _ = writeln!(out, "All matches are finished or in other hands.");
            }
        }
        tell_systemd(false);
        running.stop().await;
        Ok(())
    })
}

/// Where systemd keeps this program and waits for it (`Type=notify`), it is told that the server listens, or that it ends.
fn tell_systemd(listens: bool) {
    #[cfg(target_os = "linux")]
    {
        use sd_notify::NotifyState;
        let state = if listens { NotifyState::Ready } else { NotifyState::Stopping };
        if let Err(error) = sd_notify::notify(&[state]) {
            tracing::warn!(%error, "systemd could not be told how the server does");
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = listens;
}

/// As many connections as the system lets this program have, not only as many as it gives unasked.
fn take_all_files() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
        let _ = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    }
}

/// Lines of text for people, JSON for programs; `RUST_LOG` says how much.
fn start_log() {
    use tracing_subscriber::EnvFilter;
    let people = std::io::stderr().is_terminal();
    let usual = if people { "warn,trilogy_server=warn" } else { "info,sqlx=warn" };
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(usual));
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    // A log that is there already serves as well.
    let _ = if people { log.compact().try_init() } else { log.json().flatten_event(true).try_init() };
}

async fn until_told() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}

/// Where there is a screen to show it on; if that fails, the address stands in the terminal.
fn open_browser(url: &str) {
    let has = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let program = match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ if has("DISPLAY") || has("WAYLAND_DISPLAY") => "xdg-open",
        _ => return,
    };
    let _ = Command::new(program).arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
}
