// `npm run bench`: compares the service with PostgreSQL itself, on this machine.
import { parseArgs } from 'node:util';
import { presentAuthorizations, runAuthorizations } from './authorizations.ts';
import { presentGrowth, runGrowth } from './growth.ts';
import type { MeasuredRow } from './measure-rows.ts';
import { presentPushes, runPushes } from './pushes.ts';
import { record } from './record.ts';
import { rows } from './rows.ts';
import { presentTable, runTable, type TableOptions, type TableResult } from './run-table.ts';
import { presentShards, runShards } from './shards.ts';

const NAMES = [...rows.map(({ name }) => name), 'open-loop', 'start'];

const AUTHORIZATION_SECONDS = 30;

const USAGE = `npm run bench                  every row of the table, beside its ceilings on the same PostgreSQL
npm run bench -- growth        what requests cost at 10,000 and at 1,000,000 gifts, and all else at 500,000
npm run bench -- pushes        how fast one process pushes events to a webhook endpoint, also beside nine that hang
npm run bench -- authorizations  how fast 200 purchases a second with gift cards are answered
npm run bench -- shards        orders on two servers, beside one

  --only ROW,ROW   ${NAMES.join(', ')}
  --seconds N      of each run (10)
  --repeats N      runs of each row (3)
  --sizes N,N      gifts that growth compares (10000,1000000); a search stops after 2,000
  --events N       that pushes pushes (20000)
  --short          forty seconds in all; fails if a ratio is twice below half its goal, or answers are errors
  --json           for machines
  --record         writes bench/results/table.json, from which \`npm run generate\` fills README.md and docs/performance.md
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    seconds: { type: 'string' },
    repeats: { type: 'string' },
    sizes: { type: 'string' },
    events: { type: 'string' },
    short: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const wholeNumber = (text: string | undefined, byDefault: number) => {
  const value = Number(text ?? byDefault);
  if (Number.isInteger(value) && value > 0) return value;
  throw new Error(`${text} must be a whole number above 0.\n${USAGE}`);
};

const startedAtMs = performance.now();
const say = (text: string) => {
  process.stderr.write(`${((performance.now() - startedAtMs) / 1000).toFixed(0).padStart(5)} s  ${text}\n`);
};

function print<Result>(result: Result, present: (result: Result) => string): void {
  process.stdout.write(values.json ? `${JSON.stringify(result)}\n` : present(result));
}

/** A row is wrong if it is far below its goal, has errors, or has no answers. The lean ceiling is only shown. */
const isWrong = ({ row, checks, failed }: MeasuredRow) =>
  failed > 0 ||
  checks.some(
    ({ name, isFarOff, value }) => (row.isHeld && isFarOff && name !== 'lean ceiling') || !Number.isFinite(value),
  );

/** Measures wrong rows again: one second on a busy machine proves nothing. */
async function isWrongTwice({ rows: measured }: TableResult): Promise<boolean> {
  const wrong = measured.filter(isWrong).map(({ row }) => row.name);
  if (wrong.length === 0) return false;
  say(`below half the goal, or with errors: ${wrong.join(', ')}; measured again`);
  const again = await runTable({ ...options, only: wrong, seconds: 3 });
  process.stderr.write(presentTable(again));
  return again.invariantsHold === false || again.rows.some(isWrong);
}

const options: TableOptions = {
  isShort: values.short,
  only: values.only?.split(','),
  seconds: wholeNumber(values.seconds, values.short ? 1 : 10),
  repeats: wholeNumber(values.repeats, values.short ? 1 : 3),
  say,
};
const [what = 'table'] = positionals;
if (values.help) process.stdout.write(USAGE);
else if (what === 'growth') {
  const sizes = (values.sizes ?? '10000,1000000').split(',').map((text) => wholeNumber(text, 1));
  print(await runGrowth({ sizes, say }), presentGrowth);
} else if (what === 'pushes')
  print(await runPushes({ events: wholeNumber(values.events, 20_000), say }), presentPushes);
else if (what === 'authorizations') {
  const seconds = wholeNumber(values.seconds, AUTHORIZATION_SECONDS);
  print(await runAuthorizations({ seconds, repeats: options.repeats, say }), presentAuthorizations);
} else if (what === 'shards') print(await runShards(options), presentShards);
else if (what === 'table' && (options.only?.every((name) => NAMES.includes(name)) ?? true)) {
  const result = await runTable(options);
  print(result, presentTable);
  if (values.record) record(result);
  if (result.rows.some(({ failed }) => failed > 0)) say('some answers were errors');
  if (result.invariantsHold === false) process.exitCode = 1;
  if (values.short && (await isWrongTwice(result))) process.exitCode = 1;
} else {
  process.stderr.write(USAGE);
  process.exitCode = 2;
}
