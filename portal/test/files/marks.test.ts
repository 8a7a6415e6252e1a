import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readGifts } from './read-gifts.ts';

/** Marks and languages in a file of gifts, as “Send many” reads them. */

const read = (text: string) => readGifts(new TextEncoder().encode(text));
const messagesOf = async (text: string) => (await read(text)).gifts.map(({ gift }) => gift.personalization?.message);

const BASE = 'email,amount,category,message';

test('each row has its own message', async () => {
  const file = `${BASE},first name,last name,sender,occasion,years
a@example.com,25,coffee,"{first_name} / {name} / {sender} / {amount}",Mary Ann,Smith,Bo,,
b@example.com,30,coffee,"{years} years: {occasion}, from {sender}",Ada,,,jubilee,10
c@example.com,30,coffee,No marks { here },,,,,`;
  assert.deepEqual(await messagesOf(file), [
    'Mary Ann / Mary Ann Smith / Bo / $25.00',
    '10 years: jubilee, from Analytical Engines',
    'No marks { here }',
  ]);
});

test('a row without what its message needs is refused, in the column that is missing', async () => {
  const { gifts, marks } = await read(`${BASE},name
a@example.com,25,coffee,"Hi {first_name}",
b@example.com,25,coffee,"{years} years",Ada
c@example.com,25,coffee,"Hi {fristname}",Ada
d@example.com,25,coffee,"Dear [Name]",Ada
e@example.com,25,coffee,"Hi {name}",Ada`);
  assert.deepEqual(
    marks.map(({ column, message }) => `${column}: ${message.slice(0, 44)}`),
    [
      'recipient_name: Enter a name: the message has {first_name}.',
      'years: Enter the years: the message has {years}.',
      'message: {fristname} is not a mark. Marks are {name},',
      'message: Write {name} for [Name].',
    ],
  );
  assert.deepEqual(
    gifts.map(({ line }) => line),
    [6],
  );
});

test('a message that is too long once it is filled is refused', async () => {
  const { marks } = await read(`${BASE},name\na@example.com,25,coffee,"{name}${'x'.repeat(480)}",${'n'.repeat(40)}`);
  assert.deepEqual(
    marks.map(({ column }) => column),
    ['message'],
  );
});

test('a row has a language, a time and a reference of its own, and amounts as its language writes them', async () => {
  const { gifts, marks } = await read(`${BASE},language,send at,reference
a@example.com,25,coffee,{amount},German,2030-12-24 09:00,A-1
b@example.com,25,coffee,{amount},pt_BR,,A-2
c@example.com,25,coffee,{amount},,,
d@example.com,25,coffee,{amount},Klingon,,`);
  assert.deepEqual(
    gifts.map(({ gift: { language, external_id, send_at, personalization } }) => [
      language,
      external_id,
      send_at !== undefined,
      personalization?.message,
    ]),
    [
      ['de', 'A-1', true, '25,00\u00a0$'],
      ['pt-BR', 'A-2', false, 'US$\u00a025,00'],
      [undefined, undefined, false, '$25.00'],
    ],
  );
  assert.deepEqual(
    marks.map(({ column }) => column),
    ['language'],
  );
});
