import { decodeId } from '../../server/src/base/ids.ts';
import { createLoadClient } from '../load/client.ts';
import type { LoadOrganization } from '../load/world.ts';
import type { Outcome } from '../record/recorder.ts';
import type { Fault } from './fault.ts';
import { injectUnderLoad } from './inject-under-load.ts';
import { openRig, type Rig } from './rig.ts';

const MESSAGE_TAKES_MS = 20;
const ANSWER_WITHIN_MS = 30_000;
/** The second resets; the load is the same for all. */
const ORGANIZATIONS = [
  { environments: ['live', 'sandbox'] },
  { environments: ['live', 'sandbox'], resets: true },
] as const;

export const resetSandbox: Fault = {
  name: 'reset-sandbox',
  summary:
    'Resets against orders, messages and claims: exact counts, no orphan, nothing sent, other organizations untouched.',
  issueCount: 200,
  shortCount: 30,
  async run(context) {
    const { random } = context;
    const rig = await openRig({ random, organizations: ORGANIZATIONS, messageTakesMs: MESSAGE_TAKES_MS });
    try {
      const server = await rig.startServer();
      const organization = rig.organizations.find(({ resets }) => resets);
      if (organization === undefined) throw new Error('The rig has no organization that resets.');
      // Resets are counted here, so the load itself makes none.
      const organizations = rig.organizations.map((each) => ({ ...each, resets: false }));
      const reset = () => resetOnce(rig, { organization, url: server.url, random });
      const result = await injectUnderLoad(rig, context, {
        load: { urls: [server.url], organizations, clients: 12, perSecond: 150 },
        url: () => server.url,
        betweenMs: { least: 50, most: 500 },
        async inject() {
          const { kind } = await reset();
          await rig.fund(organization);
          return { failures: kind === 'ok' ? [] : ['the reset was not answered with its counts.'] };
        },
      });
      result.failures.push(...(await resetAtRest(rig, organization, reset)));
      result.violations.push(...(await rig.check(server.url)));
      return result;
    } finally {
      await rig.close();
    }
  },
};

async function resetOnce(
  { recorder }: Rig,
  { organization, url, random }: { organization: LoadOrganization; url: string; random: () => number },
): Promise<Outcome> {
  const timeoutMs = ANSWER_WITHIN_MS;
  const client = createLoadClient({ urls: [url], recorder, random, timeoutMs, knownWithinMs: timeoutMs });
  try {
    return await client.once({ organization, operation: 'reset', method: 'POST', path: '/v1/sandbox/reset' });
  } finally {
    client.close();
  }
}

const TABLES = ['orders', 'gifts', 'balances', 'ledger_entries', 'deliveries', 'card_purchases'] as const;

/** When nobody does anything: the counts are those of the tables, nothing is left, and all others' rows are as they were. */
async function resetAtRest(rig: Rig, organization: LoadOrganization, reset: () => Promise<Outcome>): Promise<string[]> {
  const uuid = decodeId('org', organization.organizationId);
  const read = async (isOwn: boolean) => {
    const selects = TABLES.map(
      (table) => `select '${table}' as name, count(*)::integer as count,
        md5(coalesce(string_agg(t::text, ' ' order by t::text), '')) as digest from ${table} t
        where (organization_id = $1 and environment = 'sandbox') = $2`,
    );
    return await rig.sql<{ name: string; count: number; digest: string }>(selects.join(' union all '), [uuid, isOwn]);
  };
  const [own, others] = [await read(true), await read(false)];
  const outcome = await reset();
  if (outcome.kind !== 'ok') return ['The last reset was not answered with its counts.'];
  const counts = Object.fromEntries(own.map(({ name, count }) => [name, count]));
  const expected = {
    object: 'sandbox_reset',
    orders_deleted: counts['orders'],
    gifts_deleted: counts['gifts'],
    balances_deleted: counts['balances'],
    ledger_entries_deleted: counts['ledger_entries'],
  };
  const failures: string[] = [];
  if (JSON.stringify(outcome.answer) !== JSON.stringify(expected))
    failures.push(
      `The last reset answered ${JSON.stringify(outcome.answer)}, and there were ${JSON.stringify(expected)}.`,
    );
  for (const { name, count } of await read(true)) if (count > 0) failures.push(`The last reset left ${count} ${name}.`);
  if (JSON.stringify(await read(false)) !== JSON.stringify(others))
    failures.push('The last reset changed rows of another organization or environment.');
  return failures;
}
