import { type Command, Option } from 'commander';
import { addCommand } from '../../faces/command-line/add-command.ts';
import { parseBytes } from '../../faces/command-line/parse-argument.ts';
import {
  type OutputOptions,
  printMany,
  printOne,
  printRemark,
  printRow,
  printText,
} from '../../faces/command-line/print.ts';
import { systemClock } from '../../platform/base/clock.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import { type Config, readConfig } from '../../platform/configuration/config.ts';
import { openConnections } from '../../platform/database/connect-shards.ts';
import type { Database } from '../../platform/database/connections.ts';
import { leaveRoot } from '../../platform/embedded-postgres/leave-root.ts';
import { openDatabase } from '../../platform/installation/open-database.ts';
import { examine, examineWithoutDatabase } from '../doctor/examine.ts';
import type { Finding } from '../doctor/finding.ts';
import { measureCapacity } from '../doctor/measure-capacity.ts';
import { listFailingMessages, showWork } from '../doctor/show-work.ts';

interface DoctorOptions extends OutputOptions {
  work?: true;
  ledger?: boolean;
  capacity?: true;
  beforeLive?: boolean;
  diskBytes?: number;
}

export function doctorCommand(program: Command): void {
  addCommand(program, 'doctor', 'check settings, database, providers, ledger and stuck work', 'doctor')
    .option('--before-live', 'also check what the first live gift needs: issuers, mail, address, proxy and backup')
    .option('--ledger', 'verify the whole ledger, not only what came after its newest seals')
    .option('--work', 'show instead what waits or fails, of all organizations')
    .option('--capacity', 'show instead how the database grows, and when the disk is full')
    .addOption(
      new Option('--disk-bytes <bytes>', 'with --capacity: the size of the disk of DATABASE_URL')
        .argParser(parseBytes)
        .implies({ capacity: true }),
    )
    .action(async (options: DoctorOptions) => {
      if ([options.capacity, options.beforeLive ?? options.ledger, options.work].filter(Boolean).length > 1)
        throw new OperatorError('Use --work and --capacity alone, because they show other things.');
      await (options.work ? printWork(options) : options.capacity ? showCapacity(options) : showFindings(options));
    });
}

/** As wide as nearly all names of checks and states. */
const WIDTHS = [28, 7];

async function showFindings({ beforeLive = false, ledger = false, ...options }: DoctorOptions): Promise<void> {
  const config = readConfig(process.env);
  const findings: Finding[] = [];
  const wholeLedger = ledger ? (progress: string) => sayUnlessJson(options, `ledger: ${progress}`) : undefined;
  const showAll = async (found: AsyncIterable<Finding>) => {
    for await (const finding of found) {
      findings.push(finding);
      if (!options.json) printFinding(finding);
    }
  };
  await withDatabaseHere(
    config,
    (database) => showAll(examine(config, database, systemClock, { beforeLive, wholeLedger })),
    { otherwise: (reason) => showAll(examineWithoutDatabase(config, reason, systemClock, { beforeLive })) },
  );
  if (options.json) printMany(options, findings, () => ({}));
  const count = (state: Finding['state']) => findings.filter((finding) => finding.state === state).length;
  const faults = count('fault');
  sayUnlessJson(options, `${findings.length} checks, faults: ${faults}, warnings: ${count('warning')}.`);
  if (faults > 0) throw new OperatorError(`${faults === 1 ? 'One fault' : `${faults} faults`} found.`);
}

/** With JSON, standard error has only an error. */
const sayUnlessJson = ({ json }: OutputOptions, text: string) => json || printRemark(text);

/** Prints a finding as soon as it is known, and below it what to do. */
function printFinding({ check, state, found, advice }: Finding): void {
  printRow([check, state, found], WIDTHS);
  if (advice !== null) printRow(['', '', advice], WIDTHS);
}

/** Fewer fill so few pages that their mean says little. */
const FEW_ORDERS = 1_000;

async function showCapacity({ diskBytes, ...options }: DoctorOptions): Promise<void> {
  const config = readConfig(process.env);
  const measure = (database: Database) => measureCapacity({ config, database, clock: systemClock }, diskBytes);
  const capacity = await withDatabaseHere(config, measure, {
    otherwise: (reason) => Promise.reject(new OperatorError(reason)),
  });
  if (options.json) return printOne(options, capacity, () => ({}));
  printMany({}, capacity.tables, ({ table, bytes, bytes_per_1000_orders, kept_days }) => ({
    table,
    bytes,
    'bytes per 1000 orders': bytes_per_1000_orders,
    kept: kept_days === null ? 'for ever' : kept_days === 1 ? '1 day' : `${kept_days} days`,
  }));
  printText('');
  printOne({}, capacity, ({ disk, full_on, ...sums }) => ({
    orders: sums.orders,
    'orders per day': sums.orders_per_day,
    'bytes per 1000 orders': sums.bytes_per_1000_orders,
    'growth in bytes per day': sums.growth_bytes_per_day,
    'bytes of the database': sums.database_bytes,
    'bytes of the disk': disk?.total_bytes ?? null,
    'free bytes': disk?.free_bytes ?? null,
    'disk full on': disk === null ? 'unknown: add --disk-bytes' : (full_on ?? 'not within ten years'),
  }));
  if (capacity.orders < FEW_ORDERS) printRemark(`With fewer than ${FEW_ORDERS} orders the figures are rough.`);
}

/** As the operator's page shows it. */
async function printWork(options: OutputOptions): Promise<void> {
  const work = await withDatabaseHere(
    readConfig(process.env),
    async (database) => {
      const deps = { database, clock: systemClock };
      return { ...(await showWork(deps)), messages: await listFailingMessages(deps) };
    },
    { otherwise: (reason) => Promise.reject(new OperatorError(reason)) },
  );
  if (options.json) return printOne(options, work, () => ({}));
  for (const [name, rows] of Object.entries(work)) {
    printText(`${name}:`);
    printMany<object>({}, rows, (row) =>
      Object.fromEntries(Object.entries(row).map(([label, value]) => [label.replaceAll('_', ' '), value])),
    );
  }
}

/** Neither migrates nor creates the database. @param otherwise answers if the database cannot be opened */
async function withDatabaseHere<Result>(
  config: Config,
  act: (database: Database) => Promise<Result>,
  { otherwise }: { otherwise(reason: string): Promise<Result> },
): Promise<Result> {
  await leaveRoot(config);
  const opened = await openDatabase(config, 'command', undefined, {
    migrates: false,
    creates: false,
    needsAll: false,
  }).catch((error: unknown) => {
    if (error instanceof OperatorError) return error.message;
    throw error;
  });
  if (typeof opened === 'string') return await otherwise(opened);
  try {
    const database = openConnections(opened, () => undefined);
    try {
      return await act(database);
    } finally {
      await database.close();
    }
  } finally {
    await opened.close();
  }
}
