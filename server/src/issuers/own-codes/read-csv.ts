import { readCells } from '../../base/read-cells.ts';
import { BestowError } from '../../errors.ts';

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
 * @throws BestowError `parameter_invalid` that names the line
 */
export function readCodes(text: string): BoughtCode[] {
  const [names = [], ...lines] = readCells(text);
  const columns = names.map((name) => name.trim().toLowerCase());
  const strange = columns.find((name) => !(COLUMNS as readonly string[]).includes(name));
  if (strange !== undefined) refuse(`Line 1: there is no column “${strange}”. The columns are ${COLUMNS.join(', ')}.`);
  const missing = REQUIRED.find((name) => !columns.includes(name));
  if (missing !== undefined) refuse(`Line 1: the column ${missing} is missing.`);
  const written = lines
    .map((fields, index) => ({ fields, line: index + 2 }))
    .filter(({ fields }) => fields.some((field) => field.trim() !== ''));
  if (written.length === 0) refuse('The file has no codes.');
  if (written.length > MAX_CODES)
    refuse(`The file has ${written.length} codes; upload at most ${MAX_CODES} at a time.`);
  return written.map(({ fields, line }) => readLine(columns, fields, line));
}

function readLine(columns: readonly string[], fields: readonly string[], line: number): BoughtCode {
  const refuseLine = (what: string): never => refuse(`Line ${line}: ${what}.`);
  if (fields.length !== columns.length) refuseLine(`it has ${fields.length} fields instead of ${columns.length}`);
  const read = (name: (typeof COLUMNS)[number]) => (fields[columns.indexOf(name)] ?? '').trim();
  for (const name of ['code', 'pin', 'shop'] as const)
    if (read(name).length > MAX_CHARACTERS) refuseLine(`${name} has more than ${MAX_CHARACTERS} characters`);
  const [, whole = '', cents = '00'] = VALUE.exec(read('value')) ?? refuseLine('value must be an amount such as 25.00');
  const valueCents = Number(whole) * 100 + Number(cents);
  if (valueCents === 0) refuseLine('value must be above zero');
  if (read('code') === '') refuseLine('code is empty');
  if (read('shop') === '') refuseLine('shop is empty');
  const expires = read('expires');
  if (expires !== '' && !(DATE.test(expires) && !Number.isNaN(Date.parse(expires))))
    refuseLine('expires must be a date such as 2027-11-30');
  const termsUrl = read('terms_url');
  if (termsUrl !== '' && !(URL.canParse(termsUrl) && termsUrl.startsWith('https://')))
    refuseLine('terms_url must begin with https://');
  const orNull = (field: string) => (field === '' ? null : field);
  return {
    ...{ valueCents, code: read('code'), pin: orNull(read('pin')), expires: orNull(expires) },
    ...{ shop: read('shop'), termsUrl: orNull(termsUrl) },
  };
}

function refuse(message: string): never {
  throw new BestowError('parameter_invalid', { param: 'csv', message });
}
