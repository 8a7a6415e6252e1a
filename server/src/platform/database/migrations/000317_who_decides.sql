-- What was asked for under a rule keeps what the rule said then, and the answer about duplicates that the member gave.
alter table gift_requests
  add column rule_approvals smallint check (rule_approvals between 1 and 2),
  add column rule_approver_ids uuid[] check (cardinality(rule_approver_ids) <= 20),
  add column accepts_duplicates boolean,     -- of a batch; null of what was asked for before: accepted
  add constraint gift_requests_rule check ((rule_approvals is null) = (rule_approver_ids is null));

-- Who skipped a gift; null: before this was noted.
alter table yearly_gifts add column skipped_by uuid;
