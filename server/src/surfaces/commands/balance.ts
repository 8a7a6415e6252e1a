import type { Command } from 'commander';
import type { NewEntry } from '../../core/balances/append-entry.ts';
import {
  approveChange,
  declineChange,
  findApproval,
  listWaitingChanges,
  needsApproval,
  type PresentedApproval,
  requestApproval,
} from '../../core/balances/approvals.ts';
import { type BalanceChange, changeOrRepeat } from '../../core/balances/change-balance.ts';
import { isUnusual } from '../../core/balances/is-unusual.ts';
import { showBalances } from '../../core/balances/show-balances.ts';
import { identifyOrganization } from '../../core/organizations/identify-organization.ts';
import { addCommand, addGroup, environmentOption, organizationOption } from '../../faces/command-line/add-command.ts';
import { nameOrganization } from '../../faces/command-line/name-in-question.ts';
import { operator } from '../../faces/command-line/operator.ts';
import { parseAmount, parseReference, parseSignedAmount, parseText } from '../../faces/command-line/parse-argument.ts';
import { type OutputOptions, printMany, printOne, printRemark } from '../../faces/command-line/print.ts';
import { showMoney } from '../../faces/command-line/show-money.ts';
import type { CommandDeps } from '../../faces/command-line/with-database.ts';
import { withOrganization } from '../../faces/command-line/with-organization.ts';
import { actOn, type Subject } from '../../faces/operator-acts/operator-act.ts';
import type { Environment } from '../../platform/base/environment.ts';
import { readConfig } from '../../platform/configuration/config.ts';

const approval: Subject<Awaited<ReturnType<typeof findApproval>>> = {
  tag: 'Money',
  path: '/approvals/{approval_id}',
  id: 'approval_id',
  example: 'apr_01h455vb4pex5vsknk084sn02q',
  placeholder: 'REQUEST',
  take: (command) => command.argument('<id>', 'the request (apr_…)'),
  find: (deps, { approval_id: id = '' }) => findApproval(deps, id),
};

/** What an operator can decide on a change of a balance that waits. */
export const approvalActs = {
  approve: actOn(approval, {
    word: 'approve',
    operationId: 'approveChange',
    summary: 'Makes a change that another person asked for.',
    help: 'approve a change that another person asked for',
    does: 'Approves a change that another person asked for.',
    async confirms(deps: CommandDeps, id: string) {
      const found = await waiting(deps, id);
      return found && found.amount < 0 ? `Approve ${found.name}? It takes this money away.` : undefined;
    },
    run: approveChange,
    print: (options, decided, { currency }) => printOne(options, decided, presentApproval(currency)),
  }),

  decline: actOn(approval, {
    word: 'decline',
    operationId: 'declineChange',
    summary: 'Declines a change.',
    help: 'decline a change',
    does: 'Declines a change.',
    async confirms(deps: CommandDeps, id: string) {
      const found = await waiting(deps, id);
      return found && `Decline ${found.name}? It must be asked for again.`;
    },
    run: declineChange,
    print: (options, decided, { currency }) => printOne(options, decided, presentApproval(currency)),
  }),
};

/** Finds a change that waits, in words: `the change of -25.00 USD (-2500 cents) that ann asked for, live, Acme (org_…)`. */
async function waiting(deps: CommandDeps, id: string) {
  const { organizationId } = await findApproval(deps, id);
  const found = (await listWaitingChanges(deps, organizationId)).find(({ approval_id }) => approval_id === id);
  if (found === undefined) return undefined;
  const { amount, environment, requested_by } = found;
  const owner = await nameOrganization(deps, organizationId);
  const what = `the change of ${showMoney(amount, deps.config.currency)} that ${requested_by} asked for`;
  return { amount, name: `${what}, of the ${environment} balance of ${owner}` };
}

const presentApproval = (currency: string) => (approval: PresentedApproval) => ({
  request: approval.approval_id,
  organization: approval.organization_id,
  environment: approval.environment,
  amount: showMoney(approval.amount, currency),
  state: approval.state,
  'requested by': approval.requested_by,
  'decided by': approval.decided_by,
  entry: approval.entry_id,
  reference: approval.reference,
  note: approval.note,
});

interface ChangeOptions extends OutputOptions {
  org?: string;
  environment: Environment;
  amount: number;
  reference?: string;
}

export function balanceCommands(program: Command): void {
  const group = addGroup(
    program,
    'balance',
    'balances, which pay for orders',
    'balance show --org org_01h455vb4pex5vsknk084sn02q',
  );

  changeCommand(group, 'add', 'add funds', '--amount 500000 --reference invoice-17')
    .requiredOption('--amount <cents>', 'cents to add', parseAmount)
    .option('--note <text>', 'a note for the statement', parseText)
    .action(async (options: ChangeOptions & { note?: string }) => {
      const { note } = options;
      await change(options, { ...changeInput(options), kind: 'funding', note });
    });

  changeCommand(group, 'adjust', 'correct a balance, never below zero', '--amount -2500 --note "Refund of order 12"')
    .requiredOption('--amount <cents>', 'cents to add; negative to subtract', parseSignedAmount)
    .requiredOption('--note <text>', 'the reason', parseText)
    .action(async (options: ChangeOptions & { note: string }) => {
      const { note } = options;
      await change(options, { ...changeInput(options), kind: 'adjustment', note });
    });

  approvalCommands(group);
  addCommand(
    group,
    'show',
    'show both balances of an organization',
    'balance show --org org_01h455vb4pex5vsknk084sn02q',
  )
    .addOption(organizationOption())
    .action(async (options: OutputOptions & { org?: string }) => {
      const { currency } = readConfig(process.env);
      printMany(options, await withOrganization(options.org, showBalances), ({ environment, balance }) => ({
        environment,
        balance: showMoney(balance, currency),
      }));
    });
}

function approvalCommands(group: Command): void {
  addCommand(
    group,
    'approvals',
    'list the changes of an organization’s balance that wait for a second person',
    'balance approvals --org org_01h455vb4pex5vsknk084sn02q',
  )
    .addOption(organizationOption())
    .action(async (options: OutputOptions & { org?: string }) => {
      printMany(
        options,
        await withOrganization(options.org, listWaitingChanges),
        presentApproval(readConfig(process.env).currency),
      );
    });

  approvalActs.approve.addTo(group);
  approvalActs.decline.addTo(group);
}

/** Makes the change, or asks for approval if it is large. */
async function change(options: ChangeOptions, entry: Omit<NewEntry, 'organizationId'>): Promise<void> {
  const changed = await withOrganization(options.org, async (deps, organizationId) => {
    const input = { ...entry, organizationId };
    return needsApproval(deps, input.amountCents)
      ? await requestApproval(deps, input)
      : await changeOrRepeat(deps, input);
  });
  if (!('approval_id' in changed)) {
    if (changed.isRepeated && !options.json)
      printRemark(
        `Already ${entry.kind === 'funding' ? 'added' : 'adjusted'}: an entry has the reference “${entry.reference}”. Nothing is changed.`,
      );
    print(options, changed.change);
    return;
  }
  if (changed.state === 'waiting')
    printRemark('Nothing is changed yet. An admin in the portal or another operator must approve it.');
  printOne(options, changed, presentApproval(readConfig(process.env).currency));
}

function changeCommand(group: Command, name: string, description: string, rest: string): Command {
  const example = `balance ${name} --org org_01h455vb4pex5vsknk084sn02q --environment live ${rest}`;
  return addCommand(group, name, description, example, { confirms: changing })
    .addOption(organizationOption())
    .addOption(environmentOption())
    .option('--reference <text>', 'unique name of this change; repeating it changes nothing', parseReference);
}

/** The question before less money, or far more than usual; undefined before other changes. */
async function changing(deps: CommandDeps, { org, environment, amount }: ChangeOptions) {
  const organizationId = await identifyOrganization(deps, org);
  const owner = await nameOrganization(deps, organizationId);
  const isFar = await isUnusual(deps, { organizationId, environment, amountCents: amount });
  if (amount > 0 && !isFar) return undefined;
  const shown = showMoney(Math.abs(amount), deps.config.currency);
  const doubt = isFar ? ' That is far beyond the changes before.' : '';
  return `${amount < 0 ? `Take ${shown} from` : `Add ${shown} to`} the ${environment} balance of ${owner}?${doubt}`;
}

const changeInput = ({ environment, amount, reference }: ChangeOptions) => ({
  environment,
  amountCents: amount,
  reference,
  actor: operator(),
});

function print(options: OutputOptions, change: BalanceChange): void {
  const { currency } = readConfig(process.env);
  printOne(options, change, ({ organization_id, environment, amount, balance, entry_id, reference }) => ({
    organization: organization_id,
    environment,
    amount: showMoney(amount, currency),
    balance: showMoney(balance, currency),
    entry: entry_id,
    reference,
  }));
}
