interface Scope {
  organization_id: string;
  environment: 'live' | 'sandbox';
}

/** The query key of a gift's history. */
export const giftQueryKey = (path: Scope, giftId: string) => ['gift', path, giftId] as const;
