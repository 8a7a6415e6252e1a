/**
 * A map of limited size: keeps at least the latest half of `most` keys, and never more than `most`.
 *
 * It has two halves, and drops the older half at once. A `Map` that deletes its oldest key for each new one skips all
 * deleted keys first: 12 µs each time with 20,000 keys, a twentieth of a busy process.
 */
export class RecentMap<Key, Value> {
  #latest = new Map<Key, Value>();
  #earlier = new Map<Key, Value>();
  readonly #mostInHalf: number;

  constructor(most: number) {
    this.#mostInHalf = most / 2;
  }

  get(key: Key): Value | undefined {
    return this.#latest.get(key) ?? this.#earlier.get(key);
  }

  set(key: Key, value: Value): void {
    this.#latest.set(key, value);
    if (this.#latest.size < this.#mostInHalf) return;
    this.#earlier = this.#latest;
    this.#latest = new Map();
  }

  delete(key: Key): void {
    this.#latest.delete(key);
    this.#earlier.delete(key);
  }
}
