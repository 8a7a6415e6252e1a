import { type Command, Option } from 'commander';
import { addCommand, addGroup, organizationOption } from '../../faces/command-line/add-command.ts';
import { operator } from '../../faces/command-line/operator.ts';
import { parseLeastAmount, parseSignedAmount, parseYear } from '../../faces/command-line/parse-argument.ts';
import { type OutputOptions, printMany, printOne, printRemark } from '../../faces/command-line/print.ts';
import { showWork } from '../../faces/command-line/show-progress.ts';
import { type CommandDeps, withDatabase } from '../../faces/command-line/with-database.ts';
import { withAnyOrganization, withOrganization } from '../../faces/command-line/with-organization.ts';
import { writeOut } from '../../faces/command-line/write-out.ts';
import { formatMoney } from '../../platform/base/format-money.ts';
import { type CsvFile, csvStream } from '../../platform/http/csv-reply.ts';
import { operatorName } from '../operators/operator-log.ts';
import { enterBankBalance } from './bank-balance.ts';
import { endOf, moneyColumns, moneyRows, readMoney } from './read-money.ts';
import { type AgedMoney, ages, reportAging } from './report-aging.ts';
import { totalRecipients } from './total-recipients.ts';

interface ReportOptions extends OutputOptions {
  csv?: boolean;
  file?: string;
}

export function reportCommands(program: Command): void {
  const group = addGroup(program, 'report', 'reports for the books', 'report aging');
  agingCommand(group);
  recipientsCommand(group);
  moneyCommand(group);
  bankCommand(group);
}

const withCsv = (command: Command) =>
  command
    .addOption(new Option('--csv', 'print CSV').conflicts('json'))
    .addOption(new Option('--file <file>', 'write CSV to a new file, which only you can read').conflicts('json'));

function agingCommand(group: Command): void {
  withCsv(addCommand(group, 'aging', 'sum unclaimed and unspent money by age', 'report aging --file aging.csv'))
    .addOption(organizationOption('only of this organization'))
    .action(async ({ org, ...options }: ReportOptions & { org?: string }) => {
      const act = async (deps: CommandDeps, organizationId: string | undefined) => ({
        currency: deps.config.currency,
        rows: await reportAging(deps, organizationId),
      });
      const { currency, rows } = await showWork('Summing', () => withAnyOrganization(org, act, { migrates: false }));
      const columns = ['organization_id', 'name', 'kind', 'age', 'from_days', 'to_days', 'gifts', 'amount'];
      if (await wroteCsv(options, columns, rows, currency)) return;
      if (options.json) return printMany(options, rows, () => ({}));
      printMany({}, linesOf(rows), ({ organization_id, name, kind, cents, sum }) => ({
        organization: organization_id,
        name,
        kind,
        ...Object.fromEntries(ages.map((age) => [age.name, formatMoney(cents[age.name] ?? 0, currency)])),
        sum: formatMoney(sum, currency),
      }));
    });
}

function moneyCommand(group: Command): void {
  withCsv(addCommand(group, 'money', 'show the money of all organizations, beside issuers and bank', 'report money'))
    .option('--day <day>', 'at the end of this day in UTC, such as 2026-11-30')
    .action(async ({ day, ...options }: ReportOptions & { day?: string }) => {
      const act = async (deps: CommandDeps) => ({ currency: deps.config.currency, money: await readMoney(deps, day) });
      const { currency, money } = await showWork('Summing', () => withDatabase(act));
      if (options.csv || options.file !== undefined) {
        const rows = moneyRows(money.at, money.trial_balance);
        return await writeOut(options.file, () => csvStream({ columns: moneyColumns, rows, currency }));
      }
      const { live, issuers, bank } = money;
      printOne(options, money, () => ({
        at: money.at,
        'live balances': formatMoney(live.balances, currency),
        owed: formatMoney(live.owed, currency),
        unclaimed: formatMoney(live.unclaimed, currency),
        'on cards': formatMoney(live.on_cards, currency),
        'at issuers': formatMoney(sumOf(issuers), currency),
        bank: bank && `${formatMoney(bank.amount, currency)} on ${bank.as_of}`,
      }));
    });
}

const sumOf = (issuers: readonly { available: number }[]) => issuers.reduce((sum, { available }) => sum + available, 0);

function bankCommand(group: Command): void {
  addCommand(
    group,
    'bank',
    'write down what the bank held at the end of a day',
    'report bank 2026-11-30 --amount 500000',
  )
    .argument('<day>', 'in UTC, such as 2026-11-30')
    .requiredOption('--amount <cents>', 'cents, which may be negative', parseSignedAmount)
    .action(async (day: string, { amount, ...options }: OutputOptions & { amount: number }) => {
      await withDatabase(async (deps) => {
        endOf(deps, day);
        await enterBankBalance(deps, { asOf: day, amountCents: amount, enteredBy: operatorName(operator()) });
      });
      printOne(options, { as_of: day, amount }, () => ({ day, amount }));
    });
}

interface Line extends Pick<AgedMoney, 'organization_id' | 'name' | 'kind'> {
  cents: Partial<Record<AgedMoney['age'], number>>;
  sum: number;
}

/** One line for each organization and kind. */
function linesOf(rows: readonly AgedMoney[]): Line[] {
  const lines = new Map<string, Line>();
  for (const { organization_id, name, kind, age, amount } of rows) {
    const id = `${organization_id} ${kind}`;
    const line = lines.get(id) ?? { organization_id, name, kind, cents: {}, sum: 0 };
    line.cents[age] = amount;
    line.sum += amount;
    lines.set(id, line);
  }
  return [...lines.values()];
}

interface RecipientsOptions extends ReportOptions {
  org?: string;
  year: number;
  fromAmount?: number;
}

function recipientsCommand(group: Command): void {
  const example = 'report recipients --org org_01h455vb4pex5vsknk084sn02q --year 2026 --file recipients-2026.csv';
  withCsv(addCommand(group, 'recipients', 'sum what each recipient claimed in a year', example))
    .addOption(organizationOption())
    .requiredOption('--year <year>', 'the year in UTC, such as 2026', parseYear)
    .option(
      '--from-amount <cents>',
      'only recipients of so many cents or more; RECIPIENT_REPORT_FROM_CENTS without it',
      parseLeastAmount,
    )
    .action(async ({ org, year, fromAmount, ...options }: RecipientsOptions) => {
      const act = async (deps: CommandDeps, organizationId: string) => {
        const { currency, recipientReportFromCents: fromCents } = deps.config;
        const request = { organizationId, year, fromCents: fromAmount ?? fromCents, actor: operator() };
        return { currency, report: await totalRecipients(deps, request) };
      };
      const { currency, report } = await showWork('Summing', () => withOrganization(org, act));
      const columns = ['recipient', 'recipient_name', 'gifts', 'amount'];
      const isCsv = await wroteCsv(options, columns, report.recipients, currency);
      if (options.json) return printOne(options, report, () => ({}));
      if (!isCsv)
        printMany({}, report.recipients, ({ recipient, recipient_name, gifts, amount }) => ({
          recipient,
          name: recipient_name,
          gifts,
          amount: formatMoney(amount, currency),
        }));
      const { gifts, amount } = report.without_address;
      if (gifts > 0)
        printRemark(
          `${gifts} more gifts, together ${formatMoney(amount, currency)}, are link gifts or of erased recipients.`,
        );
    });
}

/** Returns false if no CSV was asked for. */
async function wroteCsv(
  { csv, file }: ReportOptions,
  keys: readonly string[],
  rows: readonly object[],
  currency: string,
): Promise<boolean> {
  if (!csv && file === undefined) return false;
  const columns = keys.map((key) => ({ key, header: key, ...(key === 'amount' && { isMoney: true as const }) }));
  const table: CsvFile = { columns, rows: each(rows), currency };
  await writeOut(file, () => csvStream(table));
  return true;
}

async function* each(rows: readonly object[]): AsyncGenerator<object, void> {
  yield* rows;
}
