import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from './fault.ts';
import { injectUnderLoad } from './inject-under-load.ts';
import { probeOrder } from './probe-order.ts';
import { openRig, type Rig } from './rig.ts';

const RECOVERED_WITHIN_MS = 5_000;
const BACK_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 10;
const MESSAGE_TAKES_MS = 20;

export const killPostgres: Fault = {
  name: 'kill-postgres',
  summary: 'SIGKILL of PostgreSQL or of one backend: the server stays up, and orders again within 5 s of the database.',
  issueCount: 30,
  shortCount: 6,
  async run(context) {
    const { random } = context;
    const rig = await openRig({ random, messageTakesMs: MESSAGE_TAKES_MS });
    try {
      const server = await rig.startServer();
      const [organization] = rig.organizations;
      if (organization === undefined) throw new Error('The rig has no organization.');
      return await injectUnderLoad(rig, context, {
        load: { urls: [server.url] },
        url: () => server.url,
        async inject() {
          const isWhole = random() < 0.5;
          const startedBefore = await startTime(rig);
          const pid = isWhole ? await postmasterPid(rig) : await backendPid(rig, random);
          process.kill(pid, 'SIGKILL');
          rig.recorder.crash();
          const probe = probeOrder(rig, { urls: [server.url], organization, random });
          await until(async () => (await startTime(rig)) !== startedBefore);
          const backAtMs = performance.now();
          const { knownAtMs, outcome } = await probe;
          const recoveryMs = Math.max(0, knownAtMs - backAtMs);
          const failures: string[] = [];
          const { exitCode, signalCode } = server.child;
          if (exitCode !== null || signalCode !== null) failures.push('the server ended.');
          if (outcome.kind !== 'ok') failures.push(`an order came to ${JSON.stringify(outcome)}.`);
          if (recoveryMs > RECOVERED_WITHIN_MS)
            failures.push(`an order was placed only ${Math.round(recoveryMs)} ms after PostgreSQL was back.`);
          return { recoveryMs, failures };
        },
      });
    } finally {
      await rig.close();
    }
  },
};

const postmasterPid = async ({ dataDir }: Rig) =>
  Number.parseInt(await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10);

/** One of the server's: any that dies takes all others with it. */
async function backendPid(rig: Rig, random: () => number): Promise<number> {
  const rows = await rig.sql<{ pid: number }>(
    `select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() order by pid`,
  );
  return rows[Math.floor(random() * rows.length)]?.pid ?? (await postmasterPid(rig));
}

/** When PostgreSQL began to accept connections, after its start or its latest crash. @throws while it does not */
async function startTime(rig: Rig): Promise<string> {
  // A crash of one backend leaves the postmaster's start as it was; the checkpointer is always a new one.
  const [row] = await rig.sql<{ at: string }>(
    `select backend_start::text as at from pg_stat_activity where backend_type = 'checkpointer'`,
  );
  return row?.at ?? '';
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  const untilMs = performance.now() + BACK_WITHIN_MS;
  while (!(await isTrue().catch(() => false))) {
    if (performance.now() > untilMs) throw new Error('PostgreSQL was not back within a minute.');
    await sleep(LOOK_EVERY_MS);
  }
}
