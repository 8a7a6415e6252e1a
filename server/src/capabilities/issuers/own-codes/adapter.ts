import type { Card, IssueOutcome, LocalIssuer, NewCard } from '../../../core/issuer/port.ts';
import type { Queryable } from '../../../platform/database/statement.ts';
import type { Adapter, AdapterDeps } from '../adapter.ts';
import { drawBarcode, isSymbology, type Symbology, symbologies } from './draw-barcode.ts';
import * as queries from './queries.ts';
import { todayOf } from './today.ts';

/** Hands out codes that the operator uploaded. */
export const ownCodes: Adapter = {
  create({ combine = 'no', barcode }, _scope, deps): LocalIssuer {
    if (combine !== 'yes' && combine !== 'no') throw new Error('combine must be yes or no.');
    if (barcode !== undefined && !isSymbology(barcode))
      throw new Error(`barcode must be one of ${symbologies.join(', ')}.`);
    return {
      isLocal: true,
      capabilities: {
        kind: 'code',
        isReal: true,
      },
      requirements: () => undefined,
      issue: (transaction, card) => handOut(transaction, card, combine === 'yes', deps),
      present: (card, isRevealed) => present(deps, card, isRevealed, barcode),
      test: async () => undefined,
    };
  },
};

const ISSUED: IssueOutcome = { state: 'issued', providerId: null, face: null };
const OUT_OF_STOCK: IssueOutcome = {
  state: 'refused',
  reason: 'There is no code left for this gift at the moment. Your gift is safe: please come back later.',
};

async function handOut(
  transaction: Queryable,
  { organizationId, categoryId, valueCents, giftId }: NewCard,
  combines: boolean,
  { clock }: AdapterDeps,
): Promise<IssueOutcome> {
  const now = new Date(clock.now());
  const today = todayOf(clock);
  const take = async (cents: number) => {
    const taken = await queries.takeCode(transaction, [organizationId, categoryId, cents, giftId, now, today]);
    return taken.length > 0;
  };
  if (await take(valueCents)) return ISSUED;
  if (!combines) return OUT_OF_STOCK;
  const [pair] = await queries.selectPairs(transaction, [organizationId, categoryId, valueCents, today]);
  // Half a pair goes back with the rollback of the claim.
  if (pair !== undefined && (await take(pair.first_cents)) && (await take(pair.second_cents))) return ISSUED;
  return OUT_OF_STOCK;
}

async function present(
  { database, cipher }: AdapterDeps,
  { organizationId, giftId }: Card,
  isRevealed: boolean,
  symbology: Symbology | undefined,
) {
  const rows = await queries.selectCodes(database.read, [organizationId, giftId]);
  const shop = rows[0]?.shop ?? '';
  if (!isRevealed) return { kind: 'codes', shop } as const;
  const codes = rows.map(async (row) => {
    const opened = cipher.decrypt(row.sealed);
    if (opened === undefined) throw new Error('A code was encrypted with another LINK_SECRET.');
    const { code, pin } = JSON.parse(opened) as { code: string; pin: string | null };
    const { value_cents: valueCents, expires, terms_url: termsUrl } = row;
    const barcode = symbology === undefined ? null : await drawBarcode(symbology, code);
    return { code, pin, valueCents, expires, shop: row.shop, termsUrl, barcode };
  });
  return { kind: 'codes', shop, codes: await Promise.all(codes) } as const;
}
