export interface OutputOptions {
  /** Print one JSON value only, for scripts. */
  json?: boolean;
}

/** Cells by label; null is shown as a dash. */
type Row = Record<string, string | number | boolean | Date | null>;

/** Prints JSON, or one line per label. */
export function printOne<Item extends object>(options: OutputOptions, item: Item, present: (item: Item) => Row): void {
  write(oneText(options, item, present));
}

function oneText<Item extends object>(options: OutputOptions, item: Item, present: (item: Item) => Row): string {
  return options.json ? toJson(item) : align(Object.entries(present(item)).map(([label, cell]) => [label, show(cell)]));
}

/** Prints a JSON array, or a table with a heading. */
export function printMany<Item extends object>(
  options: OutputOptions,
  items: readonly Item[],
  present: (item: Item) => Row,
): void {
  write(options.json ? toJson(items) : toTable(items.map(present)));
}

/** Prints a text that ends with a newline. */
export function printText(text: string): void {
  write(text.endsWith('\n') ? text : `${text}\n`);
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
  process.stderr.write(`${text}\n`);
}

function toJson(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

function toTable(rows: Row[]): string {
  const [first] = rows;
  if (first === undefined) return 'None.\n';
  return align([Object.keys(first), ...rows.map((row) => Object.values(row).map(show))]);
}

function write(text: string): void {
  process.stdout.write(text);
}

function show(value: Row[string]): string {
  if (value === null) return '–';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
}

/** Aligns columns, two spaces apart. */
function align(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => [...(row[column] ?? '')].length)));
  const line = (row: string[]) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length))
      .join('  ')
      .trimEnd();
  return `${rows.map(line).join('\n')}\n`;
}
