import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { sealChains } from '../../server/src/capabilities/seals/seal-chains.ts';
import { startTestService } from '../../server/test/harness/test-service.ts';
import { NO_PYTHON, openPythons, type PythonEnvironment, pythonClient } from './python-environment.ts';
import { testWhere } from './test-where.ts';

const pythons = await openPythons();
const [latest] = pythons as [PythonEnvironment, ...PythonEnvironment[]];
const testPython = testWhere(pythons.length === 0 && NO_PYTHON);

testPython('mypy finds no mistake in the Python client', async () => {
  assert.match(await latest.run(['-m', 'mypy', '--cache-dir', '/dev/null']), /^Success: no issues found in \d\d/);
});

testPython('pyright finds no mistake in the Python client', async () => {
  const python = (await latest.run(['-c', 'import sys; print(sys.executable)'])).trim();
  assert.match(await latest.run(['-m', 'pyright', '--pythonpath', python]), /^0 errors, 0 warnings/m);
});

testPython('the Python client passes its own tests on every Python of the machine', async () => {
  for (const { version, run } of pythons) assert.match(await run(['-m', 'pytest']), /^\d{3,} passed/m, version);
});

testPython('the samples of the Python client’s README run, and mypy accepts them', async (context) => {
  const service = await startTestService();
  const { keys } = await service.organization();
  await sealChains(service.service.deps);
  const readme = await readFile(join(pythonClient, 'README.md'), 'utf8');
  const samples = [...readme.matchAll(/^```py\n(.*?)^```$/gms)].map(([, text = '']) => text);
  assert.ok(samples.length > 8);
  const program = samples.join('\n').replaceAll('http://localhost:3000', service.url);
  const file = join(await mkdtemp(join(tmpdir(), 'bestow-readme-')), 'readme.py');
  context.after(() => rm(dirname(file), { recursive: true }));
  await writeFile(file, program);
  await latest.run(['-m', 'mypy', '--cache-dir', '/dev/null', file]);
  const printed = await latest.run([file], { BESTOW_KEY: keys.sandbox, PYTHONPATH: 'src' });
  for (const part of [
    /^ord_\w+ http/,
    /^coffee$/m,
    /^Add funds/m,
    /^200 False 1 req_/m,
    /^evt_1 gift_1$/m,
    /^claimed$/m,
  ])
    assert.match(printed, part);
});
