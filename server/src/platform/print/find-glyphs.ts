import type { Font } from 'fontkit';
import { findFont, type Han, type Weight } from './fonts.ts';

/** What is drawn as one: a letter with its marks, or an emoji of several. */
export interface Cluster {
  text: string;
  /** Absent if no font has it: a box stands for it. */
  font: Font | undefined;
}

const clusters = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** Joins letters, or chooses a form, and may be missing in a font. */
const JOINERS = /\u200c|\u200d|[\ufe00-\ufe0f]/gu;
/** What draws nothing: controls, and format characters that are no joiners. */
const INVISIBLE =
  /[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;

const codesOf = (text: string) => Array.from(text, (character) => character.codePointAt(0) ?? 0);

/** How Chinese characters of a text are drawn: as its other letters say, else as its readers are used to. */
function hanOf(text: string, language: string): Han {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text) || language === 'ja') return 'jp';
  return /\p{Script=Hangul}/u.test(text) ? 'kr' : 'sc';
}

/** Finds fonts, and keeps what was found for a document. */
export function createGlyphFinder(language: string) {
  const found = new Map<string, readonly Cluster[]>();

  async function find(cluster: string, weight: Weight, han: Han): Promise<readonly Cluster[]> {
    const visible = cluster.replace(INVISIBLE, '');
    if (visible === '') return [{ text: '', font: undefined }];
    const whole = await findFont(codesOf(visible), weight, han);
    if (whole !== undefined) return [{ text: visible, font: whole }];
    // A font may lack a joiner, or a mark on this letter.
    const parts = Array.from(visible.replace(JOINERS, ''));
    return Promise.all(parts.map(async (text) => ({ text, font: await findFont(codesOf(text), weight, han) })));
  }

  /** @returns for each cluster of the text its length there, and what is drawn for it */
  return async (text: string, weight: Weight): Promise<{ length: number; drawn: readonly Cluster[] }[]> => {
    const han = hanOf(text, language);
    const all: { length: number; drawn: readonly Cluster[] }[] = [];
    for (const { segment } of clusters.segment(text)) {
      const key = `${han} ${weight} ${segment}`;
      const drawn = found.get(key) ?? (await find(segment, weight, han));
      found.set(key, drawn);
      all.push({ length: segment.length, drawn });
    }
    return all;
  };
}
