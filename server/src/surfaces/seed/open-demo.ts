import { resetSandbox } from '../../capabilities/erasure/reset-sandbox.ts';
import { addFunds } from '../../core/balances/change-balance.ts';
import { createKey } from '../../core/keys/create-key.ts';
import { addMember } from '../../core/organizations/add-member.ts';
import { findEveryMembership, type Membership } from '../../core/organizations/find-memberships.ts';
import { listMembers } from '../../core/organizations/list-members.ts';
import { listOrganizations } from '../../core/organizations/list-organizations.ts';
import { admitted } from '../../platform/authentication/caller.ts';
import { hashKey } from '../../platform/authentication/key-format.ts';
import type { Actor } from '../../platform/base/actor.ts';
import type { Environment } from '../../platform/base/environment.ts';
import { decodeId } from '../../platform/base/ids.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import type { Agenda } from './agenda.ts';
import type { MemberActor, Month, MonthDeps } from './month.ts';
import { selectTraces } from './queries.ts';
import { ADMIN_EMAIL, FUNDING_CENTS, seedDemo } from './seed-demo.ts';

export const MEMBER_EMAIL = 'member@demo.test';
/** For documentation (RFC 5737). */
const CLIENT_ADDRESS = '192.0.2.10';

export type Keys = Record<Environment, string>;

interface OpenedDemo extends Month {
  /** Full keys. */
  keys: Keys;
}

/**
 * Opens the unused demo organization for its month, or creates it in an empty database.
 *
 * @throws OperatorError if the database has another organization, or the demo organization was used
 */
export async function openDemo(deps: MonthDeps, agenda: Agenda, actor: Actor): Promise<OpenedDemo> {
  const created = (await hasDemo(deps)) ? undefined : await createDemo(deps);
  const [membership] = (await findEveryMembership(deps, ADMIN_EMAIL)).filter(({ role }) => role === 'admin');
  if (membership === undefined)
    throw new OperatorError(`${ADMIN_EMAIL} is no longer an admin of the demo organization. ${USE_ANOTHER}`);
  const { organization_id } = membership;
  const organizationId = decodeId('org', organization_id) ?? '';
  if (created === undefined) await requireUnused(deps, organizationId);
  const keys = created ?? (await beginAgain(deps, membership, actor));
  const programOf = (environment: Environment) => ({
    organizationId,
    environment,
    keyHash: hashKey(keys[environment]),
  });
  return {
    deps,
    agenda,
    organizationId,
    organizationName: membership.organization_name,
    keys,
    admin: memberOf(membership.member_id, ADMIN_EMAIL),
    member: memberOf(await memberIdOf(deps, organization_id, actor), MEMBER_EMAIL),
    programs: { live: programOf('live'), sandbox: programOf('sandbox') },
    deliveries: new Map(),
    orders: { live: 0, sandbox: 0 },
    gifts: { live: 0, sandbox: 0 },
  };
}

const USE_ANOTHER = 'Use another database: start Bestow once with a new DATA_DIR, or set DATABASE_URL.';

const memberOf = (memberId: string, email: string): MemberActor => ({
  kind: 'member',
  memberId: decodeId('mem', memberId) ?? '',
  email,
  address: CLIENT_ADDRESS,
});

async function hasDemo(deps: MonthDeps): Promise<boolean> {
  const found = await listOrganizations(deps);
  const [demo] = await findEveryMembership(deps, ADMIN_EMAIL);
  const others = found.filter(({ organization_id }) => organization_id !== demo?.organization_id);
  if (others.length > 0)
    throw new OperatorError(
      `The database has another organization than the demo (${others[0]?.organization_id}), and test gifts must not be beside real ones. ${USE_ANOTHER}`,
    );
  return found.length > 0;
}

async function createDemo(deps: MonthDeps): Promise<Keys> {
  const seeded = await seedDemo(deps, { hasLiveFunds: false });
  if (seeded === undefined) throw new OperatorError(`The database has categories but no organization. ${USE_ANOTHER}`);
  return { live: seeded.liveKey, sandbox: seeded.sandboxKey };
}

/** Ids rise with the ledger, so nothing can come before its entries; the sandbox begins again. */
async function requireUnused(deps: MonthDeps, organizationId: string): Promise<void> {
  const [traces] = await selectTraces(deps.database.pool, [organizationId]);
  const found = [
    ...(traces?.has_orders ? ['orders'] : []),
    ...(traces?.has_live_entries ? ['live funds'] : []),
    ...(traces?.has_endpoints ? ['webhook endpoints'] : []),
    ...(traces?.has_issuers ? ['card issuers'] : []),
  ];
  if (found.length > 0)
    throw new OperatorError(
      `The demo organization already has ${found[0]}, and a month of gifts can only come before them. ${USE_ANOTHER}`,
    );
}

/** Empties the sandbox of the demo, funds it, and adds keys that are known. */
async function beginAgain(deps: MonthDeps, { organization_id }: Membership, actor: Actor): Promise<Keys> {
  const organizationId = decodeId('org', organization_id) ?? '';
  await resetSandbox(deps, { caller: admitted({ organizationId, environment: 'sandbox' }), actor });
  await addFunds(deps, {
    organizationId: organization_id,
    environment: 'sandbox',
    amountCents: FUNDING_CENTS.sandbox,
    actor,
    reference: undefined,
    note: 'Demo funds',
  });
  const add = async (environment: Environment) =>
    (await createKey(deps, { organizationId: organization_id, environment, name: 'Web shop', actor })).key;
  return { live: await add('live'), sandbox: await add('sandbox') };
}

async function memberIdOf(deps: MonthDeps, organizationId: string, actor: Actor): Promise<string> {
  const members = await listMembers(deps, organizationId);
  const found = members.find(({ email }) => email === MEMBER_EMAIL);
  return (found ?? (await addMember(deps, { organizationId, email: MEMBER_EMAIL, role: 'member', actor }))).member_id;
}
