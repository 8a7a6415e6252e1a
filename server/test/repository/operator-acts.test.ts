import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Command } from 'commander';
import { schemas } from '../../src/faces/operator-acts/schemas.ts';
import { declaredActs } from '../generated/commands-table.ts';
import { runBestow } from '../harness/command-line.ts';
import { listCommands } from '../harness/list-commands.ts';
import { openForFile } from '../harness/open-for-file.ts';
import { startTestService } from '../harness/test-service.ts';

// What the operator's page and the command both change is declared once (faces/operator-acts).

/** What is said twice: the operation, the command and the reason. */
const apart = [
  ['holdGift', 'gift hold', 'The command holds a gift or all of an organization.'],
  ['releaseGift', 'gift release', 'As gift hold.'],
  ['holdGifts', 'gift hold', 'As holdGift.'],
  ['releaseGifts', 'gift release', 'As holdGift.'],
  ['setSpendingCaps', 'cap set', 'The page sends all caps, the command only what changes, and it lists them.'],
  ['setBillingContact', 'org billing-contact', 'The page begins at the member, the command at the organization.'],
  ['changeBalance', 'balance add', 'Two commands; the page needs a reference, and its reason is the note.'],
  ['addIssuer', 'issuer add', 'The command reads secrets from standard input.'],
  ['exportRecipient', 'recipient export', 'The command writes a file and shows its progress.'],
  ['eraseRecipient', 'recipient erase', 'The command shows its progress, and takes one of two options as the address.'],
  ['addCategory', 'catalog add', 'The command also takes a page, a position and names in languages.'],
  ['updateCategory', 'catalog update', 'As catalog add.'],
  ['enterBankBalance', 'report bank', 'The command takes the day as its argument.'],
  ['verifyLedger', 'ledger verify', 'The page answers in short, the command prints each check.'],
] as const;

const service = openForFile(() => startTestService());
test('each change of the operator’s page is declared once, or listed with a reason', () => {
  const changes = service.service.app.operatorRoutes.filter(
    ({ method, access, showsPerson }) => method !== 'GET' && access === 'operator' && !showsPerson,
  );
  const known = [
    ...declaredActs.map(({ operation }) => operation(schemas).operationId),
    ...apart.map(([operationId]) => operationId),
  ];
  assert.deepEqual(known.toSorted(), changes.map(({ operationId }) => operationId).toSorted());
});

test('each of their commands exists', async () => {
  const commands = await listCommands((args) => runBestow(service.target, args));
  const missing = [...declaredActs.map(nameOf), ...apart.map(([, command]) => command)].filter(
    (one) => !commands.includes(one),
  );
  assert.deepEqual(missing, []);
});

function nameOf({ group, addTo }: (typeof declaredActs)[number]): string {
  const empty = new Command(group);
  addTo(empty);
  return `${group} ${empty.commands[0]?.name()}`;
}
