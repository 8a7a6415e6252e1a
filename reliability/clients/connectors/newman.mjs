// Runs the collection of the service with Postman's runner.
import { createRequire } from 'node:module';

const newman = createRequire(`${process.env.NODE_PATH}/`)('newman');
const { BESTOW_URL, BESTOW_KEY } = process.env;

async function readCollection(address) {
  const text = await (await fetch(`${BESTOW_URL}/sdk/bestow.postman_collection.json`)).text();
  return JSON.parse(text.replaceAll('delivered@', `${address}@`));
}

function run(collection, folder, key = BESTOW_KEY) {
  const envVar = [
    { key: 'api_key', value: key },
    { key: 'base_url', value: BESTOW_URL },
  ];
  return new Promise((resolve, reject) =>
    newman.run({ collection, folder, envVar, reporters: [] }, (error, { run: { executions } }) =>
      error ? reject(error) : resolve(executions),
    ),
  );
}

async function order(address) {
  const executions = await run(await readCollection(address), 'Place an order');
  return {
    statuses: executions.map(({ response }) => response?.code ?? null),
    keys: new Set(executions.map(({ request }) => request.headers.get('Idempotency-Key'))).size,
  };
}

/** Whether the answer says that the request itself is wrong. */
const isRefused = ({ response }) =>
  ![200, 201, 204, 404, 422].includes(response?.code) ||
  (response.code === 422 && response.json().error.code.startsWith('parameter_'));

const [lost, limited] = [await order('response-lost'), await order('rate-limited')];
const executions = await run(await readCollection('delivered'));
const refused = executions.filter(isRefused).map(({ item }) => item.name);
const failuresOf = (some) => some.flatMap(({ assertions = [] }) => assertions.filter(({ error }) => error)).length;
const wrong = await run(await readCollection('delivered'), 'Balance', 'bestow_sandbox_wrong');
const failures = { whole: failuresOf(executions), areAllWithAWrongKey: failuresOf(wrong) === wrong.length };
process.stdout.write(JSON.stringify({ lost, limited, whole: { requests: executions.length, refused }, failures }));
