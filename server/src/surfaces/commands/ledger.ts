import { type Command, Option } from 'commander';
import { recordVerification } from '../../capabilities/operators/ledger-verifications.ts';
import { printCheckpoint, takeCheckpoint } from '../../capabilities/seals/checkpoint.ts';
import { verifyLedger } from '../../capabilities/seals/verify-ledger.ts';
import { verifyStatement } from '../../capabilities/statements/verify-statement.ts';
import { referenceColumns } from '../../core/balances/read-references.ts';
import { type ReconciledKind, reconcile, reconciledKinds } from '../../core/balances/reconcile.ts';
import { readTrialBalance } from '../../core/balances/trial-balance.ts';
import { findOrganization } from '../../core/organizations/find-organization.ts';
import {
  addCommand,
  addGroup,
  environmentOption,
  organizationOption,
  withExample,
} from '../../faces/command-line/add-command.ts';
import { operator } from '../../faces/command-line/operator.ts';
import { parseTime } from '../../faces/command-line/parse-argument.ts';
import { type OutputOptions, printMany, printOne, printRemark, printText } from '../../faces/command-line/print.ts';
import { printReport } from '../../faces/command-line/print-report.ts';
import { readTextFile } from '../../faces/command-line/read-file.ts';
import { encodingOption, readTableFile } from '../../faces/command-line/read-table-file.ts';
import { showWork } from '../../faces/command-line/show-progress.ts';
import { type CommandDeps, withDatabase } from '../../faces/command-line/with-database.ts';
import { withAnyOrganization, withOrganization } from '../../faces/command-line/with-organization.ts';
import type { Environment } from '../../platform/base/environment.ts';
import { errorMessage } from '../../platform/base/error-code.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { formatMoney } from '../../platform/base/format-money.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import { checkpointOption, readCheckpoint } from './read-checkpoint.ts';

export function ledgerCommands(program: Command): void {
  const group = addGroup(program, 'ledger', 'ledger of all balance changes', 'ledger verify');

  addCommand(group, 'verify', 'recompute every balance, debit and sealed entry', 'ledger verify')
    .addOption(checkpointOption())
    .action(async ({ checkpoint, ...options }: OutputOptions & { checkpoint?: string }) => {
      const ends = await readCheckpoint(checkpoint);
      const report = await showWork('Verifying the ledger', (say) =>
        withDatabase((deps) => verifyAndRecord(deps, ends, say), { migrates: false }),
      );
      const { checked } = report;
      const counts = {
        organizations: checked.organizations,
        balances: checked.balances,
        'ledger entries': checked.ledger_entries,
        'sealed entries': checked.sealed_entries,
        orders: checked.orders,
        gifts: checked.gifts,
      };
      if (options.json) printOne(options, report, () => ({}));
      else printReport(counts, report);
      if (!report.holds) throw new OperatorError('The ledger is inconsistent; see the faults above.');
    });

  trialBalanceCommand(group);
  statementCommand(group);
  reconcileCommand(group);
  const checkpoint = group
    .command('checkpoint')
    .description('seal all entries and audit events, and print the end of each chain as lines of JSON');
  withExample(checkpoint, 'ledger checkpoint > checkpoint.jsonl').action(async () => {
    const ends = await showWork('Sealing', () => withDatabase(takeCheckpoint, { migrates: false }));
    printText(printCheckpoint(ends));
  });
}

/** Writes down what it found, if the database can be written: a copy of it may be verified too. */
async function verifyAndRecord(
  deps: CommandDeps,
  ends: Parameters<typeof verifyLedger>[1],
  say: (progress: string) => void,
) {
  const report = await verifyLedger(deps, ends, say);
  await recordVerification(deps, { actor: operator(), ...report }).catch((error: unknown) =>
    printRemark(`The result was not written down (${errorMessage(error)}).`),
  );
  return report;
}

function trialBalanceCommand(group: Command): void {
  addCommand(
    group,
    'trial-balance',
    'sum every account, of one organization or of all',
    'ledger trial-balance --at 2026-12-01',
  )
    .option('--at <time>', 'as it was at a time, such as 2026-12-01; now without it', parseTime)
    .addOption(organizationOption('only of this organization'))
    .action(async ({ at, org, ...options }: OutputOptions & { at?: Date; org?: string }) => {
      const act = async (deps: CommandDeps, organizationId: string | undefined) => {
        const { currency } = deps.config;
        return {
          currency,
          ...(await readTrialBalance(deps, { at: at ?? new Date(deps.clock.now()), organizationId })),
        };
      };
      const { currency, ...balance } = await showWork('Summing the accounts', () =>
        withAnyOrganization(org, act, { migrates: false }),
      );
      if (options.json) return printOne(options, balance, () => ({}));
      const rows = balance.environments.flatMap(({ environment, accounts, sum }) => [
        ...Object.entries(accounts).map(([account, cents]) => ({ environment, account, cents })),
        { environment, account: 'sum', cents: sum },
      ]);
      printMany({}, rows, ({ environment, account, cents }) => ({
        environment,
        account,
        debit: cents < 0 ? formatMoney(-cents, currency) : null,
        credit: cents < 0 ? null : formatMoney(cents, currency),
      }));
    });
}

function statementCommand(group: Command): void {
  addCommand(
    group,
    'verify-statement',
    'verify a monthly statement, without the service and its database',
    'ledger verify-statement statement-live-2026-11.json --keys bestow-ledger-keys.json',
  )
    .argument('<file>', 'the statement, as JSON')
    .requiredOption('--keys <file>', 'what /.well-known/bestow-ledger-keys of the service returned')
    .action(async (file: string, { keys, ...options }: OutputOptions & { keys: string }) => {
      const verified = verifyStatement(await readTextFile(file), await readTextFile(keys));
      printOne(options, verified, (statement) => ({
        organization: statement.organization_id,
        environment: statement.environment,
        month: statement.month,
        final: statement.is_final,
        entries: statement.entries,
        'opening balance in cents': statement.opening_balance,
        'closing balance in cents': statement.closing_balance,
        root: statement.root,
      }));
    });
}

function reconcileCommand(group: Command): void {
  addCommand(
    group,
    'reconcile',
    'compare a CSV of references and amounts with an organization’s ledger',
    'ledger reconcile orders.csv --org org_01h455vb4pex5vsknk084sn02q --environment live --month 2026-11',
  )
    .argument('<file>', 'CSV or XLSX with the columns reference and amount')
    .addOption(organizationOption())
    .addOption(environmentOption())
    .requiredOption('--month <month>', 'the month that the file covers, such as 2026-11')
    .addOption(new Option('--kind <kind>', 'entries that the file covers').choices(reconciledKinds).default('order'))
    .addOption(encodingOption())
    .action(async (file: string, { org, environment, month, kind, encoding, ...options }: ReconcileOptions) => {
      const text = await readTableFile(file, referenceColumns, encoding);
      const act = async (deps: CommandDeps, id: string) => {
        const { organization_id: organizationId } = await findOrganization(deps, id);
        return await reconcile(deps, { organizationId, environment }, { text, month, kind });
      };
      const report = await showWork('Comparing', () => withOrganization(org, act, { migrates: false })).catch(
        (error: unknown) => {
          throw error instanceof BestowError ? new OperatorError(error.message) : error;
        },
      );
      if (options.json) return printOne(options, report, () => ({}));
      const { matched, differing, missing_here, missing_there } = report.counts;
      printMany(
        {},
        [{ matched, 'amount differs': differing, 'missing here': missing_here, 'missing in the file': missing_there }],
        (row) => row,
      );
      printMany({}, report.lines, ({ result, reference, entry_id, amount_here, amount_there }) => ({
        result: result.replaceAll('_', ' '),
        reference,
        entry: entry_id,
        'amount here': amount_here,
        'amount in the file': amount_there,
      }));
    });
}

interface ReconcileOptions extends OutputOptions {
  org?: string;
  environment: Environment;
  month: string;
  kind: ReconciledKind;
  encoding?: string;
}
