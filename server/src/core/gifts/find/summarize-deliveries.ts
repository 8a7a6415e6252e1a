import { DAY_MS, idBefore, startOfDay } from '../../../platform/base/id-time.ts';
import type { Scope } from '../../../platform/base/principal.ts';
import type { Deps } from '../../deps.ts';
import { countDeliveries, type DeliveryDayRow } from './search-queries.ts';

/** Counting takes a microsecond per gift. */
const MAX_COUNTED_GIFTS = 20_000;

/** Gifts by the furthest state reached. Link gifts count as `handed_out` until opened. */
interface DeliveryCounts {
  /** Not sent yet. */
  scheduled: number;
  pending: number;
  delivered: number;
  failed: number;
  handed_out: number;
  opened: number;
  claimed: number;
  canceled: number;
}

interface DeliverySummary {
  /** UTC days of purchase, earliest first, without gaps. */
  days: ({ day: Date } & DeliveryCounts)[];
  total: DeliveryCounts;
  /** Set if only the 20,000 newest gifts are counted: the purchase time of the oldest counted gift. */
  counted_since: Date | null;
}

/** Counts the gifts of the last days, including today, by status, for the portal. */
export async function summarizeDeliveries(
  deps: Pick<Deps, 'clock' | 'database'>,
  { organizationId, environment }: Scope,
  count: number,
): Promise<DeliverySummary> {
  const todayMs = startOfDay(deps.clock.now());
  const firstDayMs = todayMs - (count - 1) * DAY_MS;
  const rows = await countDeliveries(deps.database.pool, [
    organizationId,
    environment,
    idBefore(new Date(firstDayMs)),
    MAX_COUNTED_GIFTS,
  ]);
  const isCapped = rows.reduce((sum, row) => sum + row.count, 0) >= MAX_COUNTED_GIFTS;
  const earliest = rows.reduce<Date | undefined>(
    (first, { first_at }) => (first === undefined || first_at < first ? first_at : first),
    undefined,
  );
  const countedSince = isCapped && earliest !== undefined ? earliest : null;
  const startMs = countedSince === null ? firstDayMs : startOfDay(countedSince.getTime());
  const days = Array.from({ length: (todayMs - startMs) / DAY_MS + 1 }, (_, n) => {
    const day = new Date(startMs + n * DAY_MS);
    return { day, ...countsOf(rows.filter((row) => row.day.getTime() === day.getTime())) };
  });
  return { days, total: countsOf(rows), counted_since: countedSince };
}

function countsOf(rows: readonly DeliveryDayRow[]): DeliveryCounts {
  const counts: DeliveryCounts = {
    scheduled: 0,
    pending: 0,
    delivered: 0,
    failed: 0,
    handed_out: 0,
    opened: 0,
    claimed: 0,
    canceled: 0,
  };
  for (const row of rows) counts[outcomeOf(row)] += row.count;
  return counts;
}

function outcomeOf({ status, delivery_state }: DeliveryDayRow): keyof DeliveryCounts {
  if (status !== 'sent') return status;
  return delivery_state === null ? 'handed_out' : delivery_state;
}
