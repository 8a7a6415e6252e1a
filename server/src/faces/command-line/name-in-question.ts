import { showGiftPage } from '../../core/gifts/find/show-gift-page.ts';
import { findGiftOwner } from '../../core/gifts/hold/find-gift-owner.ts';
import { findOrganization } from '../../core/organizations/find-organization.ts';
import { formatMoney } from '../../platform/base/format-money.ts';
import { encodeId } from '../../platform/base/ids.ts';
import type { CommandDeps } from './with-database.ts';

/** Names an organization: `Acme (org_…)`. @param id `org_…` @throws OperatorError if it does not exist */
export const nameOrganization = async (deps: CommandDeps, id: string): Promise<string> =>
  `${(await findOrganization(deps, id)).name} (${id})`;

/** Names a gift: `the live gift gift_… of 25.00 USD from Acme (org_…)`. @throws OperatorError if it does not exist */
export async function nameGift(deps: CommandDeps, id: string): Promise<string> {
  const { scope, giftId } = await findGiftOwner(deps, id);
  const { gift } = await showGiftPage(deps, scope, giftId);
  const from = await nameOrganization(deps, encodeId('org', scope.organizationId));
  return `the ${scope.environment} gift ${id} of ${formatMoney(gift.amount, deps.config.currency)} from ${from}`;
}

/** Says when a replaced secret ends. @param hours how long it works on */
export const whenItEnds = (hours: number): string =>
  hours === 0 ? 'at once' : `after ${hours} ${hours === 1 ? 'hour' : 'hours'}`;

/** In cents; null: no limit. */
type Limits = Readonly<Record<string, number | null | undefined>>;

/** Names each limit that gets lower, such as `day to 500.00 USD`; undefined if none does. */
export function nameLowered(before: Limits, after: Limits, currency: string): string | undefined {
  const lower = Object.entries(after).flatMap(([name, cents]) =>
    typeof cents === 'number' && cents < (before[name] ?? Number.POSITIVE_INFINITY)
      ? [`${name.replaceAll('_', ' ')} to ${formatMoney(cents, currency)}`]
      : [],
  );
  return lower.length === 0 ? undefined : lower.join(', ');
}
