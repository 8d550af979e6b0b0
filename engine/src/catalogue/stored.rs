//! A catalogue as bytes, and its hash: what the sources mean, whatever they look like and wherever they stand.
//!
//! The bytes are a head, what the catalogue means, and where its rules are cited. The head has the versions of the format and of the
//! machine's meaning, and the hash: of the meaning and of both versions, so that two catalogues with one hash play the same games
//! answer by answer on any machine that can read them.

use super::{Catalogue, CiteId, Contents, Expr};
use std::sync::Arc;

/// How catalogues are written. A change of anything that is serialised in one is a new format.
pub const FORMAT: u32 = 1;
/// What programs mean to the machine: what each instruction and expression does, in which order things are offered and drawn, how states
/// are written for their hash. A change after which a journal would not replay to the same hashes is a new meaning.
pub const MEANING: u32 = 1;
/// What this machine reads and plays (docs/RELEASES.md); each has its fixtures in `games/all/tests/releases`.
pub const READ_FORMATS: [u32; 1] = [1];
pub const READ_MEANINGS: [u32; 1] = [1];

const MAGIC: &[u8; 8] = b"trilogy\n";
/// Magic, versions, hash, length of the meaning, checksum of the places.
const HEAD: usize = 8 + 4 + 4 + 32 + 8 + 8;
const HASH: std::ops::Range<usize> = 16..48;
const CHECKSUM: std::ops::Range<usize> = HEAD - 8..HEAD;

/// Why bytes are no catalogue for this machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unreadable {
    Damaged(String),
    /// It is well, but of versions that another release of this program reads.
    OtherVersion {
        format: u32,
        meaning: u32,
    },
}

impl std::fmt::Display for Unreadable {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unreadable::Damaged(how) => write!(out, "the compiled catalogue is damaged: {how}"),
            Unreadable::OtherVersion { format, meaning } => write!(
                out,
                "the compiled catalogue has format {format} and is for a machine of version {meaning}; this program reads format {} and \
                 plays version {}",
                listed(&READ_FORMATS),
                listed(&READ_MEANINGS)
            ),
        }
    }
}

impl From<Unreadable> for String {
    fn from(why: Unreadable) -> String {
        why.to_string()
    }
}

fn listed(versions: &[u32]) -> String {
    versions.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}

/// What the head of a stored catalogue says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Head {
    pub format: u32,
    pub meaning: u32,
    pub hash: [u8; 32],
}

impl Head {
    /// Read the head alone: it has the same form in every version.
    pub fn of(bytes: &[u8]) -> Result<Head, Unreadable> {
        let damaged = || Unreadable::Damaged("it has no head".into());
        let rest = bytes.strip_prefix(MAGIC).ok_or_else(damaged)?;
        let (format, rest) = number(rest).ok_or_else(damaged)?;
        let (meaning, rest) = number(rest).ok_or_else(damaged)?;
        let hash = *rest.first_chunk().ok_or_else(damaged)?;
        Ok(Head { format, meaning, hash })
    }
}

fn number(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (first, rest) = bytes.split_first_chunk()?;
    Some((u32::from_le_bytes(*first), rest))
}

fn hash_of(format: u32, meaning: u32, bytes: &[u8]) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(MAGIC).update(&format.to_le_bytes()).update(&meaning.to_le_bytes()).update(bytes);
    *hasher.finalize().as_bytes()
}

/// Stored bytes with the hash and the checksum that they should have, whatever is in them: for tests of what damage these do not show.
pub fn with_true_hash(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    if let (Ok(head), Some((meaning, places))) = (Head::of(&bytes), split(&bytes)) {
        let (hash, checksum) = (hash_of(head.format, head.meaning, meaning), checksum(places));
        bytes[HASH].copy_from_slice(&hash);
        bytes[CHECKSUM].copy_from_slice(&checksum);
    }
    bytes
}

fn checksum(bytes: &[u8]) -> [u8; 8] {
    let mut short = [0; 8];
    short.copy_from_slice(&blake3::hash(bytes).as_bytes()[..8]);
    short
}

impl Catalogue {
    fn meaning(&self) -> Vec<u8> {
        postcard::to_stdvec(&(&*self.contents, &*self.exprs)).unwrap_or_default()
    }

    /// The catalogue is complete: give it the hash of what it means.
    pub fn seal(&mut self) {
        self.hash = hash_of(FORMAT, MEANING, &self.meaning());
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        let meaning = self.meaning();
        let places = postcard::to_stdvec(&self.cited_at).unwrap_or_default();
        let mut bytes = Vec::with_capacity(HEAD + meaning.len() + places.len());
        bytes.extend(MAGIC);
        bytes.extend(FORMAT.to_le_bytes());
        bytes.extend(MEANING.to_le_bytes());
        bytes.extend(hash_of(FORMAT, MEANING, &meaning));
        bytes.extend((meaning.len() as u64).to_le_bytes());
        bytes.extend(checksum(&places));
        bytes.extend(meaning);
        bytes.extend(places);
        bytes
    }

    /// Read a stored catalogue. Whatever is not what its hash says is refused.
    pub fn from_bytes(bytes: &[u8]) -> Result<Catalogue, Unreadable> {
        let head = Head::of(bytes)?;
        if !READ_FORMATS.contains(&head.format) || !READ_MEANINGS.contains(&head.meaning) {
            return Err(Unreadable::OtherVersion { format: head.format, meaning: head.meaning });
        }
        let damaged = |how: &str| Unreadable::Damaged(how.into());
        let (meaning, places) = parts(bytes).ok_or_else(|| damaged("it is cut short"))?;
        if hash_of(head.format, head.meaning, meaning) != head.hash {
            return Err(damaged("it is not what its hash says"));
        }
        let form = |error: postcard::Error| Unreadable::Damaged(error.to_string());
        let (contents, exprs): (Contents, Vec<Expr>) = postcard::from_bytes(meaning).map_err(form)?;
        let cited_at: Vec<(CiteId, String)> = postcard::from_bytes(places).map_err(form)?;
        let contents = Contents { hash: head.hash, cited_at, ..contents };
        let mut catalogue = Catalogue { contents: Arc::new(contents), exprs: Arc::new(exprs), ..Catalogue::default() };
        if let Some(part) = catalogue.broken_part() {
            return Err(Unreadable::Damaged(format!("its {part} do not hold together")));
        }
        catalogue.build_index();
        Ok(catalogue)
    }
}

/// The meaning and the places, where the checksum of the places holds.
fn parts(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (meaning, places) = split(bytes)?;
    (bytes.get(CHECKSUM)? == checksum(places)).then_some((meaning, places))
}

fn split(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let length = u64::from_le_bytes(*bytes.get(HASH.end..)?.first_chunk()?);
    bytes.get(HEAD..)?.split_at_checked(usize::try_from(length).ok()?)
}
