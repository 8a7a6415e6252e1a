import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import type { Environment } from './base/environment.ts';
import { OperatorError } from './base/operator-error.ts';

interface Setting<Value> {
  /** Shown in the README's table: what the variable does, in its unit. */
  description: string;
  /** Shown in the README's table where the variable may be left out. */
  defaultText: string;
  /** The value of the text, or of undefined where the variable is unset or empty. */
  parse(text: string | undefined, name: string): Value;
}

/** @param text left out where it may hold a password */
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

/** undefined where it is left out: the default depends on more than the variable. */
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

/** Every environment variable the service reads. The README's table is held against this one by a test. */
export const settings = {
  PORT: integer('Port to listen on; `0` takes a free one', 3000, 0, 65535),
  HOST: text('Address to listen on; `0.0.0.0` for all', '127.0.0.1', (value) => value ?? '127.0.0.1'),
  METRICS_PORT: text(
    'Port on `HOST` where Prometheus reads `/metrics`, which is no page for the public; `0` takes a free one',
    'none: no metrics',
    (value, name) => (value === undefined ? undefined : parseInteger(value, name, 0, 65535)),
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: text(
    'OpenTelemetry collector that traces are sent to by OTLP over HTTP, such as `http://localhost:4318`',
    'none: no traces',
    (value, name) => {
      if (value === undefined) return undefined;
      return parseUrl(value, name, ['http:', 'https:'], 'an http:// or https:// address').href.replace(/\/+$/, '');
    },
  ),
  PUBLIC_URL: text(
    'The address that people and programs reach the service by; links begin with it. Where it has a path, the proxy takes that off what it passes on',
    '`http://` + host and port',
    (value, name) => {
      if (value === undefined) return undefined;
      const expected = 'an http:// or https:// address without user, query and fragment';
      const { href, username, password } = parseUrl(value, name, ['http:', 'https:'], expected);
      // `URL` tells no difference between an empty query and none; a link would.
      if (username || password || /[?#]/.test(href)) refuse(name, expected);
      return href.replace(/\/+$/, '');
    },
  ),
  TRUST_PROXY: text(
    'Proxies whose forwarded client address is believed: addresses or ranges, separated by commas',
    'none',
    (value, name): string[] => {
      const addresses = listOf(value ?? '');
      const wrong = addresses.find((address) => !isProxyAddress(address));
      return wrong === undefined ? addresses : refuse(name, 'a list of addresses or ranges such as 10.0.0.0/8', wrong);
    },
  ),
  CURRENCY: text('ISO 4217 code of the one currency; amounts are cents of it', 'USD', (value, name) =>
    Intl.supportedValuesOf('currency').includes(value ?? 'USD')
      ? (value ?? 'USD')
      : refuse(name, 'an ISO 4217 currency code such as USD', `${value}`),
  ),
  DATABASE_URL: text('A PostgreSQL 15 or later to use instead of the embedded one', 'embedded', (value, name) => {
    if (value !== undefined)
      parseUrl(value, name, ['postgres:', 'postgresql:'], 'an address that begins with postgres://');
    return value;
  }),
  DATA_DIR: text('Where the embedded PostgreSQL and the link secret are kept', '`data` in the checkout', (value) =>
    resolve(value ?? DEFAULT_DATA_DIR),
  ),
  DEMO: text(
    '`1` seeds a demo organization on the first run, `0` nothing',
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
  RATE_LIMIT_PER_SECOND: integer('Requests a second that each key may send in the long run', 1000, 1, 1_000_000),
  RATE_LIMIT_BURST: integer('Requests that each key may send at once', 2000, 1, 10_000_000),
  RATE_LIMIT_ADDRESS_PER_SECOND: integer('The same for each client address without a valid key', 1000, 1, 1_000_000),
  RATE_LIMIT_ADDRESS_BURST: integer('The same for each client address without a valid key', 2000, 1, 10_000_000),
  REDIS_URL: text(
    'A Redis, such as `redis://localhost:6379`, through which all processes share the rate limits; each burst is then a multiple of its rate',
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
  ORDER_BATCH: integer('Most orders that one statement places, and one commit; `1` turns batching off', 64, 1, 1_000),
  RESEND_LIMIT: integer('How often a gift may be sent to another address', 5, 0, 1000),
  MESSAGES_PER_ORGANIZATION_PER_HOUR: integer(
    'Most messages that the gifts of one organization send in an hour, by each process; the others wait, and fail after a day; `0` is no cap',
    0,
    0,
    10_000_000,
  ),
  TEXTS_PER_NUMBER_PER_DAY: integer(
    'Most text messages that one number gets in a day, by each process; the others wait, and fail after a day; `0` is no cap',
    0,
    0,
    10_000,
  ),
  LINK_TTL_DAYS: text('Days that a redemption link lives; fractions are allowed', '30', (value, name) => {
    const days = Number(value ?? '30');
    return /^\d*\.?\d+$/.test(value ?? '30') && days > 0 && days <= 3650
      ? days
      : refuse(name, 'a number of days above 0 and up to 3650', `${value}`);
  }),
  LINK_SECRET: text(
    'Signs redemption links and the portal’s sessions, and seals its codes: 32 characters or more; of several, separated by commas, the first signs and all are accepted',
    'made and kept in `DATA_DIR`; required with `DATABASE_URL`',
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
    'Where emails are handed in: `smtp://user:password@host:587`, or `smtps://` for TLS from the start',
    'none: emails stay in the outbox, or wait in production',
    (value, name) => {
      if (value === undefined) return undefined;
      const expected = 'an address that begins with smtp:// or smtps:// and has no tls. parameter';
      const { searchParams } = parseUrl(value, name, ['smtp:', 'smtps:'], expected);
      // The library would take `?tls.rejectUnauthorized=false`, and hand the password to whoever answers.
      return [...searchParams.keys()].some((key) => key.startsWith('tls.')) ? refuse(name, expected) : value;
    },
  ),
  MAIL_FROM: text('Address that emails come from; required with `SMTP_URL`', 'none', (value, name) =>
    value === undefined || /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/.test(value)
      ? value
      : refuse(name, 'an email address such as gifts@example.com', value),
  ),
  TWILIO_ACCOUNT_SID: optional(
    'Twilio account that sends text messages',
    'none: text messages stay in the outbox, or wait in production',
  ),
  TWILIO_AUTH_TOKEN: optional('Its secret; it also proves that news of a text message is Twilio’s'),
  TWILIO_FROM: optional('Number that text messages come from; this or the next is required with `TWILIO_ACCOUNT_SID`'),
  TWILIO_MESSAGING_SERVICE_SID: optional('Messaging service that chooses the number'),
  TWILIO_BASE_URL: text('Another address of Twilio’s interface, for tests', 'Twilio’s own', (value, name) => {
    if (value !== undefined) parseUrl(value, name, ['http:', 'https:'], 'an http:// or https:// address');
    return value;
  }),
  SES_TOPIC_ARN: optional('Amazon SNS topic whose news of emails is accepted at `/hooks/email/ses`', 'none: refused'),
  SENDGRID_WEBHOOK_PUBLIC_KEY: optional(
    'Key that SendGrid signs its news with, for `/hooks/email/sendgrid`',
    'none: refused',
  ),
  POSTMARK_WEBHOOK_PASSWORD: optional(
    'Password that Postmark sends with its news (user `postmark`), for `/hooks/email/postmark`',
    'none: refused',
  ),
  FUNDING_INSTRUCTIONS: text(
    'How organizations fill their live balance, such as the bank account to transfer to; the portal shows it beside the reference to give',
    'none: the portal tells them to ask you',
    (value, name) => ((value?.length ?? 0) <= 1_000 ? value : refuse(name, 'at most 1,000 characters')),
  ),
  NODE_ENV: text(
    '`production` turns the outbox page off, and lets messages without a provider wait',
    'none',
    (value) => value ?? '',
  ),
} as const satisfies Record<string, Setting<unknown>>;

/** The setting's row in the README's table. Its default is set as code where it could be given as it stands. */
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
