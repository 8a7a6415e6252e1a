import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import type { Environment } from '../base/environment.ts';
import { isNetwork } from '../base/network.ts';
import { languageSettings } from './language-settings.ts';
import { loadSettings } from './load-settings.ts';
import { mcpSettings } from './mcp-settings.ts';
import { operatorSettings } from './operator-contact.ts';
import { operatorPageSettings } from './operator-page.ts';
import { restoreSettings } from './restore-settings.ts';
import { screeningSettings } from './screening-settings.ts';
import { senderSettings } from './sender-settings.ts';
import {
  hasCertificates,
  integer,
  isProxyAddress,
  listOf,
  oneOf,
  optional,
  parseInteger,
  parseSecrets,
  parseUrl,
  postgresUrl,
  providerUrl,
  readCurrency,
  refuse,
  type Setting,
  text,
  zeroOrOne,
} from './setting-kinds.ts';
import { stripeSettings } from './stripe-settings.ts';

const DEFAULT_DATA_DIR = fileURLToPath(new URL('../../../../data', import.meta.url));

/** PostgreSQL needs the other half of the cores. */
const processesOfMachine = () => Math.max(1, Math.min(Math.floor(availableParallelism() / 2), 8));

const readHost = (value = 'localhost') => (value === 'localhost' ? '127.0.0.1' : value);

/** Every environment variable of the service. */
export const settings = {
  PORT: integer('Port to listen on; `0` takes a free one', 3000, 0, 65535),
  HOST: text('Address to listen on; `0.0.0.0` for all, `localhost` is `127.0.0.1`', '127.0.0.1', readHost),
  PROCESSES: text(
    'Processes of `bestow serve` that answer requests; `auto`: one per two cores, at most eight',
    'auto',
    (value = 'auto', name) => (value === 'auto' ? processesOfMachine() : parseInteger(value, name, 1, 64, 'auto or ')),
  ),
  METRICS_PORT: text(
    'Port where Prometheus reads `/metrics`; keep it private; `0` takes a free one',
    'none: no metrics',
    (value, name) => (value === undefined ? undefined : parseInteger(value, name, 0, 65535)),
  ),
  METRICS_HOST: text('Address of `METRICS_PORT`, as `HOST`; only this machine by default', '127.0.0.1', readHost),
  OTEL_EXPORTER_OTLP_ENDPOINT: text(
    'OpenTelemetry collector that receives traces by OTLP over HTTP, such as `http://localhost:4318`',
    'none: no traces',
    (value, name) => {
      if (value === undefined) return undefined;
      return parseUrl(value, name, ['http:', 'https:'], 'an http:// or https:// address').href.replace(/\/+$/, '');
    },
  ),
  PUBLIC_URL: text(
    'Public address of the service; links begin with it. If it has a path, the proxy must remove the path from requests',
    '`http://` + host and port',
    (value, name) => {
      if (value === undefined) return undefined;
      const expected = 'an http:// or https:// address without user, query and fragment';
      const { href, username, password } = parseUrl(value, name, ['http:', 'https:'], expected);
      // `URL` does not distinguish an empty query from a missing one, but a link does.
      if (username || password || /[?#]/.test(href)) refuse(name, expected);
      return href.replace(/\/+$/, '');
    },
  ),
  TRUST_PROXY: text(
    'Proxies whose forwarded client address is trusted: addresses or ranges, separated by commas',
    'none',
    (value, name): string[] => {
      const addresses = listOf(value ?? '');
      const wrong = addresses.find((address) => !isProxyAddress(address));
      return wrong === undefined ? addresses : refuse(name, 'a list of addresses or ranges such as 10.0.0.0/8', wrong);
    },
  ),
  CURRENCY: text('ISO 4217 code of the currency; amounts are its cents, so it has two decimals', 'USD', readCurrency),
  DATABASE_URL: text('A PostgreSQL 15 or later to use instead of the embedded one', 'embedded', postgresUrl),
  DATABASE_SHARDS: text(
    'Instead of `DATABASE_URL`, [several servers](scale.md), each with a part of the organizations, always in the same order and separated by commas',
    'none: one server',
    (value, name) => {
      const urls = listOf(value ?? '');
      for (const url of urls) postgresUrl(url, name);
      return urls.length === 1 ? refuse(name, 'two or more addresses, separated by commas') : urls;
    },
  ),
  HOME_DATABASE_URL: text(
    'A PostgreSQL 15 or later for people who sign in to the portal, with their codes, passkeys and sessions',
    'the same database, or the first of `DATABASE_SHARDS`',
    postgresUrl,
  ),
  MIGRATION_DATABASE_USER: optional(
    'The user that owns the tables, for [migrations](operating.md#least-privilege), so that the service’s own need not',
    'the user of `DATABASE_URL` or `DATABASE_SHARDS`',
  ),
  MIGRATION_DATABASE_PASSWORD: optional('The password of that user'),
  DATA_DIR: text('Directory of the embedded PostgreSQL and the link secret', '`data` in the checkout', (value) =>
    resolve(value ?? DEFAULT_DATA_DIR),
  ),
  DEMO: text(
    '`1` seeds a demo organization on the first run, `0` does not; `1` is refused in production and beyond loopback (`HOST`, `PUBLIC_URL`)',
    '1; 0 with `DATABASE_URL` or `DATABASE_SHARDS`, in production, or if `HOST` is not loopback',
    (value, name) =>
      value === undefined ? undefined : value === '1' || value === '0' ? value === '1' : refuse(name, '0 or 1', value),
  ),
  ALLOW_SIMULATED_LIVE: zeroOrOne(
    '`1` lets live gifts without an [issuer](issuers.md) be ordered in production and claimed onto simulated cards, which buy nothing',
    '0',
  ),
  LOG_LEVEL: oneOf(
    'Least severe line written to the log',
    ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    '`info`, or `warn` at a terminal',
  ),
  SERVE_ENVIRONMENTS: text(
    'Environments that this process serves: `live`, `sandbox` or both',
    'live,sandbox',
    (value, name): Environment[] => {
      const environments = listOf(value ?? 'live,sandbox');
      const isEnvironment = (item: string): item is Environment => item === 'live' || item === 'sandbox';
      return environments.length > 0 && environments.every(isEnvironment)
        ? [...new Set(environments)]
        : refuse(name, 'live, sandbox or live,sandbox', `${value}`);
    },
  ),
  ...loadSettings,
  RESEND_LIMIT: integer('Number of times that a gift may be redirected', 5, 0, 1000),
  APPROVAL_ABOVE_CENTS: integer(
    'A `bestow balance add` or `adjust` of more cents than this, added or subtracted, waits until a second person approves it; `0` turns this off',
    0,
    0,
    9_999_999_999,
  ),
  MESSAGES_PER_ORGANIZATION_PER_HOUR: integer(
    'Most messages per hour and organization, in each process; more messages wait, and fail after a day; `0` turns the limit off',
    0,
    0,
    10_000_000,
  ),
  TEXTS_PER_NUMBER_PER_DAY: integer(
    'Most text messages per day and number, in each process; more messages wait, and fail after a day; `0` turns the limit off',
    0,
    0,
    10_000,
  ),
  VALUE_PER_RECIPIENT_PER_DAY: integer(
    'Most cents per UTC day that the live gifts of one organization may bring to one email address or number; an order or a redirect beyond it is `insufficient_balance`; `0` turns the limit off',
    0,
    0,
    1_000_000_000,
  ),
  RECIPIENT_REPORT_FROM_CENTS: integer('Least cents a year in `bestow report recipients`', 0, 0, 1_000_000_000),
  LINK_TTL_DAYS: text('Days until a redemption link expires; fractions are allowed', '30', (value, name) => {
    const days = Number(value ?? '30');
    return /^\d*\.?\d+$/.test(value ?? '30') && days > 0 && days <= 3650
      ? days
      : refuse(name, 'a number of days above 0 and up to 3650', `${value}`);
  }),
  EVENTS_KEPT_DAYS: integer('Days for which `GET /v1/events` keeps events', 90, 1, 3650),
  RETENTION_DAYS: integer('Days after which recipients of spent or canceled gifts are erased; `0`: never', 0, 0, 3650),
  LINK_SECRET: text(
    'Signs redemption links and the portal’s sessions, and encrypts its codes: 32 random characters or more. Of several, separated by commas, the first signs and all are accepted',
    'generated in `DATA_DIR`; required with `DATABASE_URL` or `DATABASE_SHARDS`',
    parseSecrets,
  ),
  LINK_SECRET_GIFTS: text('Instead of `LINK_SECRET`, signs the links of gifts', '`LINK_SECRET`', parseSecrets),
  LINK_SECRET_CODES: text(
    'Instead of `LINK_SECRET`, encrypts codes and links in the database',
    '`LINK_SECRET`',
    parseSecrets,
  ),
  LINK_SECRET_SESSIONS: text(
    'Instead of `LINK_SECRET`, signs the portal’s sessions and encrypts authenticator apps',
    '`LINK_SECRET`',
    parseSecrets,
  ),
  LINK_SECRET_LEDGER: text(
    'Instead of `LINK_SECRET`, signs [checkpoints and statements](ledger.md#keys)',
    '`LINK_SECRET`',
    parseSecrets,
  ),
  LEDGER_EARLIER_KEYS: text(
    'Public keys of [checkpoints and statements](ledger.md#keys) whose secrets are gone, separated by commas',
    'none',
    (value, name): string[] => {
      const keys = listOf(value ?? '');
      const wrong = keys.find((key) => !/^[A-Za-z0-9+/]{43}=$/.test(key));
      return wrong === undefined
        ? keys
        : refuse(name, 'a list of public keys as /.well-known/bestow-ledger-keys has them', wrong);
    },
  ),
  WEBHOOK_ALLOWED_NETWORKS: text(
    'Private networks that [events may be pushed to](webhooks.md#where-events-may-go), such as `10.1.0.0/16`, separated by commas; in the sandbox also by `http`',
    'none: only public addresses, by `https`',
    (value, name): string[] => {
      const networks = listOf(value ?? '');
      const wrong = networks.find((network) => !isNetwork(network));
      return wrong === undefined ? networks : refuse(name, 'a list of networks such as 10.1.0.0/16', wrong);
    },
  ),
  ...mcpSettings,
  SANDBOX_MAIL_DOMAIN: text('Mail domain of the sandbox’s steering addresses', 'sandbox.gift.test', (value, name) =>
    /^([a-z0-9][a-z0-9-]*\.)+[a-z]{2,}$/i.test(value ?? 'sandbox.gift.test')
      ? (value ?? 'sandbox.gift.test').toLowerCase()
      : refuse(name, 'a mail domain', `${value}`),
  ),
  SMTP_URL: text(
    'SMTP server for emails: `smtp://user:password@host:587`, or `smtps://` for implicit TLS. Beyond this machine only over TLS, unless it ends in `?requireTLS=false`',
    'none: emails stay in the outbox, or wait in production',
    (value, name) => {
      if (value === undefined) return undefined;
      const expected = 'an address that begins with smtp:// or smtps:// and has no tls. parameter';
      const { searchParams } = parseUrl(value, name, ['smtp:', 'smtps:'], expected);
      // The library would accept `?tls.rejectUnauthorized=false` and send the password to any server.
      return [...searchParams.keys()].some((key) => key.startsWith('tls.')) ? refuse(name, expected) : value;
    },
  ),
  ...senderSettings,
  TWILIO_ACCOUNT_SID: optional(
    'Twilio account that sends text messages',
    'none: text messages stay in the outbox, or wait in production',
  ),
  TWILIO_AUTH_TOKEN: optional('Token of the Twilio account; also verifies webhook events of text messages'),
  TWILIO_FROM: optional(
    'Sender number of text messages; this or the next setting is required with `TWILIO_ACCOUNT_SID`',
  ),
  TWILIO_MESSAGING_SERVICE_SID: optional('Twilio messaging service that chooses the sender number'),
  TWILIO_BASE_URL: text('Address of the Twilio API, for tests', 'Twilio’s own', providerUrl),
  SES_TOPIC_ARN: optional('Amazon SNS topic whose webhook events are accepted at `/hooks/email/ses`', 'none: refused'),
  SENDGRID_WEBHOOK_PUBLIC_KEY: optional(
    'Public key of SendGrid’s signed webhook events, for `/hooks/email/sendgrid`',
    'none: refused',
  ),
  POSTMARK_WEBHOOK_PASSWORD: optional(
    'Password of Postmark’s webhook events (user `postmark`), for `/hooks/email/postmark`',
    'none: refused',
  ),
  ...stripeSettings,
  ...screeningSettings,
  ...restoreSettings,
  ...operatorSettings,
  ...operatorPageSettings,
  ...languageSettings,
  NODE_EXTRA_CA_CERTS: text(
    'File of certificates in PEM, of your own authorities that mail servers, webhook endpoints, providers and PostgreSQL use',
    'none: public authorities only',
    (value, name) =>
      value === undefined || hasCertificates(value) ? value : refuse(name, 'a file of PEM certificates', value),
  ),
  NODE_ENV: oneOf(
    '`production` turns the outbox page and the demo off and makes messages wait if their provider is not configured; one of',
    ['production', 'development', 'test'],
    'none',
  ),
} as const satisfies Record<string, Setting<unknown>>;

/** Returns the setting's row in docs/configuration.md. The default is code if it could be set as the value. */
export function settingRow(name: keyof typeof settings): string {
  const { defaultText, description } = settings[name];
  return `| \`${name}\` | ${isGivenAsText(name) ? `\`${defaultText}\`` : defaultText} | ${description} |`;
}

function isGivenAsText(name: keyof typeof settings): boolean {
  const { defaultText, parse }: Setting<unknown> = settings[name];
  try {
    return isDeepStrictEqual(parse(defaultText, name), parse(undefined, name));
  } catch {
    return false;
  }
}
