import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isLoopback, isOnLoopback } from '../../platform/base/loopback.ts';
import type { Config } from '../../platform/configuration/config.ts';
import { localAddress } from '../../platform/configuration/server-address.ts';
import { findSecretFault, SECRET_FILE } from '../../platform/installation/link-secret.ts';
import { hasOutboxPage } from '../../platform/messaging/has-outbox-page.ts';
import { type Finding, fault, ok, warning } from './finding.ts';

/** Checks settings that a public service needs; most do not matter on a local machine. */
export function checkSettings(config: Config): Finding[] {
  const { databaseUrls, host, isProduction, port, publicUrl, smtp, twilio } = config;
  const findings: Finding[] = [checkLinkSecret(config)];
  const add = (isFine: boolean, check: string, found: string, otherwise: string, advice: string) =>
    findings.push(isFine ? ok(check, found) : warning(check, otherwise, advice));
  const address = publicUrl ?? localAddress(host, port);
  const sends = twilio !== undefined || (smtp !== undefined && !isLoopback(new URL(smtp.url).hostname));
  const serves = isProduction || databaseUrls.length > 0 || sends || !isOnLoopback(config);
  add(
    isProduction || !serves,
    'NODE_ENV',
    isProduction ? 'production' : 'local machine',
    'not production',
    'Set NODE_ENV=production on a shared service: it turns off the outbox page and the demo.',
  );
  const hasOutbox = hasOutboxPage(config, address);
  findings.push(ok('outbox page', hasOutbox ? 'on, at a secret address of this machine' : 'off'));
  if (sends && publicUrl === undefined && isLoopback(new URL(address).hostname))
    findings.push(
      fault(
        'PUBLIC_URL',
        `not set: links in real messages begin with ${address}`,
        'Set PUBLIC_URL to the public https:// address; no recipient can open the links.',
      ),
    );
  else
    add(
      publicUrl?.startsWith('https:') || !serves,
      'PUBLIC_URL',
      publicUrl ?? 'from HOST and PORT',
      publicUrl ?? 'not set',
      'Set PUBLIC_URL to the public https:// address; links start with it.',
    );
  add(
    smtp !== undefined || !serves,
    'SMTP_URL',
    smtp === undefined ? 'not set: emails stay in the outbox' : 'set',
    'not set',
    'Set SMTP_URL and MAIL_FROM; until then, live emails stay queued.',
  );
  add(
    twilio !== undefined || !serves,
    'TWILIO_ACCOUNT_SID',
    twilio === undefined ? 'not set: text messages stay in the outbox' : 'set',
    'not set',
    'Set the TWILIO_ variables to send text messages; until then, live ones stay queued.',
  );
  return findings;
}

function checkLinkSecret(config: Config): Finding {
  const { databaseUrls, dataDir, linkSecrets } = config;
  const found = findSecretFault(config);
  if (found !== undefined)
    return fault(found.name, found.found, 'Anyone can sign links with it; generate your own: openssl rand -hex 32.');
  if (linkSecrets.length > 0) return ok('LINK_SECRET', 'set');
  const path = join(dataDir, SECRET_FILE);
  return databaseUrls.length === 0
    ? existsSync(path)
      ? ok('LINK_SECRET', 'kept in DATA_DIR')
      : warning(
          'LINK_SECRET',
          `${path} is missing`,
          'Put the file back; only for a new database bestow serve makes another.',
        )
    : fault('LINK_SECRET', 'not set', 'Set it (32 characters or more); serve and worker need it.');
}
