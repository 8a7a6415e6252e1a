-- An organization's own roles: named sets of permissions (platform/authentication/permissions.ts).
create table custom_roles (
  organization_id uuid not null references organizations,
  role_id uuid not null,
  name text not null check (length(name) between 1 and 100),
  permissions text[] not null check (cardinality(permissions) between 1 and 50),
  created_at timestamptz not null,
  primary key (organization_id, role_id)
);

create unique index custom_roles_name on custom_roles (organization_id, lower(name));

call protect_organizations('custom_roles');

alter table members
  add column custom_role_id uuid,
  add foreign key (organization_id, custom_role_id) references custom_roles,
  add check ((role::text = 'custom') = (custom_role_id is not null));
