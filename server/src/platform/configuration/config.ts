import { join, resolve } from 'node:path';
import type { Environment } from '../base/environment.ts';
import { isOnLoopback } from '../base/loopback.ts';
import { OperatorError } from '../base/operator-error.ts';
import type { GermanAddress } from '../languages/words.ts';
import { type OperatorContact, operatorContact } from './operator-contact.ts';
import { type OperatorPageConfig, operatorPageConfig } from './operator-page.ts';
import { type ScreeningConfig, screeningConfig } from './screening-settings.ts';
import { settings } from './settings.ts';
import { type StripeConfig, stripeConfig } from './stripe-settings.ts';

type Variables = Record<string, string | undefined>;

type Values = { [Name in keyof typeof settings]: ReturnType<(typeof settings)[Name]['parse']> };

/** The parsed environment. */
export interface Config {
  port: number;
  host: string;
  /** Of `bestow serve`. */
  processes: number;
  /** undefined: metrics are off. */
  metricsPort: number | undefined;
  metricsHost: string;
  /** undefined: traces are off. */
  tracesUrl: string | undefined;
  /** Without a final slash; undefined if host and port determine it. */
  publicUrl: string | undefined;
  trustProxy: string[];
  /** Origins of other sites whose pages may call `/mcp`. */
  mcpOrigins: string[];
  /** Zero: no change of a balance needs a second person. */
  approvalAboveCents: number;
  currency: string;
  /** The one of `DATABASE_URL`, or the shards in their order; none: the embedded PostgreSQL. */
  databaseUrls: readonly string[];
  /** undefined: people are in the same database as organizations. */
  homeDatabaseUrl: string | undefined;
  /** The owner of the tables, for migrations; undefined if the service's own user is. */
  migrationUser: { user: string; password: string | undefined } | undefined;
  /** Absolute. */
  dataDir: string;
  /** Absolute; undefined: nothing is remembered outside the database. */
  historyFile: string | undefined;
  demo: boolean;
  /** undefined: `info`, or `warn` at a terminal. */
  logLevel: Values['LOG_LEVEL'];
  serveEnvironments: Environment[];
  keyRateLimit: { perSecond: number; burst: number };
  addressRateLimit: { perSecond: number; burst: number };
  orderLockWaitMs: number;
  /** Most orders in one statement; 1 turns batching off. */
  orderBatch: number;
  /** Of `/v1`, for clients that accept gzip. */
  compressesLists: boolean;
  resendLimit: number;
  /** Cents; 0: unlimited. */
  valuePerRecipientPerDay: number;
  /** Cents a year; 0: all recipients. */
  recipientReportFromCents: number;
  /** 0: unlimited. */
  messageCaps: { perOrganizationPerHour: number; textsPerNumberPerDay: number };
  linkTtlMs: number;
  eventsKeptDays: number;
  /** After a gift is spent or canceled; 0: for ever. */
  retentionDays: number;
  /** Empty: the secret in `dataDir` is used. */
  linkSecrets: string[];
  /** Empty for a purpose that uses `linkSecrets`. */
  purposeSecrets: Record<'gifts' | 'codes' | 'sessions' | 'ledger', string[]>;
  /** Public keys in Base64. */
  ledgerEarlierKeys: string[];
  sandboxMailDomain: string;
  /** Networks besides the internet that events may be pushed to. */
  webhookAllowedNetworks: string[];
  smtp: { url: string; from: string } | undefined;
  /** SPF mechanisms; undefined: organizations cannot send from own domains. */
  senderDomainSpf: string | undefined;
  /** Empty: the machine's. */
  dnsServers: string[];
  twilio: TwilioConfig | undefined;
  /** Verify the providers' webhook events; undefined: the events are refused. */
  hooks: {
    sesTopicArn: string | undefined;
    sendgridPublicKey: string | undefined;
    postmarkPassword: string | undefined;
  };
  /** undefined: Stripe is not used. */
  stripe: StripeConfig | undefined;
  /** undefined: claims are not screened. */
  screening: ScreeningConfig | undefined;
  /** undefined: the portal asks organizations to contact the operator. */
  fundingInstructions: string | undefined;
  /** Whom people ask about the service; undefined if that is not said. */
  operator: OperatorContact | undefined;
  operatorPage: OperatorPageConfig;
  /** How German addresses recipients: “du” or “Sie”. */
  germanAddress: GermanAddress;
  /** What each backup of the operator writes; undefined if that is not said. */
  backupFile: string | undefined;
  isProduction: boolean;
  /** Live gifts may be claimed onto simulated cards, which buy nothing. */
  allowsSimulatedLive: boolean;
}

export interface TwilioConfig {
  accountSid: string;
  authToken: string;
  sender: { from: string } | { messagingServiceSid: string };
  baseUrl: string | undefined;
}

/** Some readers of env files keep the quotes, which no setting needs. */
const QUOTED = /^(["']).*\1$/s;

/** The embedded PostgreSQL is restored together with all of its `DATA_DIR`. */
function filesOf(dataDir: string, historyFile: string | undefined, isEmbedded: boolean) {
  if (historyFile !== undefined) return { dataDir, historyFile: resolve(historyFile) };
  return { dataDir, historyFile: isEmbedded ? undefined : join(dataDir, 'history.json') };
}

/** @throws OperatorError with the variable, its valid values and its value */
export function readConfig(variables: Variables): Config {
  const read = <Name extends keyof Values>(name: Name): Values[Name] => {
    const value = variables[name]?.trim();
    if (value !== undefined && QUOTED.test(value))
      throw new OperatorError(
        `${name} must be set without the quotes around its value; remove them from the env file.`,
      );
    return settings[name].parse(value === '' ? undefined : value, name) as Values[Name];
  };
  const databaseUrls = databaseUrlsOf(read('DATABASE_URL'), read('DATABASE_SHARDS'), read('DEMO'));
  const isEmbedded = databaseUrls.length === 0;
  const host = read('HOST');
  const publicUrl = read('PUBLIC_URL');
  read('NODE_EXTRA_CA_CERTS'); // Node itself uses the file.
  const isProduction = read('NODE_ENV') === 'production';
  return {
    port: read('PORT'),
    host,
    processes: read('PROCESSES'),
    metricsPort: read('METRICS_PORT'),
    metricsHost: read('METRICS_HOST'),
    tracesUrl: read('OTEL_EXPORTER_OTLP_ENDPOINT')?.concat('/v1/traces'),
    publicUrl,
    trustProxy: read('TRUST_PROXY'),
    mcpOrigins: read('MCP_ORIGINS'),
    approvalAboveCents: read('APPROVAL_ABOVE_CENTS'),
    currency: read('CURRENCY'),
    databaseUrls,
    homeDatabaseUrl: read('HOME_DATABASE_URL'),
    migrationUser: migrationUser(read('MIGRATION_DATABASE_USER'), read('MIGRATION_DATABASE_PASSWORD')),
    ...filesOf(read('DATA_DIR'), read('HISTORY_FILE'), isEmbedded),
    demo: chooseDemo(read('DEMO'), { databaseUrls, host, publicUrl, isProduction }),
    logLevel: read('LOG_LEVEL'),
    serveEnvironments: read('SERVE_ENVIRONMENTS'),
    ...forLoad(read),
    resendLimit: read('RESEND_LIMIT'),
    valuePerRecipientPerDay: read('VALUE_PER_RECIPIENT_PER_DAY'),
    recipientReportFromCents: read('RECIPIENT_REPORT_FROM_CENTS'),
    messageCaps: messageCaps(read),
    eventsKeptDays: read('EVENTS_KEPT_DAYS'),
    retentionDays: read('RETENTION_DAYS'),
    linkTtlMs: Math.ceil(read('LINK_TTL_DAYS') * 86_400_000),
    linkSecrets: read('LINK_SECRET'),
    purposeSecrets: purposeSecrets(read),
    ledgerEarlierKeys: read('LEDGER_EARLIER_KEYS'),
    sandboxMailDomain: read('SANDBOX_MAIL_DOMAIN'),
    webhookAllowedNetworks: read('WEBHOOK_ALLOWED_NETWORKS'),
    smtp: smtpConfig(read('SMTP_URL'), read('MAIL_FROM')),
    senderDomainSpf: read('SENDER_DOMAIN_SPF'),
    dnsServers: read('DNS_SERVERS'),
    twilio: twilioConfig(twilioValues(read)),
    hooks: hooksConfig(read),
    stripe: stripeConfig(stripeValues(read), isProduction),
    screening: screeningConfig(read('SCREENING_URL'), read('SCREENING_SECRET')),
    fundingInstructions: read('FUNDING_INSTRUCTIONS'),
    isProduction,
    backupFile: read('BACKUP_FILE'),
    ...forPeople(read),
    allowsSimulatedLive: read('ALLOW_SIMULATED_LIVE') || !isProduction,
  };
}

/** By default the first start seeds a demo only if no other machine can reach it. */
function chooseDemo(
  chosen: boolean | undefined,
  { databaseUrls, host, publicUrl, isProduction }: Pick<Config, 'databaseUrls' | 'host' | 'publicUrl' | 'isProduction'>,
): boolean {
  const isLocal = !isProduction && isOnLoopback({ host, publicUrl });
  if (chosen && !isLocal)
    throw new OperatorError(
      'DEMO must be 0 in production, or if HOST or PUBLIC_URL is not of this machine: a demo is for one machine.',
    );
  return chosen ?? (isLocal && databaseUrls.length === 0);
}

type Read = <Name extends keyof Values>(name: Name) => Values[Name];

const forPeople = (read: Read) => ({
  operator: operatorContact(read('OPERATOR_NAME'), read('OPERATOR_EMAIL'), read('OPERATOR_URL')),
  germanAddress: read('GERMAN_ADDRESS') ?? ('informal' as const),
  operatorPage: operatorPageConfig(
    read('OPERATOR_PAGE_PORT'),
    read('OPERATOR_PAGE_URL'),
    read('OPERATOR_PAGE_NETWORKS'),
  ),
});

const forLoad = (read: Read) => ({
  keyRateLimit: rateLimit(read, 'RATE_LIMIT'),
  addressRateLimit: rateLimit(read, 'RATE_LIMIT_ADDRESS'),
  orderLockWaitMs: read('ORDER_LOCK_WAIT_MS'),
  orderBatch: read('ORDER_BATCH'),
  compressesLists: read('COMPRESS_LISTS'),
});

const rateLimit = (read: Read, name: 'RATE_LIMIT' | 'RATE_LIMIT_ADDRESS') => ({
  perSecond: read(`${name}_PER_SECOND`),
  burst: read(`${name}_BURST`),
});

const purposeSecrets = (read: Read): Config['purposeSecrets'] => ({
  gifts: read('LINK_SECRET_GIFTS'),
  codes: read('LINK_SECRET_CODES'),
  sessions: read('LINK_SECRET_SESSIONS'),
  ledger: read('LINK_SECRET_LEDGER'),
});

const hooksConfig = (read: Read): Config['hooks'] => ({
  sesTopicArn: read('SES_TOPIC_ARN'),
  sendgridPublicKey: read('SENDGRID_WEBHOOK_PUBLIC_KEY'),
  postmarkPassword: read('POSTMARK_WEBHOOK_PASSWORD'),
});

const twilioValues = (read: Read) => ({
  accountSid: read('TWILIO_ACCOUNT_SID'),
  authToken: read('TWILIO_AUTH_TOKEN'),
  from: read('TWILIO_FROM'),
  messagingServiceSid: read('TWILIO_MESSAGING_SERVICE_SID'),
  baseUrl: read('TWILIO_BASE_URL'),
});

const stripeValues = (read: Read) => ({
  secretKey: read('STRIPE_SECRET_KEY'),
  webhookSecrets: read('STRIPE_WEBHOOK_SECRET'),
  apiBase: read('STRIPE_API_BASE'),
  cardFee: { basisPoints: read('TOPUP_CARD_FEE_BASIS_POINTS'), cents: read('TOPUP_CARD_FEE_CENTS') },
});

const messageCaps = (read: Read): Config['messageCaps'] => ({
  perOrganizationPerHour: read('MESSAGES_PER_ORGANIZATION_PER_HOUR'),
  textsPerNumberPerDay: read('TEXTS_PER_NUMBER_PER_DAY'),
});

function databaseUrlsOf(url: string | undefined, shards: string[], demo: boolean | undefined): string[] {
  if (shards.length === 0) return url === undefined ? [] : [url];
  if (url !== undefined)
    throw new OperatorError('DATABASE_URL must not be set where DATABASE_SHARDS is, which names every server.');
  if (demo)
    throw new OperatorError('DEMO must be 0 if DATABASE_SHARDS is set; create organizations with bestow org create.');
  return shards;
}

const migrationUser = (user: string | undefined, password: string | undefined): Config['migrationUser'] =>
  user === undefined ? undefined : { user, password };

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
