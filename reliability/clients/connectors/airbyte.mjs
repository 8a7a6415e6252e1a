// Reads everything with the manifest, orders once more, and reads on.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

const { BESTOW_URL, BESTOW_KEY, SDK } = process.env;
const gift = (delivery) => ({ amount: 1_000, category: 'coffee', delivery });
const LISTS = ['gifts', 'orders', 'balance_entries'];

async function order(key) {
  const email = { method: 'email', email: 'claimed@sandbox.gift.test' };
  const answer = await fetch(`${BESTOW_URL}/v1/orders`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${BESTOW_KEY}`, 'Content-Type': 'application/json', 'Idempotency-Key': key },
    body: JSON.stringify({ gifts: Array.from({ length: 10 }, (_, n) => gift(n === 0 ? { method: 'link' } : email)) }),
  });
  if (answer.status !== 201) throw new Error(await answer.text());
}

/** Returns the messages of Airbyte's protocol. */
function airbyte(act, ...more) {
  const given = [act, '--config', 'config.json', '--manifest-path', `${SDK}/airbyte/manifest.yaml`, ...more];
  const printed = execFileSync('source-declarative-manifest', given, { encoding: 'utf8', maxBuffer: 2 ** 26 });
  return printed.trim().split('\n').map(JSON.parse);
}

const stream = (name, sync_mode) => ({
  stream: { name, json_schema: {}, supported_sync_modes: ['full_refresh', 'incremental'] },
  sync_mode,
  destination_sync_mode: 'append',
});

function read(...more) {
  const messages = airbyte('read', '--catalog', 'catalog.json', ...more);
  const records = messages.filter(({ type }) => type === 'RECORD').map(({ record }) => record);
  const states = messages.filter(({ type }) => type === 'STATE').map(({ state }) => state);
  const state = states.findLast((one) => one.stream.stream_descriptor.name === 'events');
  const names = [...LISTS, 'events'];
  const counts = names.map((name) => [name, records.filter((record) => record.stream === name).length]);
  return { records, state, counts: Object.fromEntries(counts) };
}

writeFileSync('config.json', JSON.stringify({ base_url: BESTOW_URL, api_key: BESTOW_KEY }));
const streams = [...LISTS.map((name) => stream(name, 'full_refresh')), stream('events', 'incremental')];
writeFileSync('catalog.json', JSON.stringify({ streams }));

for (let number = 0; number < 40; number += 1) await order(`airbyte-${number}`);
const check = airbyte('check').find(({ connectionStatus }) => connectionStatus)?.connectionStatus.status;
const declared = airbyte('discover').find(({ catalog }) => catalog)?.catalog.streams ?? [];
const first = read();
const fieldsOf = (name) => Object.keys(declared.find((one) => one.name === name)?.json_schema.properties ?? {});
const missing = first.records.flatMap((record) => {
  const known = fieldsOf(record.stream);
  return Object.keys(record.data).filter((field) => !known.includes(field));
});
writeFileSync('state.json', JSON.stringify([first.state]));
await order('airbyte-later');
const second = read('--state', 'state.json');
const links = first.records.filter(({ data }) => JSON.stringify(data).includes('/g/')).length;
process.stdout.write(JSON.stringify({ check, first: first.counts, second: second.counts, missing, links }));
