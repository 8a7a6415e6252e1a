import { formatAmount } from 'bestow-readers/format-amount.ts';
import { dateOf } from 'bestow-readers/time.ts';
import type { ErrorReason } from '../../platform/base/error-reasons.ts';
import { BestowError } from '../../platform/base/errors.ts';
import type { Period } from './queries.ts';
import { endOf, type Window } from './window.ts';

/** Of several, the one whose window ends last. As JSON, so times are texts. */
export interface ExceededCap {
  of: keyof typeof CAPS;
  period: Exclude<Period, 'recipient'>;
  cap_cents: number;
  /** Of hours, days and months. */
  window_started_at: string;
}

const CAPS = {
  organization: 'The organization’s orders may cost',
  key: 'Orders with this API key may cost',
  agent: 'This agent’s orders may cost',
  recipient: 'Gifts to one recipient may be worth',
  agent_recipient: 'This agent’s gifts to one recipient may be worth',
  member: 'What one member sends may cost',
  member_recipient: 'Gifts of one member to one recipient may be worth',
  team: 'What the team sends may cost',
  team_recipient: 'Gifts of the team to one recipient may be worth',
} as const;
const REASONS = {
  organization: 'organization_cap_reached',
  key: 'key_cap_reached',
  agent: 'agent_cap_reached',
  recipient: 'recipient_cap_reached',
  agent_recipient: 'recipient_cap_reached',
  member: 'member_cap_reached',
  member_recipient: 'recipient_cap_reached',
  team: 'team_cap_reached',
  team_recipient: 'recipient_cap_reached',
} as const satisfies Record<keyof typeof CAPS, ErrorReason>;
const WITHOUT_WINDOW = { order: 'each', life: 'in all' } as const;

/** When the window of a cap ends; undefined for a cap without one. */
export const endOfWindow = ({ period, window_started_at }: Pick<ExceededCap, 'period' | 'window_started_at'>) =>
  period === 'order' || period === 'life' ? undefined : windowEnd(period, window_started_at);

const windowEnd = (period: Window, startedAt: string): Date => endOf(period, dateOf(startedAt));

/**
 * Answers no 429, because a program would wait for hours: a person raises the cap, or its window ends.
 *
 * @param isBeyond whether the order alone exceeds the cap
 */
export function capRefusal(
  refused: 'order' | 'redirect',
  cap: ExceededCap,
  currency: string,
  isBeyond = false,
): BestowError {
  const { of, period, cap_cents } = cap;
  const reason = REASONS[of];
  const most = `${CAPS[of]} at most ${formatAmount(cap_cents, currency)}`;
  if (period === 'order' || period === 'life')
    return new BestowError('not_granted', {
      reason,
      message: `${most} ${WITHOUT_WINDOW[period]}; this ${refused} would exceed that. An admin can raise the limit in the portal, under “Agents”.`,
    });
  if (isBeyond)
    return new BestowError('insufficient_balance', {
      reason,
      message: `${most} per ${period}, and this ${refused} alone exceeds that. Make it smaller, or ask an admin to raise the limit.`,
    });
  const end = windowEnd(period, cap.window_started_at);
  const again = `${end.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return new BestowError('insufficient_balance', {
    reason,
    message: `${most} per ${period}; this ${refused} would exceed that. A new ${period} begins at ${again}.`,
  });
}
