import { systemClock } from '../server/src/platform/base/clock.ts';
import { type ExportResult, measureExport } from './export-growth.ts';
import { fillGifts } from './fill-gifts.ts';
import { type Installation, install } from './installation.ts';
import { describeMachine, type Machine } from './machine.ts';
import { describe, number, table } from './print.ts';
import { openReader, type Work } from './read-growth.ts';
import { measureReset, type ResetResult } from './reset-growth.ts';
import { type Site, uuidOf } from './site.ts';
import { medianOf } from './statistics.ts';
import { compareWorks, presentWorks, type WorkResult } from './works/compare-works.ts';
import { openWorkedSide, type WorkedSide } from './works/worked-side.ts';

type Organization = Site['sandbox'][number];

/** Largest allowed cost of a read or order at a million gifts, as a multiple of its cost at ten thousand, more than a search scans. */
const MOST_RATIO = 1.3;
/** Sweeps over all rows grow with the rows. */
const GROWING = ['ledger verify'];
/** The table holds three times as many gifts as the measured organization. */
const OTHERS_SHARE = 2;
const OTHER_ORGANIZATIONS = 20;
/** Of the organization with live gifts. */
const MOST_LIVE_GIFTS = 500_000;
const DAY_MS = 86_400_000;

/** Median milliseconds of one task, with few and with many gifts, run alternately. */
export interface Pair {
  fewMs: number;
  manyMs: number;
}

export interface GrowthStage {
  gifts: number;
  giftsInTable: number;
  pairs: Record<string, Pair>;
}

export interface GrowthResult {
  machine: Machine;
  /** Gifts of the small organization and of its table at the end; it placed orders too. */
  few: { gifts: number; giftsInTable: number };
  stages: GrowthStage[];
  export: ExportResult;
  reset: ResetResult;
  works: { gifts: number; results: WorkResult[] };
  /** Tasks that cost too much at the last stage. */
  tooDear: string[];
}

interface Options {
  /** In rising order; the others are compared with the first. */
  sizes: readonly number[];
  say(text: string): void;
}

/** A database with its server and the measured organization. */
interface Side extends WorkedSide {
  measured: Organization;
  neighbour: Organization;
  others: Organization[];
}

/**
 * Compares two databases in one PostgreSQL, each with a server: one keeps its size, the other grows. Tasks alternate
 * between them, so that a machine that slows down slows both.
 */
export async function runGrowth({ sizes: [fewest = 0, ...sizes], say }: Options): Promise<GrowthResult> {
  const machine = describeMachine();
  const installation = await install();
  try {
    const gifts = { few: fewest, many: Math.min(MOST_LIVE_GIFTS, sizes.at(-1) ?? fewest) };
    say(`filling one up to ${number(gifts.many)} live gifts of one organization`);
    const few = await openSide(await installation.beside('few'), gifts.few);
    const many = await openSide(await installation.beside('many'), gifts.many);
    const works = { gifts: gifts.many, results: await compareWorks(few, many, say) };
    say(`filling both up to ${number(fewest)} gifts of one organization`);
    for (const side of [few, many]) await fill(side, fewest, 0);
    // Warms up the compiler and the caches.
    await measureStage(few, many, () => undefined);
    const stages: GrowthStage[] = [];
    let filled = fewest;
    for (const [index, size] of sizes.entries()) {
      say(`filling one up to ${number(size)}`);
      await fill(many, size - filled, index + 1);
      filled = size;
      const pairs = await measureStage(few, many, (work) => say(`${number(size)} gifts: ${work}`));
      stages.push({ gifts: size, giftsInTable: await countGifts(many), pairs });
    }
    const fewCounts = { gifts: await countGifts(few, few.measured), giftsInTable: await countGifts(few) };
    say('exporting all of them as CSV');
    const { server, measured, neighbour } = many;
    const exported = await measureExport(server.url, measured.key, server.pid);
    say('resetting the organization with all of them');
    const reset = await measureReset(server.url, measured.key, neighbour.key);
    return { machine, few: fewCounts, stages, export: exported, reset, works, tooDear: tooDear(stages) };
  } finally {
    await installation.close();
  }
}

async function openSide(installation: Installation, liveGifts: number): Promise<Side> {
  const worked = await openWorkedSide(installation, liveGifts);
  const [measured, neighbour, ...others] = await installation.seed(2 + OTHER_ORGANIZATIONS, 'sandbox');
  if (measured === undefined || neighbour === undefined) throw new Error('Nothing was seeded.');
  return { ...worked, measured, neighbour, others };
}

/** @param gifts how many to add @param stage sets the day of the new orders */
async function fill({ installation: { sql }, measured, others }: Side, gifts: number, stage: number): Promise<void> {
  const fromMs = systemClock.now() - (30 - stage) * DAY_MS;
  const span = { environment: 'sandbox', fromMs, toMs: fromMs + DAY_MS - 60_000 } as const;
  await fillGifts(sql, { ...span, organizationId: uuidOf(measured), orders: Math.floor(gifts / 2), hasMetadata: true });
  const ordersOfEach = Math.ceil((gifts * OTHERS_SHARE) / 2 / others.length);
  for (const other of others) await fillGifts(sql, { ...span, organizationId: uuidOf(other), orders: ordersOfEach });
  // Autovacuum would do this some minutes later.
  await sql.query('vacuum analyze');
}

async function countGifts({ installation: { sql } }: Side, of?: Organization): Promise<number> {
  const text = 'select count(*) from gifts where organization_id = $1 or $1 is null';
  const { rows } = await sql.query<{ count: string }>(text, [of === undefined ? null : uuidOf(of)]);
  return Number(rows[0]?.count);
}

async function measureStage(few: Side, many: Side, say: Options['say']): Promise<Record<string, Pair>> {
  const fewReader = await openReader(few.installation, few.server.url, few.measured);
  const manyReader = await openReader(many.installation, many.server.url, many.measured);
  try {
    const pairs: Record<string, Pair> = {};
    for (const [work, onFew] of Object.entries(fewReader.works)) {
      say(work);
      const onMany = manyReader.works[work];
      if (onMany !== undefined) pairs[work] = await measurePair(onFew, onMany);
    }
    return pairs;
  } finally {
    await fewReader.close();
    await manyReader.close();
  }
}

async function measurePair(few: Work, many: Work): Promise<Pair> {
  const fewMs: number[] = [];
  const manyMs: number[] = [];
  // The first quarter is not counted; it loads the rows into memory.
  const warmUps = Math.floor(few.times / 4);
  for (let n = 0; n < warmUps + few.times; n += 1) {
    // The first run may find cold processor caches, so the order alternates.
    const order = [
      { act: few.act, into: fewMs },
      { act: many.act, into: manyMs },
    ];
    for (const { act, into } of n % 2 === 0 ? order : order.reverse()) {
      const startedAtMs = performance.now();
      await act(n);
      if (n >= warmUps) into.push(performance.now() - startedAtMs);
    }
  }
  return { fewMs: medianOf(fewMs), manyMs: medianOf(manyMs) };
}

const ratioOf = ({ fewMs, manyMs }: Pair) => manyMs / fewMs;

function tooDear(stages: readonly GrowthStage[]): string[] {
  return Object.entries(stages.at(-1)?.pairs ?? {})
    .filter(([work, pair]) => !GROWING.includes(work) && !(ratioOf(pair) <= MOST_RATIO))
    .map(([work]) => work);
}

export function presentGrowth({
  machine,
  few,
  stages,
  reset,
  works: { gifts: live, results },
  tooDear: dear,
  ...result
}: GrowthResult): string {
  const works = Object.keys(stages.at(-1)?.pairs ?? {});
  const lines = works.map((work) => [
    work,
    ...stages.map(({ pairs: { [work]: pair } }) => {
      if (pair === undefined) return '';
      return `${number(pair.fewMs, 2)} → ${number(pair.manyMs, 2)} ms (${number(ratioOf(pair), 2)})`;
    }),
  ]);
  const heading = ['Work', ...stages.map(({ gifts, giftsInTable }) => `${number(gifts)} of ${number(giftsInTable)}`)];
  const verdict =
    dear.length === 0
      ? `Nothing costs more than ${MOST_RATIO} times as much, except ${GROWING.join(', ')}: met.`
      : `More than ${MOST_RATIO} times as much: ${dear.join('; ')}.`;
  const { status, seconds, giftsDeleted, neighbourMostMs, neighbourMedianMs, neighbourFailed } = reset;
  const resetText = `Reset: ${status} after ${number(seconds, 1)} s, ${number(giftsDeleted)} gifts deleted. During the reset another organization’s orders took ${number(neighbourMedianMs, 1)} ms, at most ${number(neighbourMostMs, 1)} ms; ${neighbourFailed} failed.`;
  const { rows, megabytes, seconds: exportSeconds, beforeMb, firstMb, mostMb } = result.export;
  const exportText = `CSV: ${number(rows)} gifts, ${number(megabytes)} MB in ${number(exportSeconds, 1)} s. The server used ${number(beforeMb)} MB before, at most ${number(firstMb)} MB in the first 100,000 rows and ${number(mostMb)} MB in all.`;
  const title = `Median latency on one connection: with ${number(few.gifts)} gifts of the organization, of ${number(few.giftsInTable)} in its table, and in turn with as many as the column says:`;
  return `${describe(machine)}\n\n${title}\n\n${table(heading, lines)}\n\n${verdict}\n\n${exportText}\n\n${resetText}\n\n${presentWorks(live, results)}\n`;
}
