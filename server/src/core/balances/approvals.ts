import type { PoolClient } from 'pg';
import { type Actor, actorName } from '../../platform/base/actor.ts';
import { formatMoney } from '../../platform/base/format-money.ts';
import { decodeId, encodeId } from '../../platform/base/ids.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import type { Deps } from '../deps.ts';
import { alertAdmins } from '../organizations/alert-admins.ts';
import { findOrganization } from '../organizations/find-organization.ts';
import { requireSecondPerson } from '../organizations/require-second-person.ts';
import { recordEvent } from './actions.ts';
import { appendEntry, type NewEntry } from './append-entry.ts';
import * as queries from './approval-queries.ts';
import { requirePeoplesReference } from './own-references.ts';

declare module '../../platform/base/ids.ts' {
  interface IdPrefixes {
    /** approval of a balance change */
    apr: true;
  }
}

type ApprovalDeps = Pick<Deps, 'database' | 'clock' | 'ids' | 'tracer' | 'config'>;

/** Of a ledger entry's note. */
const LONGEST_NOTE = 1_000;

/** A change of a balance that waits for a second person, or is decided. Ids are encoded; money is cents. */
export interface PresentedApproval {
  approval_id: string;
  organization_id: string;
  environment: queries.ApprovalRow['environment'];
  kind: queries.ApprovalRow['kind'];
  amount: number;
  reference: string | null;
  note: string | null;
  state: queries.ApprovalRow['state'];
  requested_by: string;
  created_at: Date;
  decided_by: string | null;
  entry_id: string | null;
}

/** Whether a change of this amount needs a second person. */
export const needsApproval = ({ config }: Pick<Deps, 'config'>, amountCents: number): boolean =>
  config.approvalAboveCents > 0 && Math.abs(amountCents) > config.approvalAboveCents;

/**
 * Asks a second person to approve a change of a balance, and emails all admins. Repeating a reference returns the same
 * request.
 *
 * @param input `organizationId` is an `org_…` id
 * @throws OperatorError if the organization does not exist, or the reference belongs to another request or the service
 */
export async function requestApproval(deps: ApprovalDeps, input: NewEntry): Promise<PresentedApproval> {
  requirePeoplesReference(input.reference);
  const organization = await findOrganization(deps, input.organizationId);
  const { organization_id } = organization;
  const { environment, kind, amountCents, reference = null, note = null, actor } = input;
  const createdAt = new Date(deps.clock.now());
  const change = [environment, kind, amountCents, reference, note, actorName(actor), createdAt] as const;
  return inOrganization(deps.database, organization_id, async (client) => {
    const [added] = await queries.insertApproval(client, [organization_id, deps.ids.next(), ...change]);
    if (added === undefined) {
      const [earlier] = await queries.selectApprovalByReference(client, [
        organization_id,
        environment,
        reference ?? '',
      ]);
      if (earlier?.kind === kind && earlier.amount_cents === amountCents) return present(earlier);
      throw new OperatorError(`The reference “${reference}” belongs to another request. Use a new reference.`);
    }
    await recordEvent(client, deps, actor, {
      organizationId: organization_id,
      environment,
      action: 'balance.requested',
      target: encodeId('apr', added.approval_id),
      details: { amount_cents: amountCents, reference, note },
    });
    const about = formatMoney(amountCents, deps.config.currency);
    await alertAdmins(client, deps, { organization, change: 'balance_requested', about, actor });
    return present(added);
  });
}

/** `organizationId` and `approvalId` are encoded ids. */
interface Decision {
  organizationId: string;
  approvalId: string;
  actor: Actor;
}

/**
 * Approves a change and makes it. The ledger entry's note has both names. Of several decisions the first counts.
 *
 * @throws OperatorError if the request does not exist, is decided, or was made by the same person, or the member was added or
 *   raised since the day before; and as `appendEntry`
 */
export const approveChange = (deps: ApprovalDeps, decision: Decision): Promise<PresentedApproval> =>
  decide(deps, decision, 'approved');

/** Declines a change; the person who asked may do so too. @throws OperatorError if the request is missing or decided */
export const declineChange = (deps: ApprovalDeps, decision: Decision): Promise<PresentedApproval> =>
  decide(deps, decision, 'declined');

async function decide(
  deps: ApprovalDeps,
  { organizationId, approvalId, actor }: Decision,
  state: 'approved' | 'declined',
): Promise<PresentedApproval> {
  const { organization_id } = await findOrganization(deps, organizationId);
  const uuid = decodeId('apr', approvalId);
  const decidedBy = actorName(actor);
  return inOrganization(deps.database, organization_id, async (client) => {
    const [waiting] = uuid === undefined ? [] : await queries.lockApproval(client, [organization_id, uuid]);
    if (waiting === undefined) throw new OperatorError(`There is no request ${approvalId}.`);
    if (waiting.state !== 'waiting')
      throw new OperatorError(`${approvalId} was already ${waiting.state} by ${waiting.decided_by}.`);
    if (state === 'approved') {
      await requireAnother(client, waiting, actor);
      requirePeoplesReference(waiting.reference);
    }
    let entryId: string | null = null;
    if (state === 'approved')
      ({ entry_id: entryId } = await appendEntry(client, deps, entryOf(waiting, decidedBy, actor)));
    else
      await recordEvent(client, deps, actor, {
        organizationId: organization_id,
        environment: waiting.environment,
        action: 'balance.declined',
        target: approvalId,
        details: { amount_cents: waiting.amount_cents, reference: waiting.reference, note: waiting.note },
      });
    const decision = [state, decidedBy, new Date(deps.clock.now()), entryId] as const;
    const [decided] = await queries.decideApproval(client, [organization_id, waiting.approval_id, ...decision]);
    return present(decided as queries.ApprovalRow);
  });
}

/**
 * Four eyes are two people: not the one who asked, under another of their names, and no member who could be their second
 * mailbox.
 *
 * @throws OperatorError
 */
async function requireAnother(client: PoolClient, asked: queries.ApprovalRow, actor: Actor): Promise<void> {
  const name = actor.kind === 'member' ? actor.email : actor.kind === 'operator' ? actor.name : actorName(actor);
  const isAsker = [actorName(actor), actorName({ kind: 'operator', name, address: '' })].some(
    (one) => withoutLabel(one) === withoutLabel(asked.requested_by),
  );
  if (isAsker)
    throw new OperatorError(`${actorName(actor)} asked for this change, so another person must approve it: ${OTHERS}`);
  if (actor.kind === 'member')
    await requireSecondPerson(
      client,
      asked.organization_id,
      actor,
      asked.created_at,
      `Someone else must approve it: ${OTHERS}`,
    );
}

const OTHERS =
  'a member in the portal whose role pays into the balance, or another operator, on the operator’s page or by sudo.';

/** `Olga+gifts@ops.example` and `olga@ops.example` are one person. */
const withoutLabel = (name: string) => name.toLowerCase().replace(/\+[^@()]*@/, '@');

function entryOf(row: queries.ApprovalRow, approvedBy: string, actor: Actor): NewEntry {
  const names = `Requested by ${row.requested_by}, approved by ${approvedBy}`;
  const note = [...(row.note === null ? names : `${row.note} (${names})`)];
  // Both names stay whole; a note that is too long loses its end.
  const cut = note.length > LONGEST_NOTE ? [...(row.note ?? '')].slice(0, LONGEST_NOTE - names.length - 5) : undefined;
  return {
    organizationId: row.organization_id,
    environment: row.environment,
    kind: row.kind,
    amountCents: row.amount_cents,
    reference: row.reference ?? undefined,
    note: cut === undefined ? note.join('') : `${cut.join('')}… (${names})`,
    actor,
  };
}

/** Lists the changes that wait, oldest first. @throws OperatorError if the organization does not exist */
export async function listWaitingChanges(
  deps: Pick<Deps, 'database'>,
  organizationId: string,
): Promise<PresentedApproval[]> {
  const { organization_id } = await findOrganization(deps, organizationId);
  return (await queries.selectWaitingApprovals(deps.database.read, [organization_id])).map(present);
}

/** Finds the organization of a request, for the operator only. @throws OperatorError if the request does not exist */
export async function findApproval(
  deps: Pick<Deps, 'database'>,
  approvalId: string,
): Promise<Pick<Decision, 'organizationId' | 'approvalId'>> {
  const uuid = decodeId('apr', approvalId);
  const row =
    uuid === undefined ? undefined : await queries.selectApprovalOrganization.find(deps.database.shards, [uuid]);
  if (row === undefined) throw new OperatorError(`There is no request ${approvalId}.`);
  return { organizationId: encodeId('org', row.organization_id), approvalId };
}

function present({
  approval_id,
  organization_id,
  amount_cents,
  entry_id,
  ...row
}: queries.ApprovalRow): PresentedApproval {
  return {
    approval_id: encodeId('apr', approval_id),
    organization_id: encodeId('org', organization_id),
    environment: row.environment,
    kind: row.kind,
    amount: amount_cents,
    reference: row.reference,
    note: row.note,
    state: row.state,
    requested_by: row.requested_by,
    created_at: row.created_at,
    decided_by: row.decided_by,
    entry_id: entry_id === null ? null : encodeId('led', entry_id),
  };
}
