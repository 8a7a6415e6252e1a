import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as server from '../../server/src/platform/authentication/permissions.ts';
import { isReading } from '../src/api/permissions.ts';

test('the portal and the server agree on what a suspended organization may still do', () => {
  for (const permission of server.memberPermissions)
    assert.equal(isReading(permission), server.isReading(permission), permission);
});
