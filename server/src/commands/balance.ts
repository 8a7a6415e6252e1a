import type { Command } from 'commander';
import type { BalanceChange } from '../balances/change-balance.ts';
import { addFunds, adjustBalance } from '../balances/change-balance.ts';
import { showBalances } from '../balances/show-balances.ts';
import type { Environment } from '../base/environment.ts';
import { formatMoney } from '../base/format-money.ts';
import { readConfig } from '../config.ts';
import { addCommand, addGroup, environmentOption, organizationOption } from './add-command.ts';
import { operator } from './operator.ts';
import { parseAmount, parseReference, parseSignedAmount, parseText } from './parse-argument.ts';
import { type OutputOptions, printMany, printOne } from './print.ts';
import { withDatabase } from './with-database.ts';

interface ChangeOptions extends OutputOptions {
  org: string;
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
      print(options, await withDatabase((deps) => addFunds(deps, { ...changeInput(options), note })));
    });

  changeCommand(group, 'adjust', 'correct a balance, never below zero', '--amount -2500 --note "Refund of order 12"')
    .requiredOption('--amount <cents>', 'cents to add; negative to subtract', parseSignedAmount)
    .requiredOption('--note <text>', 'the reason', parseText)
    .action(async (options: ChangeOptions & { note: string }) => {
      const { note } = options;
      print(options, await withDatabase((deps) => adjustBalance(deps, { ...changeInput(options), note })));
    });

  addCommand(
    group,
    'show',
    'show both balances of an organization',
    'balance show --org org_01h455vb4pex5vsknk084sn02q',
  )
    .addOption(organizationOption())
    .action(async (options: OutputOptions & { org: string }) => {
      const { currency } = readConfig(process.env);
      printMany(options, await withDatabase((deps) => showBalances(deps, options.org)), ({ environment, balance }) => ({
        environment,
        balance: formatMoney(balance, currency),
      }));
    });
}

function changeCommand(group: Command, name: string, description: string, rest: string): Command {
  const example = `balance ${name} --org org_01h455vb4pex5vsknk084sn02q --environment live ${rest}`;
  return addCommand(group, name, description, example)
    .addOption(organizationOption())
    .addOption(environmentOption())
    .option('--reference <text>', 'unique name of this change; repeating it changes nothing', parseReference);
}

const changeInput = ({ org, environment, amount, reference }: ChangeOptions) => ({
  organizationId: org,
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
    amount: formatMoney(amount, currency),
    balance: formatMoney(balance, currency),
    entry: entry_id,
    reference,
  }));
}
