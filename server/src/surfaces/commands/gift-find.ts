import type { Command } from 'commander';
import { findEverywhere, searchedKinds } from '../../capabilities/gift-search/find-everywhere.ts';
import { createLinks } from '../../core/links/links.ts';
import { addCommand, limitOption } from '../../faces/command-line/add-command.ts';
import { operator } from '../../faces/command-line/operator.ts';
import { type OutputOptions, printMany, printRemark } from '../../faces/command-line/print.ts';
import { readSecret } from '../../faces/command-line/read-secret.ts';
import { showMoney } from '../../faces/command-line/show-money.ts';
import { withDatabase } from '../../faces/command-line/with-database.ts';
import { UsageError } from '../../platform/base/operator-error.ts';
import { addressOfServer } from '../../platform/configuration/server-address.ts';
import { createCipher } from '../../platform/encryption/cipher.ts';
import { secretsForCommand } from '../../platform/installation/agree.ts';
import { secretsFor } from '../../platform/installation/link-secret.ts';

/** Without the code of a country. */
const NATIONAL_NUMBER = /^\s*\(?0[1-9][\d ()/-]{5,}$/;

export function findCommand(group: Command): void {
  addCommand(group, 'find', 'find gifts of all organizations, live and sandbox', 'gift find ada@example.com')
    .argument('[query]', `by one of: ${searchedKinds.join(', ')}; without it, reads standard input, as for a link`)
    .addOption(limitOption())
    .action(async (given: string | undefined, { limit, ...options }: OutputOptions & { limit: number }) => {
      if (given?.includes('/g/'))
        throw new UsageError('A link is worth money: leave it out of the command and give it on standard input.');
      const query = given ?? (await readSecret('a link or another text to find'));
      if (query.trim() === '') throw new UsageError('Name what to find.');
      const { found, currency } = await withDatabase(async (deps) => {
        const secrets = await secretsForCommand(deps);
        const links = createLinks(secretsFor('gifts', deps.config, secrets), () => addressOfServer(deps.config));
        const cipher = createCipher(secretsFor('codes', deps.config, secrets));
        const found = await findEverywhere({ ...deps, links, cipher }, { query, actor: operator(), limit });
        return { found, currency: deps.config.currency };
      });
      printMany(options, found, (gift) => ({
        gift: gift.gift_id,
        organization: gift.organization_id,
        name: gift.organization_name,
        environment: gift.environment,
        state: gift.state,
        amount: showMoney(gift.amount, currency),
        address: gift.address,
        created: gift.created_at,
        'found by': gift.found_by,
      }));
      if (found.length === 0 && NATIONAL_NUMBER.test(query) && !options.json)
        printRemark('A phone number is found with the code of its country, such as +1 202 555 0143.');
    });
}
