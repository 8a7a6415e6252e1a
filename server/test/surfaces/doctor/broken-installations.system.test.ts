import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { Client } from 'pg';
import { agreeOnSettings } from '../../../src/platform/installation/agree.ts';
import { gift } from '../../harness/api-client.ts';
import { commandEnvironment, runBestow } from '../../harness/command-line.ts';
import { startMailServer } from '../../harness/mail-server.ts';
import { openSender } from '../../harness/message-sender.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { bestow, serve, temporaryDirectory } from '../../harness/server-process.ts';
import { startTestService, testConfig } from '../../harness/test-service.ts';

// What self-hosters ran into: doctor finds each and names it.

const mail = openForFile(() => startMailServer());
const MAIL_FROM = 'gifts@bestow.example';
const service = openForFile(() => startTestService({ SMTP_URL: mail.url, MAIL_FROM }));
const LINK_SECRET = 'the secret of this installation that is long enough';

interface Finding {
  check: string;
  state: string;
  found: string;
  advice: string | null;
}

const settings = (more: Record<string, string> = {}): Record<string, string> => ({
  ...commandEnvironment(service.target),
  LINK_SECRET,
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://gifts.example.com',
  ...more,
});

const databaseUrl = () => settings()['DATABASE_URL'] ?? '';

async function doctor(more: Record<string, string> = {}) {
  const { code, stdout, stderr } = await runBestow(service.target, ['doctor', '--json'], { variables: settings(more) });
  return { code, stderr, findings: (stdout === '' ? [] : JSON.parse(stdout)) as Finding[] };
}

/** @returns what undoes it */
type Break = () => Promise<() => Promise<unknown>>;

const refuseMails: Break = async () => {
  mail.answer(() => ({ code: 550, text: '5.4.5 Daily user sending limit exceeded' }));
  const { live } = await service.organization();
  await live.order([gift({ delivery: { method: 'email', email: 'ada@example.com' } })]);
  const sender = await openSender(service);
  await sender.send();
  return () => sender.close();
};

const sqlThere =
  (does: string, undoes: string): Break =>
  async () => {
    await service.sql(does);
    return () => service.sql(undoes);
  };

const latinDatabase = () => `${service.target.database}_latin`;
const createLatin: Break = async () => {
  const admin = new Client({ ...service.target, database: 'postgres' });
  await admin.connect();
  await admin.query(`create database ${latinDatabase()} template template0 encoding 'LATIN1' locale 'C'`);
  return async () => {
    await admin.query(`drop database ${latinDatabase()}`);
    await admin.end();
  };
};

const broken: [what: string, more: () => Record<string, string>, check: string, names: RegExp, breaks?: Break][] = [
  ['a mail account at its limit', () => ({}), 'refused emails', /every message .* 550 5\.4\.5 Daily/, refuseMails],
  [
    'no PUBLIC_URL',
    () => ({ PUBLIC_URL: '', SMTP_URL: 'smtps://u:p@192.0.2.1', MAIL_FROM }),
    'PUBLIC_URL',
    /localhost/,
  ],
  ['another link secret', () => ({ LINK_SECRET: `${LINK_SECRET} now` }), 'link secret', /settings accept link-secret/],
  ['another currency', () => ({ CURRENCY: 'EUR' }), 'currency', /CURRENCY is EUR, .* in USD/],
  [
    'a lost table of the queue',
    () => ({}),
    'jobs',
    /relation "pgboss\.job" does not exist/,
    sqlThere('alter schema pgboss rename to hidden', 'alter schema hidden rename to pgboss'),
  ],
  [
    'a database that is not in UTF-8',
    () => ({ DATABASE_URL: databaseUrl().replace(service.target.database ?? '', latinDatabase()) }),
    'encoding',
    /LATIN1/,
    createLatin,
  ],
  ['smtp:// on port 465', () => ({ SMTP_URL: 'smtp://127.0.0.9:465', MAIL_FROM }), 'SMTP', /needs smtps:\/\//],
  [
    'a missing certificate',
    () => ({ DATABASE_URL: `${databaseUrl()}?sslrootcert=/missing/root.pem` }),
    'PostgreSQL',
    /names the file \/missing\/root\.pem/,
  ],
  [
    'a lost backup of a database that does not answer',
    () => ({ DATABASE_URL: 'postgres://bestow@127.0.0.9:1/bestow', BACKUP_FILE: '/missing/bestow.dump' }),
    'backup',
    /\/missing\/bestow\.dump is missing/,
  ],
];

for (const [what, more, check, names, breaks] of broken)
  test(`doctor finds ${what}`, async () => {
    await agreeOnSettings(testConfig({ DATABASE_URL: 'postgres://h/d', LINK_SECRET }), [service.target]);
    const repair = await breaks?.();
    const { code, findings } = await doctor(more());
    await repair?.();
    const finding = findings.find((one) => one.check === check) ?? assert.fail(JSON.stringify(findings));
    assert.deepEqual([code, finding.state], [1, 'fault']);
    assert.match(`${finding.found} ${finding.advice}`, names);
  });

for (const [more, sentence] of [
  [{ NODE_ENV: '"production"' }, /NODE_ENV must be set without the quotes/],
  [{ NODE_ENV: 'prod' }, /NODE_ENV must be one of production, development, test/],
  [{ SMTP_URL: 'smtp://app:12/34@host', MAIL_FROM }, /SMTP_URL has a .* percent-encode/],
  [{ CURRENCY: 'JPY' }, /CURRENCY must be a currency with cents/],
] as [Record<string, string>, RegExp][])
  test(`doctor names ${Object.keys(more)[0]}, which no process takes: ${sentence.source}`, async () => {
    const { code, stderr } = await doctor(more);
    assert.equal(code, 1);
    assert.match(stderr, sentence);
  });

test('a lost link-secret stops the start and is found, and the file or a yes repairs it', async (t) => {
  const dataDir = await temporaryDirectory(t);
  // The shell's settings for PostgreSQL are not for the embedded one.
  const variables = { DATA_DIR: dataDir, PORT: '3000', PGSSLMODE: 'require', PGOPTIONS: '-c search_path=nowhere' };
  const start = () => serve(dataDir, { PGSSLMODE: 'require', PGOPTIONS: '-c search_path=nowhere' });
  const first = start();
  await first.ready();
  first.signal('SIGTERM');
  assert.equal((await first.ended).code, 0);
  const file = join(dataDir, 'link-secret');
  const secret = await readFile(file, 'utf8');
  await rm(file);
  const refused =
    /^The file link-secret, which signed the links .* is missing in DATA_DIR\. .*settings accept link-secret/;
  for (const command of ['serve', 'worker']) assert.match((await bestow([command], variables).ended).stderr, refused);
  const { code, stdout } = await bestow(['doctor', '--json'], variables).ended;
  const found = (JSON.parse(stdout) as Finding[]).filter(({ state }) => state === 'fault').map(({ check }) => check);
  assert.deepEqual([code, found.includes('link secret')], [1, true], stdout);
  assert.equal((await bestow(['settings', 'accept', 'link-secret', '--yes'], variables).ended).code, 0);
  const next = start();
  await next.ready();
  next.signal('SIGTERM');
  assert.equal((await next.ended).code, 0);
  assert.notEqual(await readFile(file, 'utf8'), secret);
});
