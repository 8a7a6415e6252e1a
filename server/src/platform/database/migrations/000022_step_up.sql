-- When a session last proved who uses it, and whether it was proved by a second factor. Admins may be required to have one.

alter table portal.sessions
  add column proved_at timestamptz,   -- null: at the sign-in
  add column has_second_factor boolean;  -- null: no

alter table organizations add column requires_second_factor boolean not null default false;


alter type notice_kind add value 'access_changed';
