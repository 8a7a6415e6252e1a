import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import type { Actor } from '../../platform/base/actor.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import type { Deps } from '../deps.ts';
import { recordEvent } from './actions.ts';
import * as queries from './domain-queries.ts';
import { isComplete, isDenied, type RecordState, readRecords, wantedRecords } from './domain-records.ts';
import type { DomainDeps } from './resolve-txt.ts';

type CheckDeps = Pick<DomainDeps, 'clock' | 'config' | 'database' | 'ids' | 'log' | 'resolveTxt' | 'cipher'>;

interface Change {
  /** UUID. */
  organizationId: string;
  actor: Actor;
}

interface ShownDomain {
  address: string;
  domain: string;
  is_verified: boolean;
  checked_at: Date | null;
  records: (Omit<RecordState, 'state'> & { state: RecordState['state'] | null })[];
}

const LONGEST_DOMAIN = 253;
const DAY_MS = 86_400_000;
/** Per run; the rest follow a minute later. */
const MAX_DOMAINS = 20;
/** A claim of this age whose domain is not verified was left by a crash. */
const CLAIM_MS = 60_000;
const newKeyPair = promisify(generateKeyPair);

/** @throws OperatorError */
function requireSpf({ config }: Pick<Deps, 'config'>): string {
  if (config.senderDomainSpf === undefined)
    throw new OperatorError('This service sends from its own address only. Ask its operator for SENDER_DOMAIN_SPF.');
  return config.senderDomainSpf;
}

/**
 * Adds the domain from which the organization's gift emails are to come, with a new key. It is not used before it is
 * verified.
 *
 * @param address the new sender, a valid email address
 * @throws OperatorError if own domains are off, the organization has one, or the domain is the service's
 */
export async function addDomain(
  deps: CheckDeps,
  { organizationId, actor, address }: Change & { address: string },
): Promise<void> {
  const { clock, config, database, cipher } = deps;
  requireSpf(deps);
  const at = address.lastIndexOf('@');
  const [localPart, domain] = [address.slice(0, at), address.slice(at + 1).toLowerCase()];
  const own = [config.sandboxMailDomain, config.smtp?.from.split('@').at(-1)?.toLowerCase()];
  if (own.some((name) => name !== undefined && (domain === name || domain.endsWith(`.${name}`))))
    throw new OperatorError(`${domain} belongs to this service. Use a domain of your organization.`);
  if (domain.length > LONGEST_DOMAIN) throw new OperatorError(`A domain has at most ${LONGEST_DOMAIN} characters.`);
  const { publicKey, privateKey } = await newKeyPair('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const now = new Date(clock.now());
  const selector = `bestow-${deps.ids.next().replaceAll('-', '').slice(-12)}`;
  const row = [localPart, domain, selector, publicKey.toString('base64'), cipher.encrypt(privateKey), now] as const;
  await inOrganization(database, organizationId, async (client) => {
    const [added] = await queries.insertDomain(client, [organizationId, ...row]);
    if (added === undefined) throw new OperatorError('The organization has a sender domain. Remove it first.');
    await recordEvent(client, deps, actor, { organizationId, action: 'sender_domain.added', details: { address } });
  });
}

/**
 * Asks DNS for the domain's records now.
 *
 * @throws OperatorError if there is no domain, or another organization has verified it
 */
export async function checkDomain(deps: CheckDeps, { organizationId, actor }: Change): Promise<void> {
  requireSpf(deps);
  const [row] = await queries.selectDomain(deps.database.pool, [organizationId]);
  if (row === undefined) throw new OperatorError('The organization has no sender domain.');
  if ((await check(deps, row, actor)) === 'taken')
    throw new OperatorError(`Another organization sends from ${row.domain}. It must remove the domain first.`);
}

async function check(deps: CheckDeps, row: queries.SenderDomainRow, actor?: Actor): Promise<'checked' | 'taken'> {
  const { clock, database } = deps;
  const { organization_id: organizationId, domain, selector, public_key: publicKey } = row;
  const records = await readRecords(deps.resolveTxt, { domain, selector, publicKey, spf: requireSpf(deps) });
  const wants = isComplete(records) || (row.verified_at !== null && !isDenied(records));
  // The claim comes first, so that two organizations never both send from a domain.
  const isVerified = wants && (await claim(deps, domain, organizationId));
  const recorded = await inOrganization(database, organizationId, async (client) => {
    const values = [JSON.stringify(records), new Date(clock.now()), isVerified] as const;
    const [changed] = await queries.recordCheck(client, [organizationId, selector, ...values]);
    if (changed !== undefined && isVerified && !changed.was_verified && actor !== undefined)
      await recordEvent(client, deps, actor, { organizationId, action: 'sender_domain.verified', details: { domain } });
    return changed;
  });
  if (recorded?.was_verified && !isVerified)
    deps.log.warn({ domain }, 'A sender domain lost its records: its emails come from the service’s address.');
  if (!isVerified || recorded === undefined) await release(deps, domain, organizationId);
  return wants && !isVerified ? 'taken' : 'checked';
}

/** Returns false if another organization has the domain. */
async function claim(deps: Pick<Deps, 'clock' | 'database'>, domain: string, organizationId: string): Promise<boolean> {
  const { clock, database } = deps;
  const now = new Date(clock.now());
  const [own] = await queries.claimDomain(database.home, [domain, organizationId, now]);
  if (own !== undefined) return true;
  const [other] = await queries.selectClaim(database.home, [domain]);
  if (other === undefined || now.getTime() - other.claimed_at.getTime() < CLAIM_MS) return false;
  await release(deps, domain, other.organization_id);
  return (await queries.claimDomain(database.home, [domain, organizationId, now])).length > 0;
}

/** Ends the claim unless the organization has the domain verified again. */
async function release({ database }: Pick<Deps, 'database'>, domain: string, organizationId: string): Promise<void> {
  const [row] = await queries.selectDomain(database.pool, [organizationId]);
  if (row?.domain !== domain || row.verified_at === null)
    await queries.releaseDomain(database.home, [domain, organizationId]);
}

/** Emails come from the service's address from now on. @throws OperatorError if there is no domain */
export async function removeDomain(deps: CheckDeps, { organizationId, actor }: Change): Promise<void> {
  const removed = await inOrganization(deps.database, organizationId, async (client) => {
    const [row] = await queries.deleteDomain(client, [organizationId]);
    if (row === undefined) throw new OperatorError('The organization has no sender domain.');
    const { domain } = row;
    await recordEvent(client, deps, actor, { organizationId, action: 'sender_domain.removed', details: { domain } });
    return domain;
  });
  await release(deps, removed, organizationId);
}

/** @param organizationId UUID */
export async function showDomain(
  { config, database }: Pick<Deps, 'config' | 'database'>,
  organizationId: string,
): Promise<{ is_possible: boolean; domain: ShownDomain | null }> {
  const spf = config.senderDomainSpf;
  const [row] = await queries.selectDomain(database.pool, [organizationId]);
  if (spf === undefined || row === undefined) return { is_possible: spf !== undefined, domain: null };
  const { local_part, domain, selector, public_key: publicKey, checked_at, verified_at } = row;
  const records = wantedRecords({ domain, selector, publicKey, spf }).map((wanted) => {
    const known = row.records.find(({ kind }) => kind === wanted.kind);
    return { ...wanted, state: known?.state ?? null, found: known?.found ?? null };
  });
  const address = `${local_part}@${domain}`;
  return { is_possible: true, domain: { address, domain, is_verified: verified_at !== null, checked_at, records } };
}

/** Checks every domain once a day. */
export async function checkDomains(deps: CheckDeps): Promise<void> {
  if (deps.config.senderDomainSpf === undefined) return;
  const due = new Date(deps.clock.now() - DAY_MS);
  for (const row of await queries.selectDueDomains(deps.database.shards, [due, MAX_DOMAINS])) await check(deps, row);
}
