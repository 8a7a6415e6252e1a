import type { components } from '../api/schema.d.ts';
import { Badge, type Tone } from './badge.tsx';

type Gift = components['schemas']['GiftSummary'];
type Look = { tone: Tone; label: string };

const looks: Record<Gift['status'], Look> = {
  scheduled: { tone: 'plain', label: 'Waiting' },
  sent: { tone: 'plain', label: 'Not opened' },
  failed: { tone: 'bad', label: 'Failed' },
  opened: { tone: 'calm', label: 'Opened' },
  claimed: { tone: 'good', label: 'Claimed' },
  canceled: { tone: 'warn', label: 'Canceled' },
};

/** The words of `history.state` in `/v1`. */
const stateLooks: Record<Gift['state'], Look> = {
  waiting: looks.scheduled,
  sending: { tone: 'plain', label: 'Sending' },
  sent: { tone: 'plain', label: 'Sent' },
  delivered: { tone: 'plain', label: 'Delivered' },
  failed: looks.failed,
  opened: looks.opened,
  declined: { tone: 'warn', label: 'Declined' },
  claimed: looks.claimed,
  partly_spent: { tone: 'good', label: 'Partly spent' },
  spent: { tone: 'good', label: 'Spent' },
  on_hold: { tone: 'warn', label: 'On hold' },
  canceled: looks.canceled,
  expired: { tone: 'warn', label: 'Expired' },
};

/** The same word in filters and charts. */
export const giftStatusName = (status: Gift['status']): string => looks[status].label;

export const giftStateName = (state: Gift['state']): string => stateLooks[state].label;

/** What happened to a gift. */
export const GiftStateBadge = ({ gift: { state, is_kept } }: { gift: Pick<Gift, 'state' | 'is_kept'> }) => (
  <Badge tone={stateLooks[state].tone}>{is_kept ? 'Kept in the outbox' : stateLooks[state].label}</Badge>
);

/** Options of a select. */
export const giftStatuses = Object.entries(looks).map(([value, { label }]) => ({ value, label }));

/** How a gift reaches its recipient. */
export const giftMethods = { email: 'Email', phone: 'Text message', link: 'Link' } as const;
