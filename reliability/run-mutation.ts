// `npm run mutate [-- --only pure|sample] [--module PATH] [--seed N] [--from N] [--count N]`: Stryker's mutants of orders,
// balances, keys, tokens and steering. Of the pure modules every one is run, elsewhere a sample drawn from the seed. The
// exit code is 1 where less than 85 % are killed, or one that survives is not explained.
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openTestServer } from '../server/test/test-server.ts';
import { randomFrom } from './faults/random.ts';
import { control } from './mutation/control.ts';
import { createJudge, type Verdict } from './mutation/judge.ts';
import { pureModules, sampledPatterns, testsOf } from './mutation/modules.ts';
import { instrument, type Mutant } from './mutation/stryker.ts';
import { conclude, isAlive, tellFigures, tellSurvivor } from './mutation/tell.ts';
import { createWorkspace } from './mutation/workspace.ts';

// Some of the sample's tests look at the portal's page.
spawnSync(process.execPath, [fileURLToPath(new URL('../scripts/build-portal.js', import.meta.url))], {
  stdio: 'inherit',
});

const SOURCE = fileURLToPath(new URL('../server/src', import.meta.url));

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    module: { type: 'string' },
    seed: { type: 'string', default: '20261121' },
    count: { type: 'string', default: '300' },
    from: { type: 'string', default: '0' },
  },
});
const say = (line: string) => process.stdout.write(`${line}\n`);
say(`seed ${values.seed}`);

const purePaths = pureModules.map(({ path }) => path);
const sampledPaths = globSync(sampledPatterns, { cwd: SOURCE })
  .filter((path) => !path.endsWith('.test.ts') && !purePaths.includes(path))
  .sort();
const paths = [...purePaths, ...sampledPaths];
if (values.module !== undefined && !paths.includes(values.module))
  throw new Error(`Not a module that is mutated: ${values.module}. There are ${paths.join(', ')}.`);
const { files, mutants } = await instrument(SOURCE, paths);
const wanted = mutants.filter(({ path }) => values.module === undefined || values.module === path);

const workspace = createWorkspace();
process.on('exit', workspace.remove);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
const judge = createJudge(workspace);

async function judgeAloud(mutant: Mutant, tests: readonly string[]): Promise<Verdict> {
  const verdict = await judge(mutant, tests);
  if (isAlive(verdict)) say(tellSurvivor(verdict));
  return verdict;
}

/** Every mutant of the modules that need nothing but themselves. */
async function runPure(): Promise<boolean> {
  const verdicts: Verdict[] = [];
  for (const { path, tests } of pureModules) {
    const its: Verdict[] = [];
    for (const mutant of wanted.filter((mutant) => mutant.path === path)) its.push(await judgeAloud(mutant, tests));
    if (its.length > 0) say(`${path}: ${tellFigures(its)}`);
    verdicts.push(...its);
  }
  const { isWell, line } = conclude('pure modules', verdicts);
  say(line);
  return isWell;
}

/** As many of the others as asked for; a smaller count is the beginning of a larger one, and `--from` what follows it. */
async function runSample(): Promise<boolean> {
  const random = randomFrom(Number(values.seed));
  const drawn = wanted
    .filter(({ path }) => sampledPaths.includes(path))
    .map((mutant) => ({ mutant, rank: random() }))
    .sort((one, other) => one.rank - other.rank)
    .slice(Number(values.from), Number(values.from) + Number(values.count));
  const verdicts: Verdict[] = [];
  for (const { mutant } of drawn) {
    verdicts.push(await judgeAloud(mutant, testsOf(mutant.path)));
    if (verdicts.length % 10 === 0) say(`so far: ${tellFigures(verdicts)}`);
  }
  const { isWell, line } = conclude('sample', verdicts);
  say(line);
  return isWell;
}

const withDatabase = values.only !== 'pure';
const closeTestServer = withDatabase ? await openTestServer() : async () => undefined;
let isWell = true;
try {
  for (const file of files) workspace.write(file);
  for (const line of await control(workspace, mutants, withDatabase)) say(line);
  if (values.only !== 'sample') isWell = await runPure();
  if (withDatabase) isWell = (await runSample()) && isWell;
  // Whatever ended meanwhile, such as PostgreSQL, would have killed every later mutant.
  for (const line of await control(workspace, mutants, withDatabase)) say(line);
} finally {
  await closeTestServer();
}
process.exitCode = isWell ? 0 : 1;
