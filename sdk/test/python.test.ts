import assert from 'node:assert/strict';
import { NO_PYTHON, openPythons } from './python-environment.ts';
import { testWhere } from './test-where.ts';

const [python] = await openPythons(1);

testWhere(python === undefined && NO_PYTHON)('the Python client passes its own tests', async () => {
  assert.match(`${await python?.run(['-m', 'pytest'])}`, /^\d{3,} passed/m);
});
