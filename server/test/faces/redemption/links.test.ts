import assert from 'node:assert/strict';
import { createHash, createHmac, hkdfSync } from 'node:crypto';
import { test } from 'node:test';
import { createLinks, type LinkClaims } from '../../../src/core/links/links.ts';
import { actPath, giftPath } from '../../../src/faces/redemption/base-path.ts';
import { maskAddress } from '../../../src/platform/base/mask-address.ts';

const claims: LinkClaims = {
  organizationId: '019aa65b-447b-7123-8456-789abcdef012',
  environment: 'sandbox',
  giftId: '029bb76c-558c-7abc-9def-0123456789ab',
  version: 258,
  expiresAtMs: Date.parse('2027-11-21T12:00:00.123Z'),
};
const SECRET = 'a link secret for tests, long enough';
const links = createLinks([SECRET], () => 'https://gifts.example.com');
const tokenOf = (made: ReturnType<typeof createLinks>, of = claims) => made.url(of).split('/g/')[1] ?? '';

const KEY = Buffer.from(hkdfSync('sha256', SECRET, '', 'bestow links', 32));
const KEY_ID = createHash('sha256').update(KEY).digest().readUInt8(0) >> 2;

/** Signs any bytes. */
function signed(bytes: Buffer, key: Buffer | string = KEY): string {
  const mac = createHmac('sha256', key).update(bytes).digest().subarray(0, 16);
  return Buffer.concat([bytes, mac]).toString('base64url');
}
const claimedBytes = (first: number) =>
  Buffer.concat([
    Buffer.from([first]),
    Buffer.from('019aa65b447b71238456789abcdef012', 'hex'),
    Buffer.from('029bb76c558c7abc9def0123456789ab', 'hex'),
    Buffer.from([1, 2]),
    Buffer.from(claims.expiresAtMs.toString(16).padStart(12, '0'), 'hex'),
  ]);

test('a link has 41 bytes of claims with a key id, and half of their HMAC-SHA-256', () => {
  const first = 0x80 | (KEY_ID << 1);
  assert.equal(links.url(claims), `https://gifts.example.com/g/${signed(claimedBytes(first | 1))}`);
  assert.equal(
    links.url({ ...claims, environment: 'live' }),
    `https://gifts.example.com/g/${signed(claimedBytes(first))}`,
  );
});

test('a link that the secret itself signed is not read', () => {
  for (const first of [0, 1]) assert.equal(links.read(signed(claimedBytes(first), SECRET)), undefined);
});

test('a key whose id another key shares is tried as well', () => {
  const idOf = (token: string) => Buffer.from(token, 'base64url').readUInt8(0);
  const others = Array.from({ length: 2_000 }, (_, n) => `another secret of a rotation, number ${n}`);
  const same = others.find((secret) => idOf(tokenOf(createLinks([secret], () => ''))) === idOf(tokenOf(links)));
  assert.ok(same !== undefined);
  const both = createLinks([same, SECRET], () => 'https://gifts.example.com');
  assert.deepEqual([both.read(tokenOf(links)), both.read(tokenOf(both))], [claims, claims]);
  assert.equal(createLinks([same], () => '').read(tokenOf(links)), undefined);
});

test('a token returns its claims, and PUBLIC_URL can change', () => {
  let publicUrl = 'https://one.example';
  const made = createLinks([SECRET], () => publicUrl);
  assert.ok(made.url(claims).startsWith('https://one.example/g/'));
  publicUrl = 'https://two.example';
  assert.ok(made.url(claims).startsWith('https://two.example/g/'));
  for (const environment of ['live', 'sandbox'] as const)
    assert.deepEqual(made.read(tokenOf(made, { ...claims, environment })), { ...claims, environment });
});

test('a token with a changed, missing or added character is rejected', () => {
  const token = tokenOf(links);
  assert.equal(token.length, 76);
  for (let position = 0; position < token.length; position += 1) {
    const other = token[position] === 'A' ? 'B' : 'A';
    assert.equal(links.read(token.slice(0, position) + other + token.slice(position + 1)), undefined);
  }
  for (const text of ['', token.slice(0, -1), `${token}A`, `${token.slice(1)}`, `${token}=`, `${token} `])
    assert.equal(links.read(text), undefined, text);
});

test('other base64 spellings of the same bytes are rejected', () => {
  // Tokens with a character that standard base64 writes differently.
  const bytes = Array.from({ length: 64 }, (_, version) => tokenOf(links, { ...claims, version }));
  const lenient = bytes.filter((token) => /[-_]/.test(token));
  assert.ok(lenient.length > 0);
  for (const token of lenient) assert.equal(links.read(token.replaceAll('-', '+').replaceAll('_', '/')), undefined);
  const token = tokenOf(links);
  assert.equal(links.read(` ${token.slice(1)}`), undefined);
  assert.equal(links.read(`${token.slice(0, -1)}\n`), undefined);
});

test('the first secret signs, and other known secrets are accepted', () => {
  const rotated = createLinks(['the new secret', SECRET], () => 'https://gifts.example.com');
  assert.deepEqual(rotated.read(tokenOf(links)), claims);
  assert.notEqual(tokenOf(rotated), tokenOf(links));
  assert.deepEqual(rotated.read(tokenOf(rotated)), claims);
  assert.equal(links.read(tokenOf(rotated)), undefined);
});

test('an unknown environment is rejected, and a secret is required', () => {
  assert.equal(links.read(signed(claimedBytes(2))), undefined);
  assert.throws(() => createLinks([], () => 'https://gifts.example.com'), { message: 'A link secret is needed.' });
});

test('a masked address shows only its ends', () => {
  assert.equal(maskAddress('ada.lovelace@mail.example.com'), 'a•••@m•••.com');
  assert.equal(maskAddress('"a@b"@example.org'), '"•••@e•••.org');
  assert.equal(maskAddress('@example.org'), '•••@e•••.org');
  assert.equal(maskAddress('+442079460018'), '+4•••18');
});

test('the paths of a page are right at both depths', () => {
  assert.equal(actPath({ token: 'TOKEN', isAnswer: false }, 'claim'), 'TOKEN/claim');
  assert.equal(actPath({ token: 'TOKEN', isAnswer: true }, 'claim'), 'claim');
  assert.equal(giftPath({ token: 'TOKEN', isAnswer: false }), 'TOKEN');
  assert.equal(giftPath({ token: 'TOKEN', isAnswer: true }), '../TOKEN');
});
