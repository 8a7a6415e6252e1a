import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isForeignForm } from '../../src/redemption/foreign-form.ts';

const PUBLIC_URL = 'https://gifts.example.com/below';

const foreign: [string, Parameters<typeof isForeignForm>[0]][] = [
  ['a browser says that another site sent it', { 'sec-fetch-site': 'cross-site' }],
  ['another page of the same domain', { 'sec-fetch-site': 'same-site', origin: 'https://gifts.example.com' }],
  [
    'an origin that is neither ours nor where it was sent to',
    { origin: 'https://evil.example', host: 'gifts.example.com' },
  ],
  ['an origin that is none', { origin: 'nonsense', host: 'nonsense' }],
  ['no origin of ours because its host is missing', { origin: 'https://evil.example' }],
];
const own: [string, Parameters<typeof isForeignForm>[0]][] = [
  ['neither header: no browser', {}],
  ['a hidden origin', { origin: 'null', host: 'gifts.example.com' }],
  ['our page, as the browser says', { 'sec-fetch-site': 'same-origin', origin: 'null' }],
  ['typed by a person', { 'sec-fetch-site': 'none' }],
  [
    'the public origin, whatever a proxy makes of the host',
    { origin: 'https://gifts.example.com', host: 'inside:8080' },
  ],
  ['the host that it was sent to', { origin: 'http://localhost:8080', host: 'localhost:8080' }],
];

test('a form of another site is known by what its browser says', () => {
  for (const [what, headers] of foreign) assert.equal(isForeignForm(headers, PUBLIC_URL), true, what);
  for (const [what, headers] of own) assert.equal(isForeignForm(headers, PUBLIC_URL), false, what);
});
