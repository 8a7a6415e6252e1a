-- The card of a gift, unless it is simulated. `claiming`: it may exist at the issuer, inactive. `inactive`: the gift
-- is claimed. `refused`: the gift is unclaimed again.
create table cards (
  organization_id uuid not null,
  environment environment not null,
  gift_id uuid not null,
  issuer_id uuid not null,
  state text not null check (state in ('claiming', 'inactive', 'active', 'refused', 'closed')),
  round smallint not null,            -- counts refusals, so that a new claim has a new key at the issuer
  entered text,                       -- encrypted, what the recipient entered; only while claiming
  holder_hash bytea,                  -- of the browser that claims
  terms_version text,
  accepted_at timestamptz,
  provider_id text,                   -- the issuer's id of the card
  face jsonb,                         -- brand, last four digits and expiry
  refusal text,                       -- for people
  begun_at timestamptz not null,
  held_cents bigint not null default 0,
  captured_cents bigint not null default 0,
  refunded_cents bigint not null default 0,
  -- Captured beyond the gift's value, because the network forced it.
  overspent_cents bigint not null default 0,
  -- When the recipient's details at the card's issuer are to be erased; null: not at all, or they are.
  erase_at timestamptz,
  -- The PIN that was entered with a claim, while its issuer is asked; the claim moves it to card_proofs.
  pin bytea,
  -- Where the holder of a link gift wants to be sent codes; the claim moves it to card_proofs.
  holder_address text,
  primary key (organization_id, environment, gift_id),
  foreign key (organization_id, environment, gift_id) references gifts on delete cascade,
  foreign key (organization_id, issuer_id) references issuers
);
alter table cards alter column pin set statistics 10, alter column holder_address set statistics 10;

create unique index cards_provider_id on cards (organization_id, issuer_id, provider_id) where provider_id is not null;
create index cards_unfinished on cards (begun_at) where state in ('claiming', 'inactive');
-- Finds cards whose recipients are to be erased.
create index cards_erase_at on cards (erase_at) where erase_at is not null;

call protect_organizations('cards');

-- What an issuer told of a card, each fact once: the sums of a card follow from its facts, in whatever order they
-- came.
create table card_facts (
  organization_id uuid not null,
  environment environment not null,
  gift_id uuid not null,
  fact_id text not null,              -- the issuer's, or `decision:` and the issuer's id of the question
  kind text not null check (kind in ('approved', 'declined', 'hold', 'hold_changed', 'released', 'captured', 'refunded',
    'disputed', 'closed')),
  subject_id text,                    -- the issuer's id of the hold or the dispute
  amount_cents integer check (amount_cents >= 0),
  merchant text,
  is_final boolean,                   -- of a capture: the rest of its hold is released
  outcome text check (outcome in ('open', 'won', 'lost')),
  at timestamptz not null,
  received_at timestamptz not null,
  primary key (organization_id, environment, gift_id, fact_id),
  foreign key (organization_id, environment, gift_id) references gifts on delete cascade
);

create trigger card_facts_are_never_changed before update on card_facts
  for each row execute function refuse_change();
create trigger live_facts_are_never_deleted before delete on card_facts
  for each row when (old.environment = 'live') execute function refuse_change();

call protect_organizations('card_facts');

-- What was bought with a gift's card. A gift steered to `spent` has spent cents without any purchase.
create table card_purchases (
  organization_id uuid not null,
  environment environment not null,
  gift_id uuid not null,              -- a gift has one card
  purchase_id uuid not null,          -- whoever records it makes it, so that recording again changes nothing
  merchant text not null check (length(merchant) between 1 and 200),
  amount_cents integer not null check (amount_cents > 0),
  created_at timestamptz not null,
  primary key (organization_id, environment, gift_id, purchase_id),
  foreign key (organization_id, environment, gift_id) references gifts on delete cascade
);

create trigger card_purchases_are_never_changed before update on card_purchases
  for each row execute function refuse_change();
create trigger live_purchases_are_never_deleted before delete on card_purchases
  for each row when (old.environment = 'live') execute function refuse_change();

call protect_organizations('card_purchases');

-- How someone proves, in another browser than the one that claimed a gift, that they may see its card.
create table card_proofs (
  organization_id uuid not null,
  environment environment not null,
  gift_id uuid not null,
  sealed_code text,                   -- encrypted; null: none was sent, or it was used
  code_sent_at timestamptz,
  codes_sent smallint not null default 0,  -- since a day without codes
  code_tries smallint not null default 0,  -- of the latest code
  pin bytea check (length(pin) = 48),  -- salt and scrypt hash
  pin_tries smallint not null default 0,  -- wrong ones since the latest right one, or an hour without any
  pin_tried_at timestamptz,
  -- Until when another browser may take the card of a claimed gift over, once; null: none may.
  reopened_until timestamptz,
  -- Where the holder of a link gift is sent the code that shows the card to another browser; null: nowhere.
  holder_address text,
  primary key (organization_id, environment, gift_id),
  foreign key (organization_id, environment, gift_id) references gifts on delete cascade
);

-- Link gifts by the address that their holder entered: of the finder, exports and erasures.
create index card_proofs_by_holder on card_proofs
  (organization_id, environment, lower(holder_address collate "C")) where holder_address is not null;

call protect_organizations('card_proofs');

-- Verified webhook events of issuers, until their facts are recorded and 30 days longer.
create table issuer_events (
  organization_id uuid not null references organizations,
  issuer_id uuid not null,
  event_id text not null check (length(event_id) between 1 and 200),
  body text not null,
  received_at timestamptz not null,
  processed_at timestamptz,
  primary key (organization_id, issuer_id, event_id),
  foreign key (organization_id, issuer_id) references issuers
);

create index issuer_events_received_at on issuer_events (received_at);

call protect_organizations('issuer_events');
