import type { Sheet } from 'hucre';

type Value = Sheet['rows'][number][number];
export type Cell = NonNullable<Sheet['cells']> extends Map<string, infer Found> ? Found : never;

/** A cell as people see it, but with all decimals: a rounded amount would be another one. */
export function textOf(value: Value, cell: Cell | undefined): string {
  if (value === null) return '';
  const format = cell?.style?.numFmt ?? 'General';
  if (value instanceof Date) return timeText(value, format);
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  return typeof value === 'number' ? numberText(value, format) : value;
}

/** Why a cell may say another thing than was meant; undefined if it may not. */
export function doubtOf(value: Value, cell: Cell | undefined): string | undefined {
  if (cell?.type === 'formula' && cell.formulaResult === null) return 'a formula without its result';
  if (value === null || value === '') return undefined;
  if (value instanceof Date && isShownInPart(shownBy(cell?.style?.numFmt ?? 'General')))
    return 'a date that the sheet shows only in part';
  const isStruck = cell?.style?.font?.strikethrough || cell?.richText?.some(({ font }) => font?.strikethrough);
  return isStruck ? 'text that is struck through' : undefined;
}

/** The parts of a date that a format shows. */
interface Shown {
  year: boolean;
  month: boolean;
  day: boolean;
  weekday: boolean;
  time: boolean;
}

/** Reads the letters of a format of dates (ECMA-376, 18.8.31). An `m` beside hours or seconds stands for minutes. */
function shownBy(format: string): Shown {
  const letters = format
    .split(';', 1)
    .join('')
    .replace(/"[^"]*"|\\.|[_*]./g, ' ')
    .replace(/\[(h+|m+|s+)\]/gi, '$1')
    .replace(/\[[^\]]*\]|AM\/PM|A\/P/gi, '');
  const days = letters.replace(/(h[^a-z]*)m{1,2}(?!m)/gi, '$1').replace(/m{1,2}([^a-z]*s)/gi, '$1');
  return {
    year: /[yeb]/i.test(days),
    month: /m/i.test(days),
    day: /(?<!d)d{1,2}(?!d)/i.test(days),
    weekday: /d{3}/i.test(days),
    time: /[hs]/i.test(letters),
  };
}

/** Less than a month and a day. */
const isShownInPart = ({ year, month, day, weekday }: Shown) => (year || month || day || weekday) && !(month && day);

/** Excel writes this for 0, such as a formula writes that refers to an empty cell. */
const NO_DAY = '1900-01-00';

/**
 * The parts of a date that its format shows, so without the year that Excel adds to `10-Dec`. Excel's times are fractions of
 * a day, which end in …999. The sheet has no time zone.
 */
function timeText(value: Date, format: string): string {
  const text = new Date(Math.round(value.getTime() / 1000) * 1000).toISOString();
  const { year, month, day, weekday, time } = shownBy(format);
  const [, years = '', months = '', days = '', clock = ''] = /^(\d+)-(\d\d)-(\d\d)T(\d\d:\d\d)/.exec(text) ?? [];
  if (years === '1899' && !time) return NO_DAY;
  // A format that is not known, such as one of East Asia, has no letters.
  const isWhole = !(year || month || day || weekday || time);
  const shown = [year ? years : '', month ? months : '', day ? days : ''].filter(Boolean).join('-');
  return isWhole ? text.slice(0, 10) : [shown, time ? clock : ''].filter(Boolean).join(' ');
}

/** Spreadsheet programs write no longer one. */
const LONGEST_FORMAT = 255;

/** The number with the signs that its format puts around it, such as a currency's, and with its leading zeros. */
function numberText(value: number, format: string): string {
  // Sums of a sheet may end in 0.000000001.
  const plain = String(Math.round(value * 1e6) / 1e6);
  const [positive = ''] = format.length > LONGEST_FORMAT ? ['General'] : format.split(';');
  const shown = positive
    .replace(/\[\$([^\]-]*)[^\]]*\]/g, '"$1"')
    .replace(/\[[^\]]*\]|[_*]./g, '')
    .replace(/\\(.)/g, '"$1"');
  const [, before = '', digits = '', after = ''] = /^((?:"[^"]*"|[^"0#?])*)([0#?][0#?.,\s]*)(.*)$/.exec(shown) ?? [];
  if (/general|^$/i.test(positive) || digits === '') return plain;
  const unquoted = (text: string) => text.replaceAll('"', '');
  const number = /^0+$/.test(digits) && value >= 0 ? plain.padStart(digits.length, '0') : plain;
  return `${unquoted(before)}${after.includes('%') ? Math.round(value * 1e8) / 1e6 : number}${unquoted(after)}`.trim();
}
