import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { triggerEvent } from '../../../src/capabilities/webhooks/trigger-event.ts';
import { triggers } from '../../../src/capabilities/webhooks/triggers.ts';
import { type EventType, eventTypes } from '../../../src/platform/events/event-types.ts';
import { closed } from '../../harness/judge-answer.ts';
import { openForPushes, pushAll } from '../../harness/webhooks.ts';

// The `webhooks` of openapi.json, from which generators make types, describe what is pushed.

interface Body {
  properties: Record<string, Record<string, unknown>>;
}

interface Described {
  parameters: { name: string; schema: { type: string } }[];
  requestBody: { content: { 'application/json': { schema: Body } } };
}

const document = JSON.parse(readFileSync(new URL('../../../../openapi.json', import.meta.url), 'utf8')) as {
  webhooks: { event: { post: Described } };
  components: object;
};
const { parameters, requestBody } = document.webhooks.event.post;
const { schema } = requestBody.content['application/json'];
const ajv = new Ajv2020({ strict: false, validateFormats: false });
const validate = ajv.compile(closed({ ...schema, components: document.components }) as object);

const types = Object.keys(eventTypes) as EventType[];
const { service, receiver } = openForPushes();

test('a push is as openapi.json says: its body, and its headers', async () => {
  const hook = await receiver();
  const { sandbox, keys } = await service.organization();
  const { body } = await sandbox.post('/v1/webhook_endpoints', { url: hook.url });
  await sandbox.post(`/v1/webhook_endpoints/${body.endpoint_id}/test`);
  for (const type of types.filter((one) => !('instead' in triggers[one]))) {
    let isDone = false;
    const triggered = triggerEvent({ from: service.url, key: keys.sandbox, type }).finally(() => {
      isDone = true;
    });
    while (!isDone) await service.clock.advance(5_000);
    await triggered;
  }
  await pushAll(service);
  assert.equal(new Set(hook.received.map((push) => push.body.type)).size, 11);
  assert.deepEqual(schema.properties['type']?.['x-extensible-enum'], [...types, 'webhook.test']);
  for (const { text, body: pushed, headers } of hook.received) {
    assert.ok(validate(pushed), `${text}: ${ajv.errorsText(validate.errors)}`);
    const sent = Object.keys(headers).filter((name) => name.startsWith('webhook-'));
    assert.deepEqual(parameters.map(({ name }) => name).sort(), sent.sort());
    for (const {
      name,
      schema: { type },
    } of parameters)
      assert.match(headers[name] ?? '', type === 'integer' ? /^\d+$/ : /\S/, name);
  }
});
