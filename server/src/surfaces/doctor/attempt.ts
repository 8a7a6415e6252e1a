import { errorMessage } from '../../platform/base/error-code.ts';
import { type Finding, fault } from './finding.ts';

/** Runs a check. A check that throws becomes a fault of its name, so that the others still run. */
export async function attempt(
  check: string,
  look: () => Finding | Finding[] | Promise<Finding | Finding[]>,
): Promise<Finding[]> {
  try {
    return [await look()].flat();
  } catch (error) {
    return [
      fault(
        check,
        `could not be checked: ${errorMessage(error)}`,
        'Run: bestow migrate, which restores missing tables.',
      ),
    ];
  }
}
