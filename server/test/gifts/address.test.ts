import assert from 'node:assert/strict';
import { test } from 'node:test';
import { destination, ERASED_ADDRESS } from '../../src/gifts/address.ts';

const numberOf = (phone: string) => destination({ method: 'phone', phone });

test('an email goes to the address as it was sent', () => {
  assert.deepEqual(destination({ method: 'email', email: 'Ada@Example.com' }), {
    method: 'email',
    address: 'Ada@Example.com',
  });
});

test('a link goes nowhere', () => {
  assert.deepEqual(destination({ method: 'link' }), { method: 'link', address: null });
});

test('a number that is known to be valid is stored as E.164, however it was written', () => {
  for (const phone of ['+44 (0)20 7946 0018', '+44-20-7946-0018', '+442079460018'])
    assert.deepEqual(numberOf(phone), { method: 'phone', address: '+442079460018' });
});

test('a number that no numbering plan knows keeps its digits as sent', () => {
  assert.deepEqual(numberOf('+1 (000) 555-0100'), { method: 'phone', address: '+10005550100' });
  assert.deepEqual(numberOf('+999 (12)-345'), { method: 'phone', address: '+99912345' });
  // Whole enough to be read, and yet of no area: what the library would make of it is not stored.
  assert.deepEqual(numberOf('+44 (0)00 0000 0000'), { method: 'phone', address: '+4400000000000' });
});

test('what stands in an erased address’s place is neither an email nor a number', () => {
  assert.equal(ERASED_ADDRESS, 'erased');
});
