// `npm run fuzz -- [--only NAME,…] [--seed N] [--count N] [--short]`: bad input against the whole service. It replays from
// the seed that it prints. The exit code is 1 if it finds anything.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { openTestServer } from '../server/test/test-server.ts';
import { modelSequences } from './fuzz/model/suite.ts';
import type { Suite } from './fuzz/suite.ts';

const suites: readonly Suite[] = [modelSequences];

const say = (line: string) => process.stdout.write(`${line}\n`);

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    seed: { type: 'string' },
    count: { type: 'string' },
    short: { type: 'boolean', default: false },
  },
});

function wholeNumber(name: 'seed' | 'count'): number | undefined {
  const text = values[name];
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 0) throw new Error(`--${name} takes a whole number.`);
  return number;
}

const names = values.only?.split(',') ?? suites.map(({ name }) => name);
const unknown = names.filter((name) => !suites.some((suite) => suite.name === name));
if (unknown.length > 0)
  throw new Error(`Not a suite: ${unknown.join(', ')}. There are ${suites.map(({ name }) => name).join(', ')}.`);
const seed = wholeNumber('seed') ?? randomInt(2 ** 31);
const count = wholeNumber('count');
say(`seed ${seed}`);

const closeTestServer = await openTestServer();
let found = 0;
try {
  for (const suite of suites.filter(({ name }) => names.includes(name))) {
    const size = count ?? (values.short ? suite.counts.short : suite.counts.whole);
    const startedAt = performance.now();
    const findings = await suite.run({ seed, count: size, say: (line) => say(`  ${line}`) });
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    for (const finding of findings) say(`FOUND ${suite.name}: ${finding}`);
    say(`${suite.name}: ${size} in ${seconds} s, seed ${seed}, ${findings.length} found`);
    found += findings.length;
  }
} finally {
  await closeTestServer();
}
process.exitCode = found === 0 ? 0 : 1;
