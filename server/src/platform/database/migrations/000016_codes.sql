-- Mails with sign-in codes. They are about a person, who may be in another database than organizations; until now each was
-- a notice of one of the person's organizations.

create table portal.codes (
  code_id uuid primary key,           -- the mail's identity, however often it is tried
  recipient text not null check (length(recipient) between 3 and 254),
  details jsonb not null,             -- the code, only sealed
  state notice_state not null,
  tries smallint not null default 0,
  reason text,
  provider text,
  provider_id text,
  created_at timestamptz not null,
  sent_at timestamptz
);
