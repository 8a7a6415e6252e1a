import { decodeId } from '../../server/src/platform/base/ids.ts';
import { resetsOf } from './read-record.ts';
import { selectFaulty, violationsOf } from './select-faulty.ts';
import type { Check, CheckContext, TableCheck, Violation } from './violation.ts';

/** I1: funding less orders is the balance, which is not negative; only a reset deletes entries. */
export const checkMoney: Check = async (context) => [
  ...(await checkBalances(context)),
  ...(await checkFunding(context)),
  ...(await checkSeenEntries(context)),
];

export const checkBalances: TableCheck = async ({ sql }) => [
  ...(await selectFaulty(sql, 'I1', WRONG_BALANCES)),
  ...(await selectFaulty(sql, 'I1', BROKEN_CHAINS)),
];

const WRONG_BALANCES = `
  select format('The balance of %s (%s) is %s, and its entries come to %s.', organization_id, environment,
    coalesce(b.balance_cents::text, 'missing'), coalesce(e.sum::text, 'nothing')) as text
  from balances b
  full join (select organization_id, environment, sum(amount_cents) as sum from ledger_entries
    group by organization_id, environment) e using (organization_id, environment)
  where b.balance_cents is distinct from coalesce(e.sum, 0) or b.balance_cents < 0`;

/** Ids do not help: an order that is placed again after a lost connection has an older id. */
const BROKEN_CHAINS = `
  select format('The entries of %s (%s) form no chain: of those that leave %s cents and those that start from them one kind has %s more.',
    organization_id, environment, cents, abs(sum(step))) as text
  from (
    select organization_id, environment, balance_after_cents as cents, 1 as step from ledger_entries
    union all select organization_id, environment, balance_after_cents - amount_cents, -1 from ledger_entries
    union all select organization_id, environment, 0, 1 from balances
    union all select organization_id, environment, balance_cents, -1 from balances
  ) figure
  group by organization_id, environment, cents having sum(step) <> 0`;

/** Each credit of this harness exists once, unless a reset deleted it. */
async function checkFunding({ sql, recorder }: CheckContext): Promise<Violation[]> {
  const resets = resetsOf(recorder.calls);
  const credited = new Map<string, { cents: number; isCertain: boolean }>();
  for (const { operation, organizationId, environment, request, outcome } of recorder.calls) {
    if (operation !== 'fund') continue;
    const owner = `${decodeId('org', organizationId)} ${environment}`;
    const before = credited.get(owner) ?? { cents: 0, isCertain: true };
    const { amount_cents } = request as { amount_cents: number };
    const isCertain = before.isCertain && outcome.kind === 'ok';
    credited.set(owner, { cents: before.cents + (outcome.kind === 'failed' ? 0 : amount_cents), isCertain });
  }
  const { rows } = await sql.query<{ owner: string; cents: string }>(
    `select organization_id || ' ' || environment as owner, sum(amount_cents)::text as cents from ledger_entries
     where kind = 'funding' group by 1`,
  );
  const found = new Map(rows.map(({ owner, cents }) => [owner, Number(cents)]));
  const wrong = [...credited].filter(([owner, { cents, isCertain }]) => {
    const isReset = resets.some((reset) => owner.startsWith(`${decodeId('org', reset.organizationId)} sandbox`));
    return isCertain && !isReset && found.get(owner) !== cents;
  });
  return violationsOf(
    'I1',
    wrong.map(([owner, { cents }]) => `${owner} was credited ${cents} cents, and its ledger says ${found.get(owner)}.`),
  );
}

/** Entries of an earlier check have not changed. */
async function checkSeenEntries({ sql, recorder }: CheckContext): Promise<Violation[]> {
  const wasReset = new Set(resetsOf(recorder.calls).map(({ organizationId }) => decodeId('org', organizationId)));
  const { rows } = await sql.query<{ entry_id: string; text: string }>(
    'select entry_id, ledger_entries::text as text from ledger_entries',
  );
  const now = new Map(rows.map(({ entry_id, text }) => [entry_id, text]));
  const wrong: string[] = [];
  for (const [id, before] of recorder.seenEntries) {
    const text = now.get(id);
    if (text === before) continue;
    const [, organizationId = '', environment] = /^\(([^,]+),([^,]+),/.exec(before) ?? [];
    if (text !== undefined) wrong.push(`Entry ${id} was ${before} and is ${text}.`);
    else if (environment !== 'sandbox' || !wasReset.has(organizationId)) wrong.push(`Entry ${id} is gone: ${before}.`);
  }
  recorder.seenEntries.clear();
  for (const [id, text] of now) recorder.seenEntries.set(id, text);
  return violationsOf('I1', wrong);
}
