import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import {
  circlesOf,
  sourceFiles as files,
  folderKnots,
  folderOf,
  knotsOf,
  portalFolderImports,
  portalImports,
  roomOf,
  SOURCE,
  type SourceFile,
  serverFileImports,
  serverImports,
} from './source-files.ts';

// The rules of CONTRIBUTING.md that a program can check. Each rule names what to do instead.

const offences = (offends: (file: SourceFile) => boolean) => files.filter(offends).map(({ path }) => path);
/** A capability's SQL is in `queries.ts`, or in files such as `entry-queries.ts` when it grows too long. */
const isQueries = (path: string) => /(?:^|-)queries\.ts$/.test(basename(path));
/** What statements of other folders contain of a folder's SQL. */
const isParts = (path: string) => basename(path) === 'statement-parts.ts';

test('the rules read the whole source', () => {
  assert.ok(files.length > 80, `${files.length} files`);
  assert.ok(files.filter(({ imports }) => imports.length > 0).length > 60);
});

test('surfaces import capabilities, those faces, those core, and core platform, also types; never the other way', () => {
  const rooms = files.filter(({ path }) => roomOf(path) >= 0);
  assert.ok(rooms.length > 900, `${rooms.length} files`);
  assert.deepEqual(
    rooms.flatMap(({ path, imports }) =>
      imports.filter(({ target }) => roomOf(target) > roomOf(path)).map(({ target }) => `${path} → ${target}`),
    ),
    [],
  );
});

test('at most five folders hang together by types', () => {
  assert.deepEqual(
    folderKnots().filter((knot) => knot.length > 5),
    [],
  );
});

test('base is a leaf: it imports nothing but base', () => {
  assert.deepEqual(
    offences(({ folder, imports }) => folder === 'base' && imports.some(({ target }) => folderOf(target) !== 'base')),
    [],
  );
});

test('database imports base, database and the settings only', () => {
  const allowed = ['base', 'database'];
  assert.deepEqual(
    offences(
      ({ folder, imports }) =>
        folder === 'database' &&
        imports.some(({ target }) => !allowed.includes(folderOf(target)) && folderOf(target) !== 'configuration'),
    ),
    [],
  );
});

test('http imports no capability: app.ts hands it what it needs', () => {
  const allowed = ['base', 'http', 'api', 'authentication', 'rate-limits'];
  assert.deepEqual(
    offences(
      ({ folder, imports }) =>
        folder === 'http' &&
        imports.some(
          ({ target, isType }) =>
            !allowed.includes(folderOf(target)) && !(isType && /(?:config|deps)\.ts$/.test(target)),
        ),
    ),
    [],
  );
});

test('only a capability’s own files import values from its queries.ts', () => {
  assert.deepEqual(
    offences(({ folder, imports }) =>
      imports.some(({ target, isType }) => isQueries(target) && folderOf(target) !== folder && !isType),
    ),
    [],
  );
});

test('at most eight files and rooms stand directly in server/src', () => {
  assert.ok(new Set(files.map(({ path }) => path.split('/')[0])).size <= 8);
});

test('only their callers import app, serve and main', () => {
  const above: Record<string, string[]> = {
    'surfaces/process/app.ts': ['surfaces/process/serve.ts'],
    'surfaces/process/serve.ts': ['surfaces/commands/server.ts', 'surfaces/process/serve-processes.ts'],
    'surfaces/process/serve-processes.ts': ['surfaces/commands/server.ts'],
    'main.ts': [],
  };
  assert.deepEqual(
    offences(({ path, imports }) =>
      imports.some(({ target, isType }) => !isType && target in above && !above[target]?.includes(path)),
    ),
    [],
  );
});

test('the portal’s app knows the server by its OpenAPI document only', () => {
  const sources = globSync('portal/src/**/*.{ts,tsx}');
  assert.ok(sources.length > 50, `${sources.length} files`);
  assert.deepEqual(
    sources.filter((path) => /from '[^']*(?:server|sdk)\//.test(readFileSync(path, 'utf8'))),
    [],
  );
});

interface Ban {
  pattern: RegExp;
  instead: string;
  where?: (path: string) => boolean;
}

/** Programs of readers, in the documentation. */
const writesPrograms = 'capabilities/docs/typescript-sample.ts';

const bans: Ban[] = [
  {
    pattern: /\bDate\.now\(|\bnew Date\(\)/,
    instead: 'the clock that is passed in (platform/base/clock.ts)',
    where: (path) => path !== 'platform/base/clock.ts',
  },
  {
    pattern: /`\s*(?:select|insert into|update|delete from|with \w+ as)\s/,
    instead: 'a named statement in the capability’s queries.ts, or a *-queries.ts of one theme',
    where: (path) =>
      !isQueries(path) &&
      !isParts(path) &&
      !/^platform\/(?:database|embedded-postgres|installation)\/|^(?:platform\/jobs\/insert-jobs|platform\/events\/gift-facts|platform\/authentication\/caller)\./.test(
        path,
      ),
  },
  {
    pattern: /\bconsole\.\w/,
    instead: 'deps.log, or process.stdout in a command',
    where: (path) => path !== writesPrograms,
  },
  {
    pattern: /\bprocess\.env\b/,
    instead: 'config.ts',
    where: (path) =>
      ![
        'surfaces/process/serve.ts',
        'surfaces/commands/program.ts',
        'faces/command-line/with-database.ts',
        'surfaces/commands/balance.ts',
        'surfaces/commands/agent.ts',
        'surfaces/commands/cap.ts',
        'surfaces/commands/server.ts',
        'surfaces/commands/doctor.ts',
        'faces/command-line/api-access.ts',
        'capabilities/topups/command.ts',
        // SUDO_USER is not a setting.
        'faces/command-line/operator.ts',
        writesPrograms,
      ].includes(path),
  },
  {
    pattern: /\binTransaction\((?:deps\.)?database\.pool\b/,
    instead: 'inOrganization, which finds the server',
    where: (path) => path !== 'surfaces/seed/seed-demo.ts',
  },
  {
    pattern: /<bdi(?: class="address")?>\$\{/,
    instead: 'isolated, which removes what would turn the text around a name',
    where: (path) => !path.endsWith('languages/isolated.ts'),
  },
  { pattern: /\bMath\.random\(/, instead: 'node:crypto' },
  { pattern: /@ts-(?:ignore|expect-error|nocheck)/, instead: 'a type that says what is so' },
  { pattern: /\b(?:TODO|FIXME|XXX)\b/, instead: 'doing it, or an issue' },
  { pattern: /^export (?:type )?[{*]/m, instead: 'an import from the file that holds it' },
  {
    pattern: /\benum \w+ \{|\bnamespace \w+ \{/,
    instead: 'a union of literals: Node strips types and compiles nothing',
  },
];

for (const { pattern, instead, where = () => true } of bans)
  test(`instead of ${pattern.source}: ${instead}`, () => {
    assert.deepEqual(
      offences(({ path, text }) => where(path) && pattern.test(text)),
      [],
    );
  });

/** The files whose functions make times of texts. */
const timeReaders = [
  'readers/src/time.ts',
  // `Retry-After`: the SDK has no dependencies.
  'sdk/src/errors.ts',
  // Bodies that the fake checks.
  'sdk/src/fake/time.ts',
];

/** A number shows it by its name or by its origin: `nowMs`, `clock.now()`, `Date.UTC(…)`. A text has none of these. */
const NUMBER = /Ms\b|_MS\b|\b(?:now|getTime)\(|\bDate\.UTC\(|\bNumber\b|\bMath\.|\* 1_000\b|^0$/;
const ARGUMENT = /((?:[^()]|\((?:[^()]|\([^()]*\))*\))+)\)/y;

/** The texts that a file makes times of. */
function textsAsTimes(text: string): string[] {
  const parsed = text.match(/\bDate\.parse\b|\bTemporal\.\w+\.from\b/g) ?? [];
  const made = [...text.matchAll(/\bnew Date\((?!\))/g)].map(({ 0: call, index }) => {
    ARGUMENT.lastIndex = index + call.length;
    return ARGUMENT.exec(text)?.[1] ?? 'an argument with many brackets';
  });
  return [...parsed, ...made.filter((argument) => !NUMBER.test(argument))];
}

test('only the named readers make times of texts; a number is named …Ms', () => {
  const paths = globSync('{server,portal,sdk,readers}/src/**/*.{ts,tsx}');
  assert.ok(paths.length > 500, `${paths.length} files`);
  assert.deepEqual(
    paths
      .filter((path) => !timeReaders.includes(path))
      .flatMap((path) => textsAsTimes(readFileSync(path, 'utf8')).map((text) => `${path}: ${text}`)),
    [],
  );
});

test('the rule on times sees a text in each form', () => {
  for (const code of [
    'new Date(text)',
    'new Date(day + zone)',
    'new Date(row.created_at ?? at(1))',
    'new Date(a(b(c(d(text)))))',
    'texts.map(Date.parse)',
    'Temporal.Instant.from(text)',
  ])
    assert.equal(textsAsTimes(`const time = ${code};`).length, 1, code);
  for (const code of ['new Date()', 'new Date(clock.now())', 'new Date(startMs + 1)', 'new Date(Date.UTC(2026, 0))'])
    assert.deepEqual(textsAsTimes(`const time = ${code};`), [], code);
});

test('another file imports every export', () => {
  const importersOf = new Map<string, string[]>();
  for (const path of globSync('{server,bench,e2e,reliability}/**/*.ts', { exclude: ['**/node_modules/**'] })) {
    const text = readFileSync(path, 'utf8');
    for (const [, target = ''] of text.matchAll(/'(\.[^']+\.ts)'/g)) {
      const imported = relative(SOURCE, join(dirname(path), target));
      importersOf.set(imported, [...(importersOf.get(imported) ?? []), text]);
    }
  }
  const unused = files.flatMap(({ path, text }) =>
    [...text.matchAll(/^export (?:async )?(?:const|let|function\*?|class|interface|type) (\w+)/gm)]
      .map(([, name = '']) => name)
      .filter((name) => !importersOf.get(path)?.some((importer) => new RegExp(`\\b${name}\\b`).test(importer)))
      .map((name) => `${path}: ${name}`),
  );
  assert.deepEqual(unused, []);
});

test('no folder or file has a name that says nothing', () => {
  assert.deepEqual(
    offences(({ path }) =>
      /(?:^|\/)(?:utils?|helpers?|common|misc|shared|manager|types|interfaces)(?:\/|\.ts)/.test(path),
    ),
    [],
  );
});

test('folders import values from each other without circles, and files also types', () => {
  assert.deepEqual(circlesOf(serverImports()), []);
  assert.deepEqual(knotsOf(serverFileImports()), []);
});

test('folders of the portal’s app, and its files, import from each other without circles, also types', () => {
  assert.deepEqual(circlesOf(portalFolderImports()), []);
  assert.deepEqual(knotsOf(portalImports()), []);
});

test('docs/architecture.md has at most 16,000 bytes', () => {
  const size = Buffer.byteLength(readFileSync('docs/architecture.md'));
  assert.ok(size <= 16_000, `${size} bytes`);
});
