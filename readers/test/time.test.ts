import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { dateOf, isDay, readDayOrTime, readHttpDate, readLocalTime, readMonth, readTime } from '../src/time.ts';

const { TZ } = process.env;
after(() => {
  if (TZ === undefined) delete process.env['TZ'];
  else process.env['TZ'] = TZ;
});

const NO_DAYS = ['2027-02-29', '2027-02-31', '2027-04-31', '2027-13-01', '2027-00-10', '2027-01-00', '2100-02-29'];
const iso = (time: Date | undefined) => time?.toISOString();

test('a day exists in the calendar', () => {
  for (const day of ['2028-02-29', '2027-12-31', '0001-01-01', '9999-12-31']) assert.ok(isDay(day), day);
  for (const text of [...NO_DAYS, '0000-01-01', '', '2027-1-1', '27-01-01', '2027-01-01 ', '2027-01-01T00:00:00Z'])
    assert.ok(!isDay(text), text);
});

test('a time of RFC 3339 has seconds and a zone, and exists', () => {
  assert.equal(iso(readTime('2028-02-29T23:30:00.5+01:30')), '2028-02-29T22:00:00.500Z');
  assert.equal(iso(readTime('2026-12-31T23:59:59.123456789Z')), '2026-12-31T23:59:59.123Z');
  assert.equal(iso(readTime('2027-01-31t18:00:00z')), '2027-01-31T18:00:00.000Z');
  for (const text of [
    ...NO_DAYS.map((day) => `${day}T00:00:00Z`),
    '2027-01-31',
    '2027-01-31T18:00Z',
    '2027-01-31T18:00:00',
    '2027-01-31 18:00:00Z',
    '2027-01-31T25:00:00Z',
    '2027-01-31T18:60:00Z',
    '2027-01-31T18:00:60Z',
    '2027-01-31T18:00:00+24:00',
    '',
    '0',
    'tomorrow',
    '2027-01-31T18:00:00Z\n',
    '+002027-01-31T18:00:00Z',
  ])
    assert.equal(readTime(text), undefined, text);
});

test('a command takes a day or a time in UTC, if it exists', () => {
  assert.equal(iso(readDayOrTime('2027-01-31')), '2027-01-31T00:00:00.000Z');
  assert.equal(iso(readDayOrTime('2027-01-31T18:00Z')), '2027-01-31T18:00:00.000Z');
  assert.equal(iso(readDayOrTime('2027-01-31T18:00:05Z')), '2027-01-31T18:00:05.000Z');
  for (const text of [
    ...NO_DAYS.flatMap((day) => [day, `${day}T18:00Z`]),
    '2027-01-31T18:00',
    '2027-01-31T18Z',
    '2027-01-31T18:00+01:00',
    '2027-01',
    '0000-01-01',
    '31 Feb 2027',
    '',
  ])
    assert.equal(readDayOrTime(text), undefined, text);
});

test('a month begins with its first moment and ends with that of the next', () => {
  assert.deepEqual(readMonth('2026-12'), { from: dateOf('2026-12-01'), to: dateOf('2027-01-01') });
  assert.deepEqual(readMonth('0050-02'), { from: dateOf('0050-02-01'), to: dateOf('0050-03-01') });
  for (const text of ['2027-13', '2027-00', '0000-01', '2027-1', '2027', '2027-01-01', '2027-01\n', ''])
    assert.equal(readMonth(text), undefined, text);
});

test('a local time is in the zone of the computer', () => {
  process.env['TZ'] = 'Europe/Berlin';
  assert.equal(iso(readLocalTime('2026-12-24T09:00')), '2026-12-24T08:00:00.000Z');
  assert.equal(iso(readLocalTime('2026-07-01T09:00:30')), '2026-07-01T07:00:30.000Z');
  process.env['TZ'] = 'Pacific/Auckland';
  assert.equal(iso(readLocalTime('2026-12-24T09:00')), '2026-12-23T20:00:00.000Z');
  for (const text of [
    ...NO_DAYS.map((day) => `${day}T09:00`),
    '2026-12-24T24:00',
    '2026-12-24T09:60',
    '2026-12-24T09:00:60',
    '0026-12-24T09:00',
    '2026-12-24T09:00Z',
    '2026-12-24',
    '2026-12-24 09:00',
    '',
  ])
    assert.equal(readLocalTime(text), undefined, text);
});

test('a local time that the clock change skips does not exist; of two, it is the first', () => {
  process.env['TZ'] = 'America/New_York';
  assert.equal(iso(readLocalTime('2027-03-14T01:59:59')), '2027-03-14T06:59:59.000Z');
  for (const text of ['2027-03-14T02:00', '2027-03-14T02:59:59']) assert.equal(readLocalTime(text), undefined, text);
  assert.equal(iso(readLocalTime('2027-03-14T03:00')), '2027-03-14T07:00:00.000Z');
  assert.equal(iso(readLocalTime('2027-11-07T01:30')), '2027-11-07T05:30:00.000Z');
});

test('the date of a header is exact and exists', () => {
  assert.equal(iso(readHttpDate('Sun, 06 Nov 1994 08:49:37 GMT')), '1994-11-06T08:49:37.000Z');
  for (const text of [
    'Wed, 31 Feb 2027 08:00:00 GMT',
    'Wed, 03 Mar 2027 24:00:00 GMT',
    'Mon, 06 Nov 1994 08:49:37 GMT',
    '06 Nov 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 08:49:37',
    'Sun, 06 Nov 1994 08:49:37 +0100',
    '1994-11-06',
    'Invalid Date',
    '-1',
    '1.5',
    '',
  ])
    assert.equal(readHttpDate(text), undefined, text);
});

test('a program’s day or time that does not exist is an error', () => {
  assert.equal(iso(dateOf('2027-02-28')), '2027-02-28T00:00:00.000Z');
  assert.equal(iso(dateOf('2027-02-28T18:29:10.123456+00:00')), '2027-02-28T18:29:10.123Z');
  for (const text of [...NO_DAYS, '2027-02-31T00:00:00Z', '2027-02-28 18:29:10+00', ''])
    assert.throws(() => dateOf(text), RangeError, text);
});
