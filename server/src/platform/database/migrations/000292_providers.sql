-- Organizations fund themselves. A provider's events are kept as they came, by the provider's id, so that each is
-- worked on once; they are not about one organization until they are read.
create table portal.provider_events (
  provider text not null,
  event_id text not null,
  type text not null,
  body text not null,
  received_at timestamptz not null,
  processed_at timestamptz,           -- null: its job is not done
  primary key (provider, event_id)
);

create index provider_events_processed on portal.provider_events (processed_at) where processed_at is not null;
create index provider_events_waiting on portal.provider_events (received_at) where processed_at is null;

create table portal.provider_cursors (  -- events created before this time were listed and are known
  provider text primary key,
  reconciled_at timestamptz not null
);

-- Which organization has a verified domain. With the people, because organizations may be on several servers.
create table portal.sender_domains (
  domain text primary key,
  organization_id uuid not null,
  claimed_at timestamptz not null
);
