import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { childrenOf, HUNG_AFTER_MS, until } from '../../server/test/harness/server-process.ts';
import { isOf } from '../checker/read-record.ts';
import type { Recorder } from '../record/recorder.ts';
import type { Fault } from './fault.ts';
import { type Installation, openInstallation } from './installation.ts';
import { failuresOfProbe, loadFault } from './load-fault.ts';
import { probeOrder } from './probe-order.ts';
import { pick, splitRandom } from './random.ts';

const KNOWN_WITHIN_MS = 5_000;
const PROBES_APART_MS = 30;

/** Only the fourth sends probes, so that no other order of it is pending. */
const FOUR_ORGANIZATIONS = [
  { environments: ['live', 'sandbox'] },
  { environments: ['live', 'sandbox'], resets: true },
  { environments: ['live', 'sandbox'] },
  { environments: ['live', 'sandbox'] },
] as const;

export const killServer = loadFault({
  name: 'kill-server',
  summary: 'SIGKILL of the server: a retry with the same key returns or places the order within 5 s of the restart.',
  fullCount: 100,
  shortCount: 10,
  options: { organizations: FOUR_ORGANIZATIONS },
  async start(installation, { random, isQuick = false }) {
    let server = await installation.startServer();
    const urls = [server.url];
    const probed = installation.organizations.filter(({ number }) => number === FOUR_ORGANIZATIONS.length);
    const organizations = installation.organizations.filter((organization) => !probed.includes(organization));
    return {
      load: { urls, organizations },
      url: () => server.url,
      async inject() {
        const probes = probed.map(async (organization, index) => {
          const own = splitRandom(random);
          await sleep(index * PROBES_APART_MS * own());
          return await probeOrder(installation, { urls, organization, random: own });
        });
        await sleep(PROBES_APART_MS * random());
        server.signal('SIGKILL');
        installation.recorder.crash();
        await server.ended;
        server = await installation.startServer({ port: server.port });
        const readyAtMs = performance.now();
        const known = await Promise.all(probes);
        const recoveryMs = Math.max(...known.map(({ knownAtMs }) => knownAtMs)) - readyAtMs;
        const failures = known.flatMap(({ outcome }) => failuresOfProbe(outcome));
        if (recoveryMs > KNOWN_WITHIN_MS && !isQuick)
          failures.push(`the last order was known ${Math.round(recoveryMs)} ms after the restart.`);
        return { recoveryMs, failures };
      },
    };
  },
});

export const killOneOfTwo = loadFault({
  name: 'kill-one-of-two',
  summary: 'Two servers, one killed and restarted in turn: clients that retry see every order placed exactly once.',
  fullCount: 30,
  shortCount: 6,
  async start(installation, { random }) {
    const servers = await Promise.all([installation.startServer(), installation.startServer()]);
    const urls = servers.map(({ url }) => url);
    const organization = pick(() => 0, installation.organizations);
    return {
      load: { urls },
      url: () => urls[0] ?? '',
      async inject(number) {
        const index = (number % 2) as 0 | 1;
        const killedAtMs = performance.now();
        servers[index].signal('SIGKILL');
        installation.recorder.crash();
        const probe = probeOrder(installation, { urls, organization, random });
        await servers[index].ended;
        servers[index] = await installation.startServer({ port: servers[index].port });
        const { knownAtMs, outcome } = await probe;
        return { recoveryMs: knownAtMs - killedAtMs, failures: failuresOfProbe(outcome) };
      },
      finish: (result) => void result.failures.push(...neverKnown(installation.recorder)),
    };
  },
});

export const killAnyProcess = loadFault({
  name: 'kill-any-process',
  summary: 'One server of two processes, of which one or the first is killed: every order is placed exactly once.',
  fullCount: 30,
  shortCount: 6,
  async start(installation, { random }) {
    const startServer = (port?: number) =>
      installation.startServer({ variables: { PROCESSES: '2' }, ...(port === undefined ? {} : { port }) });
    let server = await startServer();
    const urls = [server.url];
    const organization = pick(() => 0, installation.organizations);
    return {
      load: { urls },
      url: () => server.url,
      async inject() {
        const first = server.child.pid ?? 0;
        const killed = pick(random, [first, ...childrenOf(server)]);
        const killedAtMs = performance.now();
        process.kill(killed, 'SIGKILL');
        installation.recorder.crash();
        const probe = probeOrder(installation, { urls, organization, random });
        if (killed === first) {
          await server.ended;
          server = await startServer(server.port);
        } else await until(() => childrenOf(server).filter((pid) => pid !== killed).length === 2, 'it is replaced');
        const { knownAtMs, outcome } = await probe;
        return { recoveryMs: knownAtMs - killedAtMs, failures: failuresOfProbe(outcome) };
      },
      finish: (result) => void result.failures.push(...neverKnown(installation.recorder)),
    };
  },
});

/** Returns the keys whose client gave up without knowing whether its order exists. */
function neverKnown({ calls }: Recorder): string[] {
  const placements = calls.filter((call) => isOf(call, 'placeOrder'));
  const byKey = Map.groupBy(placements, ({ organizationId, idempotencyKey }) => `${organizationId} ${idempotencyKey}`);
  return [...byKey].flatMap(([key, attempts]) =>
    attempts.at(-1)?.outcome.kind === 'unknown' ? [`The outcome of ${key} was never known.`] : [],
  );
}

const ENDS_WITHIN_MS = 10_000;
/** For clients to read the last answers. */
const ANSWERS_READ_MS = 300;

export const stopServer = loadFault({
  name: 'stop-server',
  summary: 'SIGTERM under load: the server answers the requests that it has begun and ends within 10 s.',
  fullCount: 30,
  shortCount: 6,
  async start(installation, { isQuick = false }) {
    let server = await installation.startServer();
    return {
      load: { urls: [server.url], clients: 16, perSecond: 150 },
      url: () => server.url,
      // Clients that met no server come back after a second.
      betweenMs: { least: 1_500, most: 3_000 },
      async inject() {
        const stoppedAtMs = performance.now();
        server.signal('SIGTERM');
        const { code, signal, stderr } = await server.ended;
        const recoveryMs = performance.now() - stoppedAtMs;
        const failures: string[] = [];
        if (code !== 0) failures.push(`it ended with ${code ?? signal}: ${stderr}`);
        if (recoveryMs > ENDS_WITHIN_MS && !isQuick) failures.push(`it took ${Math.round(recoveryMs)} ms to end.`);
        await sleep(ANSWERS_READ_MS);
        failures.push(...(await unansweredRequests(installation)));
        server = await installation.startServer({ port: server.port });
        return { recoveryMs, failures };
      },
      async finish({ failures }) {
        server.signal('SIGTERM');
        await server.ended;
        failures.push(...(await unansweredOrders(installation)));
      },
    };
  },
});

/** Finds orders that exist although no attempt was answered with 201. */
async function unansweredOrders({ recorder, sql }: Installation): Promise<string[]> {
  const placements = recorder.calls.filter((call) => isOf(call, 'placeOrder', 'replay'));
  const isPlaced = ({ outcome }: (typeof placements)[number]) => outcome.kind === 'ok' && outcome.status === 201;
  const placed = new Set(placements.filter(isPlaced).map(({ idempotencyKey }) => idempotencyKey));
  const lost = [...new Set(placements.map(({ idempotencyKey }) => idempotencyKey))].filter((key) => !placed.has(key));
  const rows = await sql<{ idempotency_key: string }>(
    'select idempotency_key from orders where idempotency_key = any($1)',
    [lost],
  );
  return rows.map(({ idempotency_key }) => `Order ${idempotency_key} exists and was not answered.`);
}

/** Compares the server's request log with the answers: a request in the log must have one. */
async function unansweredRequests({ recorder, sql }: Installation): Promise<string[]> {
  const [row] = await sql<{ count: number }>('select count(*)::integer as count from request_log');
  const answers = recorder.calls.filter(
    (call) => call.outcome.kind !== 'unknown' && !isOf(call, 'fund', 'openPage', 'pressOpen', 'pressClaim', 'health'),
  ).length;
  const logged = row?.count ?? 0;
  return logged > answers ? [`the server logged ${logged} requests, and ${answers} were answered.`] : [];
}

export const killPostgres = loadFault({
  name: 'kill-postgres',
  summary: 'SIGKILL of PostgreSQL or of one backend: the server stays up; orders again within 5 s of the database.',
  fullCount: 30,
  shortCount: 6,
  async start(installation, { random, isQuick = false }) {
    const server = await installation.startServer();
    const organization = pick(() => 0, installation.organizations);
    return {
      load: { urls: [server.url] },
      url: () => server.url,
      async inject() {
        const back = await killDatabase(installation, random);
        installation.recorder.crash();
        const probe = probeOrder(installation, { urls: [server.url], organization, random });
        await back();
        const backAtMs = performance.now();
        const { knownAtMs, outcome } = await probe;
        const recoveryMs = Math.max(0, knownAtMs - backAtMs);
        const failures = failuresOfProbe(outcome);
        const { exitCode, signalCode } = server.child;
        if (exitCode !== null || signalCode !== null) failures.push('the server ended.');
        if (recoveryMs > KNOWN_WITHIN_MS && !isQuick)
          failures.push(`an order was placed only ${Math.round(recoveryMs)} ms after PostgreSQL was back.`);
        return { recoveryMs, failures };
      },
    };
  },
});

/** Kills PostgreSQL or one of its backends. @returns waits until it is back */
export async function killDatabase(installation: Installation, random: () => number): Promise<() => Promise<void>> {
  const startedBefore = await startTime(installation);
  const pid = await (random() < 0.5 ? postmasterPid(installation) : backendPid(installation, random));
  process.kill(pid, 'SIGKILL');
  return async () => {
    const untilMs = performance.now() + HUNG_AFTER_MS;
    while ((await startTime(installation).catch(() => startedBefore)) === startedBefore) {
      if (performance.now() > untilMs) throw new Error('PostgreSQL hung and was not back within two minutes.');
      await sleep(10);
    }
  };
}

/** The first process of the embedded PostgreSQL. */
export const postmasterPid = async ({ dataDir }: Installation) =>
  Number.parseInt(await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10);

/** Returns a backend of the server; PostgreSQL restarts all backends when one dies. */
async function backendPid(installation: Installation, random: () => number): Promise<number> {
  const rows = await installation.sql<{ pid: number }>(
    `select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() order by pid`,
  );
  return rows.length === 0 ? await postmasterPid(installation) : pick(random, rows).pid;
}

/** Returns when the checkpointer started: each crash starts a new one. */
async function startTime({ sql }: Installation): Promise<string> {
  const [row] = await sql<{ at: string }>(
    `select backend_start::text as at from pg_stat_activity where backend_type = 'checkpointer'`,
  );
  return row?.at ?? '';
}

const LOSE_DEBITS = `
  create function lose_a_debit() returns trigger language plpgsql as $$
  begin
    return case when new.kind = 'order' and get_byte(uuid_send(new.entry_id), 15) % 5 = 0 then null else new end;
  end $$;
  create trigger lose_a_debit before insert on ledger_entries for each row execute function lose_a_debit()`;

export const loseDebits: Fault = {
  name: 'control-lost-debits',
  summary: 'Positive control: one debit in five is lost on purpose, and the checker must report it.',
  fullCount: 1,
  shortCount: 1,
  async run({ random }) {
    const installation = await openInstallation({ random });
    try {
      const server = await installation.startServer();
      await installation.sql(LOSE_DEBITS);
      const load = installation.startLoad({ urls: [server.url], only: ['placeOrder', 'replay'], steers: false });
      await sleep(5_000);
      await load.stop();
      const found = new Set((await installation.check(server.url)).map(({ invariant }) => invariant));
      const missed = (['I1', 'I2'] as const).filter((invariant) => !found.has(invariant));
      const failures = missed.map((invariant) => `Debits were lost, and the checker did not report ${invariant}.`);
      return { count: 1, violations: [], failures, recoveriesMs: [], notes: [`found: ${[...found].join(', ')}`] };
    } finally {
      await installation.close();
    }
  },
};
