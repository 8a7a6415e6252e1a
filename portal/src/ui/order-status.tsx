import { Badge } from './badge.tsx';

/** “Processed” if all gifts of the order are created. */
export const OrderStatusBadge = ({ status }: { status: 'processing' | 'processed' }) =>
  status === 'processing' ? <Badge tone="calm">Processing</Badge> : <Badge tone="good">Processed</Badge>;
