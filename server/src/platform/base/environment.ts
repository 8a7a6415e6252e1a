/** Live or sandbox. An API key belongs to exactly one. */
export type Environment = 'live' | 'sandbox';
