//! The catalogues that journals were made with. They are looked for by their hash, so that a game is replayed by the rules it was
//! played by, whatever this release plays: in the journal itself, among the games of this program or of `--games`, in the folder
//! where the journal lies, in the places that were named, and where this user's server keeps its things.

use crate::games::Shelf;
use crate::serve::data_folder;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use trilogy_engine::journal::hex;
use trilogy_engine::{Catalogue, Journal};
use trilogy_games::archive;
use trilogy_server::store::{is_url, packed_catalogue};

/// Where packed catalogues are kept.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    /// A folder with files `HASH.catalogue`, or that of a server.
    Folder(PathBuf),
    /// The database of servers.
    Database(String),
}

impl Place {
    fn packed(&self, hash: &str) -> Result<Option<Vec<u8>>, String> {
        match self {
            Place::Folder(folder) => {
                let path = archive::file(folder, hash);
                match std::fs::read(&path) {
                    Ok(bytes) => Ok(Some(bytes)),
                    Err(error) if error.kind() == std::io::ErrorKind::NotFound => stored(folder.to_str().unwrap_or_default(), hash),
                    Err(error) => Err(format!("{}: {error}", path.display())),
                }
            }
            Place::Database(url) => stored(url, hash).map_err(|error| format!("{self}: {error}")),
        }
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Place::Folder(folder) => write!(out, "{}", if folder.as_os_str().is_empty() { Path::new(".") } else { folder }.display()),
            // With what else is in its URL: a password.
            Place::Database(_) => out.write_str("the database"),
        }
    }
}

impl From<&str> for Place {
    fn from(place: &str) -> Place {
        if is_url(place) { Place::Database(place.into()) } else { Place::Folder(place.into()) }
    }
}

/// What servers keep under a hash in a folder or a database.
fn stored(place: &str, hash: &str) -> Result<Option<Vec<u8>>, String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|error| error.to_string())?;
    runtime.block_on(packed_catalogue(place, hash)).map_err(|error| error.to_string())
}

/// A catalogue, and the bytes that it was read from where it is kept packed: those of an older format are handed on as they are.
#[derive(Clone)]
pub(crate) struct Found {
    pub catalogue: Arc<Catalogue>,
    packed: Option<Arc<[u8]>>,
}

impl Found {
    /// As a journal carries it.
    pub(crate) fn text(&self) -> String {
        match &self.packed {
            Some(packed) => archive::to_text(packed),
            None => archive::to_text(&archive::pack(&self.catalogue)),
        }
    }

    fn unpack(packed: Vec<u8>, hash: &str) -> Result<Found, String> {
        let catalogue = archive::unpack(&packed)?;
        let is = hex(&catalogue.hash);
        if is != hash {
            return Err(format!("it is catalogue {} and not {}", short(&is), short(hash)));
        }
        Ok(Found { catalogue: Arc::new(catalogue), packed: Some(packed.into()) })
    }
}

impl From<Arc<Catalogue>> for Found {
    fn from(catalogue: Arc<Catalogue>) -> Found {
        Found { catalogue, packed: None }
    }
}

/// All that have been read so far, each once.
pub(crate) struct Catalogues<'a> {
    shelf: &'a Shelf,
    places: Vec<Place>,
    /// By hash.
    found: HashMap<String, Found>,
    /// Those that journals carry, by their text: each is held against its own hash.
    carried: HashMap<String, Found>,
    /// The present ones of games, or why there is none.
    present: HashMap<String, Result<Found, String>>,
}

impl<'a> Catalogues<'a> {
    pub(crate) fn new(shelf: &'a Shelf, places: Vec<Place>) -> Catalogues<'a> {
        Catalogues { shelf, places, found: HashMap::new(), carried: HashMap::new(), present: HashMap::new() }
    }

    /// The catalogue that a journal was made with, which lies in this file.
    pub(crate) fn find(&mut self, journal: &Journal, file: &Path) -> Result<Found, String> {
        let hash = &journal.catalogue;
        if let Some(text) = &journal.carries {
            return self.carried(text, hash);
        }
        if let Some(found) = self.found.get(hash) {
            return Ok(found.clone());
        }
        let mut found = self.present(&journal.game).ok().filter(|present| hex(&present.catalogue.hash) == *hash);
        let places = self.places_for(file);
        for place in &places {
            if found.is_some() {
                break;
            }
            found = self.kept_in(place, hash)?;
        }
        let found = found.ok_or_else(|| self.missing(journal, &places))?;
        self.found.insert(hash.clone(), found.clone());
        Ok(found)
    }

    fn carried(&mut self, text: &str, hash: &str) -> Result<Found, String> {
        if let Some(found) = self.carried.get(text).filter(|found| hex(&found.catalogue.hash) == hash) {
            return Ok(found.clone());
        }
        let found = archive::from_text(text).and_then(|packed| Found::unpack(packed, hash));
        let found = found.map_err(|error| format!("the catalogue that the journal carries: {error}"))?;
        self.carried.insert(text.into(), found.clone());
        Ok(found)
    }

    /// The game of this name as it is now.
    fn present(&mut self, game: &str) -> Result<Found, String> {
        let shelf = self.shelf;
        self.present.entry(game.into()).or_insert_with(|| shelf.catalogue(game).map(Found::from)).clone()
    }

    fn places_for(&self, file: &Path) -> Vec<Place> {
        let beside = file.parent().map(|folder| Place::Folder(folder.into()));
        let own = data_folder().map(Place::Folder);
        beside.into_iter().chain(self.places.iter().cloned()).chain(own).collect()
    }

    fn kept_in(&self, place: &Place, hash: &str) -> Result<Option<Found>, String> {
        let Some(packed) = place.packed(hash)? else { return Ok(None) };
        let found = Found::unpack(packed, hash);
        found.map(Some).map_err(|error| format!("{hash}.{} in {place}: {error}", archive::EXTENSION))
    }

    /// Which catalogue is wanted, and where it is not.
    fn missing(&mut self, journal: &Journal, places: &[Place]) -> String {
        let Journal { game, release, catalogue, .. } = journal;
        let present = match self.present(game) {
            Ok(present) => format!("{game} is {} here", short(&hex(&present.catalogue.hash))),
            Err(error) => error,
        };
        let places: Vec<String> = places.iter().map(Place::to_string).collect();
        format!(
            "it was played by catalogue {} of {game} (release {release}), which is not found: the journal does not carry it, {present}, and \
             there is no {catalogue}.{} in {}",
            short(catalogue),
            archive::EXTENSION,
            places.join(" or ")
        )
    }
}

/// As much of a hash as people need to tell it from others.
fn short(hash: &str) -> &str {
    hash.get(..12).unwrap_or(hash)
}
