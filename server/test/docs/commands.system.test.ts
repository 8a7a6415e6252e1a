import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { inShell } from '../harness/document-samples.ts';
import { inBackticks, tableOf } from '../harness/document-tables.ts';
import { serve, temporaryDirectory } from '../harness/server-process.ts';

const commands = tableOf(readFileSync(new URL('../../../docs/commands.md', import.meta.url), 'utf8'), 'commands');

/** The names of the commands that a help text lists, except `help`. */
function commandsIn(help: string): string[] {
  const [, list = ''] = /^Commands:\n(.*?)\n\n/ms.exec(help) ?? [];
  const names = [...list.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name = '']) => name);
  return names.filter((name) => name !== 'help');
}

test('docs/commands.md has a row for each command and no other', async () => {
  const listed: string[] = [];
  for (const name of commandsIn(await inShell('npx bestow --help', {}))) {
    const help = await inShell(`npx bestow ${name} --help`, {});
    listed.push(...(help.includes('\nCommands:') ? commandsIn(help).map((inner) => `${name} ${inner}`) : [name]));
  }
  const described = commands.map(([usage = '']) => /^`bestow ([a-z -]+?)(?= [A-Z-]|`)/.exec(usage)?.[1]);
  assert.deepEqual(described, listed);
});

const idIn = (output: string, prefix: string) =>
  new RegExp(`${prefix}_\\w{26}`).exec(output)?.[0] ?? assert.fail(output);

/** A claimed gift in the demo's sandbox. */
async function orderClaimedGift(address: string, key: string): Promise<string> {
  const delivery = { method: 'email', email: 'claimed@sandbox.gift.test' };
  const answer = await fetch(`${address}/v1/orders`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Idempotency-Key': 'a claimed gift' },
    body: JSON.stringify({ gifts: [{ amount: 2500, category: 'coffee', delivery }] }),
  });
  return idIn(await answer.text(), 'gift');
}

test('every command of docs/commands.md runs with its words in capitals filled in', async (t) => {
  const dataDir = await temporaryDirectory(t);
  const { address, sandboxKey = '' } = await serve(dataDir).ready();
  const words: Record<string, string> = {
    NAME: "'Readme'",
    EMAIL: 'ann@acme.example',
    ENVIRONMENT: 'sandbox',
    ROLE: 'admin',
    CENTS: '500',
    TEXT: "'From the documentation'",
    NUMBER: '3',
    CATEGORY: 'tea',
    GIFT: await orderClaimedGift(address, sandboxKey),
    FILE: '<(printf sk_%s an_older_key_of_the_page)',
  };
  for (const [usage = ''] of commands) {
    const [command = ''] = inBackticks(usage);
    if (command === 'bestow serve' || command === 'bestow worker') continue;
    const filled = command.replaceAll(/\b[A-Z]{3,}\b/g, (word) => words[word] ?? assert.fail(`${word} in ${command}`));
    const output = await inShell(`npx ${filled}`, { DATA_DIR: dataDir });
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
