import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatAmount } from 'bestow-readers/format-amount.ts';
import { formatMoney } from '../../../src/platform/base/format-money.ts';

test('money is shown exactly, up to the largest balance', () => {
  assert.equal(formatMoney(123456, 'USD'), '1,234.56 USD');
  assert.equal(formatMoney(0, 'EUR'), '0.00 EUR');
  assert.equal(formatMoney(-5, 'USD'), '-0.05 USD');
  assert.equal(formatMoney(Number.MAX_SAFE_INTEGER, 'USD'), '90,071,992,547,409.91 USD');
});

test('formats amounts with the currency’s sign and two decimals', () => {
  assert.equal(formatAmount(2500, 'USD'), '$25.00');
  assert.equal(formatAmount(2505, 'USD'), '$25.05');
  assert.equal(formatAmount(123456, 'JPY'), '¥1,234.56');
  assert.equal(formatAmount(-5, 'EUR'), '-€0.05');
  assert.equal(formatAmount(100, 'KWD'), 'KWD\u00a01.00');
});
