// `npm run house`: prints how large the repository is, where, and what a change of it touches. `-- DIRECTORY` reads another
// checkout, such as an earlier one.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { writtenFiles } from './source-files.ts';

const [, , directory = '.'] = process.argv;
process.chdir(directory);

const say = (line: string) => process.stdout.write(`${line}\n`);
const row = (value: number, name: string) => say(`${value.toLocaleString('en').padStart(9)}  ${name}`);
const linesOf = (text: string) => text.split('\n').length - 1;

const written = writtenFiles();
const isMade = (text: string) => /^.{0,200}(?:Code generated|Generated (?:from|by)|made by make_sync)/s.test(text);
/** Files by hand, by a pattern of their paths. */
const byHand = (paths: RegExp) => [...written].filter(([path, text]) => paths.test(path) && !isMade(text));
const sum = (paths: RegExp) => byHand(paths).reduce((lines, [, text]) => lines + linesOf(text), 0);

/** Lines by folder, two levels deep. */
const sums = new Map<string, number>();
for (const [path, text] of written) {
  const folder = path.split('/').slice(0, -1).slice(0, 2).join('/') || '.';
  sums.set(folder, (sums.get(folder) ?? 0) + linesOf(text));
}
say('Lines by folder, without what is generated');
for (const [folder, lines] of [...sums].sort(([, one], [, other]) => other - one)) row(lines, folder);

const tracked = execFileSync('git', ['ls-files', '-z', '--', ':!*.png', ':!*.ttf', ':!*.woff2'], { encoding: 'utf8' })
  .split('\0')
  .slice(0, -1)
  .reduce((lines, path) => lines + linesOf(readFileSync(path, 'utf8')), 0);
const allByHand = sum(/./);
say('\nLines');
row(tracked, 'tracked');
row(tracked - allByHand, 'of them generated or locked');
row(sum(/^server\/src\//), 'server/src by hand');
row(sum(/^portal\/src\//), 'portal/src by hand');
row(sum(/^(?:server|portal|sdk|readers|reliability)\/(?:.*\/)?tests?\//), 'tests by hand');
row(sum(/^sdk\/src\/[^/]+\.ts$/), 'client of TypeScript by hand');
row(sum(/^sdk\/python\/src\/(?!.*(?:_sync|_fake)\/).*\.py$/), 'client of Python by hand');
row(sum(/^sdk\/go\/(?!.*_test\.go$|internal|bestowtest)[^/]+\.go$/), 'client of Go by hand');

/** A gift's fields, by their names in `/v1` or their columns. */
const FIELDS = [
  'recipient_name',
  'sender_name',
  'message',
  'amount(?:_cents)?',
  'category(?:_id)?',
  'language',
  'metadata',
  'external_id',
  'scheduled_for|send_at',
].map((name) => new RegExp(`\\b(?:${name})\\b`));
const source = byHand(/^server\/src\/.*\.ts$/);
const naming = (count: number) =>
  source.filter(([, text]) => FIELDS.filter((field) => field.test(text)).length >= count).length;
const files = (paths: RegExp, words: RegExp) => byHand(paths).filter(([, text]) => words.test(text)).length;
const TESTS = /^(?:server|portal|sdk|reliability)\/(?:.*\/)?tests?\//;
say('\nFiles by hand that a change meets');
row(naming(7), 'files of server/src that name seven of a gift’s nine fields');
row(naming(6), 'files of server/src that name six of them');
row(
  files(/^server\/src\//, /\bchosen_category(?:_id)?\b/),
  'of server/src name a field that is shown only (chosen_category)',
);
row(files(/^sdk\//, /\bcancel_?gift\b/i), 'of the clients name an operation (cancelGift)');
row(files(TESTS, /\bcancel_?gift\b/i), 'of the tests name it');

const SLOWEST = 'node_modules/.cache/slowest-tests.txt';
say('\nThe slowest test files of the last run');
say(existsSync(SLOWEST) ? readFileSync(SLOWEST, 'utf8').trimEnd() : 'None yet: run `npm test`.');
