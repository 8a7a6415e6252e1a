-- Codes of the finder, one for each browser and address that was asked for. They replace those of portal.finder_codes, which
-- processes of the release before still write; a later release drops that table.
create table portal.finder_flows (
  holder text primary key,            -- a hash of the browser's cookie and the address
  address_hash text not null,         -- keyed
  network_hash text not null,         -- keyed, with the address
  sealed_code text,                   -- null: it was used
  digits smallint not null,
  code_sent_at timestamptz not null,
  codes_sent smallint not null,       -- within a day
  tries smallint not null default 0
);
create index finder_flows_addresses on portal.finder_flows (address_hash, code_sent_at);

-- Wrong codes of six digits, counted for ever.
create table portal.finder_failures (
  address_hash text primary key,
  failures integer not null
);
