import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { QueryConfig } from 'pg';
import { systemClock } from '../../src/base/clock.ts';
import { JOB_CONNECTIONS, SIGN_IN_CONNECTIONS } from '../../src/database/connections.ts';
import type { Queryable } from '../../src/database/statement.ts';
import { checkDatabase } from '../../src/doctor/check-database.ts';
import { checkWork } from '../../src/doctor/check-work.ts';
import { openDatabase } from '../../src/process/open-database.ts';
import { linkGift } from '../harness/api-client.ts';
import { commandEnvironment, runBestow } from '../harness/command-line.ts';
import { startMailServer } from '../harness/mail-server.ts';
import { openForFile } from '../harness/open-for-file.ts';
import { startRedis } from '../harness/redis.ts';
import { bestow, temporaryDirectory } from '../harness/server-process.ts';
import { startTestService, testConfig } from '../harness/test-service.ts';
import { startTwilioServer } from '../harness/twilio-server.ts';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

interface Finding {
  check: string;
  state: 'ok' | 'warning' | 'fault';
  found: string;
  advice: string | null;
}

const service = openForFile(() => startTestService());

const variables = (more: Record<string, string> = {}): Record<string, string> => ({
  ...commandEnvironment(service.target),
  LINK_SECRET: 'a secret of thirty-two characters',
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://gifts.example.com',
  ...more,
});

async function doctor(more?: Record<string, string>) {
  const options = { variables: variables(more) };
  const { code, stdout, stderr } = await runBestow(service.target, ['doctor', '--json'], options);
  return { code, stderr, findings: JSON.parse(stdout) as Finding[] };
}

const of = (findings: Finding[], check: string) =>
  findings.find((finding) => finding.check === check) ?? assert.fail(check);

test('every check of a healthy service is ok, and nothing is sent', async (t) => {
  const [mail, twilio] = [await startMailServer(), await startTwilioServer()];
  t.after(() => Promise.all([mail.close(), twilio.close()]));
  const { sandbox } = await service.organization();
  await sandbox.order([linkGift()]);
  const { findings } = await doctor({
    SMTP_URL: mail.url,
    MAIL_FROM: 'gifts@bestow.example',
    TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
    TWILIO_AUTH_TOKEN: 'token',
    TWILIO_FROM: '+12025550100',
    TWILIO_BASE_URL: twilio.url,
  });
  const checks = [
    ...['NODE_ENV', 'outbox page', 'PUBLIC_URL', 'SMTP_URL', 'TWILIO_ACCOUNT_SID', 'PostgreSQL', 'full_page_writes'],
    ...['max_connections', 'clock', 'migrations', 'SMTP', 'Twilio', 'ledger', 'processing orders', 'messages'],
  ];
  for (const check of checks) {
    const { state, advice } = of(findings, check);
    assert.deepEqual({ check, state, advice }, { check, state: 'ok', advice: null });
  }
  assert.deepEqual(
    [mail.received.length, twilio.requests.map(({ path }) => path)],
    [0, [`GET /2010-04-01/Accounts/AC${'0'.repeat(32)}.json`]],
  );
});

test('faults have advice, and the command fails', async () => {
  const { sandbox, organizationUuid } = await service.organization();
  await sandbox.order([linkGift()]);
  const addCents = (cents: number) =>
    service.sql('update balances set balance_cents = balance_cents + $2 where organization_id = $1', [
      organizationUuid,
      cents,
    ]);
  await addCents(1);
  const { code, stderr, findings } = await doctor({
    PUBLIC_URL: 'http://gifts.example.com',
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'gifts@bestow.example',
  });
  assert.equal(code, 1);
  assert.match(stderr, /faults? found\.\n$/);
  assert.equal(of(findings, 'ledger').state, 'fault');
  assert.match(of(findings, 'ledger').advice ?? '', /bestow ledger verify/);
  assert.equal(of(findings, 'SMTP').state, 'fault');
  assert.match(of(findings, 'SMTP').found, /^127\.0\.0\.1:9: .*ECONNREFUSED/);
  assert.deepEqual(
    [of(findings, 'PUBLIC_URL').state, of(findings, 'TWILIO_ACCOUNT_SID').state],
    ['warning', 'warning'],
  );
  await addCents(-1);
});

test('a missing or published LINK_SECRET is a fault, and serve refuses it', async () => {
  const example = /LINK_SECRET: (\S+)$/m.exec(read('deploy/kubernetes/secret.example.yaml'))?.[1] ?? assert.fail();
  const trial = /LINK_SECRET:-([^}]+)\}/.exec(read('compose.yaml'))?.[1] ?? assert.fail();
  const state = async (secret: string) => {
    const { state: result, found } = of((await doctor({ LINK_SECRET: secret })).findings, 'LINK_SECRET');
    return [result, found];
  };
  assert.deepEqual(await state(''), ['fault', 'not set']);
  for (const secret of [example, trial, `a new secret of thirty-two characters,${trial}`])
    assert.deepEqual(await state(secret), ['fault', 'a published example']);
  assert.deepEqual(await state('a secret of thirty-two characters'), ['ok', 'set']);
  const { code, stdout, stderr } = await bestow(['serve'], variables({ LINK_SECRET: example, PORT: '0' })).ended;
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /^LINK_SECRET is the published placeholder, .*openssl rand -hex 32\.\n$/);
});

test('a setting that serve refuses is a fault, an unreachable Redis a warning', async (t) => {
  const redis = await startRedis();
  t.after(() => redis.kill());
  const topic = 'arn:aws:sns:eu-west-1:123456789012:email-events';
  const broken = { SES_TOPIC_ARN: topic.slice(0, -13), SENDGRID_WEBHOOK_PUBLIC_KEY: 'MFkwEwYHKoZIzj0CAQYI' };
  for (const [name, value] of Object.entries(broken)) {
    const { code, findings } = await doctor({ [name]: value });
    const { state, found, advice } = of(findings, name);
    assert.deepEqual([code, state, found], [1, 'fault', 'bestow serve does not start with it']);
    const { stderr } = await bestow(['serve'], variables({ [name]: value, PORT: '0' })).ended;
    assert.equal(stderr, `${advice}\n`);
  }
  const { findings } = await doctor({ SES_TOPIC_ARN: topic, REDIS_URL: redis.url });
  assert.deepEqual([of(findings, 'SES_TOPIC_ARN').state, of(findings, 'Redis').state], ['ok', 'ok']);
  await redis.kill();
  const lost = of((await doctor({ REDIS_URL: redis.url })).findings, 'Redis');
  assert.deepEqual([lost.state, /ECONNREFUSED/.test(lost.found)], ['warning', true]);
});

test('a read-only database is a fault', async () => {
  const setReadOnly = (state: string) =>
    service.sql(`alter database ${service.target.database} set default_transaction_read_only = ${state}`);
  await setReadOnly('on');
  const { code, findings } = await doctor();
  await setReadOnly('off');
  assert.deepEqual([code, of(findings, 'writable').state], [1, 'fault']);
});

test('an outbox page beside a mail server is a warning', async () => {
  const mail = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'gifts@bestow.example' };
  const outbox = async (more: Record<string, string>) => of((await doctor(more)).findings, 'outbox page');
  const own = { NODE_ENV: '', PUBLIC_URL: '' };
  const { state, advice } = await outbox({ ...own, ...mail });
  assert.deepEqual([state, advice?.split(':', 1)], ['warning', ['Set NODE_ENV=production']]);
  for (const fine of [own, { ...mail, NODE_ENV: '' }, { ...mail, PUBLIC_URL: '' }])
    assert.equal((await outbox(fine)).state, 'ok', JSON.stringify(fine));
});

test('missing migrations are a fault and not applied; later ones are a warning', async () => {
  const [last] = await service.sql<{ name: string }>('select max(name) as name from schema_migrations');
  await service.sql('delete from schema_migrations where name = $1', [last?.name]);
  const missing = of((await doctor()).findings, 'migrations');
  assert.deepEqual([missing.state, missing.advice], ['fault', 'Run: bestow migrate (serve also does).']);
  assert.deepEqual(await service.sql('select name from schema_migrations where name = $1', [last?.name]), []);
  await service.sql('insert into schema_migrations (name) values ($1), ($2)', [last?.name, '999999_later.sql']);
  assert.equal(of((await doctor()).findings, 'migrations').state, 'warning');
  await service.sql(`delete from schema_migrations where name = '999999_later.sql'`);
});

test('overdue jobs are a fault, except messages without a provider', async (t) => {
  const production = { NODE_ENV: 'production' };
  const idle = await startTestService(production);
  t.after(() => idle.close());
  const { live } = await idle.organization();
  await live.order([{ amount: 1000, category: 'coffee', delivery: { method: 'email', email: 'ada@example.com' } }]);
  // The job of every minute is also due while the clock stands still.
  await idle.sql(`delete from pgboss.job where name <> 'send-email'`);
  const { database } = idle.service.deps;
  const mail = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'gifts@bestow.example' };
  const state = async (settings: Record<string, string>) =>
    of(await checkWork({ config: testConfig(settings), clock: idle.clock, database }), 'jobs').state;
  assert.equal(await state({}), 'ok');
  await idle.clock.jump(6 * 60_000);
  assert.equal(await state({}), 'fault');
  assert.equal(await state({ ...production, ...mail }), 'fault');
  assert.equal(await state(production), 'ok');
});

test('max_connections must be enough for two servers', async () => {
  const { database } = service.service.deps;
  const { pool, placement } = database;
  const pooled = [pool, placement].reduce((sum, { options }) => sum + (options.max ?? 0), 0);
  const perServer = pooled + 1 + JOB_CONNECTIONS + SIGN_IN_CONNECTIONS;
  assert.ok(read('docs/operating.md').includes(`Each server may take ${perServer} connections`));
  const withConnections = async (max_connections: number) => {
    const query = async (asked: QueryConfig) => {
      const { rows } = await database.read.query(asked);
      return { rows: rows.map((row) => ({ ...row, max_connections })) };
    };
    return of(await checkDatabase(testConfig(), { query } as Queryable, systemClock), 'max_connections');
  };
  assert.equal((await withConnections(2 * perServer + 3)).state, 'ok');
  assert.deepEqual(await withConnections(2 * perServer + 2), {
    check: 'max_connections',
    state: 'warning',
    found: `${2 * perServer + 2}, enough for 1 server`,
    advice: `Raise it: each server uses up to ${perServer}, and two run during an upgrade.`,
  });
});

test('a clock that differs from PostgreSQL’s is a warning', async () => {
  const { database } = service.service.deps;
  // Connect first: half of the connection time would count as a clock difference.
  await database.read.query({ text: 'select 1' });
  const ahead = { ...systemClock, now: () => Date.now() + 60_000 };
  const finding = of(await checkDatabase(testConfig(), database.read, ahead), 'clock');
  assert.deepEqual([finding.state, /^(?:59|60)\d{3} ms /.test(finding.found)], ['warning', true]);
  assert.equal(of(await checkDatabase(testConfig(), database.read, systemClock), 'clock').state, 'ok');
});

test('prints a table, also for the embedded PostgreSQL', async (t) => {
  const dataDir = await temporaryDirectory(t);
  const unmigrated = await openDatabase({ databaseUrl: undefined, dataDir }, 'command', undefined, { migrates: false });
  await unmigrated.close();
  const { code, stdout } = await bestow(['doctor'], { DATA_DIR: dataDir }).ended;
  assert.equal(code, 1);
  assert.match(stdout, /^check +state +found +what to do$/m);
  assert.match(stdout, /^migrations +fault +\d+ of \d+ missing +Run: bestow migrate/m);
});
