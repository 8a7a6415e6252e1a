import type { Environment } from '../base/environment.ts';
import { formatMoney } from '../base/format-money.ts';

type Role = 'admin' | 'member';
type Nothing = Record<string, never>;

/** What people change of how they sign in themselves. */
const signInChanges = {
  passkey_added: 'Added a passkey of their own',
  passkey_removed: 'Removed a passkey of their own',
  authenticator_added: 'Set up an authenticator app',
  authenticator_removed: 'Turned off their authenticator app',
  session_ended: 'Ended another of their sessions',
};
export type SignInChange = keyof typeof signInChanges;

/** What a sandbox held when it was emptied. */
interface Emptied {
  orders_deleted: number;
  gifts_deleted: number;
}

interface BalanceChanged {
  amount_cents: number;
  reference: string | null;
  note: string | null;
}

interface KeyDetails {
  name: string;
  /** Prefix and last four characters. */
  hint: string;
}

/**
 * Every action that is recorded, with what is kept of it. Never a secret, a link, or a recipient's whole address: whoever
 * may look at the log need not see those.
 */
interface ActionDetails {
  'organization.created': { name: string; admin_email: string };
  'organization.suspended': Nothing;
  'organization.reinstated': Nothing;
  'billing_contact.set': { email: string };
  'member.added': { email: string; role: Role };
  'member.deactivated': { email: string };
  'member.activated': { email: string };
  'member.role_changed': { email: string; role: Role };
  'member.sign_in_reset': { email: string };
  'member.sign_in_changed': { change: SignInChange };
  'key.created': KeyDetails;
  'key.imported': KeyDetails;
  'key.revoked': KeyDetails;
  'balance.funded': BalanceChanged;
  'balance.adjusted': BalanceChanged;
  'balance_alert.set': { threshold_cents: number | null };
  'sandbox.created': Nothing;
  'sandbox.deleted': Emptied;
  'sandbox.reset': Emptied;
  /** `address` is masked. */
  'gift.redirected': { method: 'email' | 'phone'; address: string };
  'gift.simulated': { outcome: 'delivered' | 'failed' | 'opened' | 'claimed' | 'spent' };
  'card.spent': { amount_cents: number };
  /** Nothing that says whose. */
  'recipient.erased': { gifts: number; orders_processing: number };
}

export type Action = keyof ActionDetails;

type Sentences = { [Name in Action]: (details: ActionDetails[Name], money: (cents: number) => string) => string };

const withArticle = (role: Role) => (role === 'admin' ? 'an admin' : 'a member');
const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
const contents = ({ orders_deleted, gifts_deleted }: Emptied) =>
  `${plural(orders_deleted, 'order')} and ${plural(gifts_deleted, 'gift')}`;
const reason = ({ reference, note }: BalanceChanged) =>
  [reference === null ? '' : ` (${reference})`, note === null ? '' : `: ${note}`].join('');

/** What a person reads of each action, after the name of who did it. */
const sentences: Sentences = {
  'organization.created': ({ name, admin_email }) =>
    `Created the organization “${name}” with ${admin_email} as its admin`,
  'organization.suspended': () => 'Suspended the organization',
  'organization.reinstated': () => 'Ended the organization’s suspension',
  'billing_contact.set': ({ email }) => `Made ${email} the billing contact`,
  'member.added': ({ email, role }) => `Added ${email} as ${withArticle(role)}`,
  'member.deactivated': ({ email }) => `Deactivated ${email}`,
  'member.activated': ({ email }) => `Activated ${email} again`,
  'member.role_changed': ({ email, role }) => `Made ${email} ${withArticle(role)}`,
  'member.sign_in_reset': ({ email }) => `Reset how ${email} signs in`,
  'member.sign_in_changed': ({ change }) => signInChanges[change],
  'key.created': ({ name }) => `Created the key “${name}”`,
  'key.imported': ({ name }) => `Imported the key “${name}”`,
  'key.revoked': ({ name }) => `Revoked the key “${name}”`,
  'balance.funded': (details, money) => `Added ${money(details.amount_cents)} to the balance${reason(details)}`,
  'balance.adjusted': (details, money) => `Corrected the balance by ${money(details.amount_cents)}${reason(details)}`,
  'balance_alert.set': ({ threshold_cents }, money) =>
    threshold_cents === null
      ? 'Switched off the mail about a low balance'
      : `Asked for a mail when the balance falls below ${money(threshold_cents)}`,
  'sandbox.created': () => 'Created the sandbox',
  'sandbox.deleted': (details) => `Deleted the sandbox with ${contents(details)}`,
  'sandbox.reset': (details) => `Reset the sandbox: ${contents(details)} deleted`,
  'gift.redirected': ({ address }) => `Sent a gift to ${address}`,
  'gift.simulated': ({ outcome }) => `Simulated that a gift was ${outcome === 'failed' ? 'not delivered' : outcome}`,
  'card.spent': ({ amount_cents }, money) => `Made a test purchase of ${money(amount_cents)} with a gift’s card`,
  'recipient.erased': ({ gifts, orders_processing }) =>
    `Erased a recipient’s name and address from ${plural(gifts, 'gift')}${orders_processing === 0 ? '' : ` and ${plural(orders_processing, 'processing order')}`}`,
};

/** For choosing one: in the order of the table. */
export const actions = Object.keys(sentences) as Action[];

/** One action with what is kept of it. */
export type TakenAction = { [Name in Action]: { action: Name; details: ActionDetails[Name] } }[Action];

/** An event as an act hands it in. */
export type NewEvent = TakenAction & {
  /** UUID. */
  organizationId: string;
  /** Undefined: it is about the organization as a whole. */
  environment?: Environment;
  /** What was changed, by its shown id such as `key_…`. */
  target?: string;
};

/**
 * What a person reads, without the name of who did it: `Created the key “Web shop”`.
 *
 * @param details as they were recorded under this action
 */
export function describeAction(action: string, details: unknown, currency: string): string {
  // A process that is about to be replaced by a newer version may read what that one records.
  if (!isAction(action)) return action;
  const sentence = sentences[action] as (details: unknown, money: (cents: number) => string) => string;
  return sentence(details, (cents) => formatMoney(cents, currency));
}

const isAction = (text: string): text is Action => Object.hasOwn(sentences, text);
