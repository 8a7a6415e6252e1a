-- Roles between an admin and a member. What each includes is in platform/authentication/roles.ts.
alter type member_role add value if not exists 'sender';
alter type member_role add value if not exists 'approver';
alter type member_role add value if not exists 'support';
alter type member_role add value if not exists 'finance';
alter type member_role add value if not exists 'viewer';
alter type member_role add value if not exists 'custom';
