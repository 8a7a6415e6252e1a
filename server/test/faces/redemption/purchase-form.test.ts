import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPurchaseForm } from '../../../src/faces/redemption/purchase-form.ts';

const ID = '019aa5a0-0000-7000-8000-00000000000f';
const read = (amount: string, id = ID) =>
  readPurchaseForm(new URLSearchParams({ amount, purchase_id: id }).toString()).purchase?.amountCents;

test('an amount is parsed to cents', () => {
  const amounts: [string, number][] = [
    ['5', 500],
    ['5.00', 500],
    [' 12,5 ', 1250],
    ['0.01', 1],
    ['19.99', 1999],
    ['1234', 123_400],
  ];
  for (const [text, cents] of amounts) assert.equal(read(text), cents, text);
  assert.deepEqual(readPurchaseForm(`amount=5.00&purchase_id=${ID}`), {
    typed: '5.00',
    purchase: { purchaseId: ID, amountCents: 500 },
  });
});

test('rejects invalid amounts', () => {
  const misspelt = ['5.', '.5', '5.001', '5.0.0', '5;00', '1 000', '$5', '5 USD'];
  for (const text of ['', '0', '0.00', 'five', '-5', '12345', ...misspelt]) assert.equal(read(text), undefined, text);
  assert.deepEqual(readPurchaseForm(''), { typed: '', purchase: undefined });
  assert.deepEqual(readPurchaseForm(`purchase_id=${ID}`), { typed: '', purchase: undefined });
});

test('the typed text is kept, cut to the length of the field', () => {
  const typed = (amount: string) => readPurchaseForm(new URLSearchParams({ amount }).toString()).typed;
  assert.deepEqual(['five', ' 5 ', '1'.repeat(1_000)].map(typed), ['five', ' 5 ', '1111111']);
});

test('rejects purchases without a valid id', () => {
  for (const id of ['', 'x', `${ID}0`, `0${ID}`, ID.toUpperCase(), ID.replaceAll('-', '')])
    assert.equal(read('5', id), undefined, id);
  assert.equal(readPurchaseForm('amount=5').purchase, undefined);
  for (const [n, part] of ID.split('-').entries())
    assert.equal(read('5', ID.split('-').with(n, part.replaceAll(/./g, 'z')).join('-')), undefined, `part ${n + 1}`);
});
