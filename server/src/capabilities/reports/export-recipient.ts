import { recipientHolder } from '../../core/caps/recipient-holder.ts';
import type { Deps } from '../../core/deps.ts';
import { fieldsOfGift } from '../../core/gifts/gift/gift-fields.ts';
import type { RedirectBody } from '../../core/gifts/gift/schema.ts';
import { findEveryMembership } from '../../core/organizations/find-memberships.ts';
import { findOrganization } from '../../core/organizations/find-organization.ts';
import { listOrganizations } from '../../core/organizations/list-organizations.ts';
import type { Actor } from '../../platform/base/actor.ts';
import { destination } from '../../platform/base/destination.ts';
import { decodeId, encodeId } from '../../platform/base/ids.ts';
import { allowStatements } from '../../platform/database/allow-statements.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import { UNTIL_IT_IS_DONE } from '../../platform/database/transaction.ts';
import { findContactsOf } from '../contacts/erase-of-address.ts';
import { findRowsOf } from '../gift-batches/erase-rows.ts';
import { findRequestsTo } from '../gift-requests/erase-requests.ts';
import { findYearlyGiftsOf } from '../yearly-gifts/erase-of-address.ts';
import { recordEvent } from './actions.ts';
import {
  type HeldGiftRow,
  orderColumns,
  selectHeldElsewhere,
  selectHeldEvents,
  selectHeldGifts,
} from './recipient-queries.ts';

export interface HeldRecipient {
  /** As it is compared: in lower case, or in E.164. */
  address: string;
  exported_at: Date;
  /** Organizations that hold anything of the address. */
  organizations: object[];
  /** `org_…` of organizations in which it is the address of an active member. */
  memberships: string[];
}

type ExportDeps = Pick<Deps, 'clock' | 'database' | 'ids'>;

/**
 * Collects all that is held of a recipient's address, in live and sandbox: gifts, messages, purchases and events. Records it
 * in the audit log of each organization that holds something. Of gifts that were redirected to another person it has only
 * what was sent to this address.
 *
 * @param input.organizationId `org_…`; undefined for all organizations
 * @throws OperatorError if the organization does not exist
 */
export async function exportRecipient(
  deps: ExportDeps,
  { organizationId, recipient, actor }: { organizationId?: string | undefined; recipient: RedirectBody; actor: Actor },
): Promise<HeldRecipient> {
  const { method, address } = destination(recipient);
  const spelled = (address ?? '').toLowerCase();
  const ids =
    organizationId === undefined
      ? (await listOrganizations(deps)).map(({ organization_id }) => decodeId('org', organization_id) ?? '')
      : [(await findOrganization(deps, organizationId)).organization_id];
  const organizations: object[] = [];
  for (const id of ids) {
    const held = await heldBy(deps, id, spelled, actor);
    if (held !== undefined) organizations.push(held);
  }
  const memberships = method === 'email' ? await findEveryMembership(deps, spelled) : [];
  return {
    address: spelled,
    exported_at: new Date(deps.clock.now()),
    organizations,
    memberships: memberships
      .map(({ organization_id }) => organization_id)
      .filter((id) => ids.includes(decodeId('org', id) ?? '')),
  };
}

/** Undefined if nothing is held. */
const heldBy = (deps: ExportDeps, organizationId: string, address: string, actor: Actor) =>
  inOrganization(
    deps.database,
    organizationId,
    async (client) => {
      // Addresses of messages have no index.
      await allowStatements(client, UNTIL_IT_IS_DONE);
      const gifts = await selectHeldGifts(client, [organizationId, address]);
      const events = await selectHeldEvents(client, [organizationId, address]);
      const batch_rows = await findRowsOf(client, organizationId, address);
      const requests = await findRequestsTo(client, organizationId, address);
      const contacts = await findContactsOf(client, organizationId, address);
      const yearly_gifts = await findYearlyGiftsOf(client, organizationId, address);
      const holder = recipientHolder(organizationId, address);
      const [elsewhere] = await selectHeldElsewhere(client, [organizationId, address, holder]);
      if (elsewhere === undefined) throw new Error('A select without a table has a row.');
      const { pending_gifts, stopped_reminders_at, counters } = elsewhere;
      if (
        [gifts, pending_gifts, batch_rows, requests, contacts, yearly_gifts, counters].every(
          ({ length }) => length === 0,
        ) &&
        stopped_reminders_at === null
      )
        return undefined;
      await recordEvent(client, deps, actor, {
        organizationId,
        action: 'recipient.exported',
        details: { gifts: gifts.length },
      });
      return {
        organization_id: encodeId('org', organizationId),
        gifts: gifts.map(present),
        events: events.map(({ gift_id, ...event }) => ({ ...event, gift_id: encodeId('gift', gift_id) })),
        pending_gifts,
        batch_rows,
        requests,
        contacts,
        yearly_gifts,
        stopped_reminders_at,
        counters,
      };
    },
    { withinMs: UNTIL_IT_IS_DONE },
  );

/** Without what another person did with a redirected gift. */
function present({ is_here, ...row }: HeldGiftRow): object {
  const { gift_id, order_id, terms_version, accepted_at, messages, purchases } = row;
  const columnValue = (column: string) => row[column as keyof typeof row];
  const shown = fieldsOfGift.filter(({ person }) => person === 'sent' || (is_here && person === 'theirs'));
  const fields = Object.fromEntries(shown.map(({ name, column }) => [name, columnValue(column)]));
  const ofOrder = orderColumns.map((column) => [`order_${column}`, columnValue(`order_${column}`)]);
  const theirs = { ...Object.fromEntries(ofOrder), terms_version, accepted_at, purchases };
  return {
    ...fields,
    gift_id: encodeId('gift', gift_id),
    order_id: encodeId('ord', order_id),
    is_redirected: !is_here,
    ...(is_here && theirs),
    messages,
  };
}
