create type delivery_method as enum ('email', 'phone', 'link');
create type delivery_state as enum ('pending', 'delivered', 'failed');

create table gifts (
  organization_id uuid not null,
  environment environment not null,
  gift_id uuid not null,
  order_id uuid not null,
  position smallint not null check (position between 0 and 9),
  amount_cents integer not null check (amount_cents between 1000 and 50000),
  category_id text not null references categories,
  method delivery_method not null,
  address text,                       -- email or E.164 number
  delivery_state delivery_state,      -- of the latest delivery; null: a link is not delivered by the service
  redirect_count smallint not null default 0,
  recipient_name text,
  sender_name text not null,
  link_version smallint not null default 1,
  link_expires_at timestamptz not null,
  created_at timestamptz not null,    -- the order's
  opened_at timestamptz,
  claimed_at timestamptz,
  card_id uuid,                       -- what it was claimed onto
  spent_cents integer not null default 0,
  delivery_id uuid,                   -- the latest; null for a link gift
  -- Gifts on hold: no one can claim them, see their card or get a new link. The organization's hold covers every
  -- unclaimed gift, also those that are ordered or completed while it lasts.
  held_at timestamptz,
  -- Who may see the number of a claimed gift's card: the browser that claimed it, by the hash of its cookie and the
  -- gift's id; otherwise whoever proves it with a code sent to the gift's address, or with the PIN of a link gift.
  holder_hash bytea,
  -- Promised to the recipient when the gift was ordered; and when the organization was told that the gift expires.
  expires_at timestamptz,
  expiry_announced_at timestamptz,
  -- A canceled gift is void, and its refund is the only one of this gift.
  canceled_at timestamptz,
  cancel_reason text,
  external_id text,
  metadata jsonb,
  -- While a gift is claiming, its card is being created: nothing may cancel, hold, expire, redirect or renew it.
  claiming_at timestamptz,
  -- Until then, the operator's screening service is asked about a claim of the gift; no other claim asks or goes on.
  screening_until timestamptz,
  -- What the sender writes to the recipient. Null for gifts without it, so that it costs them nothing.
  message text,
  -- The recipient's note to the sender. An erasure of the recipient deletes the text; the time stays, so that there
  -- is one note.
  thanks text check (char_length(thanks) <= 280),
  thanked_at timestamptz,
  -- When a gift is sent, if its order said so; `is_waiting` is true until then, and null once it is sent, canceled or
  -- erased.
  scheduled_for timestamptz,
  is_waiting boolean,
  -- The language of a gift's page and messages, and the organization's for gifts without one. Null: no wish.
  language text,
  -- What the recipient chose for a gift of the category `any`. Null for all others, so that it costs them nothing.
  chosen_category_id text references categories,
  grant_id uuid,
  -- When the recipient said that they do not want the gift. It can still be claimed.
  declined_at timestamptz,
  primary key (organization_id, environment, gift_id),
  unique (organization_id, environment, order_id, position),
  foreign key (organization_id, environment, order_id) references orders,
  check ((method = 'link') = (address is null) and (method = 'link') = (delivery_state is null)),
  check ((claimed_at is null) = (card_id is null)),
  check (claimed_at is null or opened_at is not null),
  check (spent_cents between 0 and case when claimed_at is null then 0 else amount_cents end),
  check ((method = 'link') = (delivery_id is null)),
  constraint gifts_cancellation check (
    (canceled_at is null or claimed_at is null) and (cancel_reason is null or canceled_at is not null)
    and length(cancel_reason) between 1 and 200
  ),
  constraint gifts_waiting_check check (is_waiting is null or is_waiting and scheduled_for is not null
    and delivery_state = 'pending' and opened_at is null and canceled_at is null)
) with (fillfactor = 90);

-- The status that people look for to act on. Its condition names one column only, so that opening and claiming a gift
-- stay updates within its page (HOT).
create index gifts_failed on gifts (organization_id, environment, gift_id) where delivery_state = 'failed';
create index gifts_canceled on gifts (organization_id, environment, gift_id) where canceled_at is not null;
create index gifts_expiring on gifts (organization_id, expiry_announced_at, expires_at)
  where expires_at is not null and claimed_at is null and canceled_at is null;
-- Gifts by the caller's name of them, newest first.
create index gifts_external_id on gifts (organization_id, environment, external_id, gift_id)
  where external_id is not null;
-- Gifts that have metadata, newest first: a search reads only those.
create index gifts_metadata on gifts (organization_id, environment, gift_id) where metadata is not null;
-- Gifts of one shown status (the expression of search-queries.ts) and method, newest first. Without those that most
-- orders place, so that the index costs most orders nothing.
create index gifts_by_status on gifts (organization_id, environment,
  (case when canceled_at is not null then 'canceled' else case when claimed_at is not null then 'claimed' when opened_at is not null then 'opened'
    when delivery_state = 'failed' then 'failed' else 'sent' end end), method, gift_id)
  where case when canceled_at is not null then 'canceled' else case when claimed_at is not null then 'claimed' when opened_at is not null then 'opened'
    when delivery_state = 'failed' then 'failed' else 'sent' end end <> 'sent' or method <> 'email';
alter index gifts_by_status alter column 3 set statistics 0;
-- Gifts of one category, shown status and method, newest first.
create index gifts_by_category on gifts (organization_id, environment, category_id,
  (case when canceled_at is not null then 'canceled' else case when claimed_at is not null then 'claimed' when opened_at is not null then 'opened'
    when delivery_state = 'failed' then 'failed' else 'sent' end end), method, gift_id);
alter index gifts_by_category alter column 4 set statistics 0;
-- Gifts whose time has come, and those whose reminder is due.
create index gifts_scheduled on gifts (organization_id, environment, is_waiting, scheduled_for, gift_id)
  where scheduled_for is not null;
-- Addresses compared by ASCII rules, also in a Turkish database (database/folding.ts).
create index gifts_by_recipient_folded on gifts
  (organization_id, environment, lower(address collate "C"), gift_id) where address is not null;
alter index gifts_by_recipient_folded alter column 3 set statistics 0;
create index gifts_by_grant on gifts (organization_id, environment, grant_id, gift_id)
  where grant_id is not null;

create trigger gifts_keep_their_value
  before update of organization_id, environment, gift_id, order_id, position, amount_cents, category_id, created_at
  on gifts for each row execute function refuse_change();
create trigger gifts_are_claimed_once before update of opened_at, claimed_at, card_id on gifts
  for each row when (
    old.claimed_at is not null
    and (new.opened_at, new.claimed_at, new.card_id) is distinct from (old.opened_at, old.claimed_at, old.card_id)
  ) execute function refuse_change();
create trigger live_gifts_are_never_deleted before delete on gifts
  for each row when (old.environment = 'live') execute function refuse_change();
create trigger gifts_are_never_emptied before truncate on gifts for each statement execute function refuse_change();
create trigger gifts_are_canceled_for_good before update of canceled_at, cancel_reason, opened_at, claimed_at, card_id on gifts
  for each row when (
    old.canceled_at is not null
    and (new.canceled_at, new.cancel_reason, new.opened_at, new.claimed_at, new.card_id)
      is distinct from (old.canceled_at, old.cancel_reason, old.opened_at, old.claimed_at, old.card_id)
  ) execute function refuse_change();
create trigger gifts_keep_their_grant before update of grant_id on gifts for each row execute function refuse_change();

call protect_organizations('gifts');

-- When gifts were last looked at whose names and addresses may be kept no longer (RETENTION_DAYS).
create table retention_progress (
  is_only boolean primary key default true check (is_only),
  finished_at timestamptz not null
);
