-- Which contacts get a gift each year, and on which of their days.
create table yearly_rules (
  organization_id uuid not null references organizations,
  environment environment not null,
  rule_id uuid not null,
  name text not null check (length(name) between 1 and 60),
  tag text,                                  -- null: every contact
  occasion text not null check (occasion in ('birthday', 'work_anniversary')),
  template_id uuid not null,
  time_zone text not null check (length(time_zone) <= 64),
  hour smallint not null check (hour between 0 and 23),
  mode text not null check (mode in ('approval', 'sends')),
  yearly_limit_cents bigint check (yearly_limit_cents > 0),
  is_paused boolean not null,
  member_id uuid not null,                   -- who saved it last: its orders and requests are theirs
  spent_year smallint not null,
  spent_cents bigint not null default 0,     -- in that year
  planned_at timestamptz not null,           -- days until then have their rows, or got none
  next_run_at timestamptz not null,          -- when the next days are planned
  told_week_at timestamptz,                  -- the latest mails to admins
  told_waiting_at timestamptz,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  primary key (organization_id, environment, rule_id),
  unique (organization_id, environment, name),
  foreign key (organization_id, environment, template_id) references gift_templates,
  check (mode = 'approval' or yearly_limit_cents is not null)
);

-- What each minute looks for.
create index yearly_rules_to_run on yearly_rules (next_run_at) where not is_paused;

call protect_organizations('yearly_rules');

-- A person's gift of a year, once. Deleted with the contact.
create table yearly_gifts (
  organization_id uuid not null,
  environment environment not null,
  rule_id uuid not null,
  contact_id uuid not null,
  year smallint not null,
  date date not null,
  due_at timestamptz not null,
  state text not null check (state in ('coming', 'requested', 'waiting', 'ordered', 'skipped', 'missed')),
  reason text,                               -- why it waits or was missed
  next_try_at timestamptz,                   -- null: nothing is left to do
  amount_cents integer,                      -- once it is ordered
  order_id uuid,
  request_id uuid,
  changed_at timestamptz not null,
  primary key (organization_id, environment, rule_id, contact_id, year),
  foreign key (organization_id, environment, rule_id) references yearly_rules on delete cascade,
  foreign key (organization_id, environment, contact_id) references contacts on delete cascade
);

create index yearly_gifts_to_do on yearly_gifts (next_try_at) where next_try_at is not null;
create index yearly_gifts_of_contact on yearly_gifts (organization_id, environment, contact_id);
create index yearly_gifts_by_date on yearly_gifts (organization_id, environment, date);

call protect_organizations('yearly_gifts');

alter type notice_kind add value if not exists 'yearly_gifts_coming';
alter type notice_kind add value if not exists 'yearly_gifts_waiting';
