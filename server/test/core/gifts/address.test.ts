import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERASED_ADDRESS } from '../../../src/core/gifts/gift/address.ts';
import { destination } from '../../../src/platform/base/destination.ts';

const numberOf = (phone: string) => destination({ method: 'phone', phone });

test('keeps an email as given', () => {
  assert.deepEqual(destination({ method: 'email', email: 'Ada@Example.com' }), {
    method: 'email',
    address: 'Ada@Example.com',
  });
});

test('gives a link no address', () => {
  assert.deepEqual(destination({ method: 'link' }), { method: 'link', address: null });
});

test('stores a valid number in E.164, and keeps the digits of others', () => {
  for (const phone of ['+44 (0)20 7946 0018', '+442079460018'])
    assert.deepEqual(numberOf(phone), { method: 'phone', address: '+442079460018' });
  assert.deepEqual(numberOf('+1 (000) 555-0100'), { method: 'phone', address: '+10005550100' });
  assert.deepEqual(numberOf('+999 (12)-345'), { method: 'phone', address: '+99912345' });
  // The library parses it, but it is not valid.
  assert.deepEqual(numberOf('+44 (0)00 0000 0000'), { method: 'phone', address: '+4400000000000' });
});

test('marks an erased address with a word that is not an email or a number', () => {
  assert.equal(ERASED_ADDRESS, 'erased');
});
