-- Mails to an organization's own people: sign-in codes, invitations, keys created and revoked, a balance that runs low.

create type notice_kind as enum ('sign_in_code', 'member_invited', 'key_created', 'key_revoked', 'balance_low');
create type notice_state as enum ('pending', 'sent', 'failed');

create table notices (
  organization_id uuid not null references organizations,
  notice_id uuid not null,            -- the mail's identity, however often it is tried
  kind notice_kind not null,
  recipient text not null check (length(recipient) between 3 and 254),
  details jsonb not null,             -- what the letter says; a sign-in code only sealed
  state notice_state not null,        -- sent: a provider accepted it
  tries smallint not null default 0,
  reason text,                        -- why it failed, or why the latest try did not succeed
  provider text,                      -- smtp, outbox
  provider_id text,
  created_at timestamptz not null,
  sent_at timestamptz,
  primary key (organization_id, notice_id)
);
create index notices_sign_in_codes on notices (created_at) where kind = 'sign_in_code';    -- deleted after a day

create table balance_alerts (
  organization_id uuid not null references organizations,
  environment environment not null,
  threshold_cents bigint not null check (threshold_cents between 1 and 9007199254740991),
  warned_at timestamptz,              -- set while the balance is below the threshold and its people know
  primary key (organization_id, environment)
);
