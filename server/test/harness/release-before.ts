import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandEnvironment } from './command-line.ts';
import { type RunningProcess, run } from './server-process.ts';
import type { TestService } from './test-service.ts';

/** Without a comma, which separates secrets in a setting. */
export const SECRET_OF_BOTH = 'a link secret of both releases that is long enough';

/** Until the first release: the commit whose data this one must read, and the other way round. */
const RELEASE_BEFORE = '3f6a82d';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Unpacks the release before into the directory. It uses the packages of this one, of which it needs no other versions. */
function unpack(directory: string): string {
  const archive = execFileSync(
    'git',
    ['archive', RELEASE_BEFORE, 'server', 'sdk', 'docs', 'openapi.json', 'package.json'],
    {
      cwd: root,
      maxBuffer: 2 ** 28,
    },
  );
  mkdirSync(directory, { recursive: true });
  const { status, stderr } = spawnSync('tar', ['-x', '-C', directory], { input: archive });
  assert.equal(status, 0, String(stderr));
  for (const folder of ['', 'server', 'sdk'])
    symlinkSync(join(root, folder, 'node_modules'), join(directory, folder, 'node_modules'));
  return join(directory, 'server/bin/bestow.js');
}

/** Serves by the release before, on the database of this service. Jobs are this service’s. */
export function serveBefore(service: TestService, directory: string): RunningProcess {
  return run(process.execPath, [unpack(directory), 'serve', '--no-worker'], {
    ...commandEnvironment(service.target),
    ...{ LINK_SECRET: SECRET_OF_BOTH, PORT: '0', RATE_LIMIT_ADDRESS_BURST: '100000' },
  });
}
