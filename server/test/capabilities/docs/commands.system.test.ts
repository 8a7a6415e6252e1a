import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { openCommandLine } from '../../harness/command-line.ts';
import { inShell } from '../../harness/document-samples.ts';
import { inBackticks, tableOf } from '../../harness/document-tables.ts';
import { listCommands } from '../../harness/list-commands.ts';
import { serve, temporaryDirectory } from '../../harness/server-process.ts';

const commands = tableOf(readFileSync(new URL('../../../../docs/commands.md', import.meta.url), 'utf8'), 'commands');

const { bestow } = openCommandLine();

test('docs/commands.md has a row for each command and no other', async () => {
  const described = commands.map(([usage = '']) => /^`bestow ([a-z -]+?)(?= [A-Z-]|`)/.exec(usage)?.[1]);
  assert.deepEqual(described, await listCommands(bestow));
});

const idIn = (output: string, prefix: string) =>
  new RegExp(`${prefix}_\\w{26}`).exec(output)?.[0] ?? assert.fail(output);

/** An order of one gift in the demo's sandbox with this outcome. @returns the ids of both */
async function orderGift(
  address: string,
  key: string,
  outcome: 'claimed' | 'delivered',
  idempotencyKey: string = outcome,
) {
  const delivery = { method: 'email', email: `${outcome}@sandbox.gift.test` };
  const answer = await fetch(`${address}/v1/orders`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Idempotency-Key': idempotencyKey },
    body: JSON.stringify({ gifts: [{ amount: 2500, category: 'coffee', delivery }] }),
  });
  const text = await answer.text();
  return { gift: idIn(text, 'gift'), order: idIn(text, 'ord'), request: answer.headers.get('request-id') ?? '' };
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
    HOURS: '24',
    SHELL: 'bash',
    QUERY: 'claimed@sandbox.gift.test',
    DAYS: '365',
    DAY: new Date().toISOString().slice(0, 10),
    URL: 'https://shop.example/bestow',
    YEAR: '2026',
    REPORT: '"$(mktemp -u)"',
    FILE: '<(printf sk_%s an_older_key_of_the_page)',
    KIND: 'codes',
    PRESET: 'buyer',
    SETTING: 'currency',
    TIME: new Date().toISOString().slice(0, 10),
    MONTH: new Date().toISOString().slice(0, 7),
  };
  const statement = `curl -s -H "Authorization: Bearer $BESTOW_KEY" ${address}/v1/balance/statements/${words['MONTH']}`;
  /** The files of commands that read another one than a list of keys. */
  const files: [command: string, ...files: string[]][] = [
    ['bestow issuer upload', "<(printf 'value,code,shop\\n25.00,ABCD-1234,Shop\\n')"],
    ['bestow issuer release', "<(printf 'code,shop\\nABCD-1234,Shop\\n')"],
    ['bestow ledger reconcile', "<(printf 'reference,amount\\nPO 1,1000\\n')"],
    ['bestow ledger verify-statement', `<(${statement})`, `<(curl -s ${address}/.well-known/bestow-ledger-keys)`],
  ];
  const gifts = {
    claimed: (await orderGift(address, sandboxKey, 'claimed')).gift,
    unclaimed: (await orderGift(address, sandboxKey, 'delivered')).gift,
    canceled: (await orderGift(address, sandboxKey, 'delivered', 'canceled')).gift,
  };
  const { order, request } = await orderGift(address, sandboxKey, 'delivered', 'order');
  words['ORDER'] = order;
  const addWebhook = () => `bestow webhook add https://shop.example/bestow --org ${words['ORG']} --environment sandbox`;
  for (const [usage = ''] of commands) {
    const [command = ''] = inBackticks(usage);
    if (['bestow serve', 'bestow worker'].includes(command) || command.startsWith('bestow listen')) continue;
    // Needs an issuer that does not answer (`undo-claim.test.ts`).
    if (command.startsWith('bestow gift undo-claim')) continue;
    // Needs a card of an issuer (`take-back.test.ts`).
    if (command.startsWith('bestow gift take-back')) continue;
    if (command.startsWith('bestow trigger')) words['TYPE'] = 'gift.claimed';
    if (/^bestow balance (?:approve|decline)/.test(command)) {
      const colleague = { DATA_DIR: dataDir, APPROVAL_ABOVE_CENTS: '1', SUDO_USER: 'colleague' };
      const add = `bestow balance add --org ${words['ORG']} --environment sandbox --amount 500`;
      words['REQUEST'] = idIn(await inShell(add, colleague), 'apr');
    }
    if (command.startsWith('bestow request')) words['REQUEST'] = request;
    words['GIFT'] = command.startsWith('bestow gift cancel')
      ? gifts.canceled
      : command.startsWith('bestow gift') && !command.startsWith('bestow gift reopen-card')
        ? gifts.unclaimed
        : gifts.claimed;
    // Removed, and another one added for the commands that follow.
    const isRemoval = command.startsWith('bestow webhook remove');
    const [, ...own] = files.find(([start]) => command.startsWith(start)) ?? [];
    const fill = (word: string) => (word === 'FILE' ? own.shift() : undefined) ?? words[word];
    const filled = command.replaceAll(/\b[A-Z]{3,}\b/g, (word) => fill(word) ?? assert.fail(`${word} in ${command}`));
    const output = await inShell(filled, {
      DATA_DIR: dataDir,
      PORT: new URL(address).port,
      BESTOW_KEY: sandboxKey,
    });
    if (command.startsWith('bestow agent create')) words['GRANT'] = idIn(output, 'grant');
    if (command.startsWith('bestow webhook add')) words['ENDPOINT'] = idIn(output, 'wh');
    if (isRemoval) words['ENDPOINT'] = idIn(await inShell(addWebhook(), { DATA_DIR: dataDir }), 'wh');
    if (command.startsWith('bestow issuer remove'))
      words['ISSUER'] = idIn(
        await inShell(`bestow issuer add codes --org ${words['ORG']}`, { DATA_DIR: dataDir }),
        'iss',
      );
    if (command.startsWith('bestow issuer add')) words['ISSUER'] = idIn(output, 'iss');
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
