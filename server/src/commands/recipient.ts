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
  const group = addGroup(program, 'recipient', 'recipients of gifts', example);

  addCommand(group, 'erase', 'erase a recipient’s name and address; amounts and orders stay', example)
    .addOption(new Option('--email <email>', 'the recipient’s email address').argParser(parseEmail))
    .addOption(
      new Option('--phone <number>', 'or the recipient’s phone number, starting with +')
        .argParser(parsePhone)
        .conflicts('email'),
    )
    .option('--org <id>', 'only in this organization (org_…); default: all')
    .option('--yes', 'skip the question')
    .action(async (options: EraseOptions) => {
      const recipient = recipientOf(options);
      await confirm('This removes the name and address from every gift and message.', options.yes ?? false);
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
        'messages cancelled': erased.messages_cancelled,
        'processing orders erased': erased.orders_processing,
      }));
      for (const remark of remarks(erased)) printRemark(remark);
    });
}

/** @throws OperatorError if neither option is given */
function recipientOf({ email, phone }: EraseOptions): RedirectBody {
  if (email !== undefined) return { method: 'email', email };
  if (phone !== undefined) return { method: 'phone', phone };
  throw new OperatorError('Give --email or --phone.');
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
