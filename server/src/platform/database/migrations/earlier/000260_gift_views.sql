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

create policy organizations on gift_views using (
  (select current_setting('app.organization_id', true)) = '*'
  or organization_id = any (
    (select string_to_array(nullif(current_setting('app.organization_id', true), '*'), ',')::uuid[])::uuid[])
);
