import { encodeId } from '../../platform/base/ids.ts';
import type { Scope } from '../../platform/base/principal.ts';
import type { Deps } from '../deps.ts';
import * as queries from './queries.ts';
import { startsOf } from './window.ts';

/** In cents. */
interface ListedCap {
  cap: number;
  /** In the hour or day that has begun. */
  spent: number;
}

interface ListedCaps {
  /** Null: for all orders of the environment. */
  key_id: string | null;
  name: string | null;
  hint: string | null;
  hour: ListedCap | null;
  day: ListedCap | null;
}

/** Lists the caps of all orders, then those of each active key; of keys that replaced one another, only the newest. */
export async function listCaps(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  { organizationId, environment }: Scope,
): Promise<ListedCaps[]> {
  const nowMs = clock.now();
  const { hour, day, month } = startsOf(nowMs);
  const [caps, keys] = await Promise.all([
    queries.selectCaps(database.read, [organizationId, environment, hour, day, month]),
    queries.selectHolders(database.read, [organizationId, environment, new Date(nowMs)]),
  ]);
  const capOf = (holderId: string, period: queries.Period): ListedCap | null => {
    const found = caps.find((cap) => cap.holder_id === holderId && cap.period === period);
    return found === undefined ? null : { cap: found.cap_cents, spent: found.spent_cents };
  };
  const capsOf = (holderId: string) => ({ hour: capOf(holderId, 'hour'), day: capOf(holderId, 'day') });
  const newest = new Map(keys.filter(({ is_active }) => is_active).map((key) => [key.holder_id, key]));
  return [
    { key_id: null, name: null, hint: null, ...capsOf(organizationId) },
    ...[...newest.values()].map(({ key_id, holder_id, name, hint }) => ({
      key_id: encodeId('key', key_id),
      name,
      hint,
      ...capsOf(holder_id),
    })),
  ];
}
