import { type Outcome, runTest } from './run-tests.ts';
import type { Mutant } from './stryker.ts';
import type { Workspace } from './workspace.ts';

const TEST = 'src/keys/key-format.test.ts';
const TEST_WITH_DATABASE = 'test/cards.test.ts';

/**
 * Shows that the harness tells a mutant that must die from none: a key whose checksum is wrong would be taken, and with no
 * mutant at all the same tests pass, and those of the database where there is one.
 *
 * @throws Error where any of it is not so
 */
export async function control(
  workspace: Workspace,
  mutants: readonly Mutant[],
  withDatabase: boolean,
): Promise<string[]> {
  const lethal = mutants.find(
    ({ path, from, to }) => path === 'keys/key-format.ts' && from.startsWith('checksum(') && to.includes('!=='),
  );
  if (lethal === undefined) throw new Error('The mutant that must die was not made.');
  const expect = async (mutantId: string, expected: Outcome, test = TEST): Promise<void> => {
    const { outcome, said } = await runTest(workspace, { test, mutantId, timeoutMs: 60_000 });
    if (outcome !== expected) throw new Error(`Control: expected ${expected}, but ${test} ${outcome}: ${said}`);
  };
  await expect(lethal.id, 'failed');
  await expect('no such mutant', 'passed');
  if (withDatabase) await expect('no such mutant', 'passed', TEST_WITH_DATABASE);
  return [`control: «${lethal.from}» as «${lethal.to}» is killed`, 'control: a mutant that changes nothing survives'];
}
