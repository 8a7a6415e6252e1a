/** Numbers from 0 up to 1 that depend on the seed alone (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** So many of these, each at most once, in an order that depends on the seed alone; all of them where there are no more. */
export function sampleOf<Item>(items: readonly Item[], count: number, seed: number): Item[] {
  const random = randomFrom(seed);
  const left = [...items];
  const chosen: Item[] = [];
  while (chosen.length < count && left.length > 0) {
    const index = Math.floor(random() * left.length);
    const last = left.pop() as Item;
    chosen.push(index < left.length ? (left[index] as Item) : last);
    if (index < left.length) left[index] = last;
  }
  return chosen;
}
