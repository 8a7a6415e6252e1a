import type { Client } from 'pg';

/** Inserts organizations with a member, a key, the grant of an agent, a sandbox and a balance, so that these tables are large too. */
export async function addOrganizations(sql: Client, count: number): Promise<void> {
  await sql.query(`create temporary table made as
    select gen_random_uuid() as organization_id, n, now() as created_at from generate_series(1, ${count}) n`);
  for (const insert of [
    `insert into organizations (organization_id, name, created_at) select organization_id, 'Acme ' || n, created_at from made`,
    `insert into members (organization_id, member_id, email, role, created_at)
     select organization_id, gen_random_uuid(), 'ann@example.com', 'admin', created_at from made`,
    `insert into api_keys (organization_id, key_id, environment, name, hash, hint, created_at)
     select organization_id, gen_random_uuid(), 'sandbox', 'key', sha256(n::text::bytea), 'hint', created_at from made`,
    `insert into agent_grants (organization_id, grant_id, environment, name, created_by, created_at, permissions,
       reaches_all, members_only)
     select organization_id, organization_id, 'sandbox', 'Assistant', 'ann@example.com', created_at, '{order}', false, false
     from made`,
    `insert into gift_views (organization_id, member_id, name, search, created_at)
     select organization_id, member_id, v::text, '{}', created_at from members, generate_series(1, 3) v
     where organization_id in (select organization_id from made)`,
    `insert into contacts (organization_id, environment, contact_id, method, address, tags, created_at, changed_at)
     select organization_id, 'sandbox', gen_random_uuid(), 'email', c || '@example.com', '{berlin}', created_at, created_at
     from made, generate_series(1, 3) c`,
    `insert into gift_templates (organization_id, environment, template_id, name, amount_cents, category_id, created_at,
       changed_at)
     select organization_id, 'sandbox', organization_id, 'Birthday', 2500, 'coffee', created_at, created_at from made`,
    `insert into yearly_rules (organization_id, environment, rule_id, name, occasion, template_id, time_zone, hour, mode,
       is_paused, member_id, spent_year, planned_at, next_run_at, created_at, changed_at)
     select m.organization_id, 'sandbox', m.organization_id, 'Birthdays', 'birthday', m.organization_id, 'UTC', 9, 'approval',
       false, p.member_id, 2026, m.created_at, m.created_at + interval '1 day', m.created_at, m.created_at
     from made m join members p using (organization_id)`,
    `insert into yearly_gifts (organization_id, environment, rule_id, contact_id, year, date, due_at, state, changed_at)
     select organization_id, environment, organization_id, contact_id, 2026, '2026-06-15', created_at, 'ordered', created_at
     from contacts where organization_id in (select organization_id from made)`,
    `insert into sandboxes (organization_id, created_at) select organization_id, created_at from made`,
    `insert into balances (organization_id, environment, balance_cents, last_id)
     select organization_id, 'sandbox', 0, organization_id from made`,
    `insert into event_counters (organization_id, environment, last_sequence)
     select organization_id, 'sandbox', 1 from made`,
    `insert into events (organization_id, environment, sequence, type, created_at)
     select organization_id, 'sandbox', 1, 'key.created', created_at from made`,
    `insert into restores (organization_id, environment, restored_to, finished_at, last_sequence, next_after, ledger_rows,
       ledger_id)
     select organization_id, 'sandbox', created_at, created_at, 0, 10, 0, organization_id from made`,
    `insert into spending_caps (organization_id, environment, holder_id, period, cap_cents)
     select organization_id, 'sandbox', organization_id, p::spending_period, 1 from made, unnest('{hour,day}'::text[]) p`,
    `insert into spending (organization_id, environment, holder, period, window_started_at, spent_cents)
     select organization_id, 'sandbox', organization_id::text, p::spending_period, now(), 1
     from made, unnest('{hour,day}'::text[]) p`,
    `insert into custom_roles (organization_id, role_id, name, permissions, created_at)
     select organization_id, gen_random_uuid(), 'Desk', '{gifts}', created_at from made`,
    `insert into teams (organization_id, team_id, name, created_at)
     select organization_id, gen_random_uuid(), 'Sales', created_at from made`,
    `insert into approval_rules (organization_id, holder_id, above_cents, approvals, approver_ids)
     select organization_id, organization_id, 1, 1, '{}' from made`,
    `insert into seals (organization_id, chain, number, row_ids, leaves, last_id, rows, head, sealed_at)
     select organization_id, 'sandbox', s, array[organization_id], sha256(''), organization_id, s, sha256(''), now()
     from made, generate_series(1, 3) s`,
    `insert into webhook_endpoints (organization_id, environment, endpoint_id, url, is_ordered, secret, created_at,
       cursor_sequence)
     select organization_id, 'sandbox', organization_id, 'https://shop.example/', false, 'sealed', now(), 0 from made`,
    `insert into webhook_deliveries (organization_id, environment, endpoint_id, sequence, event_id, type, state, attempts,
       created_at, updated_at)
     select organization_id, 'sandbox', organization_id, s, gen_random_uuid(), 'gift.opened', 'failed', 1, now(), now()
     from made, generate_series(1, 3) s`,
    `insert into webhook_attempts (organization_id, environment, endpoint_id, sequence, attempted_at, duration_ms)
     select organization_id, 'sandbox', organization_id, s, now(), 1 from made, generate_series(1, 3) s`,
  ])
    await sql.query(insert);
}
