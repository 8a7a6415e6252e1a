-- The packages of the clients as this installation has served them, so that an upgrade takes none away: lockfiles name their
-- addresses and hashes.
create table client_packages (
  name text primary key,              -- the path below /sdk/, which has the version
  content bytea not null,
  sha256 bytea not null generated always as (sha256(content)) stored,
  served_since timestamptz not null
);
