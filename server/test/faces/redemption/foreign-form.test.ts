import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isForeignForm } from '../../../src/faces/redemption/foreign-form.ts';

const PUBLIC_URL = 'https://gifts.example.com/below';

const foreign: [string, Parameters<typeof isForeignForm>[0]][] = [
  ['the browser names another site', { 'sec-fetch-site': 'cross-site' }],
  ['another page of the same domain', { 'sec-fetch-site': 'same-site', origin: 'https://gifts.example.com' }],
  ['an origin that is neither ours nor the host', { origin: 'https://evil.example', host: 'gifts.example.com' }],
  ['an invalid origin', { origin: 'nonsense', host: 'nonsense' }],
  ['a foreign origin without a host', { origin: 'https://evil.example' }],
];
const own: [string, Parameters<typeof isForeignForm>[0]][] = [
  ['no headers, so not a browser', {}],
  ['a hidden origin', { origin: 'null', host: 'gifts.example.com' }],
  ['our page, according to the browser', { 'sec-fetch-site': 'same-origin', origin: 'null' }],
  ['typed by a person', { 'sec-fetch-site': 'none' }],
  [
    'the public origin behind a proxy that changes the host',
    { origin: 'https://gifts.example.com', host: 'inside:8080' },
  ],
  ['the host of the request', { origin: 'http://localhost:8080', host: 'localhost:8080' }],
];

test('a form of another site is recognized by its headers', () => {
  for (const [what, headers] of foreign) assert.equal(isForeignForm(headers, PUBLIC_URL), true, what);
  for (const [what, headers] of own) assert.equal(isForeignForm(headers, PUBLIC_URL), false, what);
});
