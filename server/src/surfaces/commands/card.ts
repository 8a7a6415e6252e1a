import type { Command } from 'commander';
import { spendSandboxCard } from '../../core/cards/spend-sandbox-card.ts';
import { addCommand, addGroup } from '../../faces/command-line/add-command.ts';
import { operator } from '../../faces/command-line/operator.ts';
import { parseAmount } from '../../faces/command-line/parse-argument.ts';
import { type OutputOptions, printOne } from '../../faces/command-line/print.ts';
import { showMoney } from '../../faces/command-line/show-money.ts';
import { withDatabase } from '../../faces/command-line/with-database.ts';

export function cardCommands(program: Command): void {
  const example = 'card spend gift_01h455vb4pex5vsknk084sn02q --amount 500';
  const group = addGroup(program, 'card', 'cards of claimed gifts', example);

  addCommand(group, 'spend', 'make a test purchase with a sandbox gift’s card', example)
    .argument('<gift>', 'a claimed gift (gift_…)')
    .requiredOption('--amount <cents>', 'cents to spend', parseAmount)
    .action(async (gift: string, options: OutputOptions & { amount: number }) => {
      const { amount } = options;
      const [currency, balance] = await withDatabase(async (deps) => {
        const left = await spendSandboxCard(deps, { giftId: gift, amountCents: amount, actor: operator() });
        return [deps.config.currency, left] as const;
      });
      printOne(options, { gift_id: gift, amount, balance }, () => ({
        gift,
        spent: showMoney(amount, currency),
        balance: showMoney(balance, currency),
      }));
    });
}
