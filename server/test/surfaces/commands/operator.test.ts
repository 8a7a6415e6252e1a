import assert from 'node:assert/strict';
import { hostname, userInfo } from 'node:os';
import { test } from 'node:test';
import type { Actor } from '../../../src/platform/base/actor.ts';

const module = new URL('../../../src/faces/command-line/operator.ts', import.meta.url).href;
let loads = 0;

test('under sudo the operator is the user who called it; others cannot set a name', async (t) => {
  const earlier = process.env['SUDO_USER'];
  t.after(() => {
    if (earlier === undefined) delete process.env['SUDO_USER'];
    else process.env['SUDO_USER'] = earlier;
  });
  // The name is read when the module is loaded.
  const named = async (uid: number, caller: string) => {
    process.env['SUDO_USER'] = caller;
    const mocked = t.mock.method(process as { getuid(): number }, 'getuid', () => uid);
    loads += 1;
    const { operator } = (await import(`${module}?${loads}`)) as { operator(): Actor };
    const actor = operator();
    mocked.mock.restore();
    return actor;
  };
  const { username: name } = userInfo();
  const address = hostname();
  assert.deepEqual(await named(0, 'ada'), { kind: 'operator', name: 'ada', address });
  assert.deepEqual(await named(1000, 'ada'), { kind: 'operator', name, address });
  for (const strange of ['', 'a b', 'a\u001b[2Jb', 'x'.repeat(65)])
    assert.deepEqual(await named(0, strange), { kind: 'operator', name, address }, strange);
});
