-- Times are seconds since 1970 unless a table's own code says otherwise; truth values are 0 and 1.
CREATE TABLE users (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL UNIQUE,
    password TEXT,
    admin BIGINT NOT NULL DEFAULT 0,
    created BIGINT NOT NULL
);
CREATE TABLE sessions (
    hash TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    csrf TEXT NOT NULL,
    created BIGINT NOT NULL,
    seen BIGINT NOT NULL,
    expires BIGINT NOT NULL
);
CREATE INDEX sessions_of_user ON sessions (user_id);
CREATE TABLE decks (
    id TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    game TEXT NOT NULL,
    name TEXT NOT NULL,
    seat BIGINT NOT NULL,
    list TEXT NOT NULL,
    updated BIGINT NOT NULL
);
CREATE INDEX decks_of_user ON decks (user_id, game);
CREATE TABLE settings (
    key TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
);
-- Who is shut out: the id of a user, or an address.
CREATE TABLE bans (
    subject TEXT NOT NULL PRIMARY KEY,
    reason TEXT NOT NULL,
    created BIGINT NOT NULL
);
CREATE TABLE blocks (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    other_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    PRIMARY KEY (user_id, other_id)
);
-- Seats name users without a reference: a match outlives its guests.
CREATE TABLE matches (
    id TEXT NOT NULL PRIMARY KEY,
    game TEXT NOT NULL,
    setup TEXT NOT NULL,
    catalogue TEXT NOT NULL,
    user0 TEXT,
    name0 TEXT NOT NULL,
    bot0 TEXT,
    deck0 TEXT NOT NULL,
    user1 TEXT,
    name1 TEXT NOT NULL,
    bot1 TEXT,
    deck1 TEXT NOT NULL,
    clock TEXT NOT NULL,
    left0 BIGINT NOT NULL,
    left1 BIGINT NOT NULL,
    private BIGINT NOT NULL,
    state TEXT NOT NULL,
    alive BIGINT NOT NULL,
    created BIGINT NOT NULL,
    updated BIGINT NOT NULL
);
CREATE INDEX matches_alive ON matches (alive);
CREATE INDEX matches_of_user0 ON matches (user0);
CREATE INDEX matches_of_user1 ON matches (user1);
CREATE TABLE answers (
    match_id TEXT NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    number BIGINT NOT NULL,
    line TEXT NOT NULL,
    PRIMARY KEY (match_id, number)
);
CREATE TABLE chats (
    match_id TEXT NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    number BIGINT NOT NULL,
    author TEXT,
    name TEXT NOT NULL,
    seat BIGINT,
    text TEXT NOT NULL,
    created BIGINT NOT NULL,
    PRIMARY KEY (match_id, number)
);
