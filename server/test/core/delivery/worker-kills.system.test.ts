import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { randomFrom } from '../../../../reliability/faults/random.ts';
import { createApiClient, gift } from '../../harness/api-client.ts';
import { type MailServer, startMailServer } from '../../harness/mail-server.ts';
import { bestow, fundLive, type RunningProcess, temporaryDirectory, until } from '../../harness/server-process.ts';

// Kills real worker processes while they send to a real SMTP server.

const KILLS = 10;
const LONGEST_LIFE_MS = 350;
const GIFTS_PER_ORDER = 10;
/** The mail server's delay per message, so that a kill interrupts many messages. */
const MESSAGE_TAKES_MS = 40;
const SECRET = 'a link secret that two processes share';

interface Installation {
  mail: MailServer;
  sql: Client;
  /** Orders live email gifts. */
  order(gifts: number): Promise<void>;
  startWorker(): Promise<RunningProcess>;
  countDeliveries(state: string): Promise<number>;
}

/** A server without workers. */
async function install(t: TestContext): Promise<Installation> {
  const dataDir = await temporaryDirectory(t);
  const variables = { LOG_LEVEL: 'silent', LINK_SECRET: SECRET };
  const server = bestow(['serve', '--no-worker'], { ...variables, DATA_DIR: dataDir, PORT: '0' });
  const panel = await server.ready();
  await fundLive(dataDir);
  const mail = await startMailServer();
  mail.answer(() => ({ after: sleep(MESSAGE_TAKES_MS) }));
  const databaseUrl = `postgres://bestow@${encodeURIComponent(join(dataDir, 'postgres'))}/bestow`;
  const sql = new Client(databaseUrl);
  // The database is dropped after the test.
  sql.on('error', () => undefined);
  await sql.connect();
  t.after(async () => {
    await sql.end().catch(() => undefined);
    await mail.close();
  });
  const api = createApiClient(panel.address, panel.liveKey);
  let ordered = 0;
  return {
    mail,
    sql,
    async order(gifts) {
      for (let n = 0; n < gifts; n += GIFTS_PER_ORDER) {
        const order = Array.from({ length: GIFTS_PER_ORDER }, () => {
          ordered += 1;
          return gift({ amount: 1000, delivery: { method: 'email', email: `person-${ordered}@example.com` } });
        });
        assert.equal((await api.order(order)).status, 201);
      }
    },
    async startWorker() {
      const worker = bestow(['worker'], {
        ...variables,
        DATABASE_URL: databaseUrl,
        PUBLIC_URL: panel.address,
        SMTP_URL: mail.url,
        MAIL_FROM: 'gifts@bestow.example',
        // Identifies the process, to kill it after a failed test.
        DATA_DIR: dataDir,
      });
      await until(() => worker.stdout().includes('Stop it with Ctrl-C.\n'), 'the worker is ready');
      return worker;
    },
    async countDeliveries(state) {
      const { rows } = await sql.query<{ count: string }>('select count(*) from deliveries where state = $1', [state]);
      return Number(rows[0]?.count);
    },
  };
}

test('ten killed workers lose no message and change no reference', async (t) => {
  const seed = Number(process.env['TEST_SEED'] ?? randomInt(2 ** 31));
  t.diagnostic(`TEST_SEED=${seed}`);
  const random = randomFrom(seed);
  const { mail, sql, order, startWorker, countDeliveries } = await install(t);
  for (let kill = 0; kill < KILLS; kill += 1) {
    await order(500 / KILLS);
    const worker = await startWorker();
    // A busy machine needs longer to send the first message.
    const longestMs = mail.received.length > 0 ? LONGEST_LIFE_MS : LONGEST_LIFE_MS * 1.5 ** kill;
    await sleep(Math.round(random() * longestMs));
    worker.signal('SIGKILL');
    await worker.ended;
  }
  const sentBefore = mail.received.length;
  assert.ok(sentBefore > 0 && sentBefore < 500, `${sentBefore} had arrived when the last one was killed`);

  // Two new workers take over the jobs after ten seconds without a heartbeat.
  const workers = [await startWorker(), await startWorker()];
  await until(async () => (await countDeliveries('pending')) === 0, 'all are sent');
  for (const worker of workers) worker.signal('SIGTERM');
  for (const worker of workers)
    assert.deepEqual(await worker.ended.then(({ code, stderr }) => ({ code, stderr })), { code: 0, stderr: '' });

  const identities = new Map<string, string[]>();
  for (const { to, messageId } of mail.received)
    identities.set(to[0] ?? '', [...(identities.get(to[0] ?? '') ?? []), messageId]);
  assert.equal(identities.size, 500);
  for (const [recipient, ids] of identities) {
    assert.equal(new Set(ids).size, 1, recipient);
    assert.ok(ids.length <= 1 + KILLS, `${recipient}: ${ids.length} copies`);
  }
  assert.equal(new Set([...identities.values()].map(([id]) => id)).size, 500);
  assert.equal(await countDeliveries('sent'), 500);
  const { rows } = await sql.query(`select 1 from pgboss.job where name = 'send-email' and state <> 'completed'`);
  assert.deepEqual(rows, []);
  t.diagnostic(`${mail.received.length - 500} copies of ${mail.received.length} messages`);
});

test('a stopped worker finishes its messages; none is lost or sent twice', async (t) => {
  const { mail, order, startWorker, countDeliveries } = await install(t);
  await order(200);
  const first = await startWorker();
  await until(() => mail.received.length >= 20, 'some are sent');
  first.signal('SIGTERM');
  const { code, stderr } = await first.ended;
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  assert.ok(mail.received.length < 200, 'it stopped midway');
  assert.equal(await countDeliveries('sent'), mail.received.length);
  const second = await startWorker();
  await until(async () => (await countDeliveries('pending')) === 0, 'the rest');
  second.signal('SIGTERM');
  await second.ended;
  assert.equal(mail.received.length, 200);
  assert.equal(new Set(mail.received.map(({ messageId }) => messageId)).size, 200);
});
