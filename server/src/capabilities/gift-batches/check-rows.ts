import { listCategories } from '../../core/catalog/list-categories.ts';
import type { Deps } from '../../core/deps.ts';
import type { GiftInputBody } from '../../core/gifts/gift/schema.ts';
import { readSendTime } from '../../core/gifts/place/send-time.ts';
import { lostLetters } from '../../platform/api/lost-letters.ts';
import { bodyValidatorOf } from '../../platform/api/validate.ts';
import { destination, isImpossibleLiveAddress } from '../../platform/base/destination.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { DAY_MS, idBefore, timeOfId } from '../../platform/base/id-time.ts';
import { encodeId } from '../../platform/base/ids.ts';
import type { Scope } from '../../platform/base/principal.ts';
import { selectRecent } from './queries.ts';
import { BatchGift, type CheckedRow } from './schema.ts';

const RECENT_DAYS = 30;

/** The same check as of gifts in `/v1`. */
const validate = bodyValidatorOf(BatchGift);

type CheckDeps = Pick<Deps, 'clock' | 'config' | 'database'>;

/** Gifts since then are duplicates. */
export const recentSince = ({ clock }: Pick<Deps, 'clock'>): string =>
  idBefore(new Date(clock.now() - RECENT_DAYS * DAY_MS));

interface Examined {
  row: number;
  /** Without absent fields. */
  gift: GiftInputBody;
  address: string | null;
  fault: { column: string; message: string } | undefined;
}

/**
 * Checks rows as gifts of `/v1`.
 *
 * @param firstRow number of the first row, from 1
 * @throws BestowError `parameter_invalid` for a field that is not a column
 */
export async function examineRows(
  deps: CheckDeps,
  { environment }: Scope,
  firstRow: number,
  gifts: readonly GiftInputBody[],
): Promise<Examined[]> {
  const categories = await listCategories(deps);
  const sold = new Set(
    categories.filter(({ retired_at }) => retired_at === null).map(({ category_id }) => category_id),
  );
  const now = new Date(deps.clock.now());
  return gifts.map((given, index) => {
    const checked = validate(given);
    const gift = 'error' in checked ? given : (checked.value as GiftInputBody);
    const error = 'error' in checked ? checked.error : lostLetters(gift.personalization);
    const fault = error ? columnOf(error, index) : faultOf(deps, environment, sold, now, gift);
    const address = fault === undefined ? destination(gift.delivery).address : null;
    return { row: firstRow + index, gift, address, fault };
  });
}

/** Checks rows before anything is bought, and whether their addresses had a gift within 30 days. */
export async function checkRows(
  deps: CheckDeps,
  scope: Scope,
  firstRow: number,
  gifts: readonly GiftInputBody[],
): Promise<CheckedRow[]> {
  const rows = await examineRows(deps, scope, firstRow, gifts);
  const addresses = rows.flatMap(({ address }) => address ?? []);
  const { organizationId, environment } = scope;
  const found = await selectRecent(deps.database.read, [organizationId, environment, addresses, recentSince(deps)]);
  const recent = new Map(found.map(({ address, gift_id }) => [address, gift_id]));
  return rows.map(({ row, address, fault }) => ({
    row,
    address,
    errors: fault === undefined ? [] : [fault],
    recent: presentRecent(recent.get(address ?? '')),
  }));
}

const presentRecent = (giftId: string | undefined): CheckedRow['recent'] =>
  giftId === undefined ? null : { gift_id: encodeId('gift', giftId), sent_at: timeOfId(giftId) };

interface Shape {
  properties?: Record<string, Shape>;
  oneOf?: readonly Shape[];
}

const namesOf = ({ properties = {}, oneOf = [] }: Shape): string[] => [
  ...Object.entries(properties).flatMap(([name, part]) => [name, ...namesOf(part)]),
  ...oneOf.flatMap(namesOf),
];
/** Of a row, also those of its delivery and personalization. */
const COLUMNS = new Set(namesOf(BatchGift as Shape));

function columnOf({ param = '', message }: BestowError, index: number): Examined['fault'] {
  const column = param.split('.').at(-1) ?? '';
  if (!COLUMNS.has(column)) throw new BestowError('parameter_invalid', { param: `rows[${index}].${param}`, message });
  return { column, message: message.replace(param, column) };
}

function faultOf(
  { config: { sandboxMailDomain } }: Pick<Deps, 'config'>,
  environment: Scope['environment'],
  sold: ReadonlySet<string>,
  now: Date,
  { category, delivery, send_at }: GiftInputBody,
): Examined['fault'] {
  if (!sold.has(category)) return { column: 'category', message: 'category is not in the catalog.' };
  const sendAt = send_at === undefined ? now : readSendTime(send_at, now);
  if (typeof sendAt === 'string') return { column: 'send_at', message: `send_at ${sendAt}.` };
  if (send_at !== undefined && delivery.method === 'link')
    return { column: 'send_at', message: 'send_at is only for gifts that are sent: a link exists at once.' };
  if (!isImpossibleLiveAddress(environment, sandboxMailDomain, destination(delivery))) return undefined;
  const message = `email must not be in ${sandboxMailDomain}: a live gift cannot reach an address that does not exist.`;
  return { column: 'email', message };
}
