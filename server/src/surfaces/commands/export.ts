import { type Command, InvalidArgumentError } from 'commander';
import { entriesAsCsv } from '../../core/balances/entries-as-csv.ts';
import { expandGifts } from '../../core/gifts/expand/expand-gifts.ts';
import { readExpand } from '../../core/gifts/expand/expand-query.ts';
import { giftsAsCsv } from '../../core/gifts/find/gifts-as-csv.ts';
import { giftTimes } from '../../core/gifts/find/statement-parts.ts';
import { expandOrders } from '../../core/orders/expand-orders.ts';
import { ordersAsCsv } from '../../core/orders/orders-as-csv.ts';
import { findOrganization } from '../../core/organizations/find-organization.ts';
import { addGroup, environmentOption, organizationOption, withExample } from '../../faces/command-line/add-command.ts';
import { operator } from '../../faces/command-line/operator.ts';
import { parseTime } from '../../faces/command-line/parse-argument.ts';
import { type Progress, showProgress } from '../../faces/command-line/show-progress.ts';
import type { CommandDeps } from '../../faces/command-line/with-database.ts';
import { withOrganization } from '../../faces/command-line/with-organization.ts';
import { writeOut } from '../../faces/command-line/write-out.ts';
import { admitted, type Caller } from '../../platform/authentication/caller.ts';
import type { Actor } from '../../platform/base/actor.ts';
import type { Environment } from '../../platform/base/environment.ts';
import { csvStream } from '../../platform/http/csv-reply.ts';
import { csvFileOf, type ExportedList } from '../../platform/paging/export-list.ts';
import { withIssuers } from './issuers-of-command.ts';

const EXAMPLE = '--org org_01h455vb4pex5vsknk084sn02q --environment live';

type Query = Record<string, unknown>;
type ListOf = (
  deps: CommandDeps,
  caller: Caller,
  query: Query,
  actor: Actor,
) => ExportedList<object> | Promise<ExportedList<object>>;

/** Beside them, the filters by the names of `/v1` in camel case. */
interface ExportOptions {
  org?: string;
  environment: Environment;
  file?: string;
}

export function exportCommands(program: Command): void {
  const group = addGroup(program, 'export', 'lists as CSV files', `export gifts ${EXAMPLE}`);
  withGiftFilters(exportCommand(group, 'orders', 'write the orders of an organization as CSV', orders))
    .option('--status <status>', 'processing or processed')
    .option('--expand <part>', 'history: who ordered, and how many gifts are in each state');
  withGiftFilters(exportCommand(group, 'gifts', 'write the gifts of an organization as CSV', gifts))
    .option('--status <status>', 'sent, failed, opened, claimed, canceled or scheduled')
    .option('--order-id <id>', 'the gifts of this order (ord_…)')
    .option('--expand <parts>', 'more columns: order, history or card, or several with commas');
  exportCommand(group, 'entries', 'write the changes of an organization’s balance as CSV', entriesAsCsv).option(
    '--kind <kind>',
    'funding, adjustment, order or refund',
  );
}

const orders: ListOf = async (deps, caller, query) => {
  const expand = readExpand(query);
  if (expand.size === 0) return ordersAsCsv(deps, caller, query);
  const more = await withIssuers(deps);
  return ordersAsCsv(deps, caller, query, (page) => expandOrders(more, caller, expand, page));
};

const gifts: ListOf = async (deps, caller, query, actor) => {
  const expand = readExpand(query);
  if (expand.size === 0) return giftsAsCsv(deps, caller, query, actor);
  const more = await withIssuers(deps);
  return giftsAsCsv(deps, caller, query, actor, (page) => expandGifts(more, caller, expand, page));
};

function withGiftFilters(command: Command): Command {
  for (const what of ['ordered', ...giftTimes]) withTimes(command, what);
  return command
    .option('--state <state>', 'the state of the history, such as delivered')
    .option('--delivery-method <method>', 'email, phone or link')
    .option('--recipient <address>', 'an email address or phone number')
    .option('--category <category>', 'a category')
    .option('--external-id <text>', 'your own id')
    .option('--metadata <key=value>', 'a pair of the metadata; may be repeated', parsePair);
}

const withTimes = (command: Command, what: string) =>
  command
    .option(`--${what}-after <time>`, `${what} later than this time`, parseTime)
    .option(`--${what}-before <time>`, `${what} earlier than this time`, parseTime);

function parsePair(text: string, others: Record<string, string> = {}): Record<string, string> {
  const [, key, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (key === undefined || value === undefined) throw new InvalidArgumentError('It must be key=value.');
  return { ...others, [`metadata[${key}]`]: value };
}

function exportCommand(group: Command, name: string, description: string, listOf: ListOf): Command {
  const command = group.command(name).description(description);
  withExample(command, `export ${name} ${EXAMPLE} --file ${name}.csv`)
    .addOption(organizationOption())
    .addOption(environmentOption())
    .option('--file <file>', 'a new file, which only you can read; by default standard output');
  return withTimes(command, 'created').action(async ({ org, environment, file, ...filters }: ExportOptions) => {
    await withOrganization(org, async (deps, id) => {
      const { organization_id: organizationId } = await findOrganization(deps, id);
      const list = await listOf(deps, admitted({ organizationId, environment }), queryOf(filters), operator());
      const progress = showProgress(name);
      const csv = csvFileOf(deps, list);
      const rows = counted(csv.rows, progress);
      await writeOut(file, () => csvStream({ ...csv, rows: file === undefined ? csv.rows : rows })).finally(
        progress.end,
      );
    });
  });
}

async function* counted(rows: AsyncIterable<object>, progress: Progress): AsyncGenerator<object, void> {
  let count = 0;
  for await (const row of rows) {
    count += 1;
    progress.step(count);
    yield row;
  }
}

/** Returns the filters as the query of `/v1` has them. */
const queryOf = ({ metadata, ...filters }: Query & { metadata?: Record<string, string> }): Query => ({
  ...metadata,
  ...Object.fromEntries(
    Object.entries(filters).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value instanceof Date ? value.toISOString() : value,
    ]),
  ),
});
