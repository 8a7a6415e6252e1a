-- A second wall between organizations: for everyone but the tables' owner, a statement sees and writes only rows of the
-- organizations that its session names in `app.organization_id` (separated by commas; `*`: all), and none if it names none.
-- The subqueries are evaluated once per statement, not once per row. row-security.ts applies the policies.
do $$
declare
  tenant text;
begin
  foreach tenant in array array[
    'organizations', 'members', 'sandboxes', 'api_keys', 'balances', 'orders', 'ledger_entries', 'gifts', 'deliveries',
    'card_purchases', 'card_proofs', 'notices', 'balance_alerts', 'audit_events', 'request_log', 'steered_tries', 'seals',
    'unsealed_events', 'spending_caps', 'spending', 'approvals'
  ] loop
    execute format(
      $policy$create policy organizations on %I using (
        (select current_setting('app.organization_id', true)) = '*'
        or organization_id = any (
          (select string_to_array(nullif(current_setting('app.organization_id', true), '*'), ',')::uuid[])::uuid[])
      )$policy$, tenant);
  end loop;
end $$;
