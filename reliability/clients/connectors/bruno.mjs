// Imports the collection of the service as Bruno does, and runs its orders with Bruno's command.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(`${process.env.NODE_PATH}/`);
const { createCollectionFromBrunoObject } = require('@usebruno/cli/src/utils/collection.js');
const { postmanToBruno } = require('@usebruno/converters');
const { BESTOW_URL, BESTOW_KEY } = process.env;

const text = await (await fetch(`${BESTOW_URL}/sdk/bestow.postman_collection.json`)).text();
const { collection, issues } = await postmanToBruno(JSON.parse(text.replaceAll('delivered@', 'rate-limited@')));
mkdirSync('imported');
await createCollectionFromBrunoObject(collection, 'imported');
const variables = ['--env-var', `api_key=${BESTOW_KEY}`, '--env-var', `base_url=${BESTOW_URL}`];
execFileSync('bru', ['run', 'Orders', ...variables, '--output', 'results.json'], { cwd: 'imported' });
const [{ results }] = JSON.parse(readFileSync('imported/results.json', 'utf8'));
const placing = results.filter(({ name }) => name === 'Place an order');
const keys = new Set(placing.map(({ request }) => request.headers['Idempotency-Key'])).size;
process.stdout.write(JSON.stringify({ issues, statuses: results.map(({ response }) => response.status), keys }));
