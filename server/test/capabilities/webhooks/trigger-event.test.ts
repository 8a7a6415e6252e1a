import assert from 'node:assert/strict';
import { test } from 'node:test';
import { triggerEvent } from '../../../src/capabilities/webhooks/trigger-event.ts';
import { triggers } from '../../../src/capabilities/webhooks/triggers.ts';
import { type EventType, eventTypes } from '../../../src/platform/events/event-types.ts';
import { openCommandLine } from '../../harness/command-line.ts';
import { eventsOf } from '../../harness/events.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());
const { assertRefused, bestow, json } = openCommandLine();

const types = Object.keys(eventTypes) as EventType[];
const triggerable = types.filter((type) => !('instead' in triggers[type]));

test('each type that can be triggered happens, also behind older events', async () => {
  const organization = await service.organization();
  assert.equal(triggerable.length, 10);
  for (const type of [...triggerable, 'gift.claimed'] as const) {
    const asked = { from: `${service.url}/`, key: organization.keys.sandbox, type };
    let isDone = false;
    const triggered = triggerEvent(asked).finally(() => {
      isDone = true;
    });
    // A `processing` order is finished later.
    while (!isDone) await service.clock.advance(5_000);
    const { event_id, sequence, data } = await triggered;
    assert.match(event_id, /^evt_/);
    const stored = (await eventsOf(service, organization, 'sandbox')).find((event) => event.sequence === sequence);
    assert.deepEqual([stored?.type, typeof data.order_id], [type, 'string']);
  }
  assert.deepEqual(
    (await eventsOf(service, organization, 'live')).filter(({ type }) => type.startsWith('order')),
    [],
  );
});

test('a live key places no order, and a refused order says why', async () => {
  const organization = await service.organization();
  const { live, sandbox } = organization.keys;
  const trigger = (key: string) => triggerEvent({ from: service.url, key, type: 'order.created' });
  await assert.rejects(trigger(live), { message: 'The key must be of the sandbox, because this places an order.' });
  assert.deepEqual((await organization.live.get('/v1/orders')).body.data, []);
  await assert.rejects(trigger('none'), /refused this with 401 api_key_invalid: /);
  await organization.sandbox.post('/v1/sandbox/reset');
  await assert.rejects(
    trigger(sandbox),
    /402 insufficient_balance: .* Use bestow balance add --environment sandbox\.$/,
  );
});

test('bestow trigger lists every type, and refuses others with what makes them', async () => {
  const listed = await json('trigger');
  assert.deepEqual(
    listed.map(({ type, can_trigger }: { type: string; can_trigger: boolean }) => [type, can_trigger]),
    types.map((type) => [type, triggerable.includes(type)]),
  );
  for (const type of types.filter((one) => !triggerable.includes(one)))
    await assertRefused(new RegExp(`^An API key cannot make ${type} happen\\. It comes from: `), ['trigger', type]);
  assert.equal((await bestow(['trigger', 'gift.lost'])).code, 2);
});

test('bestow trigger shows the event of a key from standard input or BESTOW_KEY', async () => {
  const { sandbox } = (await service.organization()).keys;
  const args = ['trigger', 'gift.claimed', '--url', service.url, '--json'];
  for (const options of [{ input: `${sandbox}\n` }, { variables: { BESTOW_KEY: sandbox } }]) {
    const { code, stdout } = await bestow(args, options);
    const { type, data } = JSON.parse(stdout);
    assert.deepEqual([code, type, data.delivery], [0, 'gift.claimed', { status: 'claimed' }]);
  }
  await assertRefused(
    /did not answer as Bestow does\. .*Start it with bestow serve, or name another address/,
    ['trigger', 'gift.opened', '--url', 'http://127.0.0.1:1'],
    {
      input: sandbox,
    },
  );
});
