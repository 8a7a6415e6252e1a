-- The domain from which an organization's gift emails come. Unverified, they come from the service's.
create table sender_domains (
  organization_id uuid primary key references organizations,
  local_part text not null check (char_length(local_part) between 1 and 64),
  domain text not null check (char_length(domain) <= 253),
  selector text not null,
  public_key text not null,         -- base64, as DNS has it
  private_key text not null,        -- sealed
  records jsonb not null,           -- what DNS had at the last check
  checked_at timestamptz,
  verified_at timestamptz,
  created_at timestamptz not null
);
create index sender_domains_checked on sender_domains (coalesce(checked_at, created_at));

create policy organizations on sender_domains using (
  (select current_setting('app.organization_id', true)) = '*'
  or organization_id = any (
    (select string_to_array(nullif(current_setting('app.organization_id', true), '*'), ',')::uuid[])::uuid[])
);

-- Which organization has a verified domain. With the people, because organizations may be on several servers.
create table portal.sender_domains (
  domain text primary key,
  organization_id uuid not null,
  claimed_at timestamptz not null
);
