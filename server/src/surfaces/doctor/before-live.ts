import { createCheckpointKeys, publishKeys } from '../../capabilities/seals/checkpoint-keys.ts';
import { isLoopback } from '../../platform/base/loopback.ts';
import type { Config } from '../../platform/configuration/config.ts';
import type { Database } from '../../platform/database/connections.ts';
import { findKnownSecrets, secretsFor } from '../../platform/installation/link-secret.ts';
import { attempt } from './attempt.ts';
import { messageOf } from './check-providers.ts';
import { type Finding, fault, ok } from './finding.ts';
import { countSellers, selectWithoutIssuer } from './live-queries.ts';

const ANSWER_WITHIN_MS = 10_000;
const MOST_NAMED = 3;

/** Checks what the first live gift needs and a trial does not. */
export async function checkBeforeLive(config: Config, database: Database): Promise<Finding[]> {
  return [
    ...(await attempt('live: settings', () => checkSettingsBeforeLive(config))),
    ...(await attempt('live: proxy', () => checkProxy(config))),
    ...(await attempt('live: issuers', () => checkEveryIssuer(database))),
  ];
}

/** Checks settings that only a trial may lack. */
export function checkSettingsBeforeLive({ isProduction, allowsSimulatedLive, publicUrl, smtp }: Config): Finding[] {
  const findings: Finding[] = [];
  const add = (check: string, found: string, reason: string | undefined, advice: string) =>
    findings.push(reason === undefined ? ok(check, found) : fault(check, reason, advice));
  const simulates = allowsSimulatedLive ? 'live gifts become simulated cards, which buy nothing' : undefined;
  add(
    'live: production',
    'production, without simulated live cards',
    isProduction ? simulates : 'NODE_ENV is not production',
    isProduction ? 'Remove ALLOW_SIMULATED_LIVE.' : 'Set NODE_ENV=production.',
  );
  add(
    'live: mail',
    'SMTP_URL and MAIL_FROM are set',
    smtp === undefined ? 'SMTP_URL is not set: no gift and no sign-in code is sent' : undefined,
    'Set SMTP_URL and MAIL_FROM: docs/sending.md.',
  );
  add(
    'live: address',
    publicUrl ?? '',
    addressFault(publicUrl),
    'Set PUBLIC_URL to the public https:// address: links in messages begin with it.',
  );
  return findings;
}

function addressFault(publicUrl: string | undefined): string | undefined {
  if (publicUrl === undefined) return 'PUBLIC_URL is not set';
  const { protocol, hostname } = new URL(publicUrl);
  if (isLoopback(hostname)) return `${publicUrl} is of this machine`;
  return protocol === 'https:' ? undefined : `${publicUrl} is without TLS`;
}

/** Asks through PUBLIC_URL for the public keys, which are those of this installation only. */
async function checkProxy(config: Config): Promise<Finding[]> {
  const { publicUrl, trustProxy, ledgerEarlierKeys } = config;
  if (publicUrl === undefined || addressFault(publicUrl) !== undefined) return [];
  const findings = [
    trustProxy.length > 0
      ? ok('live: proxy', trustProxy.join(', '))
      : fault(
          'live: proxy',
          'TRUST_PROXY is not set: all clients have the address of the proxy, and share its limits',
          'Set TRUST_PROXY to the address of the proxy that ends TLS.',
        ),
  ];
  const check = 'live: public answer';
  const secrets = secretsFor('ledger', config, (await findKnownSecrets(config)) ?? []);
  const expected = JSON.stringify(publishKeys(createCheckpointKeys(secrets, ledgerEarlierKeys)));
  const advice = 'Start bestow serve, and point DNS and the proxy of PUBLIC_URL to it: docs/install.md#the-proxy.';
  try {
    const url = `${publicUrl}/.well-known/bestow-ledger-keys`;
    const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    const isOurs = answer.status === 200 && (await answer.text()) === expected;
    return [
      ...findings,
      isOurs
        ? ok(check, `${publicUrl} reaches this installation`)
        : fault(check, `${publicUrl} answers ${answer.status}, and not as this installation`, advice),
    ];
  } catch (error) {
    return [...findings, fault(check, `${publicUrl}: ${messageOf(error)}`, advice)];
  }
}

/** Unlike the check of issuers, this one also looks at organizations without gifts, and at each category. */
async function checkEveryIssuer({ shards }: Pick<Database, 'shards'>): Promise<Finding> {
  const check = 'live: issuers';
  const counts = await countSellers(shards, []);
  const organizations = counts.reduce((sum, row) => sum + row.organizations, 0);
  if (organizations === 0) return fault(check, 'no organization', 'Run: bestow org create.');
  if (counts[0]?.categories === 0) return fault(check, 'no category', 'Run: bestow catalog add-built-in.');
  const rows = await selectWithoutIssuer(shards, [MOST_NAMED]);
  if (rows.length === 0) return ok(check, 'every organization has one for each category');
  const named = rows.slice(0, MOST_NAMED).map((row) => `${row.category_id} of ${row.organization_name}`);
  const first = new Set(rows.map(({ organization_name }) => organization_name)).size;
  return fault(
    check,
    `missing for ${named.join(', ')}${rows.length < (rows[0]?.all ?? 0) || first > MOST_NAMED ? ' and others' : ''}`,
    'Run: bestow issuer add. Retire categories that you do not sell: bestow catalog retire.',
  );
}
