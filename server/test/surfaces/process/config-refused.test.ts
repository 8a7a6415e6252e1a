import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { OperatorError } from '../../../src/platform/base/operator-error.ts';
import { readConfig } from '../../../src/platform/configuration/config.ts';
import { settings } from '../../../src/platform/configuration/settings.ts';
import { settingRules } from '../../harness/setting-rules.ts';

type Name = keyof typeof settings;
const SECRET = 'a secret of thirty-two characters';
const read = (name: Name, text?: string) => settings[name].parse(text, name);
const httpUrl = 'an http:// or https:// address without user, query and fragment';
const postgresUrl = 'an address that begins with postgres://';
const proxies = 'a list of addresses or ranges such as 10.0.0.0/8';
const environments = 'live, sandbox or live,sandbox';
const days = 'a number of days above 0 and up to 3650';
const levels = 'one of fatal, error, warn, info, debug, trace, silent';

interface Cases {
  accepted: [text: string, value: unknown][];
  expected: string;
  refused: string[];
  /** The part of the text that the sentence quotes, if not all; undefined if it quotes nothing. */
  quote?: (text: string) => string | undefined;
}

function wholeNumber(least: number, most: number): Cases {
  return {
    accepted: [least, most].map((value) => [String(value), value]),
    expected: `a whole number from ${least} to ${most}`,
    refused: [String(most + 1), ...(least > 0 ? [String(least - 1)] : []), '-1', '1.5', '1e3', '0x10', 'many'],
  };
}

const secrets: Cases = {
  accepted: [
    [SECRET, [SECRET]],
    [`${SECRET}, another ${SECRET}`, [SECRET, `another ${SECRET}`]],
  ],
  // Its sentence has another form, below.
  expected: '',
  refused: [],
};

const texts = [
  'MIGRATION_DATABASE_USER',
  'MIGRATION_DATABASE_PASSWORD',
  'TWILIO_ACCOUNT_SID',
  'TWILIO_AUTH_TOKEN',
  'TWILIO_FROM',
  'TWILIO_MESSAGING_SERVICE_SID',
  'SES_TOPIC_ARN',
  'SENDGRID_WEBHOOK_PUBLIC_KEY',
  'POSTMARK_WEBHOOK_PASSWORD',
] as const;

const database: Cases = {
  accepted: ['postgres://u:p@h/d', 'postgresql:///d'].map((url) => [url, url]),
  expected: postgresUrl,
  refused: ['mysql://u:password@h', 'localhost', 'password'],
  quote: () => undefined,
};

const flag: Cases = {
  accepted: ['0', '1'].map((text) => [text, text === '1']),
  expected: '0 or 1',
  refused: ['yes', 'true', '2'],
};

const apiAddress: Cases = {
  accepted: [['http://127.0.0.1:1234', 'http://127.0.0.1:1234']],
  expected: 'an http:// or https:// address',
  refused: ['provider', 'ftp://h'],
  quote: () => undefined,
};

/** Of a provider that gets a secret with each call. */
const providerAddress: Cases = {
  accepted: [
    ['http://127.0.0.1:1234', 'http://127.0.0.1:1234'],
    ['https://api.example.com', 'https://api.example.com'],
  ],
  expected: 'an https:// address, or an http:// one on this machine',
  refused: ['provider', 'ftp://h', 'http://api.example.com', 'http://127.0.0.1:1@api.example.com'],
  quote: () => undefined,
};

/** All except texts and addresses to listen on, which only listening can check. */
const cases: Record<Exclude<Name, 'HOST' | 'METRICS_HOST' | (typeof texts)[number]>, Cases> = {
  PORT: wholeNumber(0, 65_535),
  PROCESSES: { ...wholeNumber(1, 64), expected: 'auto or a whole number from 1 to 64' },
  METRICS_PORT: wholeNumber(0, 65_535),
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    accepted: [
      ['http://collector:4318/', 'http://collector:4318'],
      ['https://traces.example/otlp', 'https://traces.example/otlp'],
    ],
    expected: 'an http:// or https:// address',
    refused: ['collector:4318', 'grpc://collector:4317'],
    quote: () => undefined,
  },
  PUBLIC_URL: {
    accepted: [
      ['https://gifts.example/', 'https://gifts.example'],
      ['http://gifts.example:8080/shop//', 'http://gifts.example:8080/shop'],
      ['HTTPS://Gifts.Example/Shop', 'https://gifts.example/Shop'],
    ],
    expected: httpUrl,
    refused: ['gifts.example', 'ftp://a', 'http://', ...['?', '?a', '#', '#a'].map((end) => `http://a/${end}`)].concat(
      'http://user@a',
      'http://:password@a',
    ),
    quote: () => undefined,
  },
  ...settingRules,
  WEBHOOK_ALLOWED_NETWORKS: {
    accepted: [['10.0.0.0/8, ::1,', ['10.0.0.0/8', '::1']]],
    expected: 'a list of networks such as 10.1.0.0/16',
    refused: ['all', '10.0.0.0/8, 10.0.0', '10.0.0.0/33', '::/129', '::ffff:10.0.0.1'],
    quote: (text) => text.split(', ').at(-1),
  },
  MCP_ORIGINS: {
    accepted: [
      ['http://localhost:6274', ['http://localhost:6274']],
      ['https://a.example, https://b.example:8443,', ['https://a.example', 'https://b.example:8443']],
    ],
    expected: 'a list of origins such as http://localhost:6274, without a path',
    refused: [
      '*',
      'localhost',
      'https://a.example/',
      'https://a.example, https://a.example/x',
      'ftp://a.example',
      'null',
    ],
    quote: (text) => text.split(', ').at(-1),
  },
  TRUST_PROXY: {
    accepted: [
      ['10.0.0.0/8, ::1,', ['10.0.0.0/8', '::1']],
      ['fd00::/128,1.2.3.4/32', ['fd00::/128', '1.2.3.4/32']],
    ],
    expected: proxies,
    refused: ['true', '10.0.0.1, 10.0.0', '10.0.0.0/0', '10.0.0.0/33', '::/129', '10.0.0.0/8/8', '10.0.0.0/'],
    quote: (text) => text.split(', ').at(-1),
  },
  CURRENCY: {
    accepted: [['EUR', 'EUR']],
    expected: 'an ISO 4217 currency code such as USD',
    refused: ['eur', 'EURO', '$'],
  },
  DATABASE_URL: database,
  DATABASE_SHARDS: {
    ...database,
    accepted: [['postgres://h/a, postgres://h/b', ['postgres://h/a', 'postgres://h/b']]],
    refused: database.refused.map((url) => `postgres://h/d,${url}`),
  },
  HOME_DATABASE_URL: database,
  DATA_DIR: { accepted: [['elsewhere', resolve('elsewhere')]], expected: '', refused: [] },
  ALLOW_SIMULATED_LIVE: flag,
  COMPRESS_LISTS: flag,
  DEMO: flag,
  LOG_LEVEL: { accepted: [['silent', 'silent']], expected: levels, refused: ['verbose', 'INFO'] },
  SERVE_ENVIRONMENTS: {
    accepted: [
      ['live', ['live']],
      [' sandbox , live ', ['sandbox', 'live']],
      ['live,live', ['live']],
    ],
    expected: environments,
    refused: ['test', 'live;sandbox', 'live,all', ','],
  },
  RATE_LIMIT_PER_SECOND: wholeNumber(1, 1_000_000),
  RATE_LIMIT_BURST: wholeNumber(1, 10_000_000),
  RATE_LIMIT_ADDRESS_PER_SECOND: wholeNumber(1, 1_000_000),
  RATE_LIMIT_ADDRESS_BURST: wholeNumber(1, 10_000_000),
  ORDER_LOCK_WAIT_MS: wholeNumber(0, 10_000),
  ORDER_BATCH: wholeNumber(1, 1_000),
  RESEND_LIMIT: wholeNumber(0, 1000),
  EVENTS_KEPT_DAYS: wholeNumber(1, 3650),
  RETENTION_DAYS: wholeNumber(0, 3650),
  APPROVAL_ABOVE_CENTS: wholeNumber(0, 9_999_999_999),
  MESSAGES_PER_ORGANIZATION_PER_HOUR: wholeNumber(0, 10_000_000),
  TEXTS_PER_NUMBER_PER_DAY: wholeNumber(0, 10_000),
  VALUE_PER_RECIPIENT_PER_DAY: wholeNumber(0, 1_000_000_000),
  RECIPIENT_REPORT_FROM_CENTS: wholeNumber(0, 1_000_000_000),
  LINK_TTL_DAYS: {
    accepted: ['3650', '0.5', '.25'].map((text) => [text, Number(text)]),
    expected: days,
    refused: ['0', '-1', '3650.1', '1e3', 'Infinity', '1 day'],
  },
  LINK_SECRET: secrets,
  LINK_SECRET_GIFTS: secrets,
  LINK_SECRET_CODES: secrets,
  LINK_SECRET_SESSIONS: secrets,
  LINK_SECRET_LEDGER: secrets,
  LEDGER_EARLIER_KEYS: {
    accepted: [[`${'A'.repeat(43)}=, ${'B'.repeat(43)}=`, [`${'A'.repeat(43)}=`, `${'B'.repeat(43)}=`]]],
    expected: 'a list of public keys as /.well-known/bestow-ledger-keys has them',
    refused: ['AAAA', 'A'.repeat(44)],
  },
  SANDBOX_MAIL_DOMAIN: {
    accepted: [['Gifts.Example', 'gifts.example']],
    expected: 'a mail domain',
    refused: ['localhost', 'a@b.example', '.example', 'a..example', '-a.example', 'gifts.example.'],
  },
  SMTP_URL: {
    accepted: ['smtp://u:p@h:587', 'smtps://h', 'smtp://h?requireTLS=false'].map((url) => [url, url]),
    expected: 'an address that begins with smtp:// or smtps:// and has no tls. parameter',
    refused: ['http://h', 'mail.example', 'password'].concat(
      ['tls.rejectUnauthorized=false', 'requireTLS=true&tls%2Eca=x'].map((query) => `smtps://u:password@h?${query}`),
    ),
    quote: () => undefined,
  },
  MAIL_FROM: {
    accepted: [['gifts@example.com', 'gifts@example.com']],
    expected: 'an email address such as gifts@example.com',
    refused: ['gifts', 'Gifts <gifts@example.com>', 'gifts@example'],
  },
  TWILIO_BASE_URL: providerAddress,
  STRIPE_SECRET_KEY: {
    accepted: ['sk_live_1a', 'rk_test_1'].map((key) => [key, key]),
    expected: 'a secret key of Stripe, such as sk_live_…',
    refused: ['pk_live_1', 'sk_live_', 'secret'],
    quote: () => undefined,
  },
  STRIPE_WEBHOOK_SECRET: {
    accepted: [['whsec_1, whsec_2', ['whsec_1', 'whsec_2']]],
    expected: 'secrets such as whsec_…',
    refused: ['secret', 'whsec_1,secret'],
    quote: () => undefined,
  },
  TOPUP_CARD_FEE_BASIS_POINTS: wholeNumber(0, 1_000),
  TOPUP_CARD_FEE_CENTS: wholeNumber(0, 10_000),
  STRIPE_API_BASE: providerAddress,
  SCREENING_URL: apiAddress,
  SCREENING_SECRET: {
    accepted: [`whsec_${'c2hvcnQ'.repeat(7)}`].map((secret) => [secret, secret]),
    expected: 'whsec_ and at least 24 bytes in Base64',
    refused: ['secret', 'whsec_c2hvcnQ='],
    quote: () => undefined,
  },
  NODE_ENV: {
    accepted: ['production', 'development', 'test'].map((text) => [text, text]),
    expected: 'one of production, development, test',
    refused: ['Production', 'prod', 'staging'],
  },
  FUNDING_INSTRUCTIONS: {
    accepted: [
      ['IBAN DE00 0000', 'IBAN DE00 0000'],
      ['Example Bank\nIBAN DE00 0000', 'Example Bank\nIBAN DE00 0000'],
    ],
    expected: 'at most 1,000 characters',
    refused: ['x'.repeat(1_001)],
    quote: () => undefined,
  },
};

for (const [name, { accepted, expected, refused, quote = (text: string) => text }] of Object.entries(cases) as [
  Name,
  Cases,
][])
  test(`${name} has limits, and a sentence names it, its rule and its value`, () => {
    for (const [text, value] of accepted) assert.deepEqual(read(name, text), value, text);
    for (const text of refused) {
      const quoted = quote(text);
      const end = quoted === undefined ? '' : `, but is "${quoted}"`;
      assert.equal(refusalOf({ [name]: text, LINK_SECRET: SECRET }), `${name} must be ${expected}${end}.`);
    }
  });

test('some settings take any text', () => {
  for (const name of texts) assert.equal(read(name, 'text'), 'text');
});

test('incomplete message settings are refused', () => {
  const sid = `AC${'0'.repeat(32)}`;
  const withToken = { TWILIO_ACCOUNT_SID: sid, TWILIO_AUTH_TOKEN: 't' };
  const refused: [variables: Record<string, string>, sentence: RegExp][] = [
    [{ SMTP_URL: 'smtp://h' }, /^MAIL_FROM must be set/],
    [{ TWILIO_ACCOUNT_SID: 'x' }, /^TWILIO_ACCOUNT_SID must be AC and 32/],
    [{ TWILIO_ACCOUNT_SID: sid }, /^TWILIO_AUTH_TOKEN must be set/],
    [withToken, /^TWILIO_FROM or TWILIO_MESSAGING_SERVICE_SID must be set/],
  ];
  for (const [variables, sentence] of refused) assert.match(refusalOf(variables), sentence);
  assert.deepEqual(readConfig({ ...withToken, TWILIO_FROM: '+12025550199' }).twilio?.sender, { from: '+12025550199' });
  const { smtp } = readConfig({ SMTP_URL: 'smtp://h', MAIL_FROM: 'gifts@example.com' });
  assert.deepEqual(smtp, { url: 'smtp://h', from: 'gifts@example.com' });
});

function refusalOf(variables: Record<string, string>): string {
  try {
    return `It was accepted: ${JSON.stringify(readConfig(variables))}`;
  } catch (error) {
    assert.ok(error instanceof OperatorError, String(error));
    return error.message;
  }
}
