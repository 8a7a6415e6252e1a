export interface OutputOptions {
  /** For scripts: standard output is one JSON value and nothing else. */
  json?: boolean;
}

/** What a person sees, by label; null is shown as a dash. */
type Row = Record<string, string | number | boolean | Date | null>;

/** One thing: JSON, or one line for each label. */
export function printOne<Item extends object>(options: OutputOptions, item: Item, present: (item: Item) => Row): void {
  write(oneText(options, item, present));
}

function oneText<Item extends object>(options: OutputOptions, item: Item, present: (item: Item) => Row): string {
  return options.json ? toJson(item) : align(Object.entries(present(item)).map(([label, cell]) => [label, show(cell)]));
}

/** A list: a JSON array, or a table with a heading. */
export function printMany<Item extends object>(
  options: OutputOptions,
  items: readonly Item[],
  present: (item: Item) => Row,
): void {
  write(options.json ? toJson(items) : toTable(items.map(present)));
}

/** A text as it stands, on lines of its own. */
export function printText(text: string): void {
  write(text.endsWith('\n') ? text : `${text}\n`);
}

/**
 * One thing that is shown this once, with a remark for people. Where it can be written nowhere, `otherwise` is said instead
 * and the process ends as one that failed.
 */
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

/** A remark beside the result; standard output stays clean for scripts. */
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

/** Columns two blanks apart, each as wide as its widest cell. */
function align(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => [...(row[column] ?? '')].length)));
  const line = (row: string[]) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length))
      .join('  ')
      .trimEnd();
  return `${rows.map(line).join('\n')}\n`;
}
