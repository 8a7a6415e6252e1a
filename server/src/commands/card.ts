import type { Command } from 'commander';
import { OperatorError } from '../base/operator-error.ts';
import { findSandboxCard } from '../cards/find-sandbox-card.ts';
import { createSimulatedIssuer } from '../cards/simulated-issuer.ts';
import { spendCard } from '../cards/spend-card.ts';
import { addCommand, addGroup } from './add-command.ts';
import { formatMoney } from './format-money.ts';
import { parseAmount } from './parse-argument.ts';
import { type OutputOptions, printOne } from './print.ts';
import { withDatabase } from './with-database.ts';

export function cardCommands(program: Command): void {
  const example = 'card spend gift_01h455vb4pex5vsknk084sn02q --amount 500';
  const group = addGroup(program, 'card', 'cards: what gifts are claimed onto', example);

  addCommand(group, 'spend', 'make a test purchase with the card of a sandbox’s gift', example)
    .argument('<gift>', 'the gift (gift_…), claimed')
    .requiredOption('--amount <cents>', 'cents to spend', parseAmount)
    .action(async (gift: string, options: OutputOptions & { amount: number }) => {
      const { amount } = options;
      const [currency, balance] = await withDatabase(async (deps) => {
        const simulated = createSimulatedIssuer(deps);
        const cards = { live: simulated, sandbox: simulated };
        const purchase = { purchaseId: deps.ids.next(), amountCents: amount };
        const outcome = await spendCard({ ...deps, cards }, await findSandboxCard(deps, gift), purchase);
        const { valueCents, spentCents } = await findSandboxCard(deps, gift);
        const left = valueCents - spentCents;
        if (outcome === 'too_much')
          throw new OperatorError(`Only ${left} cents are left on the card of ${gift}; spend that or less.`);
        return [deps.config.currency, left] as const;
      });
      printOne(options, { gift_id: gift, amount, balance }, () => ({
        gift,
        spent: formatMoney(amount, currency),
        balance: formatMoney(balance, currency),
      }));
    });
}
