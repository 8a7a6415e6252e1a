import type { Command } from 'commander';
import { withExample } from '../../faces/command-line/add-command.ts';
import { parseHttpAddress, readApiAccess, withApiAccess } from '../../faces/command-line/api-access.ts';
import { parseAfter, parseEventType } from '../../faces/command-line/parse-argument.ts';
import { printText } from '../../faces/command-line/print.ts';
import { systemClock } from '../../platform/base/clock.ts';
import { createSecret } from '../../platform/base/webhook-signature.ts';
import { forwardEvents } from './forward-events.ts';

interface ListenOptions {
  forwardTo: string;
  url?: string;
  types?: string[];
  after?: number;
}

export function listenCommand(program: Command): void {
  const command = withExample(
    program.command('listen').description('forward webhook events to an address, such as one on this machine'),
    'listen --forward-to http://localhost:4000/hooks',
  );
  withApiAccess(command.requiredOption('--forward-to <url>', 'where to post the events', parseHttpAddress))
    .option('--types <types>', 'only these types, with commas between them', parseTypes)
    .option('--after <sequence>', 'begin after this event instead of with new ones; 0: with the first', parseAfter)
    .action(async ({ forwardTo, url, types, after }: ListenOptions) => {
      const { from, key } = await readApiAccess(url);
      const secret = createSecret();
      const stop = new AbortController();
      for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(name, () => stop.abort());
      printText(`Forwarding events of ${from} to ${forwardTo}, signed with ${secret}`);
      const forwarding = { from, to: forwardTo, key, secret, types, after, print: printText, signal: stop.signal };
      await forwardEvents({ clock: systemClock }, forwarding);
    });
}

const parseTypes = (text: string): string[] =>
  text.split(',').reduce<string[]>((others, type) => parseEventType(type, others), []);
