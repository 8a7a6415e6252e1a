import { Badge } from './badge.tsx';

/** Whether all gifts of an order are created. */
export const OrderStatusBadge = ({ status }: { status: 'processing' | 'processed' }) =>
  status === 'processing' ? <Badge tone="calm">Processing</Badge> : <Badge tone="good">Processed</Badge>;
