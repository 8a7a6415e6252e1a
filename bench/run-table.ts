import { install } from './installation.ts';
import { runLoad } from './load/run-load.ts';
import { describeMachine, type Machine } from './machine.ts';
import { type Bench, type MeasuredRow, measureRows } from './measure-rows.ts';
import { measureOpenLoop, type OpenLoop, presentOpenLoop } from './open-loop.ts';
import { describe, describeResources, number, tableOfRows } from './print.ts';
import { type Resources, watchResources } from './resources.ts';
import { OPEN_LOOP, ORDERS_ROW, type Row, rows } from './rows.ts';
import { FULL_SITE, fillListed, prepareSite, SHORT_SITE } from './site.ts';
import { measureStart, type StartTimes } from './start-time.ts';

export interface TableOptions {
  /** Forty seconds in all; finds only large regressions. */
  isShort: boolean;
  /** Names of rows; all rows by default. */
  only: readonly string[] | undefined;
  seconds: number;
  repeats: number;
  say(text: string): void;
}

export interface TableResult {
  machine: Machine;
  seconds: number;
  repeats: number;
  rows: MeasuredRow[];
  openLoop: OpenLoop | undefined;
  resources: Resources | undefined;
  start: StartTimes | undefined;
  /** Whether the invariants hold at the end, for the ceiling's orders too. */
  invariantsHold: boolean | undefined;
}

export async function runTable(options: TableOptions): Promise<TableResult> {
  const { isShort, only, seconds, repeats, say } = options;
  const machine = describeMachine();
  const isWanted = (name: string) => only?.includes(name) ?? true;
  const measured = only?.every((name) => name === 'start') ? NOTHING : await runInstalled(options, isWanted);
  const isStartWanted = !isShort && isWanted('start');
  if (isStartWanted) say('starting the service as a newcomer does, twice');
  return { machine, seconds, repeats, ...measured, start: isStartWanted ? await measureStart() : undefined };
}

type Measured = Omit<TableResult, 'machine' | 'seconds' | 'repeats' | 'start'>;

const NOTHING: Measured = {
  rows: [],
  openLoop: undefined,
  resources: undefined,
  invariantsHold: undefined,
};

async function runInstalled(options: TableOptions, isWanted: (name: string) => boolean): Promise<Measured> {
  const { isShort, seconds, repeats, say } = options;
  const installation = await install();
  try {
    say('starting a server and preparing organizations');
    const size = isShort ? SHORT_SITE : FULL_SITE;
    const listed = await fillListed(installation, size.listed);
    const server = await installation.startServer();
    const site = await prepareSite(installation, server.url, listed, size);
    const resources = await watchResources(installation, server, isShort ? 0 : 5_000);
    const { url } = server;
    const warmUpSeconds = isShort ? 1 : 5;
    const bench: Bench = { installation, site, url, seconds, repeats, warmUpSeconds, say, watch: resources.watch };
    await runLoad(url, { requests: ORDERS_ROW.requests(site), connections: 64, seconds: warmUpSeconds });
    const measured = await measureRows(bench, chooseRows(options));
    const openLoop = isWanted(OPEN_LOOP.name) ? await measureOpenLoop(bench, measured) : undefined;
    const used = await resources.finish();
    await server.stop();
    const invariantsHold = await installation.invariantsHold();
    return { rows: measured, openLoop, resources: used, invariantsHold };
  } finally {
    await installation.close();
  }
}

/** Adds the first row if another is compared with it. */
function chooseRows({ only, isShort }: TableOptions): Row[] {
  const wanted = rows.filter(({ name, settings }) => only?.includes(name) ?? !(isShort && settings));
  const isCompared = wanted.some(({ comparisons }) => comparisons.some(({ reference }) => reference === 'orders row'));
  return isCompared && !wanted.includes(ORDERS_ROW) ? [ORDERS_ROW, ...wanted] : wanted;
}

export function presentTable({ machine, seconds, repeats, ...result }: TableResult): string {
  const parts = [describe(machine)];
  if (result.rows.length > 0)
    parts.push(`Median of ${repeats} runs of ${seconds} s each (least–most).`, tableOfRows(result.rows));
  if (result.openLoop !== undefined) parts.push(presentOpenLoop(result.openLoop));
  if (result.resources !== undefined) parts.push(describeResources(result.resources));
  if (result.start !== undefined)
    parts.push(
      `From \`npm start\` to the first answer: ${number(result.start.firstMs)} ms at the first start, ${number(result.start.laterMs)} ms later.`,
    );
  if (result.invariantsHold !== undefined)
    parts.push(`The invariants ${result.invariantsHold ? 'hold' : 'do NOT hold'} after all that.`);
  return `${parts.join('\n\n')}\n`;
}
