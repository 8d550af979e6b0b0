//! Files as people name them: what fails is told with the name.

use std::path::Path;

pub fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Write a file or replace it at once, so that a crash leaves the old one or the new one.
pub fn write_whole(path: &Path, contents: &[u8]) -> Result<(), String> {
    // Programs that write the same file at once do not mix it up.
    let beside = path.with_extension(format!("{}.part", std::process::id()));
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    std::fs::write(&beside, contents).and_then(|()| std::fs::rename(&beside, path)).map_err(failed)
}
