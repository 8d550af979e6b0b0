//! Catalogues as they are kept beside the games that are played with them: packed, in files, in text.

use crate::files::write_whole;
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use trilogy_engine::Catalogue;
use trilogy_engine::catalogue::{Head, Unreadable};
use trilogy_engine::journal::hex;

/// What files of packed catalogues are called behind the dot.
pub const EXTENSION: &str = "catalogue";

/// Thirty times the largest game of today: whoever hands over more wants to fill our memory.
const LARGEST: u64 = 32 << 20;

/// A catalogue as few bytes: a third of those that it has. One that was read is not packed again but kept as the bytes it was read from,
/// since they may be of an older format. (The best level saves one byte in a thousand for half as much time again.)
pub fn pack(catalogue: &Catalogue) -> Vec<u8> {
    packed(&catalogue.to_bytes())
}

/// Any bytes packed.
pub fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    // Writing to memory does not fail.
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}

/// What was packed, or no more of it than this.
fn beginning(bytes: &[u8], most: u64) -> Result<Vec<u8>, Unreadable> {
    let mut out = Vec::new();
    let read = ZlibDecoder::new(bytes).take(most).read_to_end(&mut out);
    read.map_err(|error| Unreadable::Damaged(format!("it cannot be unpacked: {error}")))?;
    Ok(out)
}

/// The catalogue that was packed.
pub fn unpack(bytes: &[u8]) -> Result<Catalogue, Unreadable> {
    Catalogue::from_bytes(&unpacked(bytes)?)
}

/// The bytes that were packed.
pub fn unpacked(bytes: &[u8]) -> Result<Vec<u8>, Unreadable> {
    beginning(bytes, LARGEST)
}

/// What the head of a packed catalogue says.
pub fn head(bytes: &[u8]) -> Result<Head, Unreadable> {
    Head::of(&beginning(bytes, 64)?)
}

/// A packed catalogue as a journal carries it.
pub fn to_text(packed: &[u8]) -> String {
    BASE64.encode(packed)
}

pub fn from_text(text: &str) -> Result<Vec<u8>, String> {
    BASE64.decode(text).map_err(|error| format!("the text of the catalogue is damaged: {error}"))
}

/// Where a folder of catalogues has the one with this hash.
pub fn file(folder: &Path, hash: &str) -> PathBuf {
    folder.join(format!("{hash}.{EXTENSION}"))
}

/// Keep a catalogue in a folder, where it does not lie there already.
pub fn keep(folder: &Path, catalogue: &Catalogue) -> Result<(), String> {
    let path = file(folder, &hex(&catalogue.hash));
    let lies_there = std::fs::read(&path).is_ok_and(|bytes| head(&bytes).is_ok_and(|head| head.hash == catalogue.hash));
    if lies_there { Ok(()) } else { write_whole(&path, &pack(catalogue)) }
}
