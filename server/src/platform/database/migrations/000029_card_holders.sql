-- Who may see the number of a claimed gift's card: the browser that claimed it, by the hash of its cookie and the gift's id;
-- otherwise whoever proves it with a code sent to the gift's address, or with the PIN of a link gift.
alter table gifts add column holder_hash bytea;  -- no check, which would scan the table
alter table gifts alter column holder_hash set statistics 10;  -- see 000013

create table card_proofs (
  organization_id uuid not null,
  environment environment not null,
  gift_id uuid not null,
  sealed_code text,                   -- encrypted; null: none was sent, or it was used
  code_sent_at timestamptz,
  codes_sent smallint not null default 0,     -- since a day without codes
  code_tries smallint not null default 0,     -- of the latest code
  pin bytea check (length(pin) = 48), -- salt and scrypt hash
  pin_tries smallint not null default 0,      -- wrong ones since the latest right one, or an hour without any
  pin_tried_at timestamptz,
  primary key (organization_id, environment, gift_id),
  foreign key (organization_id, environment, gift_id) references gifts on delete cascade
);

alter type notice_kind add value if not exists 'card_code';
