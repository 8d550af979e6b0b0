//! A state as bytes, and the hash of these: the same whatever way a state lies in memory, on every machine and in every build.

use super::State;
use crate::catalogue::Catalogue;
use postcard::ser_flavors::Flavor;

impl State {
    /// The same on every machine and in every build.
    pub fn hash(&self) -> [u8; 32] {
        *blake3::hash(&self.to_bytes()).as_bytes()
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        postcard::serialize_with_flavor(self, Bytes(Vec::with_capacity(USUAL))).unwrap_or_default()
    }

    /// Read a stored state, and check it against the catalogue so that no index can be out of range.
    pub fn from_bytes(catalogue: &Catalogue, bytes: &[u8]) -> Result<State, String> {
        let mut state: State = postcard::from_bytes(bytes).map_err(|error| format!("the stored game is damaged: {error}"))?;
        state.table.note_fields();
        state.check(catalogue)?;
        Ok(state)
    }
}

/// As many bytes as most states have, or a few less.
const USUAL: usize = 2048;

/// Bytes that are written. Most of what a state writes are numbers of one or two bytes: these are put down without a call.
struct Bytes(Vec<u8>);

impl Flavor for Bytes {
    type Output = Vec<u8>;

    #[inline]
    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        self.0.push(byte);
        Ok(())
    }
    #[inline]
    fn try_extend(&mut self, bytes: &[u8]) -> postcard::Result<()> {
        match *bytes {
            [one] => self.0.push(one),
            [one, two] => self.0.extend([one, two]),
            _ => self.0.extend_from_slice(bytes),
        }
        Ok(())
    }
    fn finalize(self) -> postcard::Result<Vec<u8>> {
        Ok(self.0)
    }
}
