import { errorCode, errorMessage } from '../../platform/base/error-code.ts';
import { type Finding, fault } from './finding.ts';

/** PostgreSQL's codes of a table, a column or a function that is not there. */
const MISSING = ['42P01', '42703', '42883'];

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
        MISSING.includes(errorCode(error) ?? '')
          ? 'Run: bestow migrate, which restores missing tables.'
          : 'Run: bestow doctor. If it says so again, look at PostgreSQL’s log at that time.',
      ),
    ];
  }
}
