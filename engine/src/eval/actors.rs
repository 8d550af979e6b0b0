//! The cards that lie where they can act, by window: zone by zone, so that only where cards come or go is looked at again.

use crate::catalogue::{AbilityId, Catalogue, WindowId};
use crate::parts::{self, Changed};
use crate::state::State;
use crate::value::CardId;

#[derive(Default)]
pub(super) struct Actors {
    /// When it was last seen to hold; never, where it is 0.
    seen: u32,
    /// For each zone where cards can act.
    zones: Vec<OfZone>,
    /// A bit for each window that any of them has an ability for, and the same zone by zone, one behind the other.
    windows: Vec<u64>,
    by_zone: Vec<u64>,
    /// How often that was found out, and for each window as of which time who acts there.
    times: u32,
    of_window: Vec<(u32, Vec<(CardId, AbilityId)>)>,
}

#[derive(Default)]
struct OfZone {
    stamp: u32,
    acting: Vec<(CardId, AbilityId)>,
}

#[inline]
fn has(windows: &[u64], window: WindowId) -> bool {
    windows.get(window.index() / 64).is_some_and(|word| word >> (window.index() % 64) & 1 != 0)
}

impl Actors {
    /// For another game.
    pub(super) fn clear(&mut self) {
        self.seen = 0;
        self.zones.iter_mut().for_each(|zone| zone.stamp = 0);
    }

    /// See to it that all holds now.
    #[inline]
    pub(super) fn look(&mut self, catalogue: &Catalogue, state: &State, changed: &Changed, clock: u32) {
        if self.seen != clock {
            if self.seen == 0 || self.seen < changed.what_lies_where() {
                self.look_again(catalogue, state, changed, clock);
            }
            self.seen = clock;
        }
    }

    #[inline(never)]
    fn look_again(&mut self, catalogue: &Catalogue, state: &State, changed: &Changed, clock: u32) {
        let (all, stride) = (&catalogue.index.act_zones, catalogue.windows.len().div_ceil(64).max(1));
        self.zones.resize_with(all.len(), OfZone::default);
        self.by_zone.resize(all.len() * stride, 0);
        let mut anew = false;
        for ((of, windows), &zone) in self.zones.iter_mut().zip(self.by_zone.chunks_exact_mut(stride)).zip(all) {
            if of.stamp == 0 || of.stamp < changed.of(parts::zone(zone)) {
                let OfZone { stamp, acting } = of;
                acting.clear();
                windows.fill(0);
                for &card in state.zone(zone) {
                    let def = state.card(card).def;
                    if catalogue.index.able.has(def.index()) {
                        acting.extend(catalogue.def(def).abilities.iter().map(|&ability| (card, ability)));
                        windows.iter_mut().zip(catalogue.index.windows.row(def.index())).for_each(|(all, own)| *all |= own);
                    }
                }
                (*stamp, anew) = (clock, true);
            }
        }
        if anew {
            self.times += 1;
            let together = |word: usize| self.by_zone.iter().skip(word).step_by(stride).fold(0, |all, own| all | own);
            self.windows.clear();
            self.windows.extend((0..stride).map(together));
        }
    }

    /// Whether any of them has an ability for a window.
    #[inline]
    pub(super) fn any(&self, window: WindowId) -> bool {
        has(&self.windows, window)
    }

    /// See to it that the abilities for a window are known, in the order of the zones and of the cards in them.
    #[inline]
    pub(super) fn gather(&mut self, catalogue: &Catalogue, window: WindowId) {
        if self.of_window.get(window.index()).is_none_or(|(times, _)| *times != self.times) {
            self.collect(catalogue, window);
        }
    }

    /// The one at a place among these.
    #[inline]
    pub(super) fn acting_in(&self, window: WindowId, at: usize) -> Option<(CardId, AbilityId)> {
        self.of_window.get(window.index())?.1.get(at).copied()
    }

    #[inline(never)]
    fn collect(&mut self, catalogue: &Catalogue, window: WindowId) {
        self.of_window.resize_with(catalogue.windows.len().max(window.index() + 1), Default::default);
        let (times, acting) = &mut self.of_window[window.index()];
        acting.clear();
        let stride = self.windows.len();
        let zones = self.zones.iter().zip(self.by_zone.chunks_exact(stride));
        for (zone, _) in zones.filter(|(_, windows)| has(windows, window)) {
            acting.extend(zone.acting.iter().copied().filter(|(_, ability)| catalogue.ability(*ability).windows.has(window.index())));
        }
        *times = self.times;
    }
}
