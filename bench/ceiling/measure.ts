import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ConnectionTarget } from '../../server/src/platform/database/connections.ts';
import { findProgram, runProgram } from '../programs.ts';
import { quantile } from '../statistics.ts';
import { columnsOf, firstTargetOf, textOfWork, type Work } from './work.ts';

export interface CeilingLoad {
  work: Work;
  connections: number;
  seconds: number;
}

export interface CeilingResult {
  perSecond: number;
  p50Ms: number;
}

const DRIVER = fileURLToPath(new URL('driver.ts', import.meta.url));

export const driverName = () => (findProgram('pgbench') === undefined ? 'a Node process with pg' : 'pgbench');

/**
 * Measures PostgreSQL alone, with prepared statements. Each client uses one organization of `bench.targets`, so that no
 * client waits for another's balance.
 */
export async function measureCeiling(target: ConnectionTarget, load: CeilingLoad): Promise<CeilingResult> {
  const pgbench = findProgram('pgbench');
  if (pgbench !== undefined) return runPgbench(pgbench, target, load);
  const input = {
    target,
    ...load,
    columns: columnsOf(load.work),
    firstTarget: firstTargetOf(load.work),
    text: textOfWork(load.work, (n) => `$${n + 1}`),
  };
  return JSON.parse(await runProgram(process.execPath, [DRIVER, JSON.stringify(input)]));
}

/** Loads the client's values once, then repeats the task. */
function scriptOf({ work }: CeilingLoad): string {
  const names = columnsOf(work);
  return `\\if :loaded
\\else
select ${names.join(', ')} from bench.targets where n = :client_id + ${firstTargetOf(work)} \\gset
\\set loaded 1
\\endif
${textOfWork(work, (n) => `:${names[n]}`)};
`;
}

async function runPgbench(pgbench: string, target: ConnectionTarget, load: CeilingLoad): Promise<CeilingResult> {
  const directory = await mkdtemp(join(tmpdir(), 'bestow-pgbench-'));
  try {
    const script = join(directory, 'script.sql');
    await writeFile(script, scriptOf(load));
    const { connections, seconds } = load;
    const isAlone = connections === 1;
    const where = ['-h', `${target.host}`, '-p', `${target.port}`, '-U', `${target.user}`];
    const threads = Math.min(2, connections);
    const how = [
      '-n',
      '-M',
      'prepared',
      '-D',
      'loaded=0',
      '-c',
      `${connections}`,
      '-j',
      `${threads}`,
      '-T',
      `${seconds}`,
    ];
    // Logs each transaction's time only if the median is needed.
    const log = isAlone ? ['-l', `--log-prefix=${join(directory, 'times')}`] : [];
    const output = await runProgram(pgbench, [...where, ...how, ...log, '-f', script, `${target.database}`]);
    const perSecond = Number(/^tps = ([\d.]+) /m.exec(output)?.[1]);
    if (!(perSecond > 0)) throw new Error(`pgbench said:\n${output}`);
    return { perSecond, p50Ms: isAlone ? await readMedianMs(directory) : Number.NaN };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** In pgbench's log, the third field is the transaction's time in microseconds. */
async function readMedianMs(directory: string): Promise<number> {
  const times: number[] = [];
  for (const name of await readdir(directory)) {
    if (!name.startsWith('times')) continue;
    for (const line of (await readFile(join(directory, name), 'utf8')).split('\n'))
      if (line !== '') times.push(Number(line.split(' ')[2]) / 1000);
  }
  return quantile(Float64Array.from(times).sort(), 0.5);
}
