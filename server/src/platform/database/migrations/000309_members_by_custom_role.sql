-- Who has an own role.
drop index concurrently if exists members_by_custom_role;
create index concurrently members_by_custom_role on members (organization_id, custom_role_id)
  where custom_role_id is not null;
