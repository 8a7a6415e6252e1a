import { type Static, Type } from 'typebox';
import type { Deps } from '../../core/deps.ts';
import { ADDRESS_OF_PERSON, TEXT_OF_PERSON } from '../../platform/api/mask-people.ts';
import { Cents, nullable, oneOf, Time } from '../../platform/api/schema.ts';
import { encodeId } from '../../platform/base/ids.ts';
import type { Scope } from '../../platform/base/principal.ts';
import type { Changer } from './changer.ts';
import { isUnmeant, may, selectUnsent, type Whose } from './end-unsent.ts';

/** A window shows so many; their number is of all. */
const MOST_SHOWN = 20;

export const UnsentGifts = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        kind: oneOf('request', 'gift'),
        gift_id: nullable(Type.String()),
        gift_request_id: nullable(Type.String()),
        name: nullable(Type.String(TEXT_OF_PERSON)),
        address: Type.String(ADDRESS_OF_PERSON),
        amount: Cents,
        rule: nullable(Type.String({ description: 'The rule of yearly gifts; null if none made it.' })),
        send_at: nullable(Time),
        may_end: Type.Boolean({ description: 'Whether the member may cancel or withdraw it. Else it stays.' }),
      }),
      { description: `The first ${MOST_SHOWN}, in the order in which they are sent.` },
    ),
    gifts: Type.Integer({ description: 'How many are ordered.' }),
    requests: Type.Integer({ description: 'How many are asked for.' }),
    amount: { ...Cents, description: 'Of the ordered ones.' },
    may_move: Type.Boolean({ description: 'Whether the member may send them to another address.' }),
  },
  { $id: 'UnsentGifts', description: 'What is ordered or asked for, and is not sent.' },
);
type UnsentGifts = Static<typeof UnsentGifts>;

/** What is not sent to contacts, or by a rule; by one that would be changed, only what it would send no more. */
export async function showUnsent(
  { database }: Pick<Deps, 'database'>,
  scope: Scope,
  whose: Whose,
  changer: Changer,
): Promise<UnsentGifts> {
  const all = await selectUnsent(database.pool, scope, whose);
  const found = 'next' in whose ? all.filter(isUnmeant) : all;
  const gifts = found.filter(({ kind }) => kind === 'gift');
  return {
    data: found.slice(0, MOST_SHOWN).map((row) => ({
      kind: row.kind,
      gift_id: row.kind === 'gift' ? encodeId('gift', row.id) : null,
      gift_request_id: row.kind === 'request' ? encodeId('ask', row.id) : null,
      name: row.name,
      address: row.address,
      amount: row.amount_cents,
      rule: row.rule,
      send_at: row.send_at,
      may_end: may(changer, row),
    })),
    gifts: gifts.length,
    requests: found.length - gifts.length,
    amount: gifts.reduce((sum, { amount_cents }) => sum + amount_cents, 0),
    may_move: changer.mayManage,
  };
}
