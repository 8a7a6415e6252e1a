import { statfs } from 'node:fs/promises';
import type { Clock } from '../../platform/base/clock.ts';
import { errorCode } from '../../platform/base/error-code.ts';
import { DAY_MS } from '../../platform/base/id-time.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import type { Config } from '../../platform/configuration/config.ts';
import type { Database } from '../../platform/database/connections.ts';
import { countOrdersByAge, selectDatabaseSize, selectTableSizes } from './capacity-queries.ts';
import { keptDays, steady } from './kept-days.ts';

/** Of a larger table only a part of the pages is counted, so that it ends within a statement's time limit. */
const MAX_COUNTED = 1_000_000;
const RATE_DAYS = 7;
/** No rate holds for ten years. */
const MAX_DAYS = 3_650;

interface TableCapacity {
  table: string;
  bytes: number;
  /** Of orders whose rows are still there; null for tables that do not grow with orders. */
  bytes_per_1000_orders: number | null;
  /** Null: for ever. */
  kept_days: number | null;
}

interface Capacity {
  orders: number;
  /** The mean of the last seven days. */
  orders_per_day: number;
  database_bytes: number;
  bytes_per_1000_orders: number;
  growth_bytes_per_day: number;
  disk: { total_bytes: number; free_bytes: number } | null;
  /** A day such as 2027-01-31; null without a disk, or if it lasts more than ten years. */
  full_on: string | null;
  tables: TableCapacity[];
}

interface Measured {
  config: Pick<Config, 'databaseUrls' | 'dataDir' | 'eventsKeptDays'>;
  database: Pick<Database, 'shards' | 'home'>;
  clock: Clock;
}

/** @param diskBytes the size of the database's disks together; undefined: the disk of the embedded PostgreSQL */
export async function measureCapacity(measured: Measured, diskBytes: number | undefined): Promise<Capacity> {
  const { config, database, clock } = measured;
  const servers = [...new Set([...database.shards, database.home])];
  const sizes = await sumTables(servers);
  const ages = await countOrders(measured, sizes.get('orders')?.estimated_rows);
  const sizesOfServers = await Promise.all(servers.map((server) => selectDatabaseSize(server, [])));
  const databaseBytes = sizesOfServers.flat().reduce((sum, { bytes }) => sum + bytes, 0);
  const ordersWithin = (days: number) =>
    Math.round(ages.reduce((sum, { age_days, orders }) => (age_days < days ? sum + orders : sum), 0));
  const historyDays = Math.max(1, ...ages.map(({ age_days }) => age_days + 1));
  const ordersPerDay = ordersWithin(RATE_DAYS) / Math.min(RATE_DAYS, historyDays);
  const days = keptDays(config);
  const tables = [...sizes].map(([table, { bytes, empty_bytes }]): TableCapacity => {
    const kept_days = days[table] ?? null;
    const orders = ordersWithin(kept_days ?? Number.POSITIVE_INFINITY);
    const isMeasured = orders > 0 && !steady.includes(table);
    const perThousand = isMeasured ? Math.round((Math.max(0, bytes - empty_bytes) / orders) * 1_000) : null;
    return { table, bytes, bytes_per_1000_orders: perThousand, kept_days };
  });
  const disk = await findDisk(config, diskBytes, databaseBytes);
  const growth = (day: number) =>
    tables.reduce((sum, table) => sum + growthOn(day, table, { ordersPerDay, historyDays }), 0);
  return {
    orders: ordersWithin(Number.POSITIVE_INFINITY),
    orders_per_day: Math.round(ordersPerDay),
    database_bytes: databaseBytes,
    bytes_per_1000_orders: tables.reduce((sum, { bytes_per_1000_orders }) => sum + (bytes_per_1000_orders ?? 0), 0),
    growth_bytes_per_day: Math.round(growth(0)),
    disk,
    full_on: disk === null ? null : dayWhenFull(disk.free_bytes, growth, clock.now()),
    tables: tables.toSorted((one, other) => other.bytes - one.bytes),
  };
}

/** Sizes by table, over all servers. */
async function sumTables(servers: readonly Parameters<typeof selectTableSizes>[0][]) {
  const sums = new Map<string, { bytes: number; empty_bytes: number; estimated_rows: number }>();
  const rows = await Promise.all(servers.map((server) => selectTableSizes(server, [])));
  for (const { name, bytes, empty_bytes, estimated_rows } of rows.flat()) {
    const sum = sums.get(name) ?? { bytes: 0, empty_bytes: 0, estimated_rows: 0 };
    sums.set(name, {
      bytes: sum.bytes + bytes,
      empty_bytes: sum.empty_bytes + empty_bytes,
      estimated_rows: sum.estimated_rows + estimated_rows,
    });
  }
  return sums;
}

/** @throws OperatorError without the schema */
async function countOrders({ database, clock }: Measured, estimatedOrders: number | undefined) {
  if (estimatedOrders === undefined) throw new OperatorError('The database has no tables yet: run bestow migrate.');
  const part = Math.min(1, MAX_COUNTED / Math.max(1, estimatedOrders));
  const counted = await countOrdersByAge(database.shards, [part * 100, new Date(clock.now())]);
  return counted.map(({ age_days, orders }) => ({ age_days, orders: orders / part }));
}

/** Bytes that a table grows on a later day. Deletion equals growth when its oldest rows are as old as it keeps them. */
function growthOn(
  day: number,
  { bytes_per_1000_orders, kept_days }: TableCapacity,
  { ordersPerDay, historyDays }: { ordersPerDay: number; historyDays: number },
): number {
  if (kept_days !== null && historyDays + day > kept_days) return 0;
  return ((bytes_per_1000_orders ?? 0) / 1_000) * ordersPerDay;
}

async function findDisk(
  { databaseUrls, dataDir }: Measured['config'],
  diskBytes: number | undefined,
  databaseBytes: number,
): Promise<Capacity['disk']> {
  if (diskBytes !== undefined) return { total_bytes: diskBytes, free_bytes: Math.max(0, diskBytes - databaseBytes) };
  if (databaseUrls.length > 0) return null;
  // The directory may be another machine's, or that of a test.
  const found = await statfs(dataDir).catch(nullIfMissing);
  return found && { total_bytes: found.bsize * found.blocks, free_bytes: found.bsize * found.bavail };
}

function nullIfMissing(error: unknown): null {
  if (errorCode(error) === 'ENOENT') return null;
  throw error;
}

function dayWhenFull(freeBytes: number, growth: (day: number) => number, nowMs: number): string | null {
  let left = freeBytes;
  for (let day = 0; day < MAX_DAYS; day += 1) {
    left -= growth(day);
    if (left <= 0) return new Date(nowMs + (day + 1) * DAY_MS).toISOString().slice(0, 10);
  }
  return null;
}
