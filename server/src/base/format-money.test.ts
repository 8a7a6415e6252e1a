import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatMoney } from './format-money.ts';

test('money is shown exactly, up to the largest balance', () => {
  assert.equal(formatMoney(123456, 'USD'), '1,234.56 USD');
  assert.equal(formatMoney(0, 'EUR'), '0.00 EUR');
  assert.equal(formatMoney(-5, 'USD'), '-0.05 USD');
  assert.equal(formatMoney(Number.MAX_SAFE_INTEGER, 'USD'), '90,071,992,547,409.91 USD');
});
