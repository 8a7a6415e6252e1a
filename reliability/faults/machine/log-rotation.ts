import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { HUNG_AFTER_MS } from '../../../server/test/harness/server-process.ts';
import type { Installation } from '../installation.ts';
import { failuresOfProbe, loadFault } from '../load-fault.ts';
import { probeOrder } from '../probe-order.ts';
import { pick } from '../random.ts';
import { orderTimes, refusals, timesText, watchedText, watchServer } from '../watch-server.ts';

const LOGROTATE = '/usr/sbin/logrotate';
const ROTATES_EVERY_MS = 3_000;
const KEPT_FILES = 5;
/** Two sweeps of the most that a process logs, 200 requests a second, and a request each half day of the month after. */
const DENSE_ROWS = 240_000;
const HALF_DAYS = 46;
const SLOW_ORDER_MS = 2_000;
/** A month that follows takes the space of the one before. */
const MOST_GROWTH = 1.5;

export const logRotation = loadFault({
  name: 'log-rotation',
  summary:
    'A month of the API log is deleted while logrotate copies and truncates the log of the process: orders go on, the table keeps seven days, and each line of the log is whole.',
  fullCount: 3,
  shortCount: 1,
  async start(installation, { random }) {
    if (!existsSync(LOGROTATE)) throw new Error(`${LOGROTATE} is missing; install Debian's package logrotate.`);
    const { recorder, organizations, dataDir } = installation;
    const logs = join(dataDir, 'logs');
    await mkdir(logs);
    const logFile = join(logs, 'bestow.log');
    const server = await installation.startServer({ logFile, variables: { LOG_LEVEL: 'info' } });
    const { url, child } = server;
    const rotate = await createRotation(dataDir, logFile);
    const lasting = organizations.filter(({ resets }) => !resets);
    const notes: string[] = [];
    let firstMb: number | undefined;
    return {
      load: { urls: [url] },
      url: () => url,
      async inject() {
        const added = await addMonth(installation);
        const calls = recorder.calls.length;
        const watch = watchServer(installation, server);
        const beganAtMs = performance.now();
        let rotations = 0;
        let left = added;
        while (left > 0 && performance.now() < beganAtMs + 3 * HUNG_AFTER_MS) {
          await sleep(ROTATES_EVERY_MS);
          await rotate();
          rotations += 1;
          left = await countOld(installation);
        }
        const sizeMb = await tableMb(installation);
        firstMb ??= sizeMb;
        const sweptMs = performance.now() - beganAtMs;
        const watched = await watch.stop();
        const organization = pick(random, lasting);
        const { outcome } = await probeOrder(installation, { urls: [url], organization, random });
        const orders = orderTimes(recorder, calls);
        const lines = await readLines(logs);
        notes.push(
          `${added} rows deleted in ${Math.round(sweptMs / 1_000)} s, ${left} left, the table has ${Math.round(sizeMb)} MB; ${rotations} rotations, ${lines.whole} lines in ${lines.files} files, ${lines.broken} broken`,
          `${timesText('orders', orders)}; ${watchedText(watched)}`,
        );
        const failures = [...failuresOfProbe(outcome), ...new Set(refusals(recorder, calls))];
        if (sizeMb > MOST_GROWTH * firstMb) failures.push(`the table grew from ${firstMb} to ${sizeMb} MB.`);
        if (left > 0) failures.push(`${left} old rows are left.`);
        if ((orders.at(-1) ?? SLOW_ORDER_MS) >= SLOW_ORDER_MS) failures.push(`an order took ${orders.at(-1)} ms.`);
        if (watched.ready < watched.asked) failures.push(`/readyz said ${watched.reasons}.`);
        if (lines.broken > KEPT_FILES) failures.push(`${lines.broken} lines of the log are broken.`);
        if (lines.whole === 0) failures.push('the log is empty.');
        if (lines.files > KEPT_FILES + 1) failures.push(`there are ${lines.files} files of the log.`);
        if (child.exitCode !== null || child.signalCode !== null) failures.push('the server ended.');
        return { recoveryMs: sweptMs, failures };
      },
      finish: (result) => void result.notes.push(...notes),
    };
  },
});

/** @returns rotates the file as docs/monitoring.md says */
async function createRotation(dataDir: string, logFile: string): Promise<() => Promise<void>> {
  const [rules, state] = [join(dataDir, 'logrotate.conf'), join(dataDir, 'logrotate.state')];
  await writeFile(rules, `${logFile} {\n  copytruncate\n  rotate ${KEPT_FILES}\n  su root root\n}\n`, { mode: 0o644 });
  return async () => {
    await promisify(execFile)(LOGROTATE, ['--force', '--state', state, rules]);
  };
}

/** Adds rows that are older than seven days to the API log. @returns how many */
async function addMonth({ sql }: Installation): Promise<number> {
  const rows = await sql<{ count: number }>(
    `with owner as (select organization_id, environment, key_id from api_keys where environment = 'sandbox' limit 1),
     times as (
       select now() - interval '30 days' + n * interval '5 milliseconds' as created_at from generate_series(1, $1::int) n
       union all
       select now() - interval '30 days' + n * interval '12 hours' from generate_series(1, $2::int) n
     ), added as (
       insert into request_log (organization_id, environment, request_id, created_at, method, path, status, key_id, duration_ms, body, answer)
       select organization_id, environment, gen_random_uuid(), created_at, 'POST', '/v1/orders', 201, key_id, 4,
         repeat('b', 300), repeat('a', 700)
       from times, owner
       returning 1
     )
     select count(*)::integer as count from added`,
    [DENSE_ROWS, HALF_DAYS],
  );
  return rows[0]?.count ?? 0;
}

async function countOld({ sql }: Installation): Promise<number> {
  const [row] = await sql<{ count: number }>(
    `select count(*)::integer as count from request_log where created_at < now() - interval '7 days'`,
  );
  return row?.count ?? 0;
}

async function tableMb({ sql }: Installation): Promise<number> {
  const [row] = await sql<{ size: number }>(
    `select (pg_total_relation_size('public.request_log') / 1048576.0)::double precision as size`,
  );
  return row?.size ?? 0;
}

/** Reads all files of the log. A file that is cut while a line is written breaks it. */
async function readLines(logs: string) {
  const files = await readdir(logs);
  let [whole, broken] = [0, 0];
  for (const file of files)
    for (const line of (await readFile(join(logs, file), 'utf8')).split('\n')) {
      if (!line.includes('"level"') && !line.includes('\0')) continue;
      if (isJson(line)) whole += 1;
      else broken += 1;
    }
  return { files: files.length, whole, broken };
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
