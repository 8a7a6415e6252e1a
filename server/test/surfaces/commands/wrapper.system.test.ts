import assert from 'node:assert/strict';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { BESTOW, MACHINES_NODE, run } from '../../harness/server-process.ts';

/** How a person finds the command: `server/bin/bestow.js` of a checkout, or a link to it. */

let directory: string;
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'bestow-wrapper-'));
});
after(() => rm(directory, { recursive: true }));

const nodes = [process.execPath, ...(MACHINES_NODE === undefined ? [] : [MACHINES_NODE])];

test('a link on the PATH runs the checkout that it points to', async () => {
  const link = join(directory, 'bestow');
  await symlink(BESTOW, link);
  for (const node of nodes) {
    const { code, stdout, stderr } = await run(node, [link, '--version'], {}).ended;
    assert.deepEqual([code, stderr], [0, ''], node);
    assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
  }
});

test('a clone that is not installed says in one sentence what to run', async () => {
  const clone = join(directory, 'clone');
  for (const part of ['bin', 'src', 'package.json'])
    await cp(join(BESTOW, '../..', part), join(clone, 'server', part), { recursive: true });
  for (const node of nodes) {
    const { code, stdout, stderr } = await run(node, [join(clone, 'server/bin/bestow.js'), 'migrate'], {}).ended;
    const sentence = `Bestow is not installed yet; run: npm --prefix ${clone} run setup\n`;
    assert.deepEqual({ code, stdout, stderr }, { code: 1, stdout: '', stderr: sentence }, node);
  }
});
