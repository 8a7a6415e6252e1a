interface Place {
  organization_id: string;
  environment: 'live' | 'sandbox';
}

/** Under which a gift's history is kept, by whoever reads it and whoever changes it. */
export const giftQueryKey = (path: Place, giftId: string) => ['gift', path, giftId] as const;
