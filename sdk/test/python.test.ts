import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_PYTHON, openPythons } from './python-environment.ts';

test('the Python client passes its own tests', async (context) => {
  const [python] = await openPythons(1);
  if (python === undefined) return context.skip(NO_PYTHON);
  assert.match(await python.run(['-m', 'pytest']), /^\d{3,} passed/m);
});
