import { systemClock } from '../server/src/base/clock.ts';
import { fillGifts } from './fill-gifts.ts';
import { type Installation, install, type Server } from './installation.ts';
import { describeMachine, type Machine } from './machine.ts';
import { describe, number, table } from './print.ts';
import { openReader, type Reader } from './read-growth.ts';
import { measureReset, type ResetResult } from './reset-growth.ts';
import { type Site, uuidOf } from './site.ts';

/** No read or order may cost more than this at a million gifts, in what it costs at a thousand. */
const MOST_RATIO = 1.3;
/** Whole sweeps over all rows: they grow with them. */
const GROWING = ['ledger verify'];
/** The table holds three times the gifts of the organization that is measured. */
const OTHERS_SHARE = 2;
const OTHER_ORGANIZATIONS = 20;
const DAY_MS = 86_400_000;

export interface GrowthStage {
  gifts: number;
  giftsInTable: number;
  /** Median milliseconds of each work. */
  medianMs: Record<string, number>;
}

export interface GrowthResult {
  machine: Machine;
  stages: GrowthStage[];
  reset: ResetResult;
  /** Works that cost too much at the last stage. */
  tooDear: string[];
}

interface Options {
  /** Rising; the first is what the others are compared with. */
  sizes: readonly number[];
  say(text: string): void;
}

export async function runGrowth({ sizes, say }: Options): Promise<GrowthResult> {
  const machine = describeMachine();
  const installation = await install();
  try {
    const server = await installation.startServer();
    const [measured, neighbour, ...others] = await installation.seed(2 + OTHER_ORGANIZATIONS, 'sandbox');
    if (measured === undefined || neighbour === undefined) throw new Error('Nothing was seeded.');
    const stages: GrowthStage[] = [];
    let gifts = 0;
    for (const [stage, size] of sizes.entries()) {
      say(`filling up to ${number(size)} gifts of one organization`);
      await fill(installation, { measured, others, gifts: size - gifts, stage });
      gifts = size;
      // What the compiler had not seen before would make the first stage look dear, and the others cheap beside it.
      if (stage === 0) await measureStage(installation, server, { measured, size, say });
      stages.push(await measureStage(installation, server, { measured, size, say }));
    }
    say('resetting the organization with all of them');
    const reset = await measureReset(server.url, measured.key, neighbour.key);
    return { machine, stages, reset, tooDear: tooDear(stages) };
  } finally {
    await installation.close();
  }
}

interface Growth {
  measured: Site['sandbox'][number];
  others: Site['sandbox'];
  /** How many more the measured organization gets. */
  gifts: number;
  /** Each stage's gifts were bought in a day of their own. */
  stage: number;
}

async function fill({ sql }: Installation, { measured, others, gifts, stage }: Growth): Promise<void> {
  const fromMs = systemClock.now() - (30 - stage) * DAY_MS;
  const span = { environment: 'sandbox', fromMs, toMs: fromMs + DAY_MS - 60_000 } as const;
  await fillGifts(sql, { ...span, organizationId: uuidOf(measured), orders: Math.floor(gifts / 2) });
  const ordersOfEach = Math.ceil((gifts * OTHERS_SHARE) / 2 / others.length);
  for (const other of others) await fillGifts(sql, { ...span, organizationId: uuidOf(other), orders: ordersOfEach });
  // What autovacuum would do by itself, some minutes later.
  await sql.query('vacuum analyze');
}

async function measureStage(
  installation: Installation,
  server: Server,
  { measured, size, say }: { measured: Site['sandbox'][number]; size: number; say: Options['say'] },
): Promise<GrowthStage> {
  const reader: Reader = await openReader(installation, server.url, measured);
  try {
    const medianMs: Record<string, number> = {};
    for (const [work, measure] of Object.entries(reader.works)) {
      say(`${number(size)} gifts: ${work}`);
      medianMs[work] = await measure();
    }
    const { rows } = await installation.sql.query<{ count: string }>('select count(*) from gifts');
    return { gifts: size, giftsInTable: Number(rows[0]?.count), medianMs };
  } finally {
    await reader.close();
  }
}

const ratioOf = (stages: readonly GrowthStage[], stage: GrowthStage, work: string) =>
  (stage.medianMs[work] ?? Number.NaN) / (stages[0]?.medianMs[work] ?? Number.NaN);

function tooDear(stages: readonly GrowthStage[]): string[] {
  const last = stages.at(-1);
  if (last === undefined) return [];
  return Object.keys(last.medianMs).filter(
    (work) => !GROWING.includes(work) && !(ratioOf(stages, last, work) <= MOST_RATIO),
  );
}

export function presentGrowth({ machine, stages, reset, tooDear: dear }: GrowthResult): string {
  const [first] = stages;
  const lines = Object.keys(first?.medianMs ?? {}).map((work) => [
    work,
    ...stages.map((stage) => {
      const ms = `${number(stage.medianMs[work] ?? Number.NaN, 2)} ms`;
      return stage === first ? ms : `${ms} (${number(ratioOf(stages, stage, work), 2)})`;
    }),
  ]);
  const heading = ['Work', ...stages.map(({ gifts, giftsInTable }) => `${number(gifts)} of ${number(giftsInTable)}`)];
  const verdict =
    dear.length === 0
      ? `Nothing costs more than ${MOST_RATIO} times as much, but for ${GROWING.join(', ')}: met.`
      : `More than ${MOST_RATIO} times as much: ${dear.join('; ')}.`;
  const { status, seconds, giftsDeleted, neighbourMostMs, neighbourMedianMs, neighbourFailed } = reset;
  const resetText = `Reset: ${status} after ${number(seconds, 1)} s, ${number(giftsDeleted)} gifts deleted. Meanwhile another organization’s orders took ${number(neighbourMedianMs, 1)} ms, at most ${number(neighbourMostMs, 1)} ms; ${neighbourFailed} failed.`;
  return `${describe(machine)}\n\nMedian latency on one connection, by gifts of the organization of those in the table:\n\n${table(heading, lines)}\n\n${verdict}\n\n${resetText}\n`;
}
