import { seesLinks } from '../../../platform/authentication/caller.ts';
import { decodeId, encodeId } from '../../../platform/base/ids.ts';
import type { Scope } from '../../../platform/base/principal.ts';
import { isoTime } from '../../../platform/database/parse-timestamp.ts';
import { ERASED, failureOf } from '../../../platform/messaging/failure-meaning.ts';
import type { Deps } from '../../deps.ts';
import { chosenIssuer } from '../../issuer/chosen-issuer.ts';
import { maskGiftAddress } from '../gift/address.ts';
import type {
  GiftCardBody,
  GiftExpansion,
  GiftHistoryBody,
  GiftMessageBody,
  GiftOrderBody,
} from '../gift/expansion-schema.ts';
import type { Viewer } from '../gift/present-gift.ts';
import { presentReferences } from '../gift/present-references.ts';
import type { GiftBody } from '../gift/schema.ts';
import * as queries from './expand-queries.ts';
import { presentMessage } from './present-message.ts';

export type ExpandDeps = Pick<Deps, 'database' | 'issuers'>;

/** @param giftIds UUIDs @returns the part of each gift by its UUID */
type Read<Part> = (deps: ExpandDeps, viewer: Viewer, giftIds: readonly string[]) => Promise<Map<string, Part>>;

type Select<Row> = (
  database: Deps['database']['read'],
  parameters: [organizationId: string, environment: Viewer['environment'], giftIds: string],
) => Promise<Row[]>;

const select = <Row>(statement: Select<Row>, deps: ExpandDeps, viewer: Viewer, giftIds: readonly string[]) =>
  statement(deps.database.read, [viewer.organizationId, viewer.environment, JSON.stringify(giftIds)]);

/** A gift that failed as its recipient was erased has no failed message, or the one that was withdrawn then. */
function failureOfGift({ failed_at, erased_at, failure }: queries.HistoryRow) {
  if (failed_at === null) return null;
  return failed_at === erased_at ? ERASED : failureOf(failure);
}

const presentHistory = (row: queries.HistoryRow): GiftHistoryBody => ({
  state: row.state,
  ordered_at: isoTime(row.ordered_at),
  scheduled_for: row.scheduled_for && isoTime(row.scheduled_for),
  sent_at: row.sent_at && isoTime(row.sent_at),
  delivered_at: row.delivered_at && isoTime(row.delivered_at),
  failed_at: row.failed_at && isoTime(row.failed_at),
  failure: failureOfGift(row),
  opened_at: row.opened_at && isoTime(row.opened_at),
  claimed_at: row.claimed_at && isoTime(row.claimed_at),
  spent: { amount: row.spent_cents, last_at: row.last_spent_at && isoTime(row.last_spent_at) },
  declined_at: row.declined_at && isoTime(row.declined_at),
  canceled_at: row.canceled_at && isoTime(row.canceled_at),
  cancel_reason: row.cancel_reason,
  refunded: row.canceled_at === null ? 0 : row.amount_cents,
  expires_at: row.expires_at && isoTime(row.expires_at),
  held_since: row.held_since && isoTime(row.held_since),
  erased_at: row.erased_at && isoTime(row.erased_at),
});

/** Returns the history of gifts of this organization and environment, by their UUIDs. */
export async function readHistories(
  { database }: Pick<Deps, 'database'>,
  { organizationId, environment }: Scope,
  giftIds: readonly string[],
): Promise<Map<string, GiftHistoryBody>> {
  const rows = await queries.selectHistories(database.read, [organizationId, environment, JSON.stringify(giftIds)]);
  return new Map(rows.map((row) => [row.gift_id, presentHistory(row)]));
}

const reads: { [Name in GiftExpansion]: Read<NonNullable<GiftBody[Name]> | null> } = {
  async order(deps, viewer, giftIds) {
    const rows = await select(queries.selectOrdersOfGifts, deps, viewer, giftIds);
    return new Map(
      rows.map((row): [string, GiftOrderBody] => [
        row.gift_id,
        { order_id: encodeId('ord', row.order_id), ...presentReferences(row) },
      ]),
    );
  },
  history: readHistories,
  async deliveries(deps, viewer, giftIds) {
    const rows = await select(queries.selectMessages, deps, viewer, giftIds);
    const found = new Map(giftIds.map((id): [string, GiftMessageBody[]] => [id, []]));
    for (const { address, ...row } of rows) {
      const shown = seesLinks(viewer) ? address : maskGiftAddress(address);
      found.get(row.gift_id)?.push(presentMessage(viewer.environment, { ...row, address: shown }));
    }
    return found;
  },
  async card(deps, viewer, giftIds) {
    const rows = await select(queries.selectCards, deps, viewer, giftIds);
    const cards = await Promise.all(
      rows.map(async (row): Promise<[string, GiftCardBody]> => {
        const { capabilities } = await deps.issuers.open(viewer.organizationId, chosenIssuer(row));
        const left = row.amount_cents - row.spent_cents;
        return [row.gift_id, { kind: capabilities.kind, category: row.category_id, left }];
      }),
    );
    return new Map([...giftIds.map((id): [string, GiftCardBody | null] => [id, null]), ...cards]);
  },
};

/**
 * Adds to gifts what the request asks for. They must have been read for this viewer: who may see a gift was decided there.
 *
 * @returns the same gifts, if it asks for nothing
 */
export async function expandGifts<Gift extends GiftBody>(
  deps: ExpandDeps,
  viewer: Viewer,
  expand: ReadonlySet<GiftExpansion>,
  gifts: Gift[],
): Promise<Gift[]> {
  if (expand.size === 0 || gifts.length === 0) return gifts;
  const giftIds = gifts.map(({ gift_id }) => decodeId('gift', gift_id) ?? '');
  const parts = await Promise.all(
    [...expand].map(async (name) => ({ name, found: await reads[name](deps, viewer, giftIds) })),
  );
  return gifts.map((gift, index) => {
    const expanded: Record<string, unknown> = { ...gift };
    for (const { name, found } of parts) {
      const part = found.get(giftIds[index] ?? '');
      if (part !== undefined) expanded[name] = part;
    }
    return expanded as Gift;
  });
}
