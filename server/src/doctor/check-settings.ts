import type { Config } from '../config.ts';
import { hasOutboxPage } from '../outbox/routes.ts';
import { PUBLISHED_SECRETS } from '../redemption/link-secret.ts';
import { localAddress } from '../server-address.ts';
import { type Finding, fault, ok, warning } from './finding.ts';

/** What the settings leave open that a service for others needs; on one's own machine most of it does not matter. */
export function checkSettings(config: Config): Finding[] {
  const { databaseUrl, host, isProduction, port, publicUrl, smtp, twilio } = config;
  const findings: Finding[] = [checkLinkSecret(config)];
  const add = (isFine: boolean, check: string, found: string, otherwise: string, advice: string) =>
    findings.push(isFine ? ok(check, found) : warning(check, otherwise, advice));
  const serves = isProduction || databaseUrl !== undefined;
  add(
    isProduction || !serves,
    'NODE_ENV',
    isProduction ? 'production' : 'on your own machine',
    'not production',
    'Set NODE_ENV=production where others use the service: it turns the outbox page off.',
  );
  const hasOutbox = hasOutboxPage(config, publicUrl ?? localAddress(host, port));
  add(
    !hasOutbox || smtp === undefined,
    'outbox page',
    hasOutbox ? 'for this machine alone' : 'off',
    'on, while emails are really sent',
    'Set NODE_ENV=production: a proxy before it that does not name itself would show live links and codes to everyone.',
  );
  add(
    publicUrl?.startsWith('https:') || !serves,
    'PUBLIC_URL',
    publicUrl ?? 'from HOST and PORT',
    publicUrl ?? 'not set',
    'Set PUBLIC_URL to the https:// address that people reach; links begin with it.',
  );
  add(
    smtp !== undefined || !serves,
    'SMTP_URL',
    smtp === undefined ? 'not set: emails stay in the outbox' : 'set',
    'not set',
    'Set SMTP_URL and MAIL_FROM; until then live emails wait.',
  );
  add(
    twilio !== undefined || !serves,
    'TWILIO_ACCOUNT_SID',
    twilio === undefined ? 'not set: text messages stay in the outbox' : 'set',
    'not set',
    'Set it and what belongs to it where gifts are sent by phone; until then live text messages wait.',
  );
  return findings;
}

function checkLinkSecret({ databaseUrl, linkSecrets }: Config): Finding {
  if (linkSecrets.some((secret) => PUBLISHED_SECRETS.includes(secret)))
    return fault(
      'LINK_SECRET',
      'a published example',
      'Anyone can sign links with it; set one of your own, made with: openssl rand -hex 32.',
    );
  if (linkSecrets.length > 0) return ok('LINK_SECRET', 'set');
  return databaseUrl === undefined
    ? ok('LINK_SECRET', 'kept in DATA_DIR')
    : fault('LINK_SECRET', 'not set', 'Set it (32 characters or more); nothing is served or sent without it.');
}
