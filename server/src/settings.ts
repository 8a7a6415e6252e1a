import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import type { Environment } from './base/environment.ts';
import { OperatorError } from './base/operator-error.ts';

interface Setting<Value> {
  /** Shown in docs/configuration.md. */
  description: string;
  /** Shown in docs/configuration.md. */
  defaultText: string;
  /** The text is undefined if the variable is unset or empty. */
  parse(text: string | undefined, name: string): Value;
}

/** @param text left out if it may contain a password */
const refuse = (name: string, expected: string, text?: string): never => {
  throw new OperatorError(`${name} must be ${expected}${text === undefined ? '' : `, but is "${text}"`}.`);
};

function parseInteger(text: string, name: string, least: number, most: number): number {
  const value = Number(text);
  if (!/^\d{1,10}$/.test(text) || value < least || value > most)
    return refuse(name, `a whole number from ${least} to ${most}`, text);
  return value;
}

function integer(description: string, byDefault: number, least: number, most: number): Setting<number> {
  return {
    description,
    defaultText: String(byDefault),
    parse: (text, name) => (text === undefined ? byDefault : parseInteger(text, name, least, most)),
  };
}

/** Parses a missing value as undefined. */
function oneOf<Value extends string>(
  description: string,
  values: readonly Value[],
  defaultText: string,
): Setting<Value | undefined> {
  return {
    description: `${description}: ${values.map((value) => `\`${value}\``).join(', ')}`,
    defaultText,
    parse: (text, name) =>
      text === undefined
        ? undefined
        : (values.find((value) => value === text) ?? refuse(name, `one of ${values.join(', ')}`, text)),
  };
}

function text<Value>(description: string, defaultText: string, parse: Setting<Value>['parse']): Setting<Value> {
  return { description, defaultText, parse };
}

const optional = (description: string, defaultText = 'none') => text(description, defaultText, (value) => value);

const listOf = (value: string) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

function parseUrl(value: string, name: string, protocols: readonly string[], expected: string): URL {
  const url = URL.canParse(value) ? new URL(value) : refuse(name, expected);
  return protocols.includes(url.protocol) ? url : refuse(name, expected);
}

const isProxyAddress = (address: string) => {
  const [ip, bits, ...rest] = address.split('/');
  const family = isIP(ip ?? '');
  return (
    family > 0 &&
    rest.length === 0 &&
    (bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)))
  );
};

const DEFAULT_DATA_DIR = fileURLToPath(new URL('../../data', import.meta.url));

/** Every environment variable of the service. */
export const settings = {
  PORT: integer('Port to listen on; `0` takes a free one', 3000, 0, 65535),
  HOST: text(
    'Address to listen on; `0.0.0.0` for all, `localhost` is `127.0.0.1`',
    '127.0.0.1',
    (value = 'localhost') => (value === 'localhost' ? '127.0.0.1' : value),
  ),
  METRICS_PORT: text(
    'Port on `HOST` where Prometheus reads `/metrics`; keep it private; `0` takes a free one',
    'none: no metrics',
    (value, name) => (value === undefined ? undefined : parseInteger(value, name, 0, 65535)),
  ),
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
  CURRENCY: text('ISO 4217 code of the currency; amounts are its cents', 'USD', (value, name) =>
    Intl.supportedValuesOf('currency').includes(value ?? 'USD')
      ? (value ?? 'USD')
      : refuse(name, 'an ISO 4217 currency code such as USD', `${value}`),
  ),
  DATABASE_URL: text('A PostgreSQL 15 or later to use instead of the embedded one', 'embedded', (value, name) => {
    if (value !== undefined)
      parseUrl(value, name, ['postgres:', 'postgresql:'], 'an address that begins with postgres://');
    return value;
  }),
  DATA_DIR: text('Directory of the embedded PostgreSQL and the link secret', '`data` in the checkout', (value) =>
    resolve(value ?? DEFAULT_DATA_DIR),
  ),
  DEMO: text(
    '`1` seeds a demo organization on the first run, `0` does not',
    '1, or 0 with `DATABASE_URL`',
    (value, name) =>
      value === undefined ? undefined : value === '1' || value === '0' ? value === '1' : refuse(name, '0 or 1', value),
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
  RATE_LIMIT_PER_SECOND: integer('Requests per second that each key may send on average', 1000, 1, 1_000_000),
  RATE_LIMIT_BURST: integer('Requests that each key may send at once', 2000, 1, 10_000_000),
  RATE_LIMIT_ADDRESS_PER_SECOND: integer(
    'Requests per second of each client address without a valid key',
    1000,
    1,
    1_000_000,
  ),
  RATE_LIMIT_ADDRESS_BURST: integer('Requests at once of each client address without a valid key', 2000, 1, 10_000_000),
  REDIS_URL: text(
    'Redis, such as `redis://localhost:6379`, through which all processes share the rate limits; each burst must then be a multiple of its rate',
    'none: each process has its own',
    (value, name) => {
      if (value !== undefined)
        parseUrl(value, name, ['redis:', 'rediss:'], 'an address that begins with redis:// or rediss://');
      return value;
    },
  ),
  ORDER_LOCK_WAIT_MS: integer(
    'Milliseconds that an order waits for another of its organization before `resource_locked`',
    0,
    0,
    10_000,
  ),
  ORDER_BATCH: integer('Most orders that one statement and commit places; `1` turns batching off', 64, 1, 1_000),
  RESEND_LIMIT: integer('Number of times that a gift may be redirected', 5, 0, 1000),
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
  LINK_TTL_DAYS: text('Days until a redemption link expires; fractions are allowed', '30', (value, name) => {
    const days = Number(value ?? '30');
    return /^\d*\.?\d+$/.test(value ?? '30') && days > 0 && days <= 3650
      ? days
      : refuse(name, 'a number of days above 0 and up to 3650', `${value}`);
  }),
  LINK_SECRET: text(
    'Signs redemption links and the portal’s sessions, and encrypts its codes: 32 characters or more. Of several, separated by commas, the first signs and all are accepted',
    'generated in `DATA_DIR`; required with `DATABASE_URL`',
    (value, name) => {
      const secrets = listOf(value ?? '');
      if (value !== undefined && (secrets.length === 0 || secrets.some((secret) => secret.length < 32)))
        throw new OperatorError(`${name} must hold secrets of at least 32 characters each, separated by commas.`);
      return secrets;
    },
  ),
  SANDBOX_MAIL_DOMAIN: text('Mail domain of the sandbox’s steering addresses', 'sandbox.gift.test', (value, name) =>
    /^([a-z0-9][a-z0-9-]*\.)+[a-z]{2,}$/i.test(value ?? 'sandbox.gift.test')
      ? (value ?? 'sandbox.gift.test').toLowerCase()
      : refuse(name, 'a mail domain', `${value}`),
  ),
  SMTP_URL: text(
    'SMTP server for emails: `smtp://user:password@host:587`, or `smtps://` for implicit TLS',
    'none: emails stay in the outbox, or wait in production',
    (value, name) => {
      if (value === undefined) return undefined;
      const expected = 'an address that begins with smtp:// or smtps:// and has no tls. parameter';
      const { searchParams } = parseUrl(value, name, ['smtp:', 'smtps:'], expected);
      // The library would accept `?tls.rejectUnauthorized=false` and send the password to any server.
      return [...searchParams.keys()].some((key) => key.startsWith('tls.')) ? refuse(name, expected) : value;
    },
  ),
  MAIL_FROM: text('Sender address of emails; required with `SMTP_URL`', 'none', (value, name) =>
    value === undefined || /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/.test(value)
      ? value
      : refuse(name, 'an email address such as gifts@example.com', value),
  ),
  TWILIO_ACCOUNT_SID: optional(
    'Twilio account that sends text messages',
    'none: text messages stay in the outbox, or wait in production',
  ),
  TWILIO_AUTH_TOKEN: optional('Token of the Twilio account; also verifies webhook events of text messages'),
  TWILIO_FROM: optional(
    'Sender number of text messages; this or the next setting is required with `TWILIO_ACCOUNT_SID`',
  ),
  TWILIO_MESSAGING_SERVICE_SID: optional('Twilio messaging service that chooses the sender number'),
  TWILIO_BASE_URL: text('Address of the Twilio API, for tests', 'Twilio’s own', (value, name) => {
    if (value !== undefined) parseUrl(value, name, ['http:', 'https:'], 'an http:// or https:// address');
    return value;
  }),
  SES_TOPIC_ARN: optional('Amazon SNS topic whose webhook events are accepted at `/hooks/email/ses`', 'none: refused'),
  SENDGRID_WEBHOOK_PUBLIC_KEY: optional(
    'Public key of SendGrid’s signed webhook events, for `/hooks/email/sendgrid`',
    'none: refused',
  ),
  POSTMARK_WEBHOOK_PASSWORD: optional(
    'Password of Postmark’s webhook events (user `postmark`), for `/hooks/email/postmark`',
    'none: refused',
  ),
  FUNDING_INSTRUCTIONS: text(
    'How organizations fund their live balance, such as a bank account; the portal shows it beside the payment reference',
    'none: the portal asks them to contact you',
    (value, name) => ((value?.length ?? 0) <= 1_000 ? value : refuse(name, 'at most 1,000 characters')),
  ),
  NODE_ENV: text(
    '`production` turns the outbox page off and makes messages wait if their provider is not configured',
    'none',
    (value) => value ?? '',
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
