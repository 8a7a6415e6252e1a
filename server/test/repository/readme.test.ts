import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { steeringTable } from '../../src/sandbox/steering-table.ts';
import { settingRow, settings } from '../../src/settings.ts';
import { createTestDatabase, type TestDatabase } from '../harness/test-database.ts';

// The README is what a newcomer does first, so a test does it: every command in it runs, in its order, against a service
// that was started as `npm start` starts it, and every answer shown is the answer given.

const root = fileURLToPath(new URL('../../..', import.meta.url));
const BESTOW = join(root, 'server/bin/bestow.js');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const readme = read('README.md');

/** Lines that set a machine up; `npm start` is done by `before`, and `npm test` is what runs this. */
const SET_UP = ['git clone ADDRESS-OF-THIS-REPOSITORY bestow', 'cd bestow', 'npm start', 'npm test'];
const ADDRESS = 'http://localhost:3000';

let dataDir: string;
let server: ChildProcess;
let panel = '';
let emptyDatabase: TestDatabase;

before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'bestow-readme-'));
  emptyDatabase = await createTestDatabase('template0');
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' };
  const child = spawn(process.execPath, [BESTOW, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  server = child;
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The service ended with ${code}:\n${panel}`)));
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      panel += text;
      if (panel.includes('Ctrl-C')) resolve();
    });
  });
});

after(async () => {
  if (server.exitCode === null) {
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGTERM');
    await ended;
  }
  await emptyDatabase.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const inPanel = (pattern: RegExp) =>
  pattern.exec(panel)?.[1] ?? assert.fail(`${pattern} is not in the panel:\n${panel}`);

/** What a script prints that a reader's shell runs and that succeeds; `npx bestow` is the checkout's own command. */
async function bash(script: string, variables: Record<string, string> = {}): Promise<string> {
  const npx = `npx() { [ "$1" = bestow ] && shift && '${process.execPath}' '${BESTOW}' "$@"; }`;
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir, ...variables };
  const child = spawn('bash', ['-euc', `${npx}\n${script}`], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 120_000,
  });
  const printed = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      printed[stream] += text;
    });
  const [code] = await once(child, 'close');
  assert.equal(code, 0, `${script}\n${printed.stdout}${printed.stderr}`);
  return printed.stdout;
}

/** Without what differs from one run to the next: ids, tokens and the port. */
const generalize = (text: string): unknown =>
  JSON.parse(
    text
      .replaceAll(/\b([a-z]{3,4})_[0-9a-z]{26}\b/g, '$1_…')
      .replaceAll(/http:\/\/localhost:\d+/g, ADDRESS)
      .replaceAll(/\/g\/[^"]+/g, '/g/…'),
  );

interface Block {
  language: string;
  text: string;
}

const blocks = [...readme.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(
  ([, language = '', text = '']): Block => ({ language, text }),
);

test('every command of the README runs in its order, and answers what stands there', async () => {
  const url = inPanel(/Address +(\S+)/);
  /** What a reader puts in the place of each `…`. */
  const fillings: Record<string, (lastOutput: string) => string> = {
    KEY: () => inPanel(/(bestow-sandbox-\w{38})/),
    GIFT: (lastOutput) => JSON.parse(lastOutput).gifts[1].gift_id,
    ORG: (lastOutput) => /org_\w{26}/.exec(lastOutput)?.[0] ?? assert.fail(lastOutput),
    DATABASE_URL: () => {
      const { host, port, user, database } = emptyDatabase.target;
      return `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(`${host}`)}`;
    },
    LINK_SECRET: () => 'a secret of a reader that is long enough',
  };
  const variables: Record<string, string> = {};
  let lastScript = '';
  let lastOutput = '';
  let answersSeen = 0;

  async function run(lines: string[]): Promise<void> {
    if (lines.length === 0) return;
    lastScript = lines.join('\n').replaceAll(ADDRESS, url);
    lastOutput = await bash(lastScript, variables);
  }

  async function runBlock(text: string): Promise<void> {
    let lines: string[] = [];
    for (const line of text.trimEnd().split('\n')) {
      if (SET_UP.includes(line)) continue;
      const name = /^export (\w+)=.*…/.exec(line)?.[1];
      if (name === undefined) {
        lines.push(line);
        continue;
      }
      await run(lines);
      lines = [];
      variables[name] = (fillings[name] ?? assert.fail(`Nothing is known to fill in for ${name}.`))(lastOutput);
    }
    await run(lines);
  }

  for (const { language, text } of blocks) {
    if (language === 'sh') await runBlock(text);
    else if (language === 'json') assert.deepEqual(generalize(lastOutput), generalize(text), lastScript);
    else {
      assert.equal(language, 'http');
      const headers = (await bash(lastScript.replace('curl -s ', 'curl -si '), variables)).split('\r\n');
      for (const line of text.trimEnd().split('\n'))
        assert.ok(headers.includes(line), `${line}\n${headers.join('\n')}`);
    }
    if (language !== 'sh') answersSeen += 1;
  }
  assert.ok(answersSeen >= 4, `${answersSeen} answers`);
  assert.deepEqual(Object.keys(variables).sort(), Object.keys(fillings).sort());
});

test('the first order of the README is the one that the panel prints, so doing both is a replay', () => {
  const body = (text: string): unknown => JSON.parse(/-d '(\{.*?\})'$/ms.exec(text)?.[1] ?? assert.fail(text));
  assert.deepEqual(body(blocks.find(({ text }) => text.includes("-d '"))?.text ?? ''), body(panel));
  assert.ok(
    readme.includes("-H 'Idempotency-Key: my-first-order'") && panel.includes('Idempotency-Key: my-first-order'),
  );
});

test('the set-up commands are those of package.json', () => {
  const { scripts } = JSON.parse(read('package.json'));
  assert.match(scripts.start, /\bnode server\/bin\/bestow\.js serve$/);
  assert.match(scripts.test, /\bnode server\/test\/run\.ts$/);
});

/** The rows of the table between two markers, cell by cell. */
function tableOf(marker: string): string[][] {
  const [, table] = new RegExp(`<!-- ${marker} -->\n(.*)\n<!-- /${marker} -->`, 's').exec(readme) ?? [];
  const [heading, , ...rows] = (table ?? assert.fail(`There is no table ${marker}.`)).split('\n').map(cellsOf);
  for (const row of rows) assert.equal(row.length, heading?.length, row.join(' | '));
  return rows;
}

const cellsOf = (line: string) => line.slice(2, -2).split(' | ');
const inBackticks = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

test('each setting has its row, with its default and its description, and there is no other', () => {
  assert.deepEqual(
    tableOf('settings').map((row) => `| ${row.join(' | ')} |`),
    (Object.keys(settings) as (keyof typeof settings)[]).map(settingRow),
  );
});

test('the steering table is the one of the documentation', () => {
  assert.ok(readme.includes(`\n${steeringTable('sandbox.gift.test')}\n`));
});

test('each folder of the server’s source has its row', () => {
  const folders = readdirSync(join(root, 'server/src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  assert.deepEqual(
    tableOf('folders')
      .flatMap(([name = '']) => inBackticks(name))
      .sort(),
    folders.map(({ name }) => name).sort(),
  );
});

test('each direct dependency has its row with its reason, and no row is left over', () => {
  const direct = ['package.json', 'server/package.json', 'portal/package.json', 'sdk/package.json'].flatMap((path) => {
    const { dependencies = {}, devDependencies = {}, optionalDependencies = {} } = JSON.parse(read(path));
    return Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
  });
  const listed = tableOf('dependencies').flatMap(([names = '']) => inBackticks(names));
  assert.deepEqual(listed.toSorted(), [...new Set(direct)].sort());
  for (const [names = '', reason = ''] of tableOf('dependencies')) assert.match(reason, /\w.*\.$/, names);
});

/** The names of the commands that a help text lists, without `help` itself. */
function commandsIn(help: string): string[] {
  const [, list = ''] = /^Commands:\n(.*?)\n\n/ms.exec(help) ?? [];
  const names = [...list.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name = '']) => name);
  return names.filter((name) => name !== 'help');
}

test('the table of commands has every command that the command itself lists, and no other', async () => {
  const listed: string[] = [];
  for (const name of commandsIn(await bash('npx bestow --help'))) {
    const help = await bash(`npx bestow ${name} --help`);
    listed.push(...(help.includes('\nCommands:') ? commandsIn(help).map((inner) => `${name} ${inner}`) : [name]));
  }
  const described = tableOf('commands').map(([usage = '']) => /^`bestow ([a-z -]+?)(?= [A-Z-]|`)/.exec(usage)?.[1]);
  assert.deepEqual(described, listed);
});

/** A gift of the sandbox that is claimed already. */
async function orderClaimedGift(): Promise<string> {
  const delivery = { method: 'email', email: 'claimed@sandbox.gift.test' };
  const answer = await fetch(`${inPanel(/Address +(\S+)/)}/v1/orders`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${inPanel(/(bestow-sandbox-\w{38})/)}`, 'Idempotency-Key': 'a claimed gift' },
    body: JSON.stringify({ gifts: [{ amount: 2500, category: 'coffee', delivery }] }),
  });
  const { gifts } = (await answer.json()) as { gifts: [{ gift_id: string }] };
  return gifts[0].gift_id;
}

test('every command of the table runs as it stands there, with its words in capitals filled in', async () => {
  const idIn = (output: string, prefix: string) =>
    new RegExp(`${prefix}_\\w{26}`).exec(output)?.[0] ?? assert.fail(output);
  const file = `<(printf sk_%s an_older_key_of_the_readme)`;
  const words: Record<string, string> = {
    NAME: "'Readme'",
    EMAIL: 'ann@acme.example',
    ENVIRONMENT: 'sandbox',
    ROLE: 'admin',
    CENTS: '500',
    TEXT: "'From the README'",
    NUMBER: '3',
    CATEGORY: 'tea',
    GIFT: await orderClaimedGift(),
    FILE: file,
  };
  for (const [usage = ''] of tableOf('commands')) {
    const [command = ''] = inBackticks(usage);
    if (command === 'bestow serve' || command === 'bestow worker') continue;
    const filled = command.replaceAll(/\b[A-Z]{3,}\b/g, (word) => words[word] ?? assert.fail(`${word} in ${command}`));
    const output = await bash(`npx ${filled}`);
    if (command.startsWith('bestow key create')) words['KEY'] = idIn(output, 'key');
    if (command === 'bestow outbox list') words['REFERENCE'] = /[0-9a-f]{32}[ls][0-9a-f]{64}/.exec(output)?.[0] ?? '';
    if (command.startsWith('bestow org create')) {
      words['ORG'] = idIn(output, 'org');
      words['MEMBER'] = idIn(output, 'mem');
      // Two members of one organization need two addresses.
      words['EMAIL'] = 'bob@acme.example';
    }
  }
});

test('every file and script that the house rules name exists', () => {
  const named = inBackticks(read('CONTRIBUTING.md'));
  const { scripts } = JSON.parse(read('package.json'));
  const files = named.flatMap((text) => text.match(/\b[\w/-]+\/[\w.-]+\.(?:ts|sql|json|md)\b/g) ?? []);
  for (const file of files) assert.ok(existsSync(join(root, file)), file);
  const runs = named.flatMap((text) => /^npm (?:run )?(\w+)/.exec(text)?.[1] ?? []);
  for (const script of runs) assert.ok(script in scripts, script);
  assert.ok(files.length > 0 && runs.includes('generate'));
});
