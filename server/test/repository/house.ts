// `npm run house`: prints how large the repository is and where. Exits with 1 if a bound is broken.
import { existsSync, readFileSync } from 'node:fs';
import { bounds, code, linesByFolder } from './bounds.ts';
import { longestFunctions } from './functions.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);
const row = (value: number, name: string) => say(`${value.toLocaleString('en').padStart(9)}  ${name}`);

say('Lines by folder');
for (const [folder, lines] of [...linesByFolder()].sort(([, one], [, other]) => other - one)) row(lines, folder);

say('\nThe longest functions, lines');
for (const { name, path, lines } of longestFunctions(code).slice(0, 10)) row(lines, `${name} in ${path}`);

const SLOWEST = 'node_modules/.cache/slowest-tests.txt';
say('\nThe slowest test files of the last run');
say(existsSync(SLOWEST) ? readFileSync(SLOWEST, 'utf8').trimEnd() : 'None yet: run `npm test`.');

say('\nBounds');
for (const { name, limit, measure } of bounds) {
  const measured = measure();
  const value = typeof measured === 'number' ? measured : measured.length;
  if (value > limit) process.exitCode = 1;
  say(
    `${value > limit ? '✖' : '✔'}${value.toLocaleString('en').padStart(8)}  ${name}, at most ${limit.toLocaleString('en')}`,
  );
  if (typeof measured !== 'number') for (const text of measured.slice(0, 20)) say(`             ${text.slice(0, 200)}`);
}
