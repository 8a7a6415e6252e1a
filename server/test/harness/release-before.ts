import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Until the first release: the commit whose databases this one goes on with. */
const RELEASE_BEFORE = '3f6a82d';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Unpacks the release before into the directory, with the packages of this one, of which it needs no other versions.
 *
 * @returns the path of its `bestow`
 */
export function unpackReleaseBefore(directory: string): string {
  const parts = ['server', 'sdk', 'docs', 'openapi.json', 'package.json'];
  const archive = execFileSync('git', ['archive', RELEASE_BEFORE, ...parts], { cwd: root, maxBuffer: 2 ** 28 });
  mkdirSync(directory, { recursive: true });
  const { status, stderr } = spawnSync('tar', ['-x', '-C', directory], { input: archive });
  assert.equal(status, 0, String(stderr));
  for (const folder of ['', 'server', 'sdk'])
    symlinkSync(join(root, folder, 'node_modules'), join(directory, folder, 'node_modules'));
  return join(directory, 'server/bin/bestow.js');
}
