import type { Environment } from './base/environment.ts';
import { OperatorError } from './base/operator-error.ts';
import { settings } from './settings.ts';

type Variables = Record<string, string | undefined>;

type Values = { [Name in keyof typeof settings]: ReturnType<(typeof settings)[Name]['parse']> };

/** The parsed environment. */
export interface Config {
  port: number;
  host: string;
  /** undefined: metrics are off. */
  metricsPort: number | undefined;
  /** undefined: traces are off. */
  tracesUrl: string | undefined;
  /** Without a final slash; undefined if host and port determine it. */
  publicUrl: string | undefined;
  trustProxy: string[];
  currency: string;
  databaseUrl: string | undefined;
  /** Absolute. */
  dataDir: string;
  demo: boolean;
  /** undefined: `info`, or `warn` at a terminal. */
  logLevel: Values['LOG_LEVEL'];
  serveEnvironments: Environment[];
  keyRateLimit: { perSecond: number; burst: number };
  addressRateLimit: { perSecond: number; burst: number };
  /** undefined: each process has its own rate limits. */
  redisUrl: string | undefined;
  orderLockWaitMs: number;
  /** Most orders in one statement; 1 turns batching off. */
  orderBatch: number;
  resendLimit: number;
  /** 0: unlimited. */
  messageCaps: { perOrganizationPerHour: number; textsPerNumberPerDay: number };
  linkTtlMs: number;
  /** Empty: the secret in `dataDir` is used. */
  linkSecrets: string[];
  sandboxMailDomain: string;
  smtp: { url: string; from: string } | undefined;
  twilio: TwilioConfig | undefined;
  /** Verify the providers' webhook events; undefined: the events are refused. */
  hooks: {
    sesTopicArn: string | undefined;
    sendgridPublicKey: string | undefined;
    postmarkPassword: string | undefined;
  };
  /** undefined: the portal asks organizations to contact the operator. */
  fundingInstructions: string | undefined;
  isProduction: boolean;
}

export interface TwilioConfig {
  accountSid: string;
  authToken: string;
  sender: { from: string } | { messagingServiceSid: string };
  baseUrl: string | undefined;
}

/** @throws OperatorError with the variable, its valid values and its value */
export function readConfig(variables: Variables): Config {
  const read = <Name extends keyof Values>(name: Name): Values[Name] => {
    const value = variables[name]?.trim();
    return settings[name].parse(value === '' ? undefined : value, name) as Values[Name];
  };
  const databaseUrl = read('DATABASE_URL');
  const collector = read('OTEL_EXPORTER_OTLP_ENDPOINT');
  const redisUrl = read('REDIS_URL');
  const rateLimit = (name: 'RATE_LIMIT' | 'RATE_LIMIT_ADDRESS') => {
    const [perSecond, burst] = [read(`${name}_PER_SECOND`), read(`${name}_BURST`)];
    // Processes that share limits allow a burst per window, and windows are whole seconds.
    if (redisUrl !== undefined && burst % perSecond !== 0)
      throw new OperatorError(
        `${name}_BURST must be a multiple of ${name}_PER_SECOND (${perSecond}) if REDIS_URL is set, but is "${burst}".`,
      );
    return { perSecond, burst };
  };
  return {
    port: read('PORT'),
    host: read('HOST'),
    metricsPort: read('METRICS_PORT'),
    tracesUrl: collector && `${collector}/v1/traces`,
    publicUrl: read('PUBLIC_URL'),
    trustProxy: read('TRUST_PROXY'),
    currency: read('CURRENCY'),
    databaseUrl,
    dataDir: read('DATA_DIR'),
    demo: read('DEMO') ?? databaseUrl === undefined,
    logLevel: read('LOG_LEVEL'),
    serveEnvironments: read('SERVE_ENVIRONMENTS'),
    keyRateLimit: rateLimit('RATE_LIMIT'),
    addressRateLimit: rateLimit('RATE_LIMIT_ADDRESS'),
    redisUrl,
    orderLockWaitMs: read('ORDER_LOCK_WAIT_MS'),
    orderBatch: read('ORDER_BATCH'),
    resendLimit: read('RESEND_LIMIT'),
    messageCaps: {
      perOrganizationPerHour: read('MESSAGES_PER_ORGANIZATION_PER_HOUR'),
      textsPerNumberPerDay: read('TEXTS_PER_NUMBER_PER_DAY'),
    },
    linkTtlMs: Math.ceil(read('LINK_TTL_DAYS') * 86_400_000),
    linkSecrets: read('LINK_SECRET'),
    sandboxMailDomain: read('SANDBOX_MAIL_DOMAIN'),
    smtp: smtpConfig(read('SMTP_URL'), read('MAIL_FROM')),
    twilio: twilioConfig({
      accountSid: read('TWILIO_ACCOUNT_SID'),
      authToken: read('TWILIO_AUTH_TOKEN'),
      from: read('TWILIO_FROM'),
      messagingServiceSid: read('TWILIO_MESSAGING_SERVICE_SID'),
      baseUrl: read('TWILIO_BASE_URL'),
    }),
    hooks: {
      sesTopicArn: read('SES_TOPIC_ARN'),
      sendgridPublicKey: read('SENDGRID_WEBHOOK_PUBLIC_KEY'),
      postmarkPassword: read('POSTMARK_WEBHOOK_PASSWORD'),
    },
    fundingInstructions: read('FUNDING_INSTRUCTIONS'),
    isProduction: read('NODE_ENV') === 'production',
  };
}

function smtpConfig(url: string | undefined, from: string | undefined): Config['smtp'] {
  if (url === undefined) return undefined;
  if (from === undefined)
    throw new OperatorError('MAIL_FROM must be set where SMTP_URL is: the address that emails come from.');
  return { url, from };
}

function twilioConfig(
  given: Record<'accountSid' | 'authToken' | 'from' | 'messagingServiceSid' | 'baseUrl', string | undefined>,
): Config['twilio'] {
  const { accountSid, authToken, from, messagingServiceSid, baseUrl } = given;
  if (accountSid === undefined) return undefined;
  if (!/^AC[0-9a-f]{32}$/i.test(accountSid))
    throw new OperatorError('TWILIO_ACCOUNT_SID must be AC and 32 hexadecimal digits; copy it from Twilio’s console.');
  if (authToken === undefined) throw new OperatorError('TWILIO_AUTH_TOKEN must be set if TWILIO_ACCOUNT_SID is.');
  if (messagingServiceSid !== undefined) return { accountSid, authToken, sender: { messagingServiceSid }, baseUrl };
  if (from === undefined)
    throw new OperatorError('TWILIO_FROM or TWILIO_MESSAGING_SERVICE_SID must be set if TWILIO_ACCOUNT_SID is.');
  return { accountSid, authToken, sender: { from }, baseUrl };
}
