import type { Command } from 'commander';
import { type LedgerReport, verifyLedger } from '../balances/verify-ledger.ts';
import { OperatorError } from '../base/operator-error.ts';
import { addCommand, addGroup } from './add-command.ts';
import { type OutputOptions, printMany, printOne } from './print.ts';
import { withDatabase } from './with-database.ts';

export function ledgerCommands(program: Command): void {
  const group = addGroup(program, 'ledger', 'ledger of all balance changes', 'ledger verify');

  addCommand(group, 'verify', 'recompute every balance and match every debit with one order', 'ledger verify').action(
    async (options: OutputOptions) => {
      const report = await withDatabase(verifyLedger, { migrates: false });
      if (options.json) printOne(options, report, () => ({}));
      else printReport(report);
      if (!report.holds) throw new OperatorError('The ledger is inconsistent; see the faults above.');
    },
  );
}

function printReport({ checked, checks, culprits }: LedgerReport): void {
  printMany({}, [checked], () => ({
    organizations: checked.organizations,
    balances: checked.balances,
    'ledger entries': checked.ledger_entries,
    orders: checked.orders,
    gifts: checked.gifts,
  }));
  process.stdout.write('\n');
  printMany({}, checks, ({ check, faults }) => ({ check, result: faults === 0 ? 'ok' : `faults: ${faults}` }));
  if (culprits.length === 0) return;
  process.stdout.write('\n');
  printMany({}, culprits, (culprit) => ({
    organization: culprit.organization_id,
    environment: culprit.environment,
    subject: culprit.subject_id ?? 'balance',
    expected: culprit.expected,
    found: culprit.found,
    check: culprit.check,
  }));
}
