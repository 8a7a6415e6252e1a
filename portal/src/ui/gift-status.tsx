import { Badge, type Tone } from './badge.tsx';

type GiftStatus = 'sent' | 'failed' | 'opened' | 'claimed';

const looks: Record<GiftStatus, { tone: Tone; label: string }> = {
  sent: { tone: 'plain', label: 'Sent' },
  failed: { tone: 'bad', label: 'Failed' },
  opened: { tone: 'calm', label: 'Opened' },
  claimed: { tone: 'good', label: 'Claimed' },
};

/** The furthest state that the gift has reached. */
export const GiftStatusBadge = ({ status }: { status: GiftStatus }) => (
  <Badge tone={looks[status].tone}>{looks[status].label}</Badge>
);

/** Options of a select. */
export const giftStatuses = Object.entries(looks).map(([value, { label }]) => ({ value, label }));

/** How a gift reaches its recipient. */
export const giftMethods = { email: 'Email', phone: 'Text message', link: 'Link' } as const;
