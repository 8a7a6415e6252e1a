import { Badge, type Tone } from './badge.tsx';

type GiftStatus = 'sent' | 'failed' | 'opened' | 'claimed' | 'canceled' | 'scheduled';

const looks: Record<GiftStatus, { tone: Tone; label: string }> = {
  scheduled: { tone: 'plain', label: 'Scheduled' },
  sent: { tone: 'plain', label: 'Sent' },
  failed: { tone: 'bad', label: 'Failed' },
  opened: { tone: 'calm', label: 'Opened' },
  claimed: { tone: 'good', label: 'Claimed' },
  canceled: { tone: 'warn', label: 'Canceled' },
};

/** The same word in lists, filters, charts and exports. */
export const giftStatusName = (status: GiftStatus): string => looks[status].label;

interface GiftStatusBadgeProps {
  status: GiftStatus;
  heldBy: 'gift' | 'organization' | null;
}

/** The furthest state that the gift has reached, and whether it is on hold. */
export const GiftStatusBadge = ({ status, heldBy }: GiftStatusBadgeProps) => (
  <>
    <Badge tone={looks[status].tone}>{looks[status].label}</Badge>
    {heldBy !== null && (
      <>
        {' '}
        <Badge tone="warn">On hold</Badge>
      </>
    )}
  </>
);

/** Options of a select. */
export const giftStatuses = Object.entries(looks).map(([value, { label }]) => ({ value, label }));

/** How a gift reaches its recipient. */
export const giftMethods = { email: 'Email', phone: 'Text message', link: 'Link' } as const;
