//! Permissions: what rules, cards and lasting effects together allow, and the scopes in which a card speaks at all.

use super::cells::Cell;
use super::counts::Work;
use super::kept::{About, Key, Sort};
use super::{Eval, MAX_DEPTH, Place, STEP};
use crate::catalogue::{Clause, ClauseId, ClauseKind, PermissionId, ScopeId, Speaks};
use crate::parts::Read;
use crate::value::{CardId, PlayerId};

/// A clause that forbids something, and the card that it stands on.
pub(super) type Forbidder = (ClauseId, Option<CardId>);

impl Eval<'_> {
    /// Whether something is permitted.
    pub(super) fn may(&mut self, permission: PermissionId, args: &[Cell], depth: u16) -> bool {
        let catalogue = self.catalogue;
        if self.desk.is_plain() {
            return self.forbidder(permission, args, depth).is_none();
        }
        let quiet = self.is_quiet(Speaks::Permission(permission), args);
        if quiet && let Some(rest) = catalogue.index.permission_rest[permission.index()] {
            return rest;
        }
        self.counted(Work::Permission(permission), |eval| {
            let said = if quiet { Ok(false) } else { eval.others_say(permission, args, depth) };
            match said {
                Ok(allowed) => allowed || !eval.is_forbidden(permission, args, depth),
                Err(_) => false,
            }
        })
    }

    /// The clause that forbids something, if any. Between cards "can't" beats "can"; a card beats a rule.
    pub(super) fn forbidder(&mut self, permission: PermissionId, args: &[Cell], depth: u16) -> Option<Forbidder> {
        match self.others_say(permission, args, depth) {
            Ok(true) => None,
            Ok(false) => self.rule_against(permission, args, depth).map(|id| (id, None)),
            Err(forbidder) => Some(forbidder),
        }
    }

    /// Whether a card or a lasting effect allows something, or which one forbids it.
    fn others_say(&mut self, permission: PermissionId, args: &[Cell], depth: u16) -> Result<bool, Forbidder> {
        let (catalogue, state) = (self.catalogue, self.state);
        if depth >= MAX_DEPTH {
            self.desk.cut();
            return Ok(true);
        }
        let depth = depth + STEP;
        let mut allowed = false;
        for card in self.carriers(Speaks::Permission(permission), args) {
            for &id in &catalogue.def(state.card(card).def).clauses {
                let clause = catalogue.clause(id);
                if matches!(clause.kind, ClauseKind::Permit { permission: p, .. } if p == permission)
                    && self.may_speak_of(id, clause, card, args)
                    && let Some((me, you)) = self.in_scope(clause.scope, card, depth)
                {
                    match self.says(id, permission, args, &Place::of_card(me, Some(card), you, depth)) {
                        Some(false) => return Err((id, Some(card))),
                        Some(true) => allowed = true,
                        None => {}
                    }
                }
            }
        }
        for effect in &state.effects {
            match self.says(effect.clause, permission, args, &Place::of_effect(effect, depth)) {
                Some(false) => return Err((effect.clause, effect.source)),
                Some(true) => allowed = true,
                None => {}
            }
        }
        Ok(allowed)
    }

    /// Where the rules are asked: for the first card that is spoken of.
    fn place_of_rules(&self, args: &[Cell], depth: u16) -> Place<'static> {
        let me = args.iter().find_map(|arg| arg.card());
        let you = me.map_or(PlayerId(0), |card| self.state.card(card).controller);
        Place::of_card(me, None, you, depth + STEP)
    }

    /// Whether the rules forbid something.
    fn is_forbidden(&mut self, permission: PermissionId, args: &[Cell], depth: u16) -> bool {
        if !self.desk.is_checking()
            && let Some(start) = self.catalogue.index.code.forbidden(permission, depth.saturating_add(STEP))
        {
            let place = self.place_of_rules(args, depth);
            return self.run(&place, start, args).truth();
        }
        self.rule_against(permission, args, depth).is_some()
    }

    /// The clause of the rules that forbids something.
    fn rule_against(&mut self, permission: PermissionId, args: &[Cell], depth: u16) -> Option<ClauseId> {
        if depth >= MAX_DEPTH {
            self.desk.cut();
            return None;
        }
        let (catalogue, place) = (self.catalogue, self.place_of_rules(args, depth));
        let forbids = |id: &&ClauseId| self.says(**id, permission, args, &place) == Some(false);
        catalogue.index.permission_rules[permission.index()].iter().find(forbids).copied()
    }

    /// What a clause says of a permission, where it speaks of it.
    fn says(&mut self, id: ClauseId, permission: PermissionId, args: &[Cell], place: &Place<'_>) -> Option<bool> {
        let clause = self.catalogue.clause(id);
        let ClauseKind::Permit { permission: p, allow, test } = clause.kind else { return None };
        if p != permission {
            return None;
        }
        let place = place.deeper(self.catalogue.index.clause_depths[id.index()]);
        let mut holds = |test| self.test(&place, args, test);
        (test.is_none_or(&mut holds) && clause.when.is_none_or(holds)).then_some(allow)
    }

    /// Whether a clause of a card can speak of what is asked about at all: most speak of their card alone, which is quickly seen.
    #[inline]
    pub(super) fn may_speak_of(&self, id: ClauseId, clause: &Clause, card: CardId, about: &[Cell]) -> bool {
        let tables = &self.catalogue.index;
        !tables.of_itself.has(id.index())
            || clause.scope.is_some_and(|scope| !tables.carrier_itself.has(scope.index()))
            || about.first() == Some(&Cell::of_card(card))
    }

    /// Whether an ability in this scope works on this card now; then the card it speaks of and the player who has it.
    pub(super) fn in_scope(&mut self, scope: Option<ScopeId>, card: CardId, depth: u16) -> Option<(Option<CardId>, PlayerId)> {
        let Some(scope) = scope else { return Some((Some(card), self.state.card(card).controller)) };
        if depth >= MAX_DEPTH {
            self.desk.cut();
            return None;
        }
        if self.desk.is_plain() {
            return self.speaks_from(scope, card, depth);
        }
        let cards = self.state.cards.len();
        let key = Key { sort: Sort::Scope, which: scope.index() as u32, about: About::Place(card.0.into()) };
        let reads = &self.catalogue.index.reads.scopes[scope.index()];
        if self.desk.is_quick() {
            if let Some(known) = self.desk.recall(key, reads) {
                return known.scope();
            }
            let start = self.desk.start();
            let found = self.speaks_from(scope, card, depth);
            self.desk.keep(key, Cell::of_scope(found), start, cards);
            return found;
        }
        self.recall(Work::Scope(scope), Some(key), reads, |eval| {
            eval.counted(Work::Scope(scope), |eval| Cell::of_scope(eval.speaks_from(scope, card, depth)))
        })
        .scope()
    }

    fn speaks_from(&mut self, scope: ScopeId, card: CardId, depth: u16) -> Option<(Option<CardId>, PlayerId)> {
        let itself = self.catalogue.index.carrier_itself.has(scope.index());
        let scope = &self.catalogue.scopes[scope.index()];
        let depth = depth + self.catalogue.index.depths[scope.test.index()];
        let (controller, locals) = (self.state.card(card).controller, [Cell::of_card(card)]);
        let mut place = Place::of_card(Some(card), Some(card), controller, depth);
        if let Some(player) = scope.player.and_then(|player| self.value(&place, &locals, player).player()) {
            place.you = player;
        }
        self.test(&place, &locals, scope.test).then(|| {
            let subject = if itself { Some(card) } else { self.value(&place, &locals, scope.subject).card() };
            (subject, place.you)
        })
    }

    /// The answer to a question that is kept, found out where it is not known.
    #[inline]
    pub(super) fn recall(&mut self, what: Work, key: Option<Key>, reads: &Read, find: impl FnOnce(&mut Self) -> Cell) -> Cell {
        let Some(key) = key else { return find(self) };
        if let Some(known) = self.desk.recall(key, reads) {
            return if self.desk.is_quick() { known } else { self.look_closer(what, key, known, find) };
        }
        let start = self.desk.start();
        let found = find(self);
        self.desk.keep(key, found, start, self.state.cards.len())
    }

    /// What was known is counted, or checked.
    #[cold]
    fn look_closer(&mut self, what: Work, key: Key, known: Cell, find: impl FnOnce(&mut Self) -> Cell) -> Cell {
        if let Some(counts) = &mut self.desk.counts {
            counts.known(what);
        }
        if self.desk.is_checking() {
            let found = find(self);
            assert!(self.desk.heap.same(found, known), "{key:?} was {known:?} and is so no longer");
        }
        known
    }
}
