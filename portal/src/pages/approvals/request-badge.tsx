import type { components } from '../../api/schema.d.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';

export type GiftRequest = components['schemas']['GiftRequest'];

export const requestStates: Record<GiftRequest['state'], { tone: Tone; label: string }> = {
  open: { tone: 'warn', label: 'Waiting' },
  approved: { tone: 'good', label: 'Approved' },
  declined: { tone: 'bad', label: 'Declined' },
  withdrawn: { tone: 'plain', label: 'Withdrawn' },
  expired: { tone: 'plain', label: 'Expired' },
};

export const RequestBadge = ({ state }: Pick<GiftRequest, 'state'>) => (
  <Badge tone={requestStates[state].tone}>{requestStates[state].label}</Badge>
);
