import { dateOf } from 'bestow-readers/time.ts';
import type { components, operations } from '../../api/schema.d.ts';
import { formatTime } from '../../ui/formats.ts';

export type Grant = components['schemas']['Grant'];
export type NewGrant = operations['createGrant']['requestBody']['content']['application/json'];
export type Preset = operations['listGrants']['responses'][200]['content']['application/json']['presets'][number];
export type Permission = Grant['permissions'][number];
export type Limits = Required<NewGrant['limits']>;
export type Period = Exclude<keyof Limits, 'ask_above'>;

/** Every limit, with the label of its field and the words after its amount. */
export const periods: readonly { period: Period; label: string; words: string; isCounted: boolean }[] = [
  { period: 'order', label: 'Per order', words: 'per order', isCounted: false },
  { period: 'recipient', label: 'Per recipient a day', words: 'per recipient a day', isCounted: false },
  { period: 'hour', label: 'Per hour', words: 'per hour', isCounted: true },
  { period: 'day', label: 'Per day', words: 'per day', isCounted: true },
  { period: 'life', label: 'In all', words: 'in all', isCounted: true },
];

export const noLimits: Limits = {
  order: null,
  recipient: null,
  hour: null,
  day: null,
  life: null,
  ask_above: null,
};

/** Whether limits, recipients and categories matter. */
export const mayChangeGifts = ({ permissions }: { permissions: readonly Permission[] }) =>
  permissions.includes('order') || permissions.includes('manage');

/** Whether the agent could spend the whole balance without a person. */
export const isUnlimited = (permissions: readonly Permission[], { hour, day, life, ask_above }: Limits) =>
  permissions.includes('order') && hour === null && day === null && life === null && ask_above !== 0;

const presetSentences: Record<string, string> = {
  buyer: 'It orders gifts within limits and sees only what it ordered, without links and whole addresses.',
  own_gifts: 'It orders gifts within limits, sees their links and addresses, and manages and follows them.',
  reader: 'It reads all orders and gifts, without links and whole addresses, and changes nothing.',
};

/** Says what a preset allows; undefined if the server has a newer one. */
export const sentenceOf = ({ preset }: Preset): string | undefined => presetSentences[preset];

/** Says what an agent may do: `Orders gifts. Reads and manages only what it ordered itself.` */
export function describeActs({ permissions, reach }: Pick<Grant, 'permissions' | 'reach'>): string {
  const has = (permission: Permission) => permissions.includes(permission);
  const reached = reach === 'own' ? 'only what it ordered itself' : 'all orders and gifts';
  return [
    ...(has('order') ? ['Orders gifts.'] : []),
    `Reads ${has('manage') ? 'and manages ' : ''}${reached}.`,
    ...(has('links') ? ['Sees links and whole addresses.'] : []),
    ...(has('events') ? ['Follows events.'] : []),
  ].join(' ');
}

export function describeRecipients({ recipient_domains, members_only }: Grant): string {
  if (members_only) return 'Only members of the organization';
  return recipient_domains === null ? 'Anyone' : `Only addresses at ${recipient_domains.join(', ')}`;
}

/** Says why a grant is not active. */
export function describeEnd({ revoked_at, expires_at }: Grant): string {
  if (revoked_at !== null) return `Revoked on ${formatTime(revoked_at)}`;
  if (expires_at !== null && dateOf(expires_at).getTime() <= Date.now()) return `Expired on ${formatTime(expires_at)}`;
  return 'Ended with the member who made it';
}

/** The limits without what was spent. */
export const limitsOf = ({ limits: { order, recipient, hour, day, life }, ask_above }: Grant): Limits => ({
  ask_above,
  order: order?.cap ?? null,
  recipient: recipient?.cap ?? null,
  hour: hour?.cap ?? null,
  day: day?.cap ?? null,
  life: life?.cap ?? null,
});
