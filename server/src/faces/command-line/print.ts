import { styleText } from 'node:util';
import { printable, printableLines } from '../../platform/base/printable.ts';

export interface OutputOptions {
  /** Print one JSON value only, for scripts. */
  json?: boolean;
}

/** Cells by label; null is shown as a dash. */
export type Row = Record<string, string | number | boolean | Date | null>;

/** Prints JSON, or one line per label. */
export function printOne<Item extends object>(options: OutputOptions, item: Item, present: (item: Item) => Row): void {
  write(oneText(options, item, present));
}

function oneText<Item extends object>(options: OutputOptions, item: Item, present: (item: Item) => Row): string {
  return options.json ? toJson(item) : align(Object.entries(present(item)).map(([label, cell]) => [label, show(cell)]));
}

/** Prints a JSON array, or a table with a heading. Of a table wider than the terminal, each row becomes lines. */
export function printMany<Item extends object>(
  options: OutputOptions,
  items: readonly Item[],
  present: (item: Item) => Row,
): void {
  write(options.json ? toJson(items) : toTable(items.map(present)));
}

/** Prints one row before the next is known. @param widths of all columns but the last; a longer cell moves the others */
export function printRow(cells: readonly string[], widths: readonly number[]): void {
  write(
    `${cells
      .map((cell, column) => paint(printable(cell), widths[column] ?? 0))
      .join('  ')
      .trimEnd()}\n`,
  );
}

/** Prints a text that ends with a newline. */
export function printText(text: string): void {
  const lines = printableLines(text);
  write(lines.endsWith('\n') ? lines : `${lines}\n`);
}

/** Prints an item that is shown only once. If writing fails, prints `otherwise` and exits with code 1. */
export function printOnce<Item extends object>(
  options: OutputOptions,
  item: Item,
  present: (item: Item) => Row,
  { remark, otherwise }: { remark: string; otherwise: string },
): void {
  process.stdout.write(oneText(options, item, present), (error) => {
    if (error) {
      printRemark(otherwise);
      process.exit(1);
    }
    if (!options.json) printRemark(remark);
  });
}

/** Prints a remark to standard error, so that standard output has only the result. */
export function printRemark(text: string): void {
  process.stderr.write(`${printableLines(text)}\n`);
}

function toJson(value: object): string {
  return `${printable(JSON.stringify(value))}\n`;
}

function toTable(rows: Row[]): string {
  const [first] = rows;
  if (first === undefined) return 'None.\n';
  const labels = Object.keys(first);
  const cells = rows.map((row) => Object.values(row).map(show));
  const widthOf = (column: number) => Math.max(...[labels, ...cells].map((row) => lengthOf(row[column] ?? '')));
  const width = labels.reduce((sum, _, column) => sum + widthOf(column), 2 * (labels.length - 1));
  const { stdout } = process;
  if (!stdout.isTTY || width <= stdout.columns) return align([labels, ...cells]);
  return cells.map((row) => align(labels.map((label, column) => [label, row[column] ?? '']))).join('\n');
}

function write(text: string): void {
  process.stdout.write(text);
}

function show(value: Row[string]): string {
  if (value === null) return '–';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : printable(String(value));
}

const lengthOf = (cell: string) => [...cell].length;

/** Colors of whole cells, at a terminal only and never with NO_COLOR. */
const colors: Readonly<Record<string, 'red' | 'yellow' | 'green'>> = {
  fault: 'red',
  failed: 'red',
  warning: 'yellow',
  ok: 'green',
};

/** Colors a cell and fills it up to the width. */
function paint(cell: string, width: number): string {
  const color = Object.hasOwn(colors, cell) ? colors[cell] : undefined;
  return (color === undefined ? cell : styleText(color, cell)) + ' '.repeat(Math.max(0, width - lengthOf(cell)));
}

/** Aligns columns, two spaces apart. */
function align(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => lengthOf(row[column] ?? ''))));
  const line = (row: string[]) =>
    row
      .map((cell, column) => paint(cell, column === row.length - 1 ? 0 : (widths[column] ?? 0)))
      .join('  ')
      .trimEnd();
  return `${rows.map(line).join('\n')}\n`;
}
