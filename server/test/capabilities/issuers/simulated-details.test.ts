import assert from 'node:assert/strict';
import { test } from 'node:test';
import { simulatedDetails } from '../../../src/capabilities/issuers/simulated/simulated-details.ts';

const claimedAt = new Date('2026-11-21T12:00:00Z');
const detailsOf = (n: number) =>
  simulatedDetails({ cardId: `019aa5a0-0000-7000-8000-${String(n).padStart(12, '0')}`, claimedAt });

/** The Luhn check: from the right, every second digit doubled. */
function passesLuhn(number: string): boolean {
  let sum = 0;
  for (let index = 0; index < number.length; index += 1) {
    const digit = Number(number[number.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += Math.floor(doubled / 10) + (doubled % 10);
  }
  return sum % 10 === 0;
}

test('simulated numbers are unassigned, pass the Luhn check and are unique', () => {
  assert.deepEqual(['79927398713', '79927398710'].map(passesLuhn), [true, false]);
  const numbers = Array.from({ length: 1000 }, (_, n) => detailsOf(n).number);
  for (const number of numbers) {
    assert.match(number, /^999999\d{10}$/);
    assert.ok(passesLuhn(number), number);
  }
  assert.equal(new Set(numbers).size, numbers.length);
});

test('a card’s details never change', () => {
  // A change here would change cards that people have.
  assert.deepEqual(detailsOf(1), {
    brand: 'Bestow Test',
    number: '9999996505301260',
    lastFour: '1260',
    securityCode: '850',
    expires: { month: 11, year: 2030 },
  });
});
