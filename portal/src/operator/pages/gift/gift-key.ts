import type { components } from '../../api/schema.d.ts';

export type OperatedGift = components['schemas']['OperatedGift'];

export const giftKey = (giftId: string) => ['gift', giftId] as const;
