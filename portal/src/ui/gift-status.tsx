import { Badge, type Tone } from './badge.tsx';

type GiftStatus = 'sent' | 'failed' | 'opened' | 'claimed' | 'canceled' | 'scheduled';

const looks: Record<GiftStatus, { tone: Tone; label: string }> = {
  scheduled: { tone: 'plain', label: 'Scheduled' },
  sent: { tone: 'plain', label: 'Not opened' },
  failed: { tone: 'bad', label: 'Failed' },
  opened: { tone: 'calm', label: 'Opened' },
  claimed: { tone: 'good', label: 'Claimed' },
  canceled: { tone: 'warn', label: 'Canceled' },
};

/** The words for messages, as in the outbox. */
const messageStates = { waiting: 'Waiting', kept: 'Kept in the outbox', sent: 'Sent', delivered: 'Delivered' } as const;
type MessageState = keyof typeof messageStates;

/** The same word in lists, filters and charts. */
export const giftStatusName = (status: GiftStatus): string => looks[status].label;

interface GiftStatusBadgeProps {
  status: GiftStatus;
  heldBy: 'gift' | 'organization' | null;
  /** Of a gift that is not opened. */
  messageState?: MessageState | null;
}

/** The furthest state that the gift or its message has reached, and whether it is on hold. */
export const GiftStatusBadge = ({ status, heldBy, messageState }: GiftStatusBadgeProps) => (
  <>
    <Badge tone={looks[status].tone}>{messageState ? messageStates[messageState] : looks[status].label}</Badge>
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
