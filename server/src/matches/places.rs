//! How many sockets each address has open.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// How many sockets each address has open.
pub(crate) struct Sockets {
    most: usize,
    open: Mutex<HashMap<String, usize>>,
}

/// A socket's place among those of its address, free again when it is dropped.
pub(crate) struct Place {
    sockets: Arc<Sockets>,
    address: String,
}

impl Sockets {
    pub(crate) fn new(most: usize) -> Arc<Sockets> {
        Arc::new(Sockets { most, open: Mutex::default() })
    }
    pub(crate) fn enter(self: &Arc<Self>, address: &str) -> Option<Place> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let count = open.entry(address.to_string()).or_default();
        if *count >= self.most {
            return None;
        }
        *count += 1;
        Some(Place { sockets: self.clone(), address: address.to_string() })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = self.sockets.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = open.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.address);
            }
        }
    }
}
