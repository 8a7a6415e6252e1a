// `npm run faults`: breaks a running installation under load by each fault of `faults/registry.ts`, then runs the checker.
// `-- --only NAME,…  --count N | --short | --full  --seed N  --minutes N  --json`.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { Fault } from './faults/fault.ts';
import { closeOpenInstallations } from './faults/installation.ts';
import { randomFrom } from './faults/random.ts';
import { faults } from './faults/registry.ts';
import { type Ran, reportLines, verdictLine } from './faults/report.ts';

const values = readOptions();
const chosen = chooseFaults(values.only);
const seed = values.seed === undefined ? randomInt(2 ** 31) : wholeNumber('--seed', values.seed);
const count = values.count === undefined ? undefined : wholeNumber('--count', values.count);
const minutes = values.minutes === undefined ? {} : { minutes: wholeNumber('--minutes', values.minutes) };
const print = (line: string) => process.stdout.write(`${line}\n`);

if (!values.json) print(`Seed ${seed}; again with: npm run faults -- --seed ${seed}`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void interrupt());

const ran: Ran[] = [];
for (const fault of chosen) {
  const result = await run(fault);
  ran.push(result);
  if (!values.json) for (const line of reportLines(result)) print(line);
}
if (values.json) print(JSON.stringify({ seed, faults: ran }));
else print(verdictLine(ran));
process.exit(ran.every(({ holds }) => holds) ? 0 : 1);

async function interrupt(): Promise<never> {
  try {
    await closeOpenInstallations();
  } finally {
    process.exit(130);
  }
}

async function run(fault: Fault): Promise<Ran> {
  const startedAtMs = performance.now();
  const times = count ?? (values.full ? fault.fullCount : fault.shortCount);
  const say = (text: string) => process.stderr.write(`  ${fault.name}: ${text}\n`);
  if (fault.needsRoot && process.getuid?.() !== 0)
    return { name: fault.name, holds: false, seconds: 0, error: 'It needs root.' };
  try {
    // Independent of the faults before it.
    const result = await fault.run({ count: times, random: randomFrom(seed), say, ...minutes });
    const holds = result.violations.length === 0 && result.failures.length === 0 && result.count > 0;
    return { name: fault.name, holds, seconds: (performance.now() - startedAtMs) / 1000, result };
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { name: fault.name, holds: false, seconds: (performance.now() - startedAtMs) / 1000, error: text };
  }
}

function chooseFaults(only: string | undefined): readonly Fault[] {
  if (only === undefined) return faults.filter(({ runsByDefault = true }) => runsByDefault || values.full);
  return only.split(',').map((name) => {
    const fault = faults.find((each) => each.name === name);
    if (fault === undefined)
      exitWith(`There is no fault ${name}; there are ${faults.map((each) => each.name).join(', ')}.`);
    return fault;
  });
}

function readOptions() {
  try {
    return parseArgs({
      options: {
        only: { type: 'string' },
        count: { type: 'string' },
        short: { type: 'boolean', default: false },
        full: { type: 'boolean', default: false },
        seed: { type: 'string' },
        minutes: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    exitWith(
      `${(error as Error).message} Use --only NAME,…, --count N, --short, --full, --seed N, --minutes N or --json.`,
    );
  }
}

function wholeNumber(option: string, text: string): number {
  if (!/^\d{1,10}$/.test(text)) exitWith(`${option} must be a whole number, not ${text}.`);
  return Number(text);
}

function exitWith(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(2);
}
