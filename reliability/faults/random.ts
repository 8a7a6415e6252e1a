/** Creates a reproducible generator of numbers from 0 to 1 (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Creates a generator whose numbers do not depend on later draws from the first one. */
export const splitRandom = (random: () => number): (() => number) => randomFrom(Math.floor(random() * 2 ** 32));

/** Picks one of the items. @throws RangeError if the list is empty */
export function pick<Item>(random: () => number, items: readonly Item[]): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new RangeError('There is nothing to pick from.');
  return item;
}

/** Draws at most `count` of the items, each once. The order depends on the seed only. */
export function sampleOf<Item>(items: readonly Item[], count: number, seed: number): Item[] {
  const random = randomFrom(seed);
  return items
    .map((item) => ({ item, rank: random() }))
    .sort((one, other) => one.rank - other.rank)
    .slice(0, count)
    .map(({ item }) => item);
}
