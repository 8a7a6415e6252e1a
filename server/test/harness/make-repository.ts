import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Makes a repository of one commit with this checkout's files, also those that are not committed yet. */
export function makeRepository(directory: string): void {
  mkdirSync(directory);
  const script = `set -eu -o pipefail
cd '${root}'
git ls-files -z --cached --others --exclude-standard |
  while IFS= read -r -d '' file; do if [ -e "$file" ]; then printf '%s\\0' "$file"; fi; done |
  tar --create --null --files-from - | tar --extract --directory '${directory}'
cd '${directory}'
git init --quiet
git add --all
git -c user.name=test -c user.email=test@example.com commit --quiet --message source`;
  const { status, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
}
