import assert from 'node:assert/strict';
import { test } from 'node:test';
import { within } from '../../../src/platform/base/within.ts';

const never = new Promise<string>(() => undefined);

test('an act that ends in time gives its result or error', async () => {
  const tooLate = () => assert.fail('The limit was told of.');
  assert.equal(await within(60_000, Promise.resolve('done'), tooLate), 'done');
  await assert.rejects(within(60_000, Promise.reject(new Error('refused')), tooLate), { message: 'refused' });
});

test('after the limit the caller gets another result or an error', async () => {
  assert.equal(await within(1, never, () => 'too late'), 'too late');
  const tooLate = () => {
    throw new Error('No answer in time.');
  };
  await assert.rejects(within(1, never, tooLate), { message: 'No answer in time.' });
});
