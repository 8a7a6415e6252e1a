-- Secrets before the previous one that sign pushes until their times, the newest first; sealed.
alter table webhook_endpoints
  add column earlier_secrets text[] not null default '{}',
  add column earlier_secrets_until timestamptz[] not null default '{}',
  add constraint webhook_endpoints_earlier_secrets_check
    check (cardinality(earlier_secrets) = cardinality(earlier_secrets_until) and cardinality(earlier_secrets) <= 3);
