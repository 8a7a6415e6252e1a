-- Codes that prove an address to the page that finds gifts. A row exists for any address that was asked for, known or not.
create table portal.finder_codes (
  holder text primary key,            -- a hash of the address
  sealed_code text,                   -- null: it was used
  code_sent_at timestamptz not null,
  codes_sent smallint not null,       -- within a day
  tries smallint not null default 0
);

alter table portal.codes
  add column kind text not null default 'sign_in_code' check (kind in ('sign_in_code', 'finder_code'));
