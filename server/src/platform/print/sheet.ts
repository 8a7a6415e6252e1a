import { withoutTurns } from 'bestow-readers/direction.ts';
import type { Font } from 'fontkit';
import type { Words } from '../languages/words.ts';
import { type Cluster, createGlyphFinder } from './find-glyphs.ts';
import type { Weight } from './fonts.ts';
import { arrange, breaksOf, type Piece } from './lay-out.ts';

type Document = PDFKit.PDFDocument;

interface Style {
  size: number;
  color: string;
  isBold?: boolean;
}

interface Place {
  /** From the side at which the language begins. */
  at: number;
  width: number;
  /** Where the text stands in its width: `end` is where the language ends. */
  align?: 'start' | 'end';
  /** A longer text is cut with an ellipsis. */
  isOneLine?: boolean;
}

const LINE_HEIGHT = 1.4;
const ASCENT = 1.07;
/** Of the box for a character that no font has, in parts of the size. */
const BOX = { width: 0.62, height: 0.72, gap: 0.08 } as const;
/** Glyphs stand in another order than the letters, which a reader’s copy has in their own. */
const REORDERED = /\p{Script=Devanagari}/u;
const ELLIPSIS = '…';
/** With a list of features the font shapes a whole piece, not word by word. */
const PLACED: PDFKit.Mixins.TextOptions = { lineBreak: false, features: [], baseline: 'alphabetic' };

interface Line {
  from: number;
  to: number;
}

type Clusters = readonly { at: number; drawn: readonly Cluster[] }[];

/** In parts of the size; shaping each one again took half of the time of a long statement. */
const widths = new WeakMap<Cluster, number>();

function widthOfCluster(cluster: Cluster, size: number): number {
  const width = widths.get(cluster) ?? (cluster.text === '' ? 0 : widthOf(cluster, 1));
  widths.set(cluster, width);
  return width * size;
}

const widthOf = ({ text, font }: Pick<Piece, 'text' | 'font'>, size: number): number =>
  font === undefined ? (BOX.width + 2 * BOX.gap) * size : (font.layout(text, []).advanceWidth / font.unitsPerEm) * size;

const widthOfAll = (clusters: readonly Cluster[], size: number) =>
  clusters.reduce((sum, cluster) => sum + widthOfCluster(cluster, size), 0);

const sumOf = (pieces: readonly Piece[], size: number) => pieces.reduce((sum, piece) => sum + widthOf(piece, size), 0);

/** Keeps the direction of what a person wrote from turning the text around it. */
export const isolate = (text: string): string => `\u2068${withoutTurns(text)}\u2069`;

/** Writes text of every language into a PDF. */
export class Sheet {
  readonly document: Document;
  readonly #words: Words;
  readonly #findGlyphs: ReturnType<typeof createGlyphFinder>;
  readonly #pageWidth: number;
  /** The document embeds each name once. */
  readonly #names = new Map<Font, string>();

  constructor(document: Document, words: Words) {
    this.document = document;
    this.#words = words;
    this.#findGlyphs = createGlyphFinder(words.language);
    this.#pageWidth = document.page.width;
  }

  /** The left edge of something that is placed from the side at which the language begins. */
  leftOf(at: number, width: number): number {
    return this.#words.direction === 'rtl' ? this.#pageWidth - at - width : at;
  }

  /** Writes a text from a height on. @returns the height below it */
  async write(given: string, place: Place, y: number, style: Style): Promise<number> {
    const text = given.normalize('NFC').replaceAll(/[\t\r\n]+/g, ' ');
    const clusters = await this.#clustersOf(text, style);
    const lines = this.#breakIntoLines(text, clusters, place.width, style.size);
    if (place.isOneLine && lines.length > 1)
      return this.write(await this.#cut(text, clusters, place.width, style), { ...place, isOneLine: false }, y, style);
    let top = y;
    for (const { from, to } of lines) {
      const onLine = clusters.filter(({ at }) => at >= from && at < to);
      this.#draw(arrange(text, onLine, this.#words.direction), place, top, style);
      top += style.size * LINE_HEIGHT;
    }
    return top;
  }

  #nameOf(font: Font): string {
    const name = this.#names.get(font) ?? `font ${this.#names.size}`;
    this.#names.set(font, name);
    return name;
  }

  async #clustersOf(text: string, { isBold = false }: Style): Promise<Clusters> {
    const weight: Weight = isBold ? 700 : 400;
    let next = 0;
    return (await this.#findGlyphs(text, weight)).map(({ length, drawn }) => {
      const at = next;
      next += length;
      return { at, drawn };
    });
  }

  #breakIntoLines(text: string, clusters: Clusters, width: number, size: number): Line[] {
    const breaks = new Set(breaksOf(text));
    const lines: Line[] = [];
    let [from, breakAt, used, sinceBreak] = [0, 0, 0, 0];
    for (const { at, drawn } of clusters) {
      if (breaks.has(at)) [breakAt, sinceBreak] = [at, 0];
      const own = widthOfAll(drawn, size);
      const isSpace = text[at] === ' ';
      if (used + own > width && at > from && !isSpace) {
        // A word that is wider than the line breaks within itself.
        const end = breakAt > from ? breakAt : at;
        lines.push({ from, to: end });
        used = breakAt > from ? sinceBreak : 0;
        from = end;
      }
      used += own;
      sinceBreak += own;
    }
    return [...lines, { from, to: text.length }];
  }

  async #cut(text: string, clusters: Clusters, width: number, style: Style): Promise<string> {
    const [ellipsis] = await this.#clustersOf(ELLIPSIS, style);
    let left = width - widthOfAll(ellipsis?.drawn ?? [], style.size);
    const cut = clusters.find(({ drawn }) => {
      left -= widthOfAll(drawn, style.size);
      return left < 0;
    });
    return text.slice(0, cut?.at).trimEnd() + ELLIPSIS;
  }

  #draw(pieces: readonly Piece[], { at, width, align = 'start' }: Place, top: number, { size, color }: Style): void {
    const used = sumOf(pieces, size);
    const isAtLeft = (align === 'start') === (this.#words.direction === 'ltr');
    let x = this.leftOf(at, width) + (isAtLeft ? 0 : width - used);
    const baseline = top + size * ASCENT;
    for (const piece of pieces) {
      this.#drawPiece(piece, x, baseline, size, color);
      x += widthOf(piece, size);
    }
  }

  #drawPiece({ text, font }: Piece, x: number, baseline: number, size: number, color: string): void {
    const { document } = this;
    const isCopiedAsWritten = font === undefined || REORDERED.test(text);
    if (isCopiedAsWritten) document.markContent('Span', { actual: text } as PDFKit.Mixins.MarkingOptions);
    if (font === undefined) {
      document
        .lineWidth(size / 16)
        .strokeColor(color)
        .rect(x + BOX.gap * size, baseline - BOX.height * size, BOX.width * size, BOX.height * size)
        .stroke();
      // A reader copies only what has a glyph.
      document.font('Helvetica').fontSize(size).text(' ', x, baseline, PLACED);
    } else
      document
        .font(font as unknown as PDFKit.Mixins.PDFFontSource, this.#nameOf(font))
        .fontSize(size)
        .fillColor(color)
        .text(text, x, baseline, PLACED);
    if (isCopiedAsWritten) document.endMarkedContent();
  }
}
