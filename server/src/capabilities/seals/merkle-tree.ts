import { hash } from 'node:crypto';

/** RFC 6962 begins a leaf with 0 and an inner node with 1. */
const LEAF = Buffer.from([0]);
const NODE = Buffer.from([1]);

export const sha256 = (...parts: Buffer[]): Buffer => hash('sha256', Buffer.concat(parts), 'buffer');
export const leafOf = (text: string): Buffer => sha256(LEAF, Buffer.from(text));
export const nodeOf = (left: Buffer, right: Buffer): Buffer => sha256(NODE, left, right);

/** The leaves from `from` up to, not including, `to`. */
export type LeafRange = readonly [from: number, to: number];

/** The Merkle tree of RFC 6962 (2.1) as far as appending needs it: the roots of its complete subtrees, largest first. */
export class MerkleTree {
  #size: number;
  readonly #peaks: Buffer[];

  /** @param peaks the roots of `peaksOf(size)` */
  constructor(size = 0, peaks: readonly Buffer[] = []) {
    this.#size = size;
    this.#peaks = [...peaks];
  }

  get size(): number {
    return this.#size;
  }

  /** @param pass gets each subtree that the leaf completes, and its number from the left among those of its height */
  append(leaf: Buffer, pass: (height: number, number: number, root: Buffer) => void = () => undefined): void {
    let root = leaf;
    let number = this.#size;
    for (let height = 1; number % 2 === 1; height += 1) {
      root = nodeOf(this.#peaks.pop() as Buffer, root);
      number = (number - 1) / 2;
      pass(height, number, root);
    }
    this.#peaks.push(root);
    this.#size += 1;
  }

  root(): Buffer {
    return joinPeaks(this.#peaks);
  }
}

/** Returns the root of a tree by the roots of its complete subtrees, largest first. */
export const joinPeaks = (peaks: readonly Buffer[]): Buffer =>
  peaks.length === 0 ? sha256() : peaks.reduceRight((right, left) => nodeOf(left, right));

/** Splits leaves into complete subtrees, largest first, as RFC 6962 does. `from` must begin one of its subtrees. */
export function peaksOf([from, to]: LeafRange): LeafRange[] {
  const peaks: LeafRange[] = [];
  for (let start = from; start < to; ) {
    const end = start + largestPower(to - start);
    peaks.push([start, end]);
    start = end;
  }
  return peaks;
}

/** The largest power of two up to a number. */
function largestPower(number: number): number {
  let power = 1;
  while (power * 2 <= number) power *= 2;
  return power;
}

/** Where RFC 6962 splits leaves: at the largest power of two below their number. */
const splitOf = (from: number, to: number) => from + largestPower(to - from - 1);

/** The subtrees whose roots prove that a leaf is in a tree, from the leaf upwards. */
export function inclusionProofOf(index: number, size: number): LeafRange[] {
  const ranges: LeafRange[] = [];
  for (let [from, to] = [0, size]; to - from > 1; ) {
    const split = splitOf(from, to);
    if (index < split) {
      ranges.unshift([split, to]);
      to = split;
    } else {
      ranges.unshift([from, split]);
      from = split;
    }
  }
  return ranges;
}

/** The subtrees whose roots prove that a tree continues the one of `oldSize`, from the leaves upwards. */
export function consistencyProofOf(oldSize: number, size: number): LeafRange[] {
  if (oldSize === 0 || oldSize === size) return [];
  const ranges: LeafRange[] = [];
  let [from, to] = [0, size];
  while (oldSize !== to) {
    const split = splitOf(from, to);
    if (oldSize <= split) {
      ranges.unshift([split, to]);
      to = split;
    } else {
      ranges.unshift([from, split]);
      from = split;
    }
  }
  // The verifier has the root of a subtree from the beginning.
  if (from > 0) ranges.unshift([from, to]);
  return ranges;
}
