import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTimeZone } from '../../server/src/capabilities/yearly-gifts/days.ts';
import { currentZone, findZones, readZone, zoneText } from '../src/pages/calendar/time-zones.ts';

/** The time zones of yearly rules. */

test('a zone is found by its name of today, its earlier name and a part of a word', () => {
  for (const text of ['Kyiv', 'kiev', 'europe/ky']) assert.deepEqual(findZones(text), ['Europe/Kyiv'], text);
  assert.deepEqual(findZones('calcutta'), ['Asia/Kolkata']);
  assert.equal(findZones('new y')[0], 'America/New_York');
  assert.equal(findZones('berlin')[0], 'Europe/Berlin');
  assert.deepEqual([findZones(''), findZones('nowhere')], [[], []]);
  assert.ok(findZones('a').length <= 8);
});

test('a whole name is read, also an earlier one, and a part is not', () => {
  assert.equal(readZone('europe/KIEV'), 'Europe/Kyiv');
  assert.equal(readZone(' America/New York '), 'America/New_York');
  assert.equal(readZone('UTC'), 'UTC');
  assert.equal(readZone('US/Pacific'), 'America/Los_Angeles');
  for (const text of ['Berlin', '', 'Europe/', 'Europe/Nowhere', '+01:00'])
    assert.equal(readZone(text), undefined, text);
  assert.equal(zoneText('Asia/Saigon'), 'Asia/Ho Chi Minh');
});

test('the service takes every zone that is offered, under its name of today', () => {
  for (const listed of Intl.supportedValuesOf('timeZone')) {
    const zone = currentZone(listed);
    assert.ok(isTimeZone(zone), zone);
    assert.equal(readZone(listed), zone);
    assert.equal(readZone(zoneText(zone)), zone);
  }
});
