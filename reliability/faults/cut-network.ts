import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createApiClient, linkGift } from '../../server/test/harness/api-client.ts';
import { programPath } from '../../server/test/harness/debian-programs.ts';
import { createPostgresServer, runAlone } from '../../server/test/harness/postgres-server.ts';
import { until } from '../../server/test/harness/server-process.ts';
import type { Fault, FaultContext, FaultResult } from './fault.ts';
import { installOn, orderAlways } from './ordering.ts';

const NAME = 'cut-network';
const RUN_FAULTS = fileURLToPath(new URL('../run-faults.ts', import.meta.url));
/** Set in the process that has a network of its own. */
const INSIDE = 'FAULT_IN_OWN_NETWORK';
const PORT = 5_432;
const SESSIONS = `select from pg_stat_activity where application_name like 'bestow%'`;
const UNDER_LOAD_MS = 3_000;
/** How long packets vanish, by turns. PostgreSQL ends a session without a client within a minute. */
const CUTS_SECONDS = [5, 30, 90];
const SESSIONS_END_WITHIN_SECONDS = 90;
const run = promisify(execFile);

export const cutNetwork: Fault = {
  name: NAME,
  summary:
    'packets between the service and PostgreSQL vanish for 5, 30 or 90 seconds, under load, in a network of its own: no order is lost or doubled, and no half-open session is left.',
  fullCount: 6,
  shortCount: 1,
  needsRoot: true,
  async run(context: FaultContext): Promise<FaultResult> {
    return process.env[INSIDE] === undefined ? await runInOwnNetwork(context) : await cut(context);
  },
};

/** Runs this fault again as a program that sees only a loopback of its own. */
async function runInOwnNetwork({ count, random, say }: FaultContext): Promise<FaultResult> {
  const seed = Math.floor(random() * 2 ** 31);
  const faults = [RUN_FAULTS, '--only', NAME, '--count', `${count}`, '--seed', `${seed}`, '--json'];
  const inside = ['--net', 'sh', '-c', 'ip link set lo up && exec "$0" "$@"', process.execPath, ...faults];
  const child = spawn('unshare', inside, { env: { ...process.env, [INSIDE]: '1' }, stdio: ['ignore', 'pipe', 2] });
  let printed = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  await once(child, 'close');
  say('the network of its own is gone');
  const [ran] = JSON.parse(printed).faults;
  if (ran.error !== undefined) throw new Error(ran.error);
  return ran.result;
}

/** Lets packets to and from the port vanish until the returned function is called. */
async function dropPackets(port: number): Promise<() => Promise<void>> {
  await run('nft', ['add table inet cut; add chain inet cut packets { type filter hook output priority 0; }']);
  await run('nft', [
    `add rule inet cut packets tcp dport ${port} drop; add rule inet cut packets tcp sport ${port} drop`,
  ]);
  return async () => void (await run('nft', ['delete table inet cut']));
}

async function startPostgres(port: number) {
  const directory = await mkdtemp(join(tmpdir(), 'bestow-cut-'));
  const settings = ['listen_addresses=127.0.0.1', `port=${port}`, 'max_connections=80'];
  const server = await createPostgresServer(dirname(programPath('pg_dump')), directory, settings);
  server.start();
  /** By its socket, which no rule of the network reaches. */
  const query = (text: string) => runAlone({ host: directory, port, user: 'bestow', database: 'postgres' }, text);
  await until(async () => (await query('select').catch(() => [])).length > 0, 'PostgreSQL answers');
  return {
    query,
    async close() {
      await server.stop('SIGQUIT');
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function cut(context: FaultContext): Promise<FaultResult> {
  const directory = await mkdtemp(join(tmpdir(), 'bestow-cut-service-'));
  const postgres = await startPostgres(PORT);
  try {
    const service = await installOn(`postgres://bestow@127.0.0.1:${PORT}/postgres`, directory);
    const result = await cutUnderLoad(postgres, service, context).finally(service.close);
    await until(async () => (await postgres.query(SESSIONS)).length === 0, 'no session of the stopped service is left');
    return result;
  } finally {
    await postgres.close();
    await rm(directory, { recursive: true, force: true });
  }
}

async function cutUnderLoad(
  postgres: Awaited<ReturnType<typeof startPostgres>>,
  { url, key, run: command }: Awaited<ReturnType<typeof installOn>>,
  { count, say }: FaultContext,
): Promise<FaultResult> {
  const result: FaultResult = { count, violations: [], failures: [], recoveriesMs: [], notes: [] };
  const live = createApiClient(url, key);
  const sessions = async () => (await postgres.query(SESSIONS)).length;
  const orders = orderAlways(url, key);
  for (let number = 1; number <= count; number += 1) {
    const fail = (text: string) => void result.failures.push(`Number ${number}: ${text}`);
    await sleep(UNDER_LOAD_MS);
    const earlier = await sessions();
    const seconds = CUTS_SECONDS[(number - 1) % CUTS_SECONDS.length] ?? 0;
    const heal = await dropPackets(PORT);
    await sleep(seconds * 1_000);
    const ready = await fetch(`${url}/readyz`);
    if (ready.status !== 503) fail(`readyz answered ${ready.status} without a database.`);
    const halfOpen = await sessions();
    if (seconds >= SESSIONS_END_WITHIN_SECONDS && halfOpen > 0) fail(`${halfOpen} half-open sessions are left.`);
    await heal();
    const healedAtMs = performance.now();
    await until(async () => (await live.order([linkGift()])).status === 201, 'orders are placed again');
    result.recoveriesMs.push(performance.now() - healedAtMs);
    result.notes.push(`cut of ${seconds} s: sessions ${earlier}, at its end ${halfOpen}`);
    say(`${number} of ${count}, ${result.failures.length} broken promises`);
  }
  await sleep(UNDER_LOAD_MS);
  await orders.stop();
  const rows = await postgres.query('select idempotency_key as key from orders');
  const placed = Map.groupBy(rows, ({ key: own }) => String(own));
  const lost = [...orders.answered.keys()].filter((own) => !placed.has(own));
  if (lost.length > 0) result.failures.push(`${lost.length} orders are lost.`);
  if ([...placed.values()].some((same) => same.length > 1)) result.failures.push('An order was placed twice.');
  result.notes.push(`${orders.answered.size} orders answered, ${orders.refused()} refused, ${lost.length} lost`);
  for (const chain of ['ledger', 'audit']) {
    const { code, stdout } = await command(chain, 'verify');
    if (code !== 0) result.failures.push(`bestow ${chain} verify: ${stdout}`);
  }
  return result;
}
