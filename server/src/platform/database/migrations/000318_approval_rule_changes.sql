-- A weaker rule of two approvals that one person asked for, until another person confirms it.
create table approval_rule_changes (
  organization_id uuid not null references organizations,
  holder_id uuid not null,            -- as of the rule
  above_cents bigint check (above_cents between 0 and 9007199254740991),  -- null: the rule ends
  approvals smallint not null check (approvals between 1 and 2),
  approver_ids uuid[] not null check (cardinality(approver_ids) <= 20),
  asked_by text not null,             -- who asked, as the audit log names them
  asked_at timestamptz not null,
  primary key (organization_id, holder_id)
);

call protect_organizations('approval_rule_changes');
