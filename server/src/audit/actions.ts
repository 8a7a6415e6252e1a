import type { Environment } from '../base/environment.ts';
import { formatMoney } from '../base/format-money.ts';

type Role = 'admin' | 'member';
type Nothing = Record<string, never>;

/** Changes that people make to their own sign-in. */
const signInChanges = {
  passkey_added: 'Added a passkey',
  passkey_removed: 'Removed a passkey',
  authenticator_added: 'Set up an authenticator app',
  authenticator_removed: 'Turned off the authenticator app',
  session_ended: 'Ended another session',
};
export type SignInChange = keyof typeof signInChanges;

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

/** The recorded actions and their details. Details never contain a secret, a link or a recipient's full address. */
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
  /** Nothing that identifies the recipient. */
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

/** The text of each action, shown after the actor's name. */
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
  'member.sign_in_reset': ({ email }) => `Reset the sign-in of ${email}`,
  'member.sign_in_changed': ({ change }) => signInChanges[change],
  'key.created': ({ name }) => `Created the key “${name}”`,
  'key.imported': ({ name }) => `Imported the key “${name}”`,
  'key.revoked': ({ name }) => `Revoked the key “${name}”`,
  'balance.funded': (details, money) => `Added ${money(details.amount_cents)} to the balance${reason(details)}`,
  'balance.adjusted': (details, money) => `Corrected the balance by ${money(details.amount_cents)}${reason(details)}`,
  'balance_alert.set': ({ threshold_cents }, money) =>
    threshold_cents === null
      ? 'Turned off the low-balance alert'
      : `Set the low-balance alert to ${money(threshold_cents)}`,
  'sandbox.created': () => 'Created the sandbox',
  'sandbox.deleted': (details) => `Deleted the sandbox with ${contents(details)}`,
  'sandbox.reset': (details) => `Reset the sandbox: ${contents(details)} deleted`,
  'gift.redirected': ({ address }) => `Sent a gift to ${address}`,
  'gift.simulated': ({ outcome }) => `Simulated that a gift was ${outcome === 'failed' ? 'not delivered' : outcome}`,
  'card.spent': ({ amount_cents }, money) => `Made a test purchase of ${money(amount_cents)} with a gift’s card`,
  'recipient.erased': ({ gifts, orders_processing }) =>
    `Erased a recipient’s name and address from ${plural(gifts, 'gift')}${orders_processing === 0 ? '' : ` and ${plural(orders_processing, 'processing order')}`}`,
};

export const actions = Object.keys(sentences) as Action[];

/** An action with its details. */
export type TakenAction = { [Name in Action]: { action: Name; details: ActionDetails[Name] } }[Action];

export type NewEvent = TakenAction & {
  /** UUID. */
  organizationId: string;
  /** Undefined for changes to the whole organization. */
  environment?: Environment;
  /** The id of the changed object, such as `key_…`. */
  target?: string;
};

/** Describes an action without its actor: `Created the key “Web shop”`. */
export function describeAction(action: string, details: unknown, currency: string): string {
  // During an upgrade, an old process may read an action of a newer version.
  if (!isAction(action)) return action;
  const sentence = sentences[action] as (details: unknown, money: (cents: number) => string) => string;
  return sentence(details, (cents) => formatMoney(cents, currency));
}

const isAction = (text: string): text is Action => Object.hasOwn(sentences, text);
