import type { Environment } from '../base/environment.ts';
import { formatMoney } from '../base/format-money.ts';
import {
  type BalanceChanged,
  type Emptied,
  type GrantDetails,
  type KeyDetails,
  type Nothing,
  plural,
} from './details.ts';
import { type Limits, limitsText } from './limits-text.ts';
import { type MemberDetails, memberSentences } from './member-actions.ts';
import { type RecurringDetails, recurringSentences } from './recurring-actions.ts';
import { type EndedRequest, requestText } from './request-text.ts';

/** The recorded actions and their details. Details never contain a secret, a link or a recipient's full address. */
interface ActionDetails extends MemberDetails, RecurringDetails {
  'organization.created': { name: string; admin_email: string };
  'organization.renamed': { name: string; before: string };
  'organization.suspended': Nothing;
  'organization.reinstated': Nothing;
  'database.restored': { restored_to: string; codes_set_aside: number };
  /** Null days: gifts do not expire. */
  'gifts.found': { gifts: number };
  'gifts.looked_up': { gifts: number };
  'program.set': {
    program: 'award' | 'sold';
    unclaimed_after_days: number | null;
    reminder_days: number[];
    messages_show_value?: boolean;
    language?: string | undefined;
  };
  'brand.set': {
    color: string | null;
    text_color: string | null;
    footer: string | null;
    sender_name: string | null;
    reply_to: string | null;
    subject: string | null;
  };
  'brand.logo_set': { width: number; height: number };
  'brand.logo_removed': Nothing;
  'sender_domain.added': { address: string };
  'sender_domain.verified': { domain: string };
  'sender_domain.removed': { domain: string };
  'gifts.held': Nothing;
  'gifts.released': Nothing;
  'key.created': KeyDetails;
  'key.imported': KeyDetails;
  'key.revoked': KeyDetails;
  /** `replaced_hint` is the earlier key's. */
  'key.rolled': KeyDetails & { replaced_hint: string; overlap_hours: number };
  'grant.created': GrantDetails & ({ hint: string } | { client: string });
  'grant.revoked': { name: string; reason?: 'signed_out' | 'used_twice' | undefined };
  'grant.token_replaced': { name: string; hint: string; overlap_hours: number };
  'grant.limits_set': { name: string; limits: Limits };
  'balance.funded': BalanceChanged;
  'balance.adjusted': BalanceChanged;
  'balance.requested': BalanceChanged;
  'balance.declined': BalanceChanged;
  'balance_alert.set': { threshold_cents: number | null };
  /** Null amounts: no cap; a null name: all orders. */
  'spending_cap.set': { key_name: string | null; hour_cents: number | null; day_cents: number | null };
  /** Null amounts: switched off. */
  'automatic_topup.set': {
    threshold_cents: number | null;
    amount_cents: number | null;
    monthly_cap_cents: number | null;
  };
  'sandbox.created': Nothing;
  'sandbox.deleted': Emptied;
  'sandbox.reset': Emptied;
  /** `address` is masked. */
  'gift.redirected': { method: 'email' | 'phone'; address: string };
  'gift.link_replaced': Nothing;
  'gift.resent': Nothing;
  'gift.rescheduled': { send_at: string };
  'gift.canceled': { reason: string | null; refunded_cents: number };
  'order.placed': { gifts: number; amount_cents: number };
  'order.canceled': { reason: string | null; gifts: number; refunded_cents: number };
  'batch.started': { gifts: number; amount_cents: number };
  /** What was not placed yet. */
  'batch.resumed': { gifts: number; amount_cents: number };
  'batch.canceled': { reason: string | null };
  /** `gifts`: those whose link is in the file. */
  'batch.links_exported': { gifts: number };
  'gift_request_policy.set': { is_allowed: boolean };
  'gift_request.created': { amount_cents: number };
  'gift_request.approved_first': EndedRequest;
  'gift_request.approved': EndedRequest;
  'gift_request.declined': EndedRequest & { reason: string | null };
  'gift_request.withdrawn': { amount_cents: number; reason?: string };
  /** The address is masked. */
  'gift_request.moved': { method: 'email' | 'phone'; address: string };
  'gift.held': { reason?: string };
  'gift.released': Nothing;
  /** `issuer`: its kind. */
  'gift.claim_undone': { issuer: string };
  'gift.card_reopened': Nothing;
  'gift.simulated': { outcome: 'delivered' | 'failed' | 'opened' | 'claimed' | 'spent' };
  'gift.link_shown': Nothing;
  'gifts.exported': Nothing;
  'card.spent': { amount_cents: number };
  /** By the person who holds it, on the gift's page. */
  'card.revealed': { kind: 'card' | 'code' | 'link' };
  /** Null: all categories without an own issuer. */
  'issuer.added': { kind: string; category: string | null };
  'issuer.removed': { kind: string; category: string | null };
  'codes.uploaded': { category: string; codes: number };
  'codes.released': { category: string; codes: number };
  /** The addresses are without their queries. */
  'webhook.added': { url: string };
  'webhook.changed': { url: string };
  'webhook.removed': { url: string };
  'webhook.secret_rotated': { url: string; overlap_hours: number };
  'webhook.disabled': { url: string };
  'webhook.enabled': { url: string; from_sequence: number | null };
  /** Nothing that identifies the recipient. */
  'recipient.erased': { gifts: number; orders_processing: number };
  'recipient.exported': { gifts: number };
}

export type Action = keyof ActionDetails;

type Sentences = { [Name in Action]: (details: ActionDetails[Name], money: (cents: number) => string) => string };

const contents = ({ orders_deleted, gifts_deleted }: Emptied) =>
  `${plural(orders_deleted, 'order')} and ${plural(gifts_deleted, 'gift')}`;
const reason = ({ reference, note }: BalanceChanged) =>
  [reference === null ? '' : ` (${reference})`, note === null ? '' : `: ${note}`].join('');

const REVEALED = {
  card: 'Saw the number of a gift’s card',
  code: 'Saw the code of a gift',
  link: 'Opened the page of a gift at its issuer',
};
const endings = { signed_out: ', which signed out', used_twice: ', whose sign-in was used twice' };
const because = (given: string | null) => (given === null ? '' : ` (${given})`);

/** The text of each action, shown after the actor's name. */
const sentences: Sentences = {
  ...memberSentences,
  ...recurringSentences,
  'organization.created': ({ name, admin_email }) =>
    `Created the organization “${name}” with ${admin_email} as its admin`,
  'database.restored': ({ restored_to, codes_set_aside }) =>
    `Restored the database to ${restored_to} and set ${plural(codes_set_aside, 'code')} aside`,
  'organization.renamed': ({ name, before }) => `Renamed the organization from “${before}” to “${name}”`,
  'organization.suspended': () => 'Suspended the organization',
  'organization.reinstated': () => 'Ended the organization’s suspension',
  'gifts.found': ({ gifts }) => `Saw ${gifts === 1 ? 'a gift' : `${gifts} gifts`} after a code to the address`,
  'gifts.looked_up': ({ gifts }) => `Looked ${plural(gifts, 'gift')} up by a recipient’s address`,
  'program.set': ({ program, unclaimed_after_days, reminder_days, messages_show_value, language }) =>
    `Set that gifts of later orders (program “${program}”) ${unclaimed_after_days === null ? 'do not expire' : `expire after ${unclaimed_after_days} days`}, with ${reminder_days.length === 0 ? 'no reminders' : `reminders after ${reminder_days.join(', ')} days`}${messages_show_value ? ', and messages that show the value' : ''}${language === undefined ? '' : `, in the language ${language}`}`,
  'brand.set': ({ color, text_color, footer, sender_name, reply_to, subject }) => {
    const set = { color, text_color, footer, sender_name, reply_to, subject };
    const texts = Object.entries(set).flatMap(([name, value]) => (value === null ? [] : [`${name} “${value}”`]));
    return `Set how the organization looks: ${texts.join(', ').replaceAll('_', ' ') || 'as the service does'}`;
  },
  'brand.logo_set': ({ width, height }) => `Set a logo of ${width} × ${height} pixels`,
  'brand.logo_removed': () => 'Removed the logo',
  'sender_domain.added': ({ address }) => `Added the sender ${address}`,
  'sender_domain.verified': ({ domain }) => `Verified the sender domain ${domain}`,
  'sender_domain.removed': ({ domain }) => `Removed the sender domain ${domain}`,
  'gifts.held': () => 'Put all unclaimed gifts on hold',
  'gifts.released': () => 'Ended the hold of all unclaimed gifts',
  'key.created': ({ name }) => `Created the key “${name}”`,
  'key.imported': ({ name }) => `Imported the key “${name}”`,
  'key.revoked': ({ name }) => `Revoked the key “${name}”`,
  'key.rolled': ({ name, overlap_hours }) =>
    `Replaced the key “${name}” with an overlap of ${plural(overlap_hours, 'hour')}`,
  'grant.created': ({ name, permissions, reach, limits, ...made }, money) =>
    `Granted the agent “${name}”${'client' in made ? `, which signs in as “${made.client}”,` : ''} reading${permissions.map((one) => `, ${one}`).join('')} (${reach === 'all' ? 'everything' : 'its own orders'}), ${limitsText(limits, money)}`,
  'grant.revoked': ({ name, reason }) =>
    `Revoked the grant of the agent “${name}”${reason === undefined ? '' : endings[reason]}`,
  'grant.token_replaced': ({ name, overlap_hours }) =>
    `Replaced the token of the agent “${name}” with an overlap of ${plural(overlap_hours, 'hour')}`,
  'grant.limits_set': ({ name, limits }, money) => `Limited the agent “${name}”: ${limitsText(limits, money)}`,
  'balance.funded': (details, money) => `Added ${money(details.amount_cents)} to the balance${reason(details)}`,
  'balance.adjusted': (details, money) => `Corrected the balance by ${money(details.amount_cents)}${reason(details)}`,
  'balance.requested': (details, money) =>
    `Asked to change the balance by ${money(details.amount_cents)}${reason(details)}`,
  'balance.declined': (details, money) =>
    `Declined to change the balance by ${money(details.amount_cents)}${reason(details)}`,
  'balance_alert.set': ({ threshold_cents }, money) =>
    threshold_cents === null
      ? 'Turned off the low-balance alert'
      : `Set the low-balance alert to ${money(threshold_cents)}`,
  'automatic_topup.set': ({ threshold_cents, amount_cents, monthly_cap_cents }, money) =>
    threshold_cents === null
      ? 'Switched automatic top-ups off'
      : `Switched automatic top-ups on: below ${money(threshold_cents)}, by or to ${money(amount_cents ?? 0)}, at most ${money(monthly_cap_cents ?? 0)} a month`,
  'spending_cap.set': ({ key_name, hour_cents, day_cents }, money) => {
    const of = key_name === null ? 'all orders' : `orders with the key “${key_name}”`;
    const caps = [
      hour_cents === null ? [] : [`${money(hour_cents)} per hour`],
      day_cents === null ? [] : [`${money(day_cents)} per day`],
    ].flat();
    return caps.length === 0 ? `Removed the spending caps of ${of}` : `Capped ${of} at ${caps.join(' and ')}`;
  },
  'sandbox.created': () => 'Created the sandbox',
  'sandbox.deleted': (details) => `Deleted the sandbox with ${contents(details)}`,
  'sandbox.reset': (details) => `Reset the sandbox: ${contents(details)} deleted`,
  'gift.redirected': ({ address }) => `Sent a gift to ${address}`,
  'gift.link_replaced': () => 'Replaced the link of a gift',
  'gift.resent': () => 'Sent a gift again to its address',
  'gift.rescheduled': ({ send_at }) => `Changed when a gift is sent to ${send_at}`,
  'gift.canceled': ({ reason, refunded_cents }, money) =>
    `Canceled a gift: ${money(refunded_cents)} returned to the balance${because(reason)}`,
  'order.placed': ({ gifts, amount_cents }, money) => `Sent ${plural(gifts, 'gift')} for ${money(amount_cents)}`,
  'order.canceled': ({ reason, gifts, refunded_cents }, money) =>
    `Canceled ${plural(gifts, 'gift')} of an order: ${money(refunded_cents)} returned to the balance${because(reason)}`,
  'batch.started': ({ gifts, amount_cents }, money) =>
    `Started to send ${plural(gifts, 'gift')} from a file for ${money(amount_cents)}`,
  'batch.resumed': ({ gifts, amount_cents }, money) =>
    `Resumed to send ${plural(gifts, 'gift')} from a file for ${money(amount_cents)}`,
  'batch.canceled': ({ reason }) => `Canceled the unclaimed gifts of a file${because(reason)}`,
  'batch.links_exported': ({ gifts }) => `Exported the results of a file with the links of ${plural(gifts, 'gift')}`,
  'gift_request_policy.set': ({ is_allowed }) =>
    is_allowed ? 'Let members ask for gifts' : 'Ended that members may ask for gifts',
  'gift_request.created': ({ amount_cents }, money) => `Asked for a gift of ${money(amount_cents)}`,
  'gift_request.approved_first': (details, money) =>
    `Approved ${requestText(details, money)}, which waits for another approval`,
  'gift_request.approved': (details, money) => `Approved ${requestText(details, money)}`,
  'gift_request.declined': ({ reason, ...details }, money) =>
    `Declined ${requestText(details, money)}${because(reason)}`,
  'gift_request.withdrawn': ({ amount_cents, reason }, money) =>
    `Withdrew a request for a gift of ${money(amount_cents)}${because(reason ?? null)}`,
  'gift_request.moved': ({ address }) => `Changed the address of a request for a gift to ${address}`,
  'gift.held': ({ reason }) => `Put a gift on hold${because(reason ?? null)}`,
  'gift.released': () => 'Ended the hold of a gift',
  'gift.claim_undone': ({ issuer }) => `Undid a claim of a gift, because the issuer ${issuer} did not answer`,
  'gift.card_reopened': () => 'Let another browser show the card of a gift',
  'gift.simulated': ({ outcome }) => `Simulated that a gift was ${outcome === 'failed' ? 'not delivered' : outcome}`,
  'gift.link_shown': () => 'Looked at the link of a gift',
  'gifts.exported': () => 'Exported gifts with their addresses',
  'card.revealed': ({ kind }) => REVEALED[kind],
  'issuer.added': ({ kind, category }) => `Chose ${kind} as the issuer of ${category ?? 'all other categories'}`,
  'issuer.removed': ({ kind, category }) => `Removed ${kind} as the issuer of ${category ?? 'all other categories'}`,
  'codes.released': ({ category, codes }) => `Put ${plural(codes, 'code')} of ${category} back into stock`,
  'codes.uploaded': ({ category, codes }) => `Added ${plural(codes, 'code')} to the stock of ${category}`,
  'card.spent': ({ amount_cents }, money) => `Made a test purchase of ${money(amount_cents)} with a gift’s card`,
  'webhook.added': ({ url }) => `Added the webhook endpoint ${url}`,
  'webhook.changed': ({ url }) => `Changed the webhook endpoint ${url}`,
  'webhook.removed': ({ url }) => `Removed the webhook endpoint ${url}`,
  'webhook.secret_rotated': ({ url, overlap_hours }) =>
    `Replaced the secret of the webhook endpoint ${url} with an overlap of ${plural(overlap_hours, 'hour')}`,
  'webhook.disabled': ({ url }) => `Switched off the webhook endpoint ${url}`,
  'webhook.enabled': ({ url, from_sequence }) =>
    `Switched on the webhook endpoint ${url}${from_sequence === null ? '' : ` from event ${from_sequence} on`}`,
  'recipient.erased': ({ gifts, orders_processing }) =>
    `Erased a recipient’s name and address from ${plural(gifts, 'gift')}${orders_processing === 0 ? '' : ` and ${plural(orders_processing, 'processing order')}`}`,
  'recipient.exported': ({ gifts }) => `Exported what is held of a recipient, with ${plural(gifts, 'gift')}`,
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

/** Actions with a reason that a person wrote, which may name a recipient. */
const WITH_REASON = /^(?:gift|order|batch)\.canceled$|^gift\.held$|^gift_request\.declined$/;

/** Returns details without what a person wrote of a recipient, for roles that do not see people. */
export function withoutReason(action: string, written: unknown): object {
  const { because: _, ...details } = written as Record<string, unknown>;
  return WITH_REASON.test(action) ? { ...details, reason: null } : details;
}

/** Describes an action without its actor: `Created the key “Web shop”`. */
export function describeAction(action: string, details: unknown, currency: string): string {
  // During an upgrade, an old process may read an action of a newer version.
  if (!isAction(action)) return action;
  const sentence = sentences[action] as (details: unknown, money: (cents: number) => string) => string;
  const described = sentence(details, (cents) => formatMoney(cents, currency));
  // As an operator wrote it on the operator's page.
  const { because } = details as { because?: string };
  return because === undefined ? described : `${described} (“${because}”)`;
}

const isAction = (text: string): text is Action => Object.hasOwn(sentences, text);
