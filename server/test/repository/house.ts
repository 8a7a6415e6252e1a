// `npm run house`: prints how large the repository is and where.
import { existsSync, readFileSync } from 'node:fs';
import { writtenFiles } from './source-files.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);
const row = (value: number, name: string) => say(`${value.toLocaleString('en').padStart(9)}  ${name}`);

/** Lines by folder, two levels deep. */
const sums = new Map<string, number>();
let total = 0;
for (const [path, text] of writtenFiles()) {
  const folder = path.split('/').slice(0, -1).slice(0, 2).join('/') || '.';
  const lines = text.split('\n').length - 1;
  sums.set(folder, (sums.get(folder) ?? 0) + lines);
  total += lines;
}

say('Lines by folder');
for (const [folder, lines] of [...sums].sort(([, one], [, other]) => other - one)) row(lines, folder);
row(total, 'in all');

const SLOWEST = 'node_modules/.cache/slowest-tests.txt';
say('\nThe slowest test files of the last run');
say(existsSync(SLOWEST) ? readFileSync(SLOWEST, 'utf8').trimEnd() : 'None yet: run `npm test`.');
