import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { startInstalledMachine } from '../../harness/booted-machine.ts';
import { blocksOf } from '../../harness/document-samples.ts';

const page = readFileSync(new URL('../../../../docs/backup.md', import.meta.url), 'utf8');
const [section = ''] = page.split(/^## /m).filter((text) => text.startsWith('Restore the dump of the timer\n'));
const blocks = blocksOf(section).map(({ text }) => text);

const SETTINGS = 'set -a; . /etc/bestow/bestow.env; set +a';
const READY = 'curl --fail --silent --retry 60 --retry-delay 1 --retry-connrefused http://127.0.0.1:3000/readyz';
/** As docs/install.md has it. */
const PREPARE = `set -eu
${SETTINGS}
systemctl start bestow
${READY}
bestow catalog add-built-in
bestow org create --name Acme --admin-email ann@example.com
bestow issuer add codes --org Acme
printf 'value,code,shop\n25.00,ABCD-1234,Corner Shop\n' > /tmp/codes.csv
bestow issuer upload /tmp/codes.csv --org Acme --category coffee
bestow balance add --org Acme --environment live --amount 10000 --reference first-payment
bestow key create --org Acme --environment live --name 'Web shop' --json > /tmp/key.json
`;
const order = (name: string) => `curl --fail-with-body --silent http://127.0.0.1:3000/v1/orders \\
  -H "Authorization: Bearer $(sed -n 's/.*"key": *"\\([^"]*\\)".*/\\1/p' /tmp/key.json)" \\
  -H 'Idempotency-Key: ${name}' -H 'Content-Type: application/json' \\
  -d '{"gifts": [{"amount": 2500, "category": "coffee", "delivery": {"method": "link"}}]}'`;

/** The row of a check in the table of the doctor. */
const rowOf = (check: string, printed: string) => new RegExp(`^${check} +(\\w+) +(.*)$`, 'm').exec(printed)?.slice(1);

test('docs/backup.md restores the dump of the timer, and the doctor sees the restore', async () => {
  const machine = await startInstalledMachine();
  assert.equal(blocks.length, 2);
  const prepared = await machine.run(PREPARE);
  assert.match(prepared, /"status":"ok"/);
  assert.match(await machine.run(order('before')), /"order_id"/);
  assert.equal(await machine.run('systemctl start bestow-backup'), '');
  assert.match(await machine.run(order('after')), /"order_id"/);
  const doctor = `${SETTINGS}; bestow doctor`;
  const before = await machine.run(doctor);
  assert.match(`${rowOf('history', before)}`, /^ok,as remembered$/, before);
  assert.match(`${rowOf('backup', before)}`, /^ok,\S+bestow\.dump is 0 hours old/);
  // The service may not read the dump, and sees its age.
  const age = "curl --silent http://127.0.0.1:9090/metrics | sed -n 's/^bestow_backup_age_seconds //p'";
  assert.ok(Number(await machine.run(age)) < 3_600);

  const printed = await machine.run(blocks.join('\n'));
  const [first = '', second = ''] = printed.split(/^restored to .*$/m);
  assert.match(`${rowOf('history', first)}`, /^fault,the database was restored to an earlier time/, printed);
  assert.match(second, /^codes set aside +1$/m);
  assert.match(`${rowOf('history', second)}`, /^warning,1 own codes are set aside since a restore/);
  assert.match(await machine.run(READY), /"status":"ok"/);
  // The first order is replayed, the second is gone and placed again.
  const statuses = ['before', 'after'].map((name) => `${order(name)} --output /dev/null --write-out '%{http_code} '`);
  assert.equal(await machine.run(statuses.join('\n')), '200 201 ');
});
