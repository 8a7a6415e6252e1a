import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';

/** A user of this machine other than root, `nobody` and Bestow's own. */
export async function findOrdinaryUser(): Promise<{ uid: number; gid: number }> {
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const found = users.find(([name, , uid]) => Number(uid) > 0 && Number(uid) < 65_533 && !name?.startsWith('bestow'));
  assert.ok(found, 'This machine has no ordinary user.');
  return { uid: Number(found[2]), gid: Number(found[3]) };
}
