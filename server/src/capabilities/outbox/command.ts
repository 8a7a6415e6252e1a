import { type Command, Option } from 'commander';
import type { ComposeDeps } from '../../core/delivery/compose-message.ts';
import type { Deps } from '../../core/deps.ts';
import { recordLinkShown } from '../../core/gifts/send/record-link-shown.ts';
import { createLinks } from '../../core/links/links.ts';
import { addCommand, addGroup } from '../../faces/command-line/add-command.ts';
import { operator } from '../../faces/command-line/operator.ts';
import { parseLimit } from '../../faces/command-line/parse-argument.ts';
import { type OutputOptions, printMany, printOne, printText } from '../../faces/command-line/print.ts';
import { type CommandDeps, withDatabase, withDataDir } from '../../faces/command-line/with-database.ts';
import { encodeId } from '../../platform/base/ids.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import { addressOfServer } from '../../platform/configuration/server-address.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import { createCipher } from '../../platform/encryption/cipher.ts';
import { secretsForCommand } from '../../platform/installation/agree.ts';
import { knownSecretsOf, secretsFor } from '../../platform/installation/link-secret.ts';
import { retryMessages } from '../../platform/jobs/retry-messages.ts';
import { hasOutboxPage } from '../../platform/messaging/has-outbox-page.ts';
import { outboxPath } from './address.ts';
import { keptBecause, messageStateOf, messageStates } from './message-state.ts';
import { findOutboxMessage, listOutbox, type OutboxMessage, titleOf } from './outbox.ts';

interface ShowOptions extends OutputOptions {
  html?: boolean;
  text?: boolean;
}

const RETRY = 'try all messages again at once whose last try failed, also those that may have arrived';

export function outboxCommands(program: Command): void {
  const group = addGroup(program, 'outbox', 'messages to recipients and members', 'outbox list --limit 5');

  addCommand(group, 'list', 'list the latest messages', 'outbox list --limit 5')
    .option('--limit <number>', 'maximum number', parseLimit, 20)
    .option('--failed', 'only messages that no provider accepted')
    .action(async ({ limit, failed, ...options }: OutputOptions & { limit: number; failed?: boolean }) => {
      const messages = await withOutbox((deps) => listOutbox(deps, limit, { failed: failed ?? false }));
      printMany(options, messages.map(describe), (message) => ({
        reference: message.reference,
        to: message.to,
        environment: message.environment,
        state: shownState(message),
        created: message.created_at,
        title: message.title,
        reason: message.reason,
      }));
    });

  addCommand(group, 'retry', RETRY, 'outbox retry').action(printRetried);

  addCommand(group, 'url', 'print the address of the outbox page', 'outbox url').action(printAddress);

  addCommand(
    group,
    'show',
    'show a message exactly as sent, with its link or code; a gift’s link is audited',
    `outbox show ${'0'.repeat(32)}s${'0'.repeat(64)} --text`,
  )
    .argument('<reference>', 'the message’s reference, from `outbox list`')
    .addOption(new Option('--html', 'print only the HTML').conflicts(['text', 'json']))
    .addOption(new Option('--text', 'print only the text').conflicts(['html', 'json']))
    .action(async (reference: string, options: ShowOptions) => {
      const found = await withOutbox(async (deps) => {
        const message = await findOutboxMessage(deps, reference);
        if (message?.kind === 'gift') await recordShown(deps, message.row);
        return message;
      });
      if (found === undefined)
        throw new OperatorError(`There is no message ${reference}; \`bestow outbox list\` shows the latest.`);
      const { message } = found;
      const link = found.kind === 'gift' ? found.link : null;
      if (options.text) printText(message.text);
      else if (options.html) printText(message.html ?? refuseHtml());
      else {
        printOne(options, { ...describe(found), html: message.html ?? null, text: message.text, link }, (shown) => ({
          to: shown.to,
          from: message.html === undefined ? shown.sender_name : message.fromName,
          subject: message.subject === '' ? null : message.subject,
          environment: shown.environment,
          state: shownState(shown),
          attempts: shown.tries,
          reason: shown.reason,
          provider: shown.provider,
          'provider’s id': shown.provider_id,
          created: shown.created_at,
          sent: shown.sent_at,
          settled: shown.settled_at,
          gift: shown.gift_id,
          link: shown.link,
        }));
        if (!options.json) printText(`\n${message.text}`);
      }
    });
}

async function printRetried(options: OutputOptions): Promise<void> {
  const retried = await withDatabase(({ database }) => retryMessages(database));
  printOne(options, { retried }, (done) => ({ 'messages to try again': done.retried }));
}

type GiftRow = Extract<OutboxMessage, { kind: 'gift' }>['row'];

const recordShown = (
  deps: CommandDeps,
  { organization_id: organizationId, environment, gift_id: giftId }: GiftRow,
): Promise<void> =>
  inOrganization(deps.database, organizationId, (client) =>
    recordLinkShown(client, deps, { organizationId, environment }, { giftId, actor: operator() }),
  );

/** Prints the address of the page, without opening the database. */
async function printAddress(options: OutputOptions): Promise<void> {
  await withDataDir(async (config) => {
    const address = addressOfServer(config);
    if (!hasOutboxPage(config, address))
      throw new OperatorError(
        'There is no outbox page in production, beyond this machine, or with DATABASE_URL, SMTP_URL or Twilio; use bestow outbox list.',
      );
    const url = address + outboxPath(await knownSecretsOf(config));
    if (options.json) printOne(options, { url }, () => ({ url }));
    else printText(url);
  });
}

/** The state in words. Scripts read `state` and `provider` instead. */
function shownState(message: ReturnType<typeof describe>): string {
  const state = messageStateOf(message);
  const word = messageStates[state];
  return state === 'kept' ? `${word}: ${keptBecause(message.environment, message.channel)}` : word;
}

const refuseHtml = (): never => {
  throw new OperatorError('A text message has no HTML; use --text.');
};

/** The JSON of a message. */
function describe({ kind, message, row }: OutboxMessage) {
  const ofGift =
    kind === 'gift'
      ? {
          gift_id: encodeId('gift', row.gift_id),
          environment: row.environment,
          channel: row.channel,
          settled_at: row.settled_at,
        }
      : {
          gift_id: null,
          environment: null,
          channel: message.html === undefined ? ('phone' as const) : ('email' as const),
          settled_at: null,
        };
  return {
    reference: message.reference,
    organization_id: row.organization_id && encodeId('org', row.organization_id),
    ...ofGift,
    to: message.to,
    sender_name: message.senderName,
    title: titleOf(message),
    state: row.state,
    tries: row.tries,
    reason: row.reason,
    provider: row.provider,
    provider_id: row.provider_id,
    created_at: row.created_at,
    sent_at: row.sent_at,
  };
}

/** Adds the server's link signing and the encryption of codes to the dependencies. */
function withOutbox<Result>(
  act: (deps: CommandDeps & ComposeDeps & Pick<Deps, 'cipher'>) => Promise<Result>,
): Promise<Result> {
  return withDatabase(async (deps) => {
    const address = addressOfServer(deps.config);
    const publicUrl = () => address;
    const secrets = await secretsForCommand(deps);
    const links = createLinks(secretsFor('gifts', deps.config, secrets), publicUrl);
    return await act({ ...deps, publicUrl, links, cipher: createCipher(secretsFor('codes', deps.config, secrets)) });
  });
}
