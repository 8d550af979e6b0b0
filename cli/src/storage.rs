//! Copies of what a server keeps in its folder, and a folder made from one.

use crate::serve::data_folder;
use std::path::PathBuf;
use trilogy_server::store::{Copied, back_up, restore};

#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Copy everything to one file, while the server runs or not
    Backup {
        /// Folder of the server [default: the user's data folder]
        #[arg(long, value_name = "DIR")]
        data: Option<PathBuf>,
        /// The file; one that is there already is not written over
        to: PathBuf,
    },
    /// Make a server's folder from such a file, where nothing is stored yet
    Restore {
        /// Folder of the server [default: the user's data folder]
        #[arg(long, value_name = "DIR")]
        data: Option<PathBuf>,
        /// The file that `backup` has written
        from: PathBuf,
    },
}

pub(crate) fn run(command: &Command) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|error| error.to_string())?;
    let folder = |data: &Option<PathBuf>| data.clone().or_else(data_folder).ok_or("which folder? name it with --data DIR");
    let (written, copied): (PathBuf, Copied) = match command {
        Command::Backup { data, to } => (to.clone(), runtime.block_on(back_up(&folder(data)?, to))?),
        Command::Restore { data, from } => {
            let folder = folder(data)?;
            let copied = runtime.block_on(restore(from, &folder))?;
            (folder, copied)
        }
    };
    say!("written to {}: {copied}", written.display());
    Ok(())
}
