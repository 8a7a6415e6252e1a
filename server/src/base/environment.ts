/** The two worlds behind one address; a key opens exactly one (specification, part 5). */
export type Environment = 'live' | 'sandbox';
