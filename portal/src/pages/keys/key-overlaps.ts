/** How long a replaced key or token works on, in hours. */
export const overlaps = [
  { value: '0', label: 'At once' },
  { value: '1', label: 'After 1 hour' },
  { value: '24', label: 'After 1 day' },
  { value: '72', label: 'After 3 days' },
  { value: '168', label: 'After 7 days' },
] as const;

export type Overlap = (typeof overlaps)[number]['value'];
