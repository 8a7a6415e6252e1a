import type { PoolClient } from 'pg';
import { waitForOrders } from '../../core/balances/wait-for-orders.ts';
import type { Deps } from '../../core/deps.ts';
import { cancelWaiting } from '../../core/gifts/cancel/cancel-waiting.ts';
import type { Caller } from '../../platform/authentication/caller.ts';
import { lackOfRole } from '../../platform/authentication/permissions.ts';
import type { Actor } from '../../platform/base/actor.ts';
import { BestowError } from '../../platform/base/errors.ts';
import type { Scope } from '../../platform/base/principal.ts';
import type { Queryable } from '../../platform/database/statement.ts';
import { withdrawRequests } from '../gift-requests/withdraw-requests.ts';
import type { Changer } from './changer.ts';
import { noteDone } from './note-done.ts';
import type { UnsentOutcome } from './schema.ts';
import * as queries from './unsent-queries.ts';

export type UnsentDeps = Pick<Deps, 'clock' | 'config' | 'ids' | 'tracer'>;

/** Who changes a contact or a rule. */
export interface By {
  caller: Caller;
  actor: Actor;
  /** Undefined: an API key. */
  changer?: Changer | undefined;
}

/** What was canceled and withdrawn. The ids are UUIDs. */
export interface EndedGifts {
  giftIds: string[];
  refundedCents: number;
  requestIds: string[];
}

export const nothingEnded = (): EndedGifts => ({ giftIds: [], refundedCents: 0, requestIds: [] });

/** Of several changes. */
export const together = (...parts: readonly EndedGifts[]): EndedGifts => ({
  giftIds: parts.flatMap(({ giftIds }) => giftIds),
  refundedCents: parts.reduce((sum, { refundedCents }) => sum + refundedCents, 0),
  requestIds: parts.flatMap(({ requestIds }) => requestIds),
});

export const presentOutcome = ({ giftIds, refundedCents, requestIds }: EndedGifts, moved: number): UnsentOutcome => ({
  canceled_gifts: giftIds.length,
  refunded: refundedCents,
  withdrawn_requests: requestIds.length,
  moved,
});

/** What a gift that is not canceled by a rule needs of a member. */
export const may = (changer: Changer | undefined, { kind, rule_id }: queries.UnsentRow): boolean =>
  rule_id !== null || changer === undefined || (kind === 'gift' ? changer.mayCancel : changer.mayApprove);

/** Of contacts, with gifts and requests to their addresses that no rule made; or of a rule. */
export type Whose =
  | { contactIds: readonly string[]; addresses: readonly string[] }
  /** `next`: the tag that it would have, if it is to be changed. */
  | { ruleId: string; next?: { tag: string | null } };

/** In the order in which they are sent. */
export function selectUnsent(client: Queryable, { organizationId, environment }: Scope, whose: Whose) {
  const owner = [organizationId, environment] as const;
  if ('ruleId' in whose)
    return queries.selectUnsentOfRule(client, [...owner, whose.ruleId, JSON.stringify(whose.next ?? null)]);
  const folded = whose.addresses.map((address) => address.toLowerCase());
  return queries.selectUnsentOfContacts(client, [...owner, whose.contactIds, folded]);
}

/**
 * Finds what was asked for or ordered and is not sent. The caller’s transaction has locked the rules, and holds the balance
 * afterwards if something is found: nothing is placed until it ends.
 */
export async function findUnsent(
  client: PoolClient,
  { clock }: Pick<Deps, 'clock'>,
  scope: Scope,
  whose: Whose,
): Promise<queries.UnsentRow[]> {
  const owner = [scope.organizationId, scope.environment] as const;
  const nowMs = clock.now();
  const now = new Date(nowMs);
  const due = await ('ruleId' in whose
    ? queries.selectDueOfRule(client, [...owner, whose.ruleId, now])
    : queries.selectDueOfContacts(client, [...owner, whose.contactIds, now]));
  if (due.length + (await selectUnsent(client, scope, whose)).length === 0) return [];
  await waitForOrders(client, scope);
  const gifts = due.map(({ rule_id, contact_id, time_zone, ...gift }) => ({
    ...gift,
    ruleId: rule_id,
    contactId: contact_id,
    timeZone: time_zone,
  }));
  await noteDone(client, scope, gifts, nowMs);
  return await selectUnsent(client, scope, whose);
}

interface End {
  /** For the person who reads it at the gift or the request. */
  reason: string;
  /** Why the calendar has no gift. */
  code: 'removed' | 'changed' | 'not_meant' | 'paused' | 'skipped';
  /** UUID of the member who wants none this year; undefined: it comes again if the contact is meant again. */
  skippedBy?: string;
}

/** @throws BestowError `resource_locked` while a request is being approved; `sign_in_again` */
export async function endUnsent(
  client: PoolClient,
  deps: UnsentDeps,
  { caller, actor, changer }: By,
  unsent: readonly queries.UnsentRow[],
  { reason, code, skippedBy }: End,
): Promise<EndedGifts> {
  if (unsent.length === 0) return nothingEnded();
  const owner = [caller.organizationId, caller.environment] as const;
  const idsOf = (kind: queries.UnsentRow['kind']) => unsent.flatMap((row) => (row.kind === kind ? [row.id] : []));
  const asked = idsOf('request');
  // An admin in whose name a rule asks hears nothing of each.
  const toldIds = unsent.flatMap(({ kind, rule_id, id }) => (kind === 'request' && rule_id === null ? [id] : []));
  const requestIds = await withdrawRequests(client, deps, caller, { requestIds: asked, toldIds, reason, actor });
  const ordered = asked.filter((id) => !requestIds.includes(id));
  const approved = ordered.length === 0 ? [] : await queries.selectWaitingOf(client, [...owner, ordered]);
  const giftIds = [...idsOf('gift'), ...approved.map(({ gift_id }) => gift_id)];
  if (giftIds.length > 0) changer?.requireFresh();
  const canceled = await cancelWaiting(client, deps, caller, { giftIds, reason, actor });
  const ids = [...requestIds, ...canceled.map(({ gift_id }) => gift_id)];
  const isEnded = (id: string) =>
    ids.includes(id) || approved.some(({ request_id, gift_id }) => request_id === id && ids.includes(gift_id));
  // Not one that was sent at the same moment: there is no other this year.
  const ended = yearlyOf(unsent.filter(({ id }) => isEnded(id)));
  await queries.setEnded(client, [...owner, ended, code, new Date(deps.clock.now()), skippedBy ?? null]);
  return {
    giftIds: canceled.map(({ gift_id }) => gift_id),
    refundedCents: canceled.reduce((sum, { amount_cents }) => sum + amount_cents, 0),
    requestIds,
  };
}

/** Whether the rule does not send it any more, and no person has kept it all the same. */
export const isUnmeant = ({ is_meant, is_kept }: queries.UnsentRow): boolean => is_meant === false && is_kept !== true;

const yearlyOf = (unsent: readonly queries.UnsentRow[]): string =>
  JSON.stringify(
    unsent
      .filter(({ rule_id }) => rule_id !== null)
      .map(({ rule_id, contact_id, year }) => ({ rule_id, contact_id, year })),
  );

/** Notes why gifts would not come any more, for those who see them in the calendar and under Approvals. */
export async function keepUnsent(
  client: PoolClient,
  { organizationId, environment }: Scope,
  unsent: readonly queries.UnsentRow[],
  code: End['code'],
): Promise<void> {
  if (unsent.length > 0) await queries.setKept(client, [organizationId, environment, yearlyOf(unsent), code]);
}

/** Waits for the orders that rules are placing: before a transaction locks a contact. Returns whether there are rules. */
export const lockRules = async (client: PoolClient, { organizationId, environment }: Scope): Promise<boolean> =>
  (await queries.lockRules(client, [organizationId, environment])).length > 0;

/**
 * Cancels what is not sent to a contact who is deleted, and withdraws the requests for it: what rules made, and of the rest
 * what the member may. The transaction has locked the rules and then the contact.
 *
 * @throws BestowError `resource_locked` while a request is being approved; `sign_in_again`
 */
export async function endUnsentOfContact(
  client: PoolClient,
  deps: UnsentDeps,
  by: By,
  { contactId, address, isKept }: { contactId: string; address: string; isKept: boolean },
): Promise<EndedGifts> {
  const { organizationId, environment } = by.caller;
  const unsent = await findUnsent(client, deps, by.caller, { contactIds: [contactId], addresses: [address] });
  const ended = unsent.filter((row) => !isKept && may(by.changer, row));
  if (isKept) await keepUnsent(client, by.caller, unsent, 'removed');
  const done = await endUnsent(client, deps, by, ended, { reason: 'The contact was deleted.', code: 'removed' });
  await queries.forgetComing(client, [organizationId, environment, [contactId]]);
  return done;
}

/** Does so for a rule that is paused, deleted, or changed so that it is not meant. The transaction has locked the rule. */
export async function endUnsentOfRule(
  client: PoolClient,
  deps: UnsentDeps,
  by: By,
  { ruleId, change, isKept }: { ruleId: string; change: 'paused' | 'removed' | 'changed'; isKept: boolean },
): Promise<EndedGifts> {
  const unsent = await findUnsent(client, deps, by.caller, { ruleId });
  const [code, reason] = {
    paused: ['paused', 'The rule of yearly gifts was paused.'],
    removed: ['removed', 'The rule of yearly gifts was deleted.'],
    changed: ['not_meant', 'The rule of yearly gifts no longer sends to this person.'],
  }[change] as [End['code'], string];
  const ended = unsent.filter((row) => change !== 'changed' || isUnmeant(row));
  if (isKept) await keepUnsent(client, by.caller, ended, code);
  return await endUnsent(client, deps, by, isKept ? [] : ended, { reason, code });
}

/** Ends one person’s gift of a year. The transaction has locked the rule. Returns false if nothing was ordered or asked for. */
export async function skipUnsent(
  client: PoolClient,
  deps: UnsentDeps,
  by: By,
  { ruleId, contactId, year, skippedBy }: { ruleId: string; contactId: string; year: number; skippedBy: string },
): Promise<boolean> {
  const unsent = (await findUnsent(client, deps, by.caller, { contactIds: [contactId], addresses: [] })).filter(
    (row) => row.rule_id === ruleId && row.year === year,
  );
  const gift = unsent.find(({ kind }) => kind === 'gift');
  if (gift !== undefined && by.changer?.mayCancel === false)
    throw new BestowError('admin_required', { message: `This gift is ordered already. ${lackOfRole(['cancel'])}` });
  const end = { reason: 'It was skipped this year.', code: 'skipped', skippedBy } as const;
  const { giftIds, requestIds } = await endUnsent(client, deps, by, unsent, end);
  return giftIds.length + requestIds.length > 0;
}
