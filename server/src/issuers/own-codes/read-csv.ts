import { OperatorError } from '../../base/operator-error.ts';

/** A code as it was bought. */
interface BoughtCode {
  valueCents: number;
  code: string;
  pin: string | null;
  expires: string | null;
  shop: string;
  termsUrl: string | null;
}

const COLUMNS = ['value', 'code', 'pin', 'expires', 'shop', 'terms_url'] as const;
const REQUIRED = ['value', 'code', 'shop'] as const;
const VALUE = /^(\d{1,6})(?:\.(\d{2}))?$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const MAX_CODES = 10_000;
const MAX_CHARACTERS = 200;

/**
 * Reads codes from CSV (RFC 4180) with a first line of column names.
 *
 * @throws OperatorError that names the line
 */
export function readCodes(text: string): BoughtCode[] {
  const [names = [], ...lines] = splitCsv(text.replace(/^\ufeff/, ''));
  const columns = names.map((name) => name.trim().toLowerCase());
  const strange = columns.find((name) => !(COLUMNS as readonly string[]).includes(name));
  if (strange !== undefined)
    throw new OperatorError(`Line 1: there is no column “${strange}”. The columns are ${COLUMNS.join(', ')}.`);
  const missing = REQUIRED.find((name) => !columns.includes(name));
  if (missing !== undefined) throw new OperatorError(`Line 1: the column ${missing} is missing.`);
  if (lines.length === 0) throw new OperatorError('The file has no codes.');
  if (lines.length > MAX_CODES)
    throw new OperatorError(`The file has ${lines.length} codes; upload at most ${MAX_CODES} at a time.`);
  return lines.map((fields, index) => readLine(columns, fields, index + 2));
}

function readLine(columns: readonly string[], fields: readonly string[], line: number): BoughtCode {
  const refuse = (what: string): never => {
    throw new OperatorError(`Line ${line}: ${what}.`);
  };
  if (fields.length !== columns.length) refuse(`it has ${fields.length} fields instead of ${columns.length}`);
  const read = (name: (typeof COLUMNS)[number]) => (fields[columns.indexOf(name)] ?? '').trim();
  for (const name of ['code', 'pin', 'shop'] as const)
    if (read(name).length > MAX_CHARACTERS) refuse(`${name} has more than ${MAX_CHARACTERS} characters`);
  const [, whole = '', cents = '00'] = VALUE.exec(read('value')) ?? refuse('value must be an amount such as 25.00');
  const valueCents = Number(whole) * 100 + Number(cents);
  if (valueCents === 0) refuse('value must be above zero');
  if (read('code') === '') refuse('code is empty');
  if (read('shop') === '') refuse('shop is empty');
  const expires = read('expires');
  if (expires !== '' && !(DATE.test(expires) && !Number.isNaN(Date.parse(expires))))
    refuse('expires must be a date such as 2027-11-30');
  const termsUrl = read('terms_url');
  if (termsUrl !== '' && !(URL.canParse(termsUrl) && termsUrl.startsWith('https://')))
    refuse('terms_url must begin with https://');
  const orNull = (field: string) => (field === '' ? null : field);
  return {
    ...{ valueCents, code: read('code'), pin: orNull(read('pin')), expires: orNull(expires) },
    ...{ shop: read('shop'), termsUrl: orNull(termsUrl) },
  };
}

/** Splits CSV into lines of fields; skips empty lines. */
function splitCsv(text: string): string[][] {
  const lines: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|$)/g)) {
    lines.at(-1)?.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'));
    if (end !== ',') lines.push([]);
  }
  return lines.filter((fields) => fields.length > 0 && fields.some((field) => field.trim() !== ''));
}
