import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Client } from 'pg';
import { verifyLedger } from '../server/src/capabilities/seals/verify-ledger.ts';
import { type ConnectionTarget, connectDatabase } from '../server/src/platform/database/connections.ts';
import { createRouter, type Router } from '../server/test/harness/router.ts';
import { startShards } from '../server/test/harness/shards.ts';
import { type Installation, installOn } from './installation.ts';
import type { LoadRequest } from './load/request.ts';
import { runLoad } from './load/run-load.ts';
import { describeMachine, type Machine } from './machine.ts';
import { describe, number } from './print.ts';
import { orderRequest } from './site.ts';
import { type Spread, spreadOf } from './statistics.ts';

const ORGANIZATIONS = 256;
/** Behind PgDog a statement holds orders of one organization only, so it matters how many organizations order. */
const ORDERING = [ORGANIZATIONS, 16, 1];
const CONNECTIONS = 128;
const WARM_UP_SECONDS = 3;
/** Of the rate of one server directly, on the same cores. */
const LEAST_RATIO = 0.75;

interface Comparison {
  organizations: number;
  direct: Spread;
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

/** Places orders on two servers behind PgDog, and in turn on the first of them directly; undefined without PgDog. */
export async function runShards(options: Options): Promise<ShardsResult | undefined> {
  const servers = await startShards();
  if (servers === undefined) return undefined;
  let router: Router | undefined;
  try {
    const [first, second] = (await Promise.all(servers.shards.map((server) => createDatabase(server, 'shard')))) as [
      ConnectionTarget,
      ConnectionTarget,
    ];
    router = await createRouter(servers.program, join(servers.directory, 'bench'), [first, second]);
    await router.start();
    const alone = await createDatabase(first, 'alone');
    const shards = [first, second];
    return await compare(options, [alone], shards, {
      direct: { DATABASE_URL: urlOf(alone) },
      sharded: { DATABASE_URL: urlOf(router.target), DATABASE_SHARDS: shards.map(urlOf).join() },
    });
  } finally {
    await router?.stop();
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
  located: Record<'direct' | 'sharded', Record<string, string>>,
): Promise<ShardsResult> {
  const machine = describeMachine();
  const secret = { LINK_SECRET: randomBytes(32).toString('hex') };
  const installations: Installation[] = [];
  const comparisons: Comparison[] = [];
  let failed = 0;
  try {
    const services: Record<string, { url: string; requests: LoadRequest[] }> = {};
    for (const way of ['direct', 'sharded'] as const) {
      say(`preparing ${number(ORGANIZATIONS)} organizations, ${way}`);
      const [target] = way === 'direct' ? alone : shards;
      const installation = await installOn(target as ConnectionTarget, { ...located[way], ...secret });
      installations.push(installation);
      services[way] = { url: await prepare(installation), requests: await ordersOf(installation) };
    }
    const load = async (way: 'direct' | 'sharded', organizations: number, forSeconds: number) => {
      const { url, requests } = services[way] as (typeof services)[string];
      const chosen = requests.slice(0, organizations);
      const result = await runLoad(url, { requests: chosen, connections: CONNECTIONS, seconds: forSeconds });
      failed += result.failed + result.conflicts;
      return result.perSecond;
    };
    for (const organizations of ORDERING) {
      const rates = { direct: [] as number[], sharded: [] as number[] };
      for (let repeat = 0; repeat <= repeats; repeat += 1)
        for (const way of ['direct', 'sharded'] as const) {
          say(`${organizations} organizations, ${repeat === 0 ? 'warming up' : `run ${repeat} of ${repeats}`}: ${way}`);
          const rate = await load(way, organizations, repeat === 0 ? WARM_UP_SECONDS : seconds);
          if (repeat > 0) rates[way].push(rate);
        }
      const [direct, sharded] = [spreadOf(rates.direct), spreadOf(rates.sharded)];
      const ratio = sharded.median / direct.median;
      comparisons.push({ organizations, direct, sharded, ratio, isMet: ratio >= LEAST_RATIO });
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
    ({ organizations, direct, sharded, ratio, isMet }) =>
      `${organizations} ordering: ${number(direct.median)} /s directly, ${number(sharded.median)} /s behind PgDog, ratio ${ratio.toFixed(2)} (goal ≥ ${LEAST_RATIO}, ${isMet ? 'met' : 'not met'})`,
  );
  return `${describe(machine)}

Orders of two gifts, ${CONNECTIONS} connections, one server directly and two servers behind PgDog, by the number of organizations:

${rows.join('\n')}
Other answers: ${number(failed)}

The ledgers ${ledgersHold ? 'hold' : 'do NOT hold'} after all that.
`;
}
