import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { addBuiltInCategories } from '../../server/src/core/catalog/add-built-in-categories.ts';
import { startTestService, type TestService } from '../../server/test/harness/test-service.ts';
import { play, type Step } from '../fakes/drivers/typescript.ts';
import { FakeBestow } from '../src/fake/index.ts';
import { Bestow } from '../src/index.ts';
import { makeCalls } from './client-drivers.ts';
import { goFakeDriver, missingGo } from './go-command.ts';
import { openPythons, pythonClient } from './python-environment.ts';
import { testWhere } from './test-where.ts';

// One table of cases against the service and the fakes of all clients.

const table = readFileSync(new URL('../fakes/cases.json', import.meta.url), 'utf8');
const { cases } = JSON.parse(table) as { cases: { name: string; steps: Step[] }[] };
const BALANCE = 1_000_000;
/** Within it jobs that are due have begun. */
const DUE_MS = 61_000;

let service: TestService;
before(async () => {
  service = await startTestService();
  await service.sql('delete from categories');
  await addBuiltInCategories(service.service.deps);
});
after(() => service.close());

type Played = Awaited<ReturnType<typeof play>>;

const HIDDEN = ['message', 'doc_url', 'request_id', 'ordered_by', 'first_sequence', 'artwork', 'product_details_url'];
const COUNTED = ['sequence', 'next_after'];

/** Go writes the members of objects in another order. */
const inOrder = (value: object) => Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** What must agree: ids, links, secrets and times as the order in which they appear, and no texts for people. */
function comparable({ start, told }: Played): unknown[] {
  const names = new Map<string, string>();
  const nameOf = (kind: string, text: string) => {
    const name = names.get(text) ?? `${kind} ${names.size + 1}`;
    names.set(text, name);
    return name;
  };
  const shown = (name: string, value: unknown): unknown => {
    if (HIDDEN.includes(name)) return undefined;
    if (COUNTED.includes(name) && typeof value === 'number') return value - start;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return inOrder(value);
    if (typeof value !== 'string') return value;
    if (/^[a-z]+_[0-9a-z]{26}$/.test(value)) return nameOf(value.replace(/_.*/, ''), value);
    if (name === 'link' || name === 'secret') return nameOf(name, value);
    if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return 'a time';
    return value;
  };
  return told.map((one) => JSON.parse(JSON.stringify(one, (name, value) => shown(name, value))));
}

async function playReal(steps: readonly Step[]): Promise<Played> {
  const organization = await service.organization({ sandbox: BALANCE });
  const { clock } = service;
  return play(
    {
      bestow: new Bestow(organization.keys.sandbox, { baseUrl: service.url }),
      nowMs: () => clock.now(),
      fund: (cents) => organization.fund('sandbox', cents),
      async advance(ms) {
        await clock.jump(ms);
        await clock.advance(DUE_MS);
      },
    },
    steps,
  );
}

function playFake(steps: readonly Step[]): Promise<Played> {
  const bestow = new FakeBestow({ balance: BALANCE, organizationName: 'Test Organization' });
  return play(
    {
      bestow,
      nowMs: Date.now,
      fund: (cents) => bestow.addFunds(cents),
      advance: (ms) => bestow.advance(ms),
    },
    steps,
  );
}

const driver = (name: string) => fileURLToPath(new URL(`../fakes/drivers/${name}`, import.meta.url));
const [python] = await openPythons(1);
const inPython = python && ['env', `PYTHONPATH=${pythonClient}/src`, python.file, driver('play_cases.py')];

/** The answers of the service, which all languages are compared with. */
const answers = new Map<string, unknown[]>();
for (const { name, steps } of cases)
  test(`the fake of TypeScript answers as the service: ${name}`, async () => {
    answers.set(name, comparable(await playReal(steps)));
    assert.deepEqual(comparable(await playFake(steps)), answers.get(name));
  });

for (const { language, command } of [
  { language: 'Python', command: inPython },
  { language: 'Python with asyncio', command: inPython && [...inPython, '--async'] },
  { language: 'Go', command: missingGo() ? undefined : ['go', 'run', '-C', goFakeDriver, '.'] },
])
  testWhere(command === undefined && `${language} is not on this machine.`)(
    `the fake of ${language} answers as the service`,
    async () => {
      const played = await makeCalls<Played & { id: string }>(
        command ?? [],
        cases.map(({ name: id, steps }) => ({ id, steps })),
      );
      for (const { name } of cases) {
        const told = played.get(name);
        assert.deepEqual(told && comparable(told), answers.get(name), name);
      }
    },
  );
