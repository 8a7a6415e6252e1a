-- What the issuer's balance held when it was asked last, and what gifts on its cards could still spend then. Issuers that
-- are paid from one balance have the same account.
alter table issuers add column funding_account text;
alter table issuers add column funding_cents bigint;
alter table issuers add column unspent_cents bigint;
alter table issuers add column funding_checked_at timestamptz;
alter table issuers add column funding_check_at timestamptz not null default now();
alter table issuers add column funding_warned_at timestamptz;

-- Until then, the operator's screening service is asked about a claim of the gift; no other claim asks or goes on.
alter table gifts add column screening_until timestamptz;
alter table gifts alter column screening_until set statistics 10;  -- see 000013

-- When the recipient's details at the card's issuer are to be erased; null: not at all, or they are.
alter table cards add column erase_at timestamptz;

alter type notice_kind add value 'funds_low';
alter type notice_kind add value 'gift_held';
