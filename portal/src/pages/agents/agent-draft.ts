import { dateOf } from 'bestow-readers/time.ts';
import { dayRange } from '../../ui/formats.ts';
import { moneyText, parseOptionalMoney } from '../../ui/money-field.tsx';
import { type Limits, mayChangeGifts, type NewGrant, noLimits, type Permission, type Preset } from './agent-terms.ts';

/** Limits as a person types them; empty: no limit. */
export type LimitTexts = Record<keyof Limits, string>;

/** A grant as a person types it. */
export interface Draft {
  name: string;
  permissions: readonly Permission[];
  reach: NewGrant['reach'];
  limits: LimitTexts;
  recipients: 'anyone' | 'domains' | 'members';
  domains: string;
  /** Undefined: all. */
  categories: readonly string[] | undefined;
  lastDay: string;
}

export type Faults = Partial<Record<'domains' | 'categories' | 'lastDay', string>>;

const mapLimits = <From, To>(
  { order, recipient, hour, day, life, ask_above }: Record<keyof Limits, From>,
  to: (one: From, limit?: keyof Limits) => To,
) => ({
  order: to(order),
  recipient: to(recipient),
  hour: to(hour),
  day: to(day),
  life: to(life),
  ask_above: to(ask_above, 'ask_above'),
});

export const limitTexts = (limits: NewGrant['limits']): LimitTexts => mapLimits({ ...noLimits, ...limits }, moneyText);

/** @returns undefined if a text is neither empty nor an amount */
export function readLimits(texts: LimitTexts, currency: string): Limits | undefined {
  const read = mapLimits(texts, (text, limit) => parseOptionalMoney(text, currency, limit === 'ask_above' ? 0 : 1));
  return Object.values(read).includes(undefined) ? undefined : (read as Limits);
}

export const ofPreset = ({ permissions, reach, limits }: Preset) => ({
  permissions,
  reach,
  limits: limitTexts(limits),
});

export const newDraft = (preset: Preset | undefined): Draft => ({
  name: '',
  permissions: [],
  reach: 'own',
  limits: limitTexts(noLimits),
  recipients: 'anyone',
  domains: '',
  categories: undefined,
  lastDay: '',
  ...(preset && ofPreset(preset)),
});

/** Whether the fields are as the preset filled them. */
export function isOfPreset(draft: Draft, preset: Preset): boolean {
  const { permissions, reach, limits } = ofPreset(preset);
  const isSame = (['order', 'recipient', 'hour', 'day', 'life', 'ask_above'] as const).every(
    (period) => !mayChangeGifts(preset) || limits[period] === draft.limits[period],
  );
  const has =
    permissions.length === draft.permissions.length && permissions.every((one) => draft.permissions.includes(one));
  return isSame && has && reach === draft.reach;
}

const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]{2,}$/;

const domainsIn = (text: string) => [
  ...new Set(
    text
      .toLowerCase()
      .split(/[\s,;]+/)
      .filter((domain) => domain !== ''),
  ),
];

/** Says what is wrong with fields that the grant needs. */
export function faultsOf(draft: Draft): Faults {
  const { to } = dayRange({ to: draft.lastDay });
  const isOver = to !== undefined && dateOf(to).getTime() <= Date.now();
  const faults: Faults = isOver ? { lastDay: 'Choose today or a later day.' } : {};
  if (!mayChangeGifts(draft)) return faults;
  const domains = domainsIn(draft.domains);
  const wrong = domains.find((domain) => !DOMAIN.test(domain));
  if (draft.recipients === 'domains' && domains.length === 0) faults.domains = 'Enter a domain such as example.com.';
  if (draft.recipients === 'domains' && wrong !== undefined)
    faults.domains = `“${wrong}” is not a domain. Write it like example.com.`;
  if (draft.categories?.length === 0) faults.categories = 'Choose a category, or allow all.';
  return faults;
}

/** Returns the grant that the server creates. Fields that do not matter are left empty. */
export function grantOf(draft: Draft, limits: Limits): NewGrant {
  const { to: expires_at } = dayRange({ to: draft.lastDay });
  const hasTerms = mayChangeGifts(draft);
  return {
    name: draft.name.trim(),
    permissions: [...draft.permissions],
    reach: draft.reach,
    limits: hasTerms ? limits : noLimits,
    recipient_domains: hasTerms && draft.recipients === 'domains' ? domainsIn(draft.domains) : null,
    members_only: hasTerms && draft.recipients === 'members',
    categories: hasTerms && draft.categories !== undefined ? [...draft.categories] : null,
    ...(expires_at && { expires_at }),
  };
}
