import { randomFrom } from '../../faults/random.ts';

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
