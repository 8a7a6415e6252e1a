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
