import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectAgent } from '../../harness/agent.ts';
import { linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService } from '../../harness/test-service.ts';

// JSON can hold an object whose `toString` is no function, and names such as `__proto__`.

const service = openForFile(() => startTestService());

const ODD = [
  { toString: 'x' },
  { a: { toString: 'x' } },
  [{ toString: 'x' }],
  [{ key: { toString: 'x' }, value: 'x' }],
  JSON.parse('{"__proto__":{"toString":"x"}}'),
];

interface Schema {
  properties?: Record<string, Schema>;
  items?: Schema;
  required?: string[];
}

/** A value of a required argument, so that the odd one is looked at. */
const plain = (name: string) => (name === 'gifts' ? [linkGift()] : 'x');

/** Objects of the schema with an odd value in each place. */
function* oddObjects({ properties = {}, required = [] }: Schema): Generator<object> {
  // An address makes a delivery look at its method.
  const given = Object.keys(properties).filter((name) => required.includes(name) || name === 'email');
  const all = Object.fromEntries(given.map((name) => [name, plain(name)]));
  for (const [name, schema] of Object.entries(properties))
    for (const odd of [...ODD, ...oddObjects(schema), ...Array.from(oddObjects(schema.items ?? {}), (one) => [one])])
      yield { ...all, [name]: odd };
}

test('an object in place of any value of a tool is no error of the service', async () => {
  const agent = await connectAgent(service.url, (await service.organization()).keys.sandbox);
  const failed: string[] = [];
  for (const { name, inputSchema } of (await agent.client.listTools()).tools)
    for (const given of oddObjects(inputSchema as Schema)) {
      const { isError, body } = await agent.call(name, given);
      if (isError && body.error.code === 'internal_error') failed.push(`${name} ${JSON.stringify(given)}`);
    }
  assert.deepEqual(failed, []);
});
