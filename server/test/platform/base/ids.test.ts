import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { TypeID } from 'typeid-js';
import { systemClock } from '../../../src/platform/base/clock.ts';
import { createIdGenerator, decodeId, decodeSuffix, encodeId, formatUuid } from '../../../src/platform/base/ids.ts';

const ofAll = (digit: string) =>
  `${digit.repeat(8)}-${digit.repeat(4)}-${digit.repeat(4)}-${digit.repeat(4)}-${digit.repeat(12)}`;

test('encodes and decodes every UUID as the TypeID library does', () => {
  const uuids = [ofAll('0'), ofAll('f'), ...Array.from({ length: 10_000 }, () => formatUuid(randomBytes(16)))];
  for (const uuid of uuids) {
    const id = encodeId('gift', uuid);
    assert.equal(id, TypeID.fromUUID('gift', uuid).toString());
    assert.equal(decodeId('gift', id), uuid);
    assert.equal(encodeId('gift', uuid.toUpperCase()), id);
  }
});

test('rejects what the TypeID library rejects', () => {
  const id = encodeId('gift', ofAll('a'));
  const texts = [
    '',
    'gift_',
    id.slice(0, -1),
    `${id}0`,
    id.replace('gift_', 'ord_'),
    id.replace('gift_', 'gift-'),
    id.replace('gift_', 'Gift_'),
    id.toUpperCase(),
    `gift_8${id.slice(6)}`,
    `${id.slice(0, -1)}l`,
    `${id.slice(0, -1)}é`,
    `${id.slice(0, -1)}\0`,
    `${id.slice(0, -1)}\u0080`,
  ];
  for (const text of texts) {
    assert.equal(decodeId('gift', text), undefined, text);
    assert.throws(() => TypeID.fromString(text, 'gift').toUUID(), text);
  }
});

test('rejects ids whose suffix is not 26 characters', () => {
  assert.equal(decodeSuffix(`_${'0'.repeat(26)}`, 1), ofAll('0'));
  for (const length of [0, 25, 27]) assert.equal(decodeSuffix(`_${'0'.repeat(length)}`, 1), undefined);
});

test('ids rise within a millisecond and when the clock goes back', () => {
  let nowMs = 1_800_000_000_000;
  const ids = createIdGenerator({ ...systemClock, now: () => nowMs });
  let latest = '';
  const rises = () => {
    const next = ids.next();
    assert.ok(next > latest, `${next} after ${latest}`);
    assert.match(next, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    latest = next;
  };
  for (let count = 0; count < 100_000; count += 1) rises();
  nowMs -= 3_600_000;
  for (let count = 0; count < 100; count += 1) rises();
  const faster = createIdGenerator({ ...systemClock, now: () => nowMs + 50_000 }).next();
  latest = ids.after(faster).next();
  assert.ok(latest > faster);
  for (let count = 0; count < 100; count += 1) rises();
  const raised = latest;
  ids.after('01a1fe8a-78ff-74ae-bf78-85586ea74266');
  assert.ok(ids.next() > raised, 'an id of the past changes nothing');
});

test('an id begins with its creation time in milliseconds', () => {
  const ids = createIdGenerator({ ...systemClock, now: () => Date.parse('2026-11-21T12:00:00.123Z') });
  assert.equal(
    Number.parseInt(ids.next().replaceAll('-', '').slice(0, 12), 16),
    Date.parse('2026-11-21T12:00:00.123Z'),
  );
});

test('ids of one millisecond keep its time, also after another of it', () => {
  const nowMs = Date.parse('2026-11-21T12:00:00.123Z');
  const ids = createIdGenerator({ ...systemClock, now: () => nowMs });
  for (let count = 0; count < 100; count += 1) assert.ok(ids.next().startsWith('01a1fdfa-467b-'));
  const last = '01a1fdfa-467b-7fff-bfff-ffffffffffff';
  assert.ok(ids.after(last).next() > last);
});

test('an id of a wrong clock dates only those that follow it', () => {
  const nowMs = Date.parse('2026-11-21T12:00:00.123Z');
  const ids = createIdGenerator({ ...systemClock, now: () => nowMs });
  const wrong = createIdGenerator({ ...systemClock, now: () => nowMs + 120 * 86_400_000 }).next();
  const after = ids.after(wrong);
  const made = [after.next(), after.next(nowMs), after.next()];
  assert.deepEqual([wrong, ...made], [wrong, ...made].toSorted());
  assert.equal(new Set([wrong, ...made]).size, 4);
  assert.ok(ids.next().startsWith('01a1fdfa-467b-'));
});

test('ids are unpredictable: a random counter start and 32 random bits', () => {
  let nowMs = 1_800_000_000_000;
  const ids = createIdGenerator({ ...systemClock, now: () => nowMs });
  const [starts, ends] = [new Set<string>(), new Set<string>()];
  const count = 20_000;
  for (let made = 0; made < count; made += 1) {
    nowMs += 1;
    const id = ids.next();
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-7][0-9a-f]{2}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    starts.add(id.slice(14, 18));
    ends.add(id.slice(-8));
  }
  // Almost all 2,048 values occur, and almost none of 4,294,967,296 twice.
  assert.ok(starts.size > 2_000, `${starts.size} different starts`);
  assert.ok(ends.size > count - 10, `${ends.size} different ends`);
});
