-- What a release adds that a program before it need not know: it finds its tables and columns as they were.

-- Compiled catalogues that matches refer to: each once, by hash, packed.
CREATE TABLE catalogues (
    hash TEXT NOT NULL PRIMARY KEY,
    game TEXT NOT NULL,
    format BIGINT NOT NULL,
    meaning BIGINT NOT NULL,
    bytes BLOB NOT NULL,
    created BIGINT NOT NULL
);
-- Servers on this database: how clients reach them, which catalogues they can play (JSON: versions of format and machine), when they were
-- last heard of and until when they hold what they own (milliseconds), and whether they take no new matches.
CREATE TABLE servers (
    id TEXT NOT NULL PRIMARY KEY,
    url TEXT NOT NULL,
    plays TEXT NOT NULL,
    seen BIGINT NOT NULL,
    until BIGINT NOT NULL,
    draining BIGINT NOT NULL
);
-- Who plays a match on, and how often it has changed hands: a write with an older fence is refused.
ALTER TABLE matches ADD COLUMN owner TEXT;
ALTER TABLE matches ADD COLUMN fence BIGINT NOT NULL DEFAULT 0;
-- Whose household opened it, and how many bytes are kept of it.
ALTER TABLE matches ADD COLUMN address TEXT NOT NULL DEFAULT '';
ALTER TABLE matches ADD COLUMN bytes BIGINT NOT NULL DEFAULT 0;
CREATE INDEX matches_of_address ON matches (address, alive, bytes);
-- JSON of what a restart must remember besides: pauses, offers, stops, numbers that were used up; and when it was noted (milliseconds).
ALTER TABLE matches ADD COLUMN aside TEXT NOT NULL DEFAULT '';
ALTER TABLE matches ADD COLUMN noted BIGINT NOT NULL DEFAULT 0;
CREATE INDEX matches_of_owner ON matches (owner);
-- Which ask an answer was for, by which number its client knows it, who gave it (0 a person, 1 the stops, 2 a bot), what the clocks
-- showed after it and when that was (milliseconds).
ALTER TABLE answers ADD COLUMN ask BIGINT;
ALTER TABLE answers ADD COLUMN sent BIGINT;
ALTER TABLE answers ADD COLUMN given_by BIGINT;
ALTER TABLE answers ADD COLUMN left0 BIGINT;
ALTER TABLE answers ADD COLUMN left1 BIGINT;
ALTER TABLE answers ADD COLUMN at BIGINT;
-- Seconds of a server's life since the session was last used: no clock can jump over them.
ALTER TABLE sessions ADD COLUMN idle BIGINT NOT NULL DEFAULT 0;
-- Whose household made the account.
ALTER TABLE users ADD COLUMN address TEXT NOT NULL DEFAULT '';
CREATE INDEX users_of_address ON users (address);
-- Lets a browser go on with its session at another server of this database: once, and soon.
CREATE TABLE tickets (
    hash TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    expires BIGINT NOT NULL
);
