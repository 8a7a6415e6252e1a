import { printMany } from './print.ts';

interface Report {
  checks: readonly { check: string; faults: number }[];
  culprits: readonly {
    check: string;
    organization_id: string;
    environment: string | null;
    subject_id: string | null;
    expected: string;
    found: string;
  }[];
}

/** Prints what a verification counted, its checks and each fault. */
export function printReport(counts: Record<string, number>, { checks, culprits }: Report): void {
  printMany({}, [counts], (row) => row);
  process.stdout.write('\n');
  printMany({}, checks, ({ check, faults }) => ({ check, result: faults === 0 ? 'ok' : `faults: ${faults}` }));
  if (culprits.length === 0) return;
  process.stdout.write('\n');
  printMany({}, culprits, (culprit) => ({
    organization: culprit.organization_id,
    environment: culprit.environment,
    subject: culprit.subject_id ?? 'whole',
    expected: culprit.expected,
    found: culprit.found,
    check: culprit.check,
  }));
}
