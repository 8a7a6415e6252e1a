import bidiFactory, { type Bidi } from 'bidi-js';
import type { Cluster } from './find-glyphs.ts';

/** Neighbours of one font and direction, which are shaped together. */
export interface Piece extends Cluster {
  isRightToLeft: boolean;
}

interface Placed {
  at: number;
  drawn: readonly Cluster[];
}

/** Its types describe another form of module. */
const bidi = (bidiFactory as unknown as () => Bidi)();
const WORDS = new Intl.Segmenter('en', { granularity: 'word' });
/** Without spaces a line may break beside these. */
const BREAKS_ANYWHERE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
/** What no line begins with. */
const STAYS = /^[\p{Pe}\p{Pf}\p{Po}ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ～]/u;
const STAYS_BEFORE = /[\p{Ps}\p{Pi}]$/u;

/** @returns the positions at which a line of the text may begin */
export function breaksOf(text: string): number[] {
  const words = [...WORDS.segment(text)];
  return words
    .filter(({ index, segment }) => {
      const before = text.slice(0, index);
      if (index === 0 || /^\s/u.test(segment) || STAYS.test(segment) || STAYS_BEFORE.test(before)) return false;
      const isAfterSpace = /[ \u3000]$/u.test(before);
      return isAfterSpace || BREAKS_ANYWHERE.test(segment) || BREAKS_ANYWHERE.test(before.slice(-1));
    })
    .map(({ index }) => index);
}

const turned = ({ text, font }: Cluster): Cluster => ({ text: bidi.getMirroredCharacter(text) ?? text, font });

/** Whether the shaper itself writes the text from the right. */
const isOfRightToLeft = (text: string) =>
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(text);

/** Joins neighbours of one font; from the right, those that the shaper turns stay in their logical order. */
function joinClusters(visual: readonly (Cluster & { isRightToLeft: boolean })[]): Piece[] {
  const pieces: Piece[] = [];
  for (const cluster of visual) {
    if (cluster.text === '') continue;
    const last = pieces.at(-1);
    const turns = cluster.isRightToLeft && isOfRightToLeft(cluster.text);
    if (last !== undefined && last.font === cluster.font && last.font !== undefined && last.isRightToLeft === turns)
      last.text = turns ? cluster.text + last.text : last.text + cluster.text;
    else pieces.push({ ...cluster, isRightToLeft: turns });
  }
  return pieces;
}

/**
 * Puts a line in the order in which it is seen (UAX #9).
 *
 * @param clusters of the line, by their position in the text
 */
export function arrange(text: string, clusters: readonly Placed[], direction: 'ltr' | 'rtl'): Piece[] {
  const [first, last] = [clusters[0], clusters.at(-1)];
  if (first === undefined || last === undefined) return [];
  const levels = bidi.getEmbeddingLevels(text, direction);
  const byPosition = new Map(clusters.map((cluster) => [cluster.at, cluster]));
  const end = Math.max(...clusters.map(({ at }) => at));
  // The indices of a cluster's later units have no entry.
  const visual = bidi.getReorderedIndices(text, levels, first.at, end).flatMap((at) => {
    const isRightToLeft = (levels.levels[at] ?? 0) % 2 === 1;
    const drawn = byPosition.get(at)?.drawn ?? [];
    return (isRightToLeft ? drawn.map(turned).reverse() : drawn).map((one) => ({ ...one, isRightToLeft }));
  });
  return joinClusters(visual);
}
