import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { QueryConfig } from 'pg';
import { systemClock } from '../../../src/platform/base/clock.ts';
import { mostConnections } from '../../../src/platform/database/connections.ts';
import { migrate } from '../../../src/platform/database/migrate.ts';
import { grantService } from '../../../src/platform/database/service-role.ts';
import type { Queryable } from '../../../src/platform/database/statement.ts';
import { SERVICE_USER_NAME } from '../../../src/platform/embedded-postgres/cluster.ts';
import { openDatabase } from '../../../src/platform/installation/open-database.ts';
import { checkDatabase } from '../../../src/surfaces/doctor/check-database.ts';
import { checkWork } from '../../../src/surfaces/doctor/check-work.ts';
import { linkGift } from '../../harness/api-client.ts';
import { commandEnvironment, runBestow } from '../../harness/command-line.ts';
import { startMailServer } from '../../harness/mail-server.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { bestow, temporaryDirectory } from '../../harness/server-process.ts';
import { startTestService, testConfig } from '../../harness/test-service.ts';
import { startTwilioServer } from '../../harness/twilio-server.ts';

const read = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');

interface Finding {
  check: string;
  state: 'ok' | 'warning' | 'fault';
  found: string;
  advice: string | null;
}

const service = openForFile(() => startTestService());

const variables = (more: Record<string, string> = {}): Record<string, string> => ({
  ...commandEnvironment({ ...service.target, user: SERVICE_USER_NAME }),
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
    'NODE_ENV',
    'outbox page',
    'PUBLIC_URL',
    'SMTP_URL',
    'TWILIO_ACCOUNT_SID',
    'PostgreSQL',
    'full_page_writes',
    'max_connections',
    'clock',
    'migrations',
    'privileges',
    'row security',
    'SMTP',
    'Twilio',
    'ledger',
    'processing orders',
    'messages',
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
  assert.match(JSON.parse(stderr).error.message, /faults? found\.$/);
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

test('with the database away, the other checks still run', async () => {
  const DATABASE_URL = 'postgres://user:hidden@127.0.0.1:1/nothing';
  const smtp = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'gifts@bestow.example' };
  const { code, findings } = await doctor({ DATABASE_URL, ...smtp });
  assert.equal(code, 1);
  assert.match(of(findings, 'PostgreSQL').found, /^The database of DATABASE_URL \(127\.0\.0\.1:1\/nothing\)/);
  assert.deepEqual([of(findings, 'PostgreSQL').state, of(findings, 'SMTP').state], ['fault', 'fault']);
  assert.equal(of(findings, 'PUBLIC_URL').state, 'ok');
  const { stdout, stderr } = await runBestow(service.target, ['doctor'], { variables: variables({ DATABASE_URL }) });
  assert.match(stdout, /^PostgreSQL +fault/m);
  assert.match(stderr, /^\d+ checks, faults: \d+, warnings: \d+\.\n/);
});

test('a missing or published LINK_SECRET is a fault, and serve refuses it', async () => {
  const example = /LINK_SECRET: (\S+)$/m.exec(read('deploy/kubernetes/secret.example.yaml'))?.[1] ?? assert.fail();
  const trial = 'for-this-machine-only-change-it-before-use';
  assert.doesNotMatch(read('compose.yaml'), /(?:SECRET|PASSWORD):-[^}]/);
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
  assert.match(stderr, /^LINK_SECRET is a published example, .*openssl rand -hex 32\.\n$/);
});

test('a setting that serve refuses is a fault', async () => {
  const topic = 'arn:aws:sns:eu-west-1:123456789012:email-events';
  const broken = { SES_TOPIC_ARN: topic.slice(0, -13), SENDGRID_WEBHOOK_PUBLIC_KEY: 'MFkwEwYHKoZIzj0CAQYI' };
  for (const [name, value] of Object.entries(broken)) {
    const { code, findings } = await doctor({ [name]: value });
    const { state, found, advice } = of(findings, name);
    assert.deepEqual([code, state, found], [1, 'fault', 'bestow serve does not start with it']);
    const { stderr } = await bestow(['serve'], variables({ [name]: value, PORT: '0' })).ended;
    assert.equal(stderr, `${advice}\n`);
  }
  const { findings } = await doctor({ SES_TOPIC_ARN: topic });
  assert.equal(of(findings, 'SES_TOPIC_ARN').state, 'ok');
});

test('a check that throws is a line, and the others still run', async () => {
  await service.sql('alter schema pgboss rename to hidden');
  const { code, findings } = await doctor();
  await service.sql('alter schema hidden rename to pgboss');
  const { state, found } = of(findings, 'jobs');
  assert.deepEqual([code, state, found], [1, 'fault', 'could not be checked: relation "pgboss.job" does not exist']);
  for (const check of ['migrations', 'ledger', 'demo']) assert.equal(of(findings, check).state, 'ok', check);
});

test('a read-only database is a fault', async () => {
  const setReadOnly = (state: string) =>
    service.sql(`alter database ${service.target.database} set default_transaction_read_only = ${state}`);
  await setReadOnly('on');
  const { code, findings } = await doctor();
  await setReadOnly('off');
  assert.deepEqual([code, of(findings, 'writable').state], [1, 'fault']);
});

test('a demo that is left on a service for others is a fault', async () => {
  assert.equal(of((await doctor()).findings, 'demo').state, 'ok');
  const { organizationUuid } = await service.organization();
  const name = (now: string) =>
    service.sql('update api_keys set name = $2 where organization_id = $1', [organizationUuid, now]);
  await name('Demo live key');
  const { code, findings } = await doctor();
  const { state, found } = of(findings, 'demo');
  assert.deepEqual([code, state, found], [1, 'fault', '2 keys of the first start still work']);
  await name('Kept');
});

test('a user that owns the tables is a warning, a lacking privilege a fault', async () => {
  const owner = of((await doctor(commandEnvironment(service.target))).findings, 'privileges');
  assert.deepEqual([owner.state, owner.advice?.includes('least-privilege')], ['warning', true]);
  await service.sql(`revoke insert on gifts from ${SERVICE_USER_NAME}`);
  const lacking = of((await doctor()).findings, 'privileges');
  await service.sql(`grant insert on gifts to ${SERVICE_USER_NAME}`);
  assert.deepEqual([lacking.state, lacking.found], ['fault', `${SERVICE_USER_NAME} lacks 1`]);
});

test('row security that is off is a warning, and a migration turns it on', async () => {
  const found = async () => {
    const { state, found: text } = of((await doctor()).findings, 'row security');
    return [state, text];
  };
  const faults = {
    'alter table gifts add column later text': 'off for gifts',
    'drop view limited.orders': 'off for orders',
    'alter table gifts disable row level security': 'on, but not yet for SQL that names the tables’ schema',
  };
  for (const [fault, text] of Object.entries(faults)) {
    await service.sql(fault);
    assert.deepEqual(await found(), ['warning', text]);
    assert.deepEqual(await migrate(service.target), []);
    assert.deepEqual(await found(), ['ok', 'on']);
  }
  await grantService(service.target, SERVICE_USER_NAME);
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
  const production = { NODE_ENV: 'production', ALLOW_SIMULATED_LIVE: '1' };
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
  const perServer = mostConnections(testConfig().orderBatch);
  assert.ok(read('docs/operating.md').includes(`Each process of a server may take ${perServer} connections`));
  const withConnections = async (max_connections: number, variables = {}) => {
    const query = async (asked: QueryConfig) => {
      const { rows } = await database.read.query(asked);
      return { rows: rows.map((row) => ({ ...row, max_connections })) };
    };
    const config = testConfig(variables);
    return of(await checkDatabase(config, { query } as Queryable, systemClock), 'max_connections');
  };
  assert.equal((await withConnections(2 * perServer + 3)).state, 'ok');
  assert.equal((await withConnections(4 * perServer + 2, { PROCESSES: '2' })).state, 'warning');
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

test('prints each finding with what to do, also for the embedded PostgreSQL', async (t) => {
  const dataDir = await temporaryDirectory(t);
  const unmigrated = await openDatabase({ databaseUrls: [], dataDir }, 'command', undefined, { migrates: false });
  await unmigrated.close();
  const { code, stdout } = await bestow(['doctor'], { DATA_DIR: dataDir }).ended;
  assert.equal(code, 1);
  assert.match(stdout, /^migrations +fault +\d+ of \d+ missing\n +Run: bestow migrate/m);
});
