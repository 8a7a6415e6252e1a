// `node server/test/measure-drain.ts [gifts]`: how fast a worker of its own sends pending emails to a local SMTP server, and
// how much memory it takes (issue 3: 300 a second or more, below 250 MB). Everything runs on this machine and is removed.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { pino } from 'pino';
import { addFunds } from '../src/balances/add-funds.ts';
import { systemClock } from '../src/base/clock.ts';
import { addBuiltInCategories } from '../src/catalog/add-built-in-categories.ts';
import { readConfig } from '../src/config.ts';
import { openDatabase } from '../src/database/open.ts';
import { createKey } from '../src/keys/create-key.ts';
import { createOrganization } from '../src/organizations/create-organization.ts';
import { createService } from '../src/service.ts';
import { createApiClient } from './harness/api-client.ts';

const gifts = Number(process.argv[2] ?? 20_000);
const GIFTS_PER_ORDER = 10;
const LINK_SECRET = 'a link secret for a measurement: long enough';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const residentMb = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

const dataDir = await mkdtemp(join(tmpdir(), 'bestow-drain-'));
const opened = await openDatabase({ databaseUrl: undefined, dataDir }, 'server');
const config = readConfig({ PORT: '0', RATE_LIMIT_PER_SECOND: '100000', RATE_LIMIT_BURST: '100000' });
const log = pino({ level: 'silent' });
const service = await createService(
  config,
  { target: opened.target, clock: systemClock, log, linkSecrets: [LINK_SECRET] },
  { works: false },
);
const sink = spawn(process.execPath, [path('./harness/smtp-sink.ts')], { stdio: ['ignore', 'pipe', 'inherit'] });
const sql = new Client(opened.target);
try {
  const url = await service.listen();
  await addBuiltInCategories(service.deps);
  const { organization_id: organizationId } = await createOrganization(service.deps, {
    name: 'Measured Organization',
    adminEmail: 'admin@example.com',
  });
  const { key } = await createKey(service.deps, { organizationId, environment: 'live', name: 'drain' });
  await addFunds(service.deps, {
    organizationId,
    environment: 'live',
    amountCents: gifts * 1_000,
    reference: undefined,
    note: undefined,
  });
  const api = createApiClient(url, key);
  for (let n = 0; n < gifts; n += GIFTS_PER_ORDER) {
    const order = Array.from({ length: GIFTS_PER_ORDER }, (_, i) => ({
      amount: 1_000,
      category: 'coffee',
      delivery: { method: 'email', email: `person-${n + i}@company-${n % 7}.example` },
      personalization: { recipient_name: 'Ada Lovelace' },
    }));
    const { status, body } = await api.order(order, randomUUID());
    if (status !== 201) throw new Error(JSON.stringify(body));
  }
  await sql.connect();
  const lines = createInterface({ input: sink.stdout });
  const [port] = (await once(lines, 'line')) as [string];
  let received = 0;
  lines.on('line', () => {
    received += 1;
  });

  const startedAtMs = performance.now();
  const worker = spawn(process.execPath, [path('../bin/bestow.js'), 'worker'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      DATABASE_URL: `postgres://bestow@${encodeURIComponent(join(dataDir, 'postgres'))}/${opened.target.database}`,
      LINK_SECRET,
      PUBLIC_URL: 'https://gifts.example.com',
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      MAIL_FROM: 'gifts@example.com',
      LOG_LEVEL: 'warn',
    },
  });
  let mostMb = 0;
  for (let pending = gifts; pending > 0; ) {
    await sleep(500);
    if (worker.exitCode !== null) throw new Error(`The worker ended with ${worker.exitCode}.`);
    mostMb = Math.max(mostMb, residentMb(worker.pid ?? 0));
    const { rows } = await sql.query<{ pending: string }>(
      "select count(*) as pending from deliveries where state = 'pending'",
    );
    pending = Number(rows[0]?.pending);
    const elapsedSeconds = Math.round((performance.now() - startedAtMs) / 1000);
    process.stdout.write(`${elapsedSeconds} s: ${pending} pending, ${Math.round(residentMb(worker.pid ?? 0))} MB\n`);
  }
  const seconds = (performance.now() - startedAtMs) / 1_000;
  const user = readFileSync(`/proc/${worker.pid}/stat`, 'utf8').split(' ');
  const cpuSeconds = (Number(user[13]) + Number(user[14])) / 100;
  worker.kill('SIGTERM');
  await once(worker, 'exit');
  process.stdout.write(
    `${gifts} messages in ${seconds.toFixed(1)} s, start of the process included: ${Math.round(gifts / seconds)} a second; ` +
      `${received} received; at most ${Math.round(mostMb)} MB; ${cpuSeconds.toFixed(1)} s of processor\n`,
  );
} finally {
  sink.kill();
  await sql.end();
  await service.close();
  await opened.close();
  await rm(dataDir, { recursive: true, force: true });
}
