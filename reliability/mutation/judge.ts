import { dropDatabases } from './drop-databases.ts';
import { coverageOf, runTest } from './run-tests.ts';
import type { Mutant } from './stryker.ts';
import { type Explanation, survivors } from './survivors.ts';
import type { Workspace } from './workspace.ts';

/** `not-reached`: no test of its module runs the code; it counts as survived. */
export type Fate = 'killed' | 'timed-out' | 'survived' | 'not-reached';

export interface Verdict {
  mutant: Mutant;
  fate: Fate;
  /** Of a survivor: why that is right, where it is known. */
  because: string | undefined;
}

/** Late enough that a busy machine does not decide. */
const timeoutMsOf = (tookMs: number) => 5_000 + 5 * tookMs;

/** Judges mutants by test files that it runs once without any, to see how long they take and which code they reach. */
export function createJudge(workspace: Workspace) {
  const known = new Map<string, Awaited<ReturnType<typeof coverageOf>>>();

  async function knowledgeOf(test: string): Promise<Awaited<ReturnType<typeof coverageOf>>> {
    const found = known.get(test) ?? (await coverageOf(workspace, test));
    known.set(test, found);
    return found;
  }

  return async function judge(mutant: Mutant, tests: readonly string[]): Promise<Verdict> {
    let fate: Fate = 'not-reached';
    for (const test of tests) {
      const { covered, run } = await knowledgeOf(test);
      if (!covered.has(mutant.id)) continue;
      const { outcome, pid } = await runTest(workspace, {
        test,
        mutantId: mutant.id,
        timeoutMs: timeoutMsOf(run.tookMs),
      });
      await dropDatabases(pid);
      fate = outcome === 'failed' ? 'killed' : outcome === 'timed-out' ? 'timed-out' : 'survived';
      if (fate !== 'survived') break;
    }
    const isAlive = fate === 'survived' || fate === 'not-reached';
    return { mutant, fate, because: isAlive ? survivors.find((entry) => explains(entry, mutant))?.because : undefined };
  };
}

const explains = ({ path, code, from, to }: Explanation, mutant: Mutant) =>
  path === mutant.path && mutant.code.includes(code) && from === mutant.from && (to === undefined || to === mutant.to);
