import type { PoolClient } from 'pg';
import { lockWaiting } from '../../core/gifts/cancel/cancel-waiting.ts';
import { moveWaiting } from '../../core/gifts/send/move-waiting.ts';
import { moveRequest } from '../gift-requests/move-request.ts';
import {
  type By,
  type EndedGifts,
  endUnsent,
  findUnsent,
  isUnmeant,
  keepUnsent,
  may,
  nothingEnded,
  together,
  type UnsentDeps,
} from './end-unsent.ts';
import * as queries from './unsent-queries.ts';

/** What a rule looks at in a contact, and what its gifts say of it. */
interface Person {
  contact_id: string;
  method: 'email' | 'phone';
  address: string;
  name: string | null;
  language: string | null;
  external_id: string | null;
  tags: readonly string[];
  birthday: string | null;
  work_anniversary: string | null;
}

interface ChangedPerson {
  /** Undefined: the contact is new. */
  before: Person | undefined;
  after: Person;
}

/**
 * What happens to what is not sent when a contact changes: `follow` sends it to the new address, and asks again if the new one
 * needs an approval; what is not meant any more is canceled. `cancel` lets none come this year.
 */
export type UnsentChoice = 'follow' | 'cancel' | 'keep';

/** What was canceled and withdrawn, and how many gifts and requests have another address. */
export interface Followed extends EndedGifts {
  moved: number;
}

/**
 * Lets gifts follow contacts that were saved. A new contact has the yearly gifts of the same person before, by the external id
 * or the address. The transaction has locked the rules (`lockRules`) before it saved them.
 *
 * @throws BestowError `resource_locked` while a request is being approved; `sign_in_again`
 */
export async function followPeople(
  client: PoolClient,
  deps: UnsentDeps,
  by: By,
  { people, hasRules, choice }: { people: readonly ChangedPerson[]; hasRules: boolean; choice: UnsentChoice },
): Promise<Followed> {
  const owner = [by.caller.organizationId, by.caller.environment] as const;
  const renamed = people.filter(
    ({ before, after }) => before?.address !== after.address || before.external_id !== after.external_id,
  );
  if (hasRules && renamed.length > 0) {
    const persons = JSON.stringify(
      renamed.map(({ after: { contact_id, address, external_id } }) => ({ contact_id, address, external_id })),
    );
    await queries.followIdentity(client, [...owner, persons]);
    await queries.deleteReplaced(client, [...owner, persons]);
    await queries.adoptGifts(client, [...owner, persons]);
  }
  const changed = people.flatMap(({ before, after }) => (before === undefined ? [] : [{ before, after }]));
  const nothing = { ...nothingEnded(), moved: 0 };
  if (changed.length === 0) return nothing;
  const moved = changed.filter(({ before, after }) => before.address !== after.address);
  const unsent = await findUnsent(client, deps, by.caller, {
    contactIds: changed.map(({ after }) => after.contact_id),
    addresses: moved.map(({ before }) => before.address),
  });
  if (unsent.length === 0) return nothing;
  if (choice === 'keep') {
    const unmeant = unsent.filter(isUnmeant);
    const elsewhere = unsent.filter((row) => !unmeant.includes(row) && moved.some(isOf(row)));
    await keepUnsent(client, by.caller, unmeant, 'not_meant');
    await keepUnsent(client, by.caller, elsewhere, 'changed');
    return nothing;
  }
  const followed =
    choice === 'cancel'
      ? { ...(await cancelAll(client, deps, by, unsent)), moved: 0 }
      : await followAll(client, deps, by, unsent, changed);
  await queries.runRulesNow(client, [...owner, new Date(deps.clock.now())]);
  return followed;
}

const isOf =
  ({ contact_id }: queries.UnsentRow) =>
  ({ after }: { after: Person }) =>
    after.contact_id === contact_id;

function cancelAll(client: PoolClient, deps: UnsentDeps, by: By, unsent: queries.UnsentRow[]): Promise<EndedGifts> {
  const skippedBy = by.actor.kind === 'member' ? by.actor.memberId : undefined;
  const ended = unsent.filter((row) => may(by.changer, row));
  const reason = 'The contact was changed.';
  return endUnsent(client, deps, by, ended, { reason, code: 'changed', ...(skippedBy !== undefined && { skippedBy }) });
}

interface Plan {
  /** Yearly requests that are asked again for the person as they are now. */
  ended: queries.UnsentRow[];
  toMove: { row: queries.UnsentRow; after: Person }[];
}

function planOf(unsent: readonly queries.UnsentRow[], changed: readonly { before: Person; after: Person }[]): Plan {
  const byContact = new Map(changed.map((change) => [change.after.contact_id, change]));
  const byAddress = new Map(changed.map((change) => [change.before.address.toLowerCase(), change]));
  const plan: Plan = { ended: [], toMove: [] };
  for (const row of unsent) {
    if (row.is_meant === false) continue;
    const { contact_id, address } = row;
    const change = contact_id === null ? byAddress.get(address.toLowerCase()) : byContact.get(contact_id);
    if (change === undefined) continue;
    const { before, after } = change;
    const isMoved = before.address !== after.address && row.address.toLowerCase() === before.address.toLowerCase();
    const isOther = isMoved || before.name !== after.name || before.language !== after.language;
    const isAskedAgain = row.kind === 'request' && row.rule_id !== null;
    if (isAskedAgain && isOther) plan.ended.push(row);
    if (!isAskedAgain && isMoved) plan.toMove.push({ row, after });
  }
  return plan;
}

async function followAll(
  client: PoolClient,
  deps: UnsentDeps,
  by: By,
  unsent: readonly queries.UnsentRow[],
  changed: readonly { before: Person; after: Person }[],
): Promise<Followed> {
  const { ended, toMove } = planOf(unsent, changed);
  const unmeant = unsent.filter(isUnmeant);
  await lockWaiting(
    client,
    by.caller,
    [...unmeant, ...toMove.map(({ row }) => row)].map(({ id }) => id),
  );
  const gone = await endUnsent(client, deps, by, unmeant, {
    reason: 'No rule of yearly gifts sends to this person on that day any more.',
    code: 'not_meant',
  });
  const mayMove = by.changer === undefined || by.changer.mayManage;
  if (mayMove && toMove.length > 0) by.changer?.requireFresh();
  let moved = 0;
  for (const { row, after } of toMove) {
    const { method, address } = after;
    const one = { method, address, actor: by.actor };
    const isMoved =
      mayMove &&
      (row.kind === 'gift'
        ? await moveWaiting(client, deps, by.caller, { ...one, giftId: row.id, amountCents: row.amount_cents })
        : await moveRequest(client, deps, by.caller, { ...one, requestId: row.id }));
    if (isMoved) moved += 1;
    else if (row.rule_id !== null) ended.push(row);
  }
  const asked = await endUnsent(client, deps, by, ended, { reason: 'The contact was changed.', code: 'changed' });
  return { ...together(gone, asked), moved };
}
