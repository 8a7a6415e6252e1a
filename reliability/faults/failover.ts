import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApiClient, linkGift } from '../../server/test/harness/api-client.ts';
import { type ReplicatedPostgres, startReplicatedPostgres } from '../../server/test/harness/replicated-postgres.ts';
import { until } from '../../server/test/harness/server-process.ts';
import type { Fault, FaultContext, FaultResult } from './fault.ts';
import { installOn, orderAlways } from './ordering.ts';

const UNDER_LOAD_MS = 3_000;

/** How a standby takes over. */
interface Kind {
  name: string;
  summary: string;
  /** Whether acknowledged commits are lost. */
  loses: boolean;
  takeOver(postgres: ReplicatedPostgres): Promise<void>;
}

const kinds: readonly Kind[] = [
  {
    name: 'fail-over',
    summary: 'the leader is killed and its standby has everything: no order is lost or doubled, and no one is called.',
    loses: false,
    async takeOver(postgres) {
      await postgres.query('leader', 'alter system set default_transaction_read_only = on');
      await postgres.query('leader', 'select pg_reload_conf()');
      await sleep(500);
      await postgres.catchUp();
      await postgres.kill('leader');
      await postgres.promote();
      await postgres.move('standby');
    },
  },
  {
    name: 'fail-over-losing',
    summary:
      'the standby lacks the last seconds: the service notices it by itself, gives no code or sequence out twice, and doctor has the fault.',
    loses: true,
    async takeOver(postgres) {
      await postgres.kill('leader');
      await postgres.promote();
      await postgres.move('standby');
    },
  },
  {
    name: 'two-leaders',
    summary:
      'the old leader lives on: its sessions end within seconds, and what it took meanwhile is known to be lost.',
    loses: true,
    async takeOver(postgres) {
      await postgres.promote();
      await postgres.move('standby');
      await until(
        async () =>
          (await postgres.query('leader', `select from pg_stat_activity where application_name like 'bestow%'`))
            .length === 0,
        'no session to the old leader is left',
      );
    },
  },
];

export const failovers: readonly Fault[] = kinds.map((kind) => ({
  name: kind.name,
  summary: `PostgreSQL’s own replication, asynchronous, under load; ${kind.summary}`,
  fullCount: 5,
  shortCount: 1,
  async run({ count, say }: FaultContext): Promise<FaultResult> {
    const result: FaultResult = { count, violations: [], failures: [], recoveriesMs: [], notes: [] };
    for (let number = 1; number <= count; number += 1) {
      const failures = await failOver(kind, result);
      result.failures.push(...failures.map((text) => `Number ${number}: ${text}`));
      say(`${number} of ${count}, ${result.failures.length} broken promises`);
    }
    return result;
  },
}));

/** Claims a gift of own codes; returns the code, if it got one. */
async function claim(url: string, link: string): Promise<string | undefined> {
  const press = (act: string, cookie = '') =>
    fetch(`${url}/g/${link.slice(-76)}/${act}`, { method: 'POST', redirect: 'manual', headers: { cookie } });
  const claimed = await press('claim');
  const cookie = claimed.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
  return /CODE-[A-Z]+/.exec(await (await press('reveal', cookie)).text())?.[0];
}

async function failOver(kind: Kind, result: FaultResult): Promise<string[]> {
  const directory = await mkdtemp(join(tmpdir(), 'bestow-failover-'));
  const postgres = await startReplicatedPostgres();
  try {
    const { host = '', user, database } = postgres.target;
    const address = `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`;
    const service = await installOn(address, directory);
    return await failOverUnderLoad(kind, result, postgres, service).finally(service.close);
  } finally {
    await postgres.close();
    await rm(directory, { recursive: true, force: true });
  }
}

async function failOverUnderLoad(
  kind: Kind,
  result: FaultResult,
  postgres: ReplicatedPostgres,
  { url, key, run }: Awaited<ReturnType<typeof installOn>>,
): Promise<string[]> {
  const failures: string[] = [];
  const expect = (holds: boolean, text: string) => void (holds || failures.push(text));
  const live = createApiClient(url, key);
  const links: string[] = [];
  for (let gift = 0; gift < 2; gift += 1)
    links.push((await live.order([{ ...linkGift(), category: 'coffee' }])).body.gifts[0].delivery.link);
  const orders = orderAlways(url, key);
  await sleep(UNDER_LOAD_MS);
  await postgres.catchUp();
  if (kind.name === 'fail-over-losing') {
    await postgres.cut();
    await sleep(UNDER_LOAD_MS);
  }
  const seen = await claim(url, links[0] ?? '');
  const startedAtMs = performance.now();
  await kind.takeOver(postgres);
  await until(async () => (await live.order([linkGift()])).status === 201, 'orders are placed again');
  result.recoveriesMs.push(performance.now() - startedAtMs);
  await sleep(UNDER_LOAD_MS);
  await orders.stop();

  const rows = await postgres.query('standby', 'select idempotency_key as key, order_id from orders');
  const count = Map.groupBy(rows, ({ key: own }) => String(own));
  const lost = [...orders.answered.keys()].filter((own) => !count.has(own));
  result.notes.push(`${orders.answered.size} orders answered, ${orders.refused()} refused, ${lost.length} lost`);
  expect(
    [...count.values()].every((same) => same.length === 1),
    'an order was placed twice.',
  );
  if (!kind.loses) expect(lost.length === 0, `${lost.length} orders are lost.`);
  const again = await claim(url, links[1] ?? '');
  if (seen !== undefined) expect(again !== seen, `the code ${seen} was given out twice.`);
  const history = (await run('doctor')).stdout
    .split('\n')
    .filter((line) => line.includes('history'))
    .join(' ');
  if (lost.length > 0) expect(history.includes('is lost: the service went on'), `doctor says ${history}`);
  else expect(!history.includes('fault'), `nothing is lost, but doctor says ${history}`);
  if (lost.length > 0) {
    const finished = await run('restore', 'finish', '--yes');
    expect(finished.code === 0, `restore finish: ${finished.stderr}`);
  }
  for (const chain of ['ledger', 'audit']) {
    const { code, stdout } = await run(chain, 'verify');
    expect(code === 0, `bestow ${chain} verify: ${stdout}`);
  }
  return failures;
}
