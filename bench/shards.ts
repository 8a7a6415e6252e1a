import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { verifyLedger } from '../server/src/capabilities/seals/verify-ledger.ts';
import { type ConnectionTarget, connectDatabase } from '../server/src/platform/database/connections.ts';
import { startShards } from '../server/test/harness/shards.ts';
import { type Installation, installOn } from './installation.ts';
import type { LoadRequest } from './load/request.ts';
import { runLoad } from './load/run-load.ts';
import { describeMachine, type Machine } from './machine.ts';
import { describe, number } from './print.ts';
import { orderRequest } from './site.ts';
import { type Spread, spreadOf } from './statistics.ts';

const ORGANIZATIONS = 256;
/** How many of them order: the fewer, the more of their orders share a statement. */
const ORDERING = [ORGANIZATIONS, 16, 1];
const CONNECTIONS = 128;
const WARM_UP_SECONDS = 3;
/** Of the rate of one server, on the same cores. */
const LEAST_RATIO = 0.75;

interface Comparison {
  organizations: number;
  one: Spread;
  sharded: Spread;
  ratio: number;
  isMet: boolean;
}

export interface ShardsResult {
  machine: Machine;
  comparisons: Comparison[];
  /** Answers other than 201. */
  failed: number;
  ledgersHold: boolean;
}

interface Options {
  seconds: number;
  repeats: number;
  say(text: string): void;
}

/** Places orders on two servers, and in turn on the first of them alone. */
export async function runShards(options: Options): Promise<ShardsResult> {
  const servers = await startShards();
  try {
    const shards = await Promise.all(servers.shards.map((server) => createDatabase(server, 'shard')));
    const alone = await createDatabase(servers.shards[0] as ConnectionTarget, 'alone');
    return await compare(options, [alone], shards, {
      alone: { DATABASE_URL: urlOf(alone) },
      sharded: { DATABASE_SHARDS: shards.map(urlOf).join() },
    });
  } finally {
    await servers.close();
  }
}

async function createDatabase(server: ConnectionTarget, database: string): Promise<ConnectionTarget> {
  const client = new Client(server);
  await client.connect();
  await client.query(`create database ${database}`);
  await client.end();
  return { ...server, database };
}

const urlOf = ({ user, password = '', host, port, database }: ConnectionTarget) =>
  `postgres://${user}:${password}@${host}:${port}/${database}`;

async function compare(
  { seconds, repeats, say }: Options,
  alone: ConnectionTarget[],
  shards: ConnectionTarget[],
  located: Record<'alone' | 'sharded', Record<string, string>>,
): Promise<ShardsResult> {
  const machine = describeMachine();
  const secret = { LINK_SECRET: randomBytes(32).toString('hex') };
  const installations: Installation[] = [];
  const comparisons: Comparison[] = [];
  let failed = 0;
  try {
    const services: Record<string, { url: string; requests: LoadRequest[] }> = {};
    for (const way of ['alone', 'sharded'] as const) {
      say(`preparing ${number(ORGANIZATIONS)} organizations, ${way}`);
      const [target] = way === 'alone' ? alone : shards;
      const installation = await installOn(target as ConnectionTarget, { ...located[way], ...secret });
      installations.push(installation);
      services[way] = { url: await prepare(installation), requests: await ordersOf(installation) };
    }
    const load = async (way: 'alone' | 'sharded', organizations: number, forSeconds: number) => {
      const { url, requests } = services[way] as (typeof services)[string];
      const chosen = requests.slice(0, organizations);
      const result = await runLoad(url, { requests: chosen, connections: CONNECTIONS, seconds: forSeconds });
      failed += result.failed + result.conflicts;
      return result.perSecond;
    };
    for (const organizations of ORDERING) {
      const rates = { alone: [] as number[], sharded: [] as number[] };
      for (let repeat = 0; repeat <= repeats; repeat += 1)
        for (const way of ['alone', 'sharded'] as const) {
          say(`${organizations} organizations, ${repeat === 0 ? 'warming up' : `run ${repeat} of ${repeats}`}: ${way}`);
          const rate = await load(way, organizations, repeat === 0 ? WARM_UP_SECONDS : seconds);
          if (repeat > 0) rates[way].push(rate);
        }
      const [one, sharded] = [spreadOf(rates.alone), spreadOf(rates.sharded)];
      const ratio = sharded.median / one.median;
      comparisons.push({ organizations, one, sharded, ratio, isMet: ratio >= LEAST_RATIO });
    }
  } finally {
    for (const installation of installations) await installation.close();
  }
  const ledgersHold = (await Promise.all([...alone, ...shards].map(ledgerHolds))).every(Boolean);
  return { machine, comparisons, failed, ledgersHold };
}

async function prepare(installation: Installation): Promise<string> {
  await installation.bestow(['migrate']);
  return (await installation.startServer()).url;
}

const ordersOf = async (installation: Installation) =>
  (await installation.seed(ORGANIZATIONS, 'sandbox')).map(({ key }) => orderRequest(key));

async function ledgerHolds(target: ConnectionTarget): Promise<boolean> {
  const database = connectDatabase(target, () => undefined);
  try {
    return (await verifyLedger({ database })).holds;
  } finally {
    await database.close();
  }
}

export function presentShards({ machine, comparisons, failed, ledgersHold }: ShardsResult): string {
  const rows = comparisons.map(
    ({ organizations, one, sharded, ratio, isMet }) =>
      `${organizations} ordering: ${number(one.median)} /s on one, ${number(sharded.median)} /s on two, ratio ${ratio.toFixed(2)} (goal ≥ ${LEAST_RATIO}, ${isMet ? 'met' : 'not met'})`,
  );
  return `${describe(machine)}

Orders of two gifts, ${CONNECTIONS} connections, one server and two, by the number of organizations:

${rows.join('\n')}
Other answers: ${number(failed)}

The ledgers ${ledgersHold ? 'hold' : 'do NOT hold'} after all that.
`;
}
