import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Font } from 'fontkit';
import { RecentMap } from '../base/recent-map.ts';

/** How bold letters are, as in CSS. */
export type Weight = 400 | 700;

/** The writing that shares its characters with another: the same code point is drawn as in Japan, Korea or China. */
export type Han = 'jp' | 'kr' | 'sc';

/**
 * Fonts of one writing each. The first that has a character draws it. Noto's Arabic has one glyph for ب, ت and ث, so that a
 * PDF of it cannot be searched; it has the letters that Vazirmatn lacks.
 */
const FAMILIES = ['noto-sans', 'vazirmatn', 'noto-sans-arabic', 'noto-sans-hebrew', 'noto-sans-thai', 'noto-emoji'];
const HAN_FAMILIES: Record<Han, readonly string[]> = {
  jp: ['noto-sans-jp', 'noto-sans-sc', 'noto-sans-tc', 'noto-sans-kr'],
  kr: ['noto-sans-kr', 'noto-sans-jp', 'noto-sans-sc', 'noto-sans-tc'],
  sc: ['noto-sans-sc', 'noto-sans-jp', 'noto-sans-tc', 'noto-sans-kr'],
};

/** A file with the glyphs of some code points, and perhaps not all of them. */
interface FontFile {
  url: string;
  ranges: readonly (readonly [from: number, to: number])[];
}

const families = new Map<string, Promise<FontFile[]>>();
/** A font of a file takes up to 60 ms to make and has about 100 kB. */
const fonts = new RecentMap<string, Promise<Font>>(200);

const addressOf = (family: string, path: string) => import.meta.resolve(`@fontsource-variable/${family}/${path}`);

async function readFamily(family: string): Promise<FontFile[]> {
  const text = await readFile(fileURLToPath(addressOf(family, 'unicode.json')), 'utf8');
  return Object.entries(JSON.parse(text) as Record<string, string>).map(([name, list]) => ({
    url: addressOf(family, `files/${family}-${name.replaceAll(/[[\]]/g, '')}-wght-normal.woff2`),
    ranges: list.split(',').map((range) => {
      const [from = 0, to = from] = range
        .slice('U+'.length)
        .split('-')
        .map((digits) => Number.parseInt(digits, 16));
      return [from, to] as const;
    }),
  }));
}

function filesOf(family: string): Promise<FontFile[]> {
  const files = families.get(family) ?? readFamily(family);
  families.set(family, files);
  return files;
}

/** Makes a font of one weight: PDF has no variable fonts. */
async function makeFont({ url, ranges }: FontFile, wght: Weight): Promise<Font> {
  // Loaded at the first statement: the libraries take 150 ms.
  const [{ default: subsetFont }, fontkit] = await Promise.all([import('subset-font'), import('fontkit')]);
  const characters = ranges.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, n) => from + n));
  const text = characters.map((code) => String.fromCodePoint(code)).join('');
  const bytes = await subsetFont(await readFile(fileURLToPath(url)), text, {
    targetFormat: 'truetype',
    variationAxes: { wght },
  });
  return fontkit.create(bytes) as Font;
}

function openFont(file: FontFile, weight: Weight): Promise<Font> {
  const key = `${weight} ${file.url}`;
  const font = fonts.get(key) ?? makeFont(file, weight);
  fonts.set(key, font);
  return font;
}

/** @returns the first font that has all these code points */
export async function findFont(codes: readonly number[], weight: Weight, han: Han): Promise<Font | undefined> {
  for (const family of [...FAMILIES, ...HAN_FAMILIES[han]])
    for (const file of await filesOf(family))
      if (codes.every((code) => file.ranges.some(([from, to]) => code >= from && code <= to))) {
        const font = await openFont(file, weight);
        if (codes.every((code) => font.hasGlyphForCodePoint(code))) return font;
      }
  return undefined;
}
