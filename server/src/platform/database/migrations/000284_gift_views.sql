-- Saved views of the portal's list of gifts: a member's name for filters, an order and columns.
create table gift_views (
  organization_id uuid not null references organizations,
  member_id uuid not null,
  name text not null check (length(name) between 1 and 60),
  search jsonb not null,              -- parameters of the list's address
  created_at timestamptz not null,
  primary key (organization_id, member_id, name),
  foreign key (organization_id, member_id) references members (organization_id, member_id)
);

call protect_organizations('gift_views');
