-- Mails to an organization's own people: sign-in codes, invitations, keys created and revoked, a balance that runs
-- low.
create type notice_kind as enum (
  'sign_in_code', 'member_invited', 'key_created', 'key_revoked', 'balance_low', 'access_changed', 'card_code',
  'key_rolled', 'cap_raised', 'gifts_expire', 'webhook_failing', 'codes_low', 'topup', 'funds_low', 'gift_held',
  'gift_requested', 'gift_request_decided', 'card_reopened'
);
create type notice_state as enum ('pending', 'sent', 'failed');

create table notices (
  organization_id uuid not null references organizations,
  notice_id uuid not null,            -- the mail's identity, however often it is tried
  kind notice_kind not null,
  recipient text not null check (length(recipient) between 3 and 254),
  details jsonb not null,             -- what the letter says; a sign-in code only encrypted
  state notice_state not null,        -- sent: a provider accepted it
  tries smallint not null default 0,
  reason text,                        -- why it failed, or why the latest try did not succeed
  provider text,                      -- smtp, outbox
  provider_id text,
  created_at timestamptz not null,
  sent_at timestamptz,
  primary key (organization_id, notice_id)
);

-- Sign-in codes are deleted after a day.
create index notices_sign_in_codes on notices (created_at) where kind = 'sign_in_code';
-- Mails with codes for cards are deleted after a day.
create index notices_card_codes on notices (created_at) where kind = 'card_code';
-- Mails with codes for cards are deleted after a day.
create index notices_reopened_cards on notices (created_at) where kind = 'card_reopened';

call protect_organizations('notices');
