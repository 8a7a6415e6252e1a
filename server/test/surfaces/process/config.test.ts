import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readConfig } from '../../../src/platform/configuration/config.ts';
import { settingRow, settings } from '../../../src/platform/configuration/settings.ts';
import { linkSecretsOf } from '../../../src/platform/installation/link-secret.ts';

type Name = keyof typeof settings;

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const names = Object.keys(settings) as Name[];
const read = (name: Name, text?: string) => settings[name].parse(text, name);

/** The default of each variable; others have none. */
const defaults: Partial<Record<Name, unknown>> = {
  PORT: 3000,
  HOST: '127.0.0.1',
  METRICS_HOST: '127.0.0.1',
  PROCESSES: Math.max(1, Math.min(Math.floor(availableParallelism() / 2), 8)),
  TRUST_PROXY: [],
  MCP_ORIGINS: [],
  CURRENCY: 'USD',
  DATABASE_SHARDS: [],
  DATA_DIR: join(root, 'data'),
  SERVE_ENVIRONMENTS: ['live', 'sandbox'],
  RATE_LIMIT_PER_SECOND: 1000,
  RATE_LIMIT_BURST: 2000,
  RATE_LIMIT_ADDRESS_PER_SECOND: 1000,
  RATE_LIMIT_ADDRESS_BURST: 2000,
  ORDER_LOCK_WAIT_MS: 1_000,
  ORDER_BATCH: 64,
  RESEND_LIMIT: 5,
  EVENTS_KEPT_DAYS: 90,
  RETENTION_DAYS: 0,
  APPROVAL_ABOVE_CENTS: 0,
  MESSAGES_PER_ORGANIZATION_PER_HOUR: 0,
  TEXTS_PER_NUMBER_PER_DAY: 0,
  VALUE_PER_RECIPIENT_PER_DAY: 0,
  RECIPIENT_REPORT_FROM_CENTS: 0,
  LINK_TTL_DAYS: 30,
  LINK_SECRET: [],
  LINK_SECRET_GIFTS: [],
  LINK_SECRET_CODES: [],
  LINK_SECRET_SESSIONS: [],
  LINK_SECRET_LEDGER: [],
  LEDGER_EARLIER_KEYS: [],
  OPERATOR_PAGE_NETWORKS: [],
  WEBHOOK_ALLOWED_NETWORKS: [],
  DNS_SERVERS: [],
  SANDBOX_MAIL_DOMAIN: 'sandbox.gift.test',
  STRIPE_WEBHOOK_SECRET: [],
  TOPUP_CARD_FEE_BASIS_POINTS: 0,
  TOPUP_CARD_FEE_CENTS: 0,
  NODE_ENV: undefined,
  ALLOW_SIMULATED_LIVE: false,
  COMPRESS_LISTS: true,
};

for (const name of names)
  test(`${name} has its default`, () => {
    assert.deepEqual(read(name), defaults[name]);
  });

test('trims values and treats an empty variable as unset', () => {
  assert.deepEqual(readConfig(Object.fromEntries(names.map((name) => [name, ' ']))), readConfig({}));
  assert.equal(readConfig({ PORT: ' 8080 ' }).port, 8080);
});

test('a demo is seeded only on this machine; with DATABASE_URL only if DEMO=1', () => {
  const DATABASE_URL = 'postgres://u@h/d';
  assert.equal(readConfig({}).demo, true);
  assert.equal(readConfig({ DEMO: '0' }).demo, false);
  assert.equal(readConfig({ DATABASE_URL }).demo, false);
  assert.equal(readConfig({ DATABASE_URL, DEMO: '1' }).demo, true);
  const beyond = [{ HOST: '0.0.0.0' }, { HOST: '::' }, { HOST: '192.0.2.1' }, { PUBLIC_URL: 'https://gifts.example' }];
  for (const open of [{ NODE_ENV: 'production' }, ...beyond]) {
    assert.equal(readConfig(open).demo, false);
    assert.throws(() => readConfig({ ...open, DEMO: '1' }), /^Error: DEMO must be 0 in production, or if HOST/);
  }
  assert.equal(readConfig({ PUBLIC_URL: 'http://localhost:3000' }).demo, true);
  for (const HOST of ['localhost', '127.0.0.1', '::1']) assert.equal(readConfig({ HOST }).demo, true);
});

test('with DATABASE_URL the service refuses to start without LINK_SECRET', async () => {
  await assert.rejects(
    linkSecretsOf(readConfig({ DATABASE_URL: 'postgres://u@h/d' })),
    /^Error: LINK_SECRET must be set \(32 characters or more\) if DATABASE_URL is set/,
  );
});

test('link lifetime is whole milliseconds; the data directory is absolute', () => {
  assert.equal(readConfig({ LINK_TTL_DAYS: '0.000000001' }).linkTtlMs, 1);
  assert.equal(readConfig({ LINK_TTL_DAYS: '30' }).linkTtlMs, 30 * 86_400_000);
  assert.ok(isAbsolute(readConfig({ DATA_DIR: 'data' }).dataDir));
});

test('docs/configuration.md has exactly one row per setting', () => {
  const page = readFileSync(join(root, 'docs/configuration.md'), 'utf8');
  const rows = names.map((name) => settingRow(name));
  for (const row of rows) assert.ok(page.includes(`\n${row}\n`), row);
  const [, table = ''] = page.split(/(?=\n\| `PORT` \|)/);
  assert.deepEqual(
    table
      .trimStart()
      .split('\n', rows.length + 1)
      .filter((line) => line.startsWith('| ')),
    rows,
  );
});

test('a default that can be used as a value is set as code, else as text', () => {
  assert.match(settingRow('PORT'), /^\| `PORT` \| `3000` \| Port /);
  assert.match(settingRow('TRUST_PROXY'), /^\| `TRUST_PROXY` \| none \| Proxies /);
  assert.match(settingRow('DATA_DIR'), /^\| `DATA_DIR` \| `data` in the checkout \| /);
});

const SECRET = 'a secret of thirty-two characters';

test('quotes that an env file keeps are refused without showing the value', () => {
  for (const [name, value] of Object.entries({
    NODE_ENV: '"production"',
    CURRENCY: "'EUR'",
    LINK_SECRET: `"${SECRET}"`,
  }))
    assert.throws(() => readConfig({ [name]: value }), {
      message: `${name} must be set without the quotes around its value; remove them from the env file.`,
    });
});

test('a link secret that is too short is refused without being shown', () => {
  for (const text of ['short', ',', `${SECRET},short`])
    assert.throws(() => readConfig({ LINK_SECRET: text }), {
      message: 'LINK_SECRET must hold secrets of at least 32 characters each, separated by commas.',
    });
});
