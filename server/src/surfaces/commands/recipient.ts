import { Readable } from 'node:stream';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { eraseGiftName } from '../../capabilities/erasure/erase-gift-name.ts';
import { type Erasure, eraseRecipient } from '../../capabilities/erasure/erase-recipient.ts';
import { exportRecipient } from '../../capabilities/reports/export-recipient.ts';
import { PHONE_PATTERN } from '../../core/gifts/gift/address-patterns.ts';
import type { RedirectBody } from '../../core/gifts/gift/schema.ts';
import { identifyOrganization } from '../../core/organizations/identify-organization.ts';
import { addCommand, addGroup, organizationOption, withExample } from '../../faces/command-line/add-command.ts';
import { FOR_EVER } from '../../faces/command-line/confirm.ts';
import { nameGift, nameOrganization } from '../../faces/command-line/name-in-question.ts';
import { operator } from '../../faces/command-line/operator.ts';
import { parseEmail } from '../../faces/command-line/parse-argument.ts';
import { type OutputOptions, printOne, printRemark } from '../../faces/command-line/print.ts';
import { showWork } from '../../faces/command-line/show-progress.ts';
import type { CommandDeps } from '../../faces/command-line/with-database.ts';
import { withAnyOrganization } from '../../faces/command-line/with-organization.ts';
import { writeOut } from '../../faces/command-line/write-out.ts';
import { actOn, type Subject } from '../../faces/operator-acts/operator-act.ts';
import { UsageError } from '../../platform/base/operator-error.ts';

const PHONE = new RegExp(PHONE_PATTERN);

interface AddressOptions {
  email?: string;
  phone?: string;
  org?: string;
}

type EraseOptions = OutputOptions & AddressOptions;

/** The question before it. */
async function erasure(deps: CommandDeps, { org, ...address }: EraseOptions) {
  const recipient = recipientOf(address);
  const whose =
    org === undefined ? 'every organization' : await nameOrganization(deps, await identifyOrganization(deps, org));
  const named = recipient.method === 'email' ? recipient.email : recipient.phone;
  return `Erase ${named}? The name and address are removed from every gift and message of ${whose}. ${FOR_EVER}`;
}

/** A gift, of which something is erased. */
const gift: Subject<{ giftId: string }> = {
  tag: 'People',
  path: '/gifts/{gift_id}',
  id: 'gift_id',
  example: 'gift_01h455vb4pex5vsknk084sn02q',
  placeholder: 'GIFT',
  take: (command) => command.argument('<gift>', 'the gift (gift_…)'),
  find: async (_, { gift_id: giftId = '' }) => ({ giftId }),
};

/** Erases a recipient who is known by the gift alone. */
export const eraseNameAct = actOn(gift, {
  word: 'erase-name',
  operationId: 'eraseGiftName',
  summary: 'Erases the recipient’s name and the message from one gift, such as a link gift.',
  help: 'erase the recipient’s name and the message from one gift, such as a link gift',
  does: "Erases the recipient's name and the message from one gift, such as a link gift.",
  confirms: async (deps: CommandDeps, id: string) =>
    `Erase the recipient’s name and the message from ${await nameGift(deps, id)}? ${FOR_EVER}`,
  run: eraseGiftName,
  print: (options, names, { id }) =>
    printOne(options, { gift_id: id, names }, () => ({ gift: id, 'names erased': names })),
});

export function recipientCommands(program: Command): void {
  const example = 'recipient erase --email ada@example.com';
  const group = addGroup(program, 'recipient', 'recipients of gifts', example);

  addAddress(
    addCommand(group, 'erase', 'erase a recipient’s name and address; amounts and orders stay', example, {
      confirms: erasure,
    }),
  ).action(async (options: EraseOptions) => {
    const recipient = recipientOf(options);
    const act = (deps: CommandDeps, organizationId: string | undefined) =>
      eraseRecipient(deps, {
        ...(organizationId === undefined ? {} : { organizationId }),
        recipient,
        actor: operator(),
      });
    const erased = await showWork('Erasing', () => withAnyOrganization(options.org, act));
    printOne(options, erased, () => ({
      organizations: erased.organizations,
      'gifts erased': erased.gifts,
      'messages erased': erased.messages,
      'messages cancelled': erased.messages_cancelled,
      'processing orders erased': erased.orders_processing,
    }));
    for (const remark of remarks(erased)) printRemark(remark);
  });

  const exported = 'recipient export --email ada@example.com --file ada.json';
  addAddress(
    withExample(group.command('export').description('write all that is held of a recipient as JSON'), exported),
  )
    .requiredOption('--file <file>', 'a new file, which only you can read')
    .action(async ({ file, org, ...address }: AddressOptions & { file: string }) => {
      const recipient = recipientOf(address);
      const act = (deps: CommandDeps, organizationId: string | undefined) =>
        exportRecipient(deps, { organizationId, recipient, actor: operator() });
      const held = await showWork('Collecting', () => withAnyOrganization(org, act));
      await writeOut(file, async () => Readable.from([`${JSON.stringify(held, null, 2)}\n`]));
      printRemark(`${held.organizations.length} organizations hold something of this address.`);
    });

  eraseNameAct.addTo(group);
}

const addAddress = (command: Command) =>
  command
    .addOption(new Option('--email <email>', 'the recipient’s email address').argParser(parseEmail))
    .addOption(
      new Option('--phone <number>', 'or the recipient’s phone number, starting with +')
        .argParser(parsePhone)
        .conflicts('email'),
    )
    .addOption(organizationOption('only in this organization'));

/** @throws OperatorError if neither option is given */
function recipientOf({ email, phone }: AddressOptions): RedirectBody {
  if (email !== undefined) return { method: 'email', email };
  if (phone !== undefined) return { method: 'phone', phone };
  throw new UsageError('Give --email or --phone.');
}

function parsePhone(text: string): string {
  // Less strict than the API: also accepts `(+1) 202 …`.
  if (!PHONE.test(text.replace(/[ ()-]/g, '')))
    throw new InvalidArgumentError('It must be a number such as +442079460958.');
  return text;
}

/** Explains which data was not erased. */
function remarks(erased: Erasure): string[] {
  const { gifts_elsewhere, gifts_unclaimed, idempotency_keys_left, memberships_left } = erased;
  return [
    ...(gifts_elsewhere > 0
      ? [
          `${gifts_elsewhere} of the gifts were redirected to another address. If it belongs to the same person, erase it too.`,
        ]
      : []),
    ...(gifts_unclaimed > 0
      ? [`${gifts_unclaimed} of the gifts are opened but not claimed. Their links work until they expire.`]
      : []),
    ...(idempotency_keys_left > 0
      ? [`${idempotency_keys_left} Idempotency-Keys contain the address. They are kept, so that no retry pays twice.`]
      : []),
    ...(memberships_left > 0
      ? [`The address belongs to a member of ${memberships_left} organizations. Members are not erased.`]
      : []),
  ];
}
