-- How an organization looks to its recipients. Null: as the service looks.
create table brands (
  organization_id uuid primary key references organizations,
  color text check (color ~ '^#[0-9a-f]{6}$'),
  text_color text check (text_color ~ '^#[0-9a-f]{6}$'),
  footer text check (char_length(footer) between 1 and 300),
  sender_name text check (char_length(sender_name) between 1 and 80),
  reply_to text check (char_length(reply_to) <= 254),
  subject text check (char_length(subject) between 1 and 120),
  logo bytea check (octet_length(logo) <= 524288),  -- PNG
  logo_hash text,
  logo_width smallint,
  logo_height smallint,
  check ((color is null) = (text_color is null)),
  check (num_nulls(logo, logo_hash, logo_width, logo_height) in (0, 4))
);

call protect_organizations('brands');

-- The domain from which an organization's gift emails come. Unverified, they come from the service's.
create table sender_domains (
  organization_id uuid primary key references organizations,
  local_part text not null check (char_length(local_part) between 1 and 64),
  domain text not null check (char_length(domain) <= 253),
  selector text not null,
  public_key text not null,           -- base64, as DNS has it
  private_key text not null,          -- encrypted
  records jsonb not null,             -- what DNS had at the last check
  checked_at timestamptz,
  verified_at timestamptz,
  created_at timestamptz not null
);

create index sender_domains_checked on sender_domains (coalesce(checked_at, created_at));

call protect_organizations('sender_domains');
