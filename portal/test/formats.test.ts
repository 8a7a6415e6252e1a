import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { dayRange } from '../src/ui/formats.ts';

const { TZ } = process.env;
after(() => {
  if (TZ === undefined) delete process.env['TZ'];
  else process.env['TZ'] = TZ;
});

test('a filter ignores a day of the URL that no month has', () => {
  process.env['TZ'] = 'America/New_York';
  const first = '2027-02-28T05:00:00.000Z';
  assert.deepEqual(dayRange({ from: '2027-02-28', to: '2027-03-14' }), { from: first, to: '2027-03-15T04:00:00.000Z' });
  for (const day of ['2027-02-31', '2027-13-01', '2027-00-01', '0000-01-01', '9999-12-31', 'today', ''])
    assert.deepEqual(dayRange({ from: '2027-02-28', to: day }), { from: first, to: undefined }, day);
});
