import type { Command } from 'commander';
import { addCommand, addGroup } from '../../faces/command-line/add-command.ts';
import { FOR_EVER } from '../../faces/command-line/confirm.ts';
import { operator } from '../../faces/command-line/operator.ts';
import { parseTime } from '../../faces/command-line/parse-argument.ts';
import { type OutputOptions, printOne } from '../../faces/command-line/print.ts';
import { type CommandDeps, withDatabase } from '../../faces/command-line/with-database.ts';
import { createCipher } from '../../platform/encryption/cipher.ts';
import { secretsForCommand } from '../../platform/installation/agree.ts';
import { createLog } from '../../platform/installation/create-log.ts';
import { secretsFor } from '../../platform/installation/link-secret.ts';
import { createIssuers } from '../issuers/open-issuers.ts';
import { openStripe } from '../stripe/open-stripe.ts';
import { type FinishedRestore, findLoss, finishRestore } from './finish-restore.ts';
import { listChecks } from './list-checks.ts';

const EXAMPLE = 'restore finish --from 2027-01-31T18:00Z';

/** The question before it. */
const finishing = async (deps: CommandDeps, { from }: { from?: Date }) =>
  from === undefined
    ? `Finish the work after the loss of what was committed after ${(await findLoss(deps)).toISOString()}?`
    : `Was the database restored to ${from.toISOString()}? Every feed and ledger moves on, and every code in stock is set aside. ${FOR_EVER}`;

export function restoreCommands(program: Command): void {
  const group = addGroup(program, 'restore', 'the work after a restore of the database', EXAMPLE);
  addCommand(group, 'finish', 'make it safe to go on after a restore to an earlier time', EXAMPLE, {
    confirms: finishing,
  })
    .option('--from <time>', 'the time to which the database was restored; after a noticed loss, its time', parseTime)
    .action(async ({ from, ...output }: OutputOptions & { from?: Date }) => {
      const finished = await withDatabase(async (deps) => finishRestore(await withIssuers(deps), from, operator()));
      printOne(output, { ...finished, checks: listChecks(finished) }, rowOf);
    });
}

async function withIssuers(deps: CommandDeps) {
  const { config } = deps;
  const cipher = createCipher(secretsFor('codes', config, await secretsForCommand(deps)));
  return {
    ...deps,
    cipher,
    issuers: createIssuers({ ...deps, cipher }),
    log: createLog(config, 2),
    stripe: config.stripe && (await openStripe(config.stripe)),
  };
}

const rowOf = ({ checks, ...done }: FinishedRestore & { checks: string[] }) => ({
  'restored to': done.restored_to,
  'organizations moved on': done.moved_on,
  'moved on before': done.moved_before,
  'codes set aside': done.codes_set_aside,
  'payment events read': done.payment_events ?? 'Stripe is not used',
  'cards without a claim': done.cards.length,
  ...Object.fromEntries(checks.map((check, index) => [`check ${index + 1}`, check])),
});
