import { type Command, InvalidArgumentError, Option } from 'commander';
import { OperatorError } from '../base/operator-error.ts';
import { PHONE_PATTERN } from '../gifts/address-patterns.ts';
import { type Erasure, eraseRecipient } from '../gifts/erase-recipient.ts';
import type { RedirectBody } from '../gifts/schema.ts';
import { addCommand, addGroup } from './add-command.ts';
import { confirm } from './confirm.ts';
import { operator } from './operator.ts';
import { parseEmail } from './parse-argument.ts';
import { type OutputOptions, printOne, printRemark } from './print.ts';
import { withDatabase } from './with-database.ts';

const PHONE = new RegExp(PHONE_PATTERN);

interface EraseOptions extends OutputOptions {
  email?: string;
  phone?: string;
  org?: string;
  yes?: boolean;
}

export function recipientCommands(program: Command): void {
  const example = 'recipient erase --email ada@example.com';
  const group = addGroup(program, 'recipient', 'recipients: the people who are given gifts', example);

  addCommand(group, 'erase', 'remove a person’s name and address everywhere; amounts and orders stay', example)
    .addOption(new Option('--email <email>', 'the person’s email address').argParser(parseEmail))
    .addOption(
      new Option('--phone <number>', 'or their phone number, beginning with +')
        .argParser(parsePhone)
        .conflicts('email'),
    )
    .option('--org <id>', 'only in this organization (org_…); all of them without it')
    .option('--yes', 'do not ask first')
    .action(async (options: EraseOptions) => {
      const recipient = recipientOf(options);
      await confirm('The name and the address are removed from every gift and message.', options.yes ?? false);
      const erased = await withDatabase((deps) =>
        eraseRecipient(deps, {
          ...(options.org === undefined ? {} : { organizationId: options.org }),
          recipient,
          actor: operator(),
        }),
      );
      printOne(options, erased, () => ({
        organizations: erased.organizations,
        'gifts erased': erased.gifts,
        'messages erased': erased.messages,
        'of these not sent any more': erased.messages_cancelled,
        'processing orders erased': erased.orders_processing,
      }));
      for (const remark of remarks(erased)) printRemark(remark);
    });
}

/** @throws OperatorError where neither was given */
function recipientOf({ email, phone }: EraseOptions): RedirectBody {
  if (email !== undefined) return { method: 'email', email };
  if (phone !== undefined) return { method: 'phone', phone };
  throw new OperatorError('Say whom: --email or --phone.');
}

function parsePhone(text: string): string {
  // More freely than in a request: `(+1) 202 …` too.
  if (!PHONE.test(text.replace(/[ ()-]/g, '')))
    throw new InvalidArgumentError('It must be a number such as +442079460958.');
  return text;
}

/** What the operator should know of what is left. */
function remarks(erased: Erasure): string[] {
  const { gifts_elsewhere, gifts_unclaimed, idempotency_keys_left, memberships_left } = erased;
  return [
    ...(gifts_elsewhere > 0
      ? [`${gifts_elsewhere} of the gifts went on to another address. If it is the same person’s, erase it too.`]
      : []),
    ...(gifts_unclaimed > 0
      ? [
          `${gifts_unclaimed} of the gifts are opened and not claimed. Their links work until they expire, and not after.`,
        ]
      : []),
    ...(idempotency_keys_left > 0
      ? [`${idempotency_keys_left} Idempotency-Keys hold the address. They stay, so that no retry pays twice.`]
      : []),
    ...(memberships_left > 0
      ? [`The address is a member’s in ${memberships_left} organizations. Members are not recipients, and stay.`]
      : []),
  ];
}
