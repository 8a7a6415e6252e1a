import { type Outcome, runTest } from './run-tests.ts';
import type { Mutant } from './stryker.ts';
import type { Workspace } from './workspace.ts';

const TEST = 'src/keys/key-format.test.ts';

/**
 * Shows that the harness tells a mutant that must die from none: a key whose checksum is wrong would be taken, and with no
 * mutant at all the same tests pass.
 *
 * @throws Error where either is not so
 */
export async function control(workspace: Workspace, mutants: readonly Mutant[]): Promise<string[]> {
  const lethal = mutants.find(
    ({ path, from, to }) => path === 'keys/key-format.ts' && from.startsWith('checksum(') && to.includes('!=='),
  );
  if (lethal === undefined) throw new Error('The mutant that must die was not made.');
  const expect = async (mutantId: string | undefined, expected: Outcome): Promise<void> => {
    const { outcome, said } = await runTest(workspace, { test: TEST, mutantId, timeoutMs: 60_000 });
    if (outcome !== expected) throw new Error(`Control: expected ${expected}, but ${TEST} ${outcome}: ${said}`);
  };
  await expect(lethal.id, 'failed');
  await expect('no such mutant', 'passed');
  return [`control: «${lethal.from}» as «${lethal.to}» is killed`, 'control: a mutant that changes nothing survives'];
}
