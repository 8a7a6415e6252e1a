import { createMoneyReader, findDecimalSign } from 'bestow-readers/money.ts';
import { isDay } from 'bestow-readers/time.ts';
import { readTable, refusalOf } from '../../../platform/api/read-table.ts';

/** A code as it was bought. */
interface BoughtCode {
  valueCents: number;
  code: string;
  pin: string | null;
  expires: string | null;
  shop: string;
  termsUrl: string | null;
}

export const codeColumns = ['value', 'code', 'pin', 'expires', 'shop', 'terms_url'] as const;
const MAX_CHARACTERS = 200;
const MAX_URL = 2_000;
const MAX_CENTS = 99_999_999;

/**
 * Reads codes from a table with a line of headings.
 *
 * @param currency of the service, whose sign an amount may have
 * @param today codes must expire later
 * @throws BestowError `parameter_invalid` that names the line
 */
export async function readCodes(text: string, currency: string, today: string): Promise<BoughtCode[]> {
  const columns = { all: codeColumns, required: ['value', 'code', 'shop'] as const, mayHaveOthers: false };
  const rows = await readTable(text, columns);
  const decimal = findDecimalSign(rows.map(({ read }) => read('value')));
  if (decimal === undefined)
    throw refusalOf('The values can be read in two ways, such as 1.250; write them without signs between thousands.');
  const readMoney = createMoneyReader(currency, decimal);
  return rows.map(({ line, read }) => readCode(line, read, readMoney, today));
}

function readCode(
  line: number,
  read: (name: (typeof codeColumns)[number]) => string,
  readMoney: (text: string) => number | undefined,
  today: string,
): BoughtCode {
  const refuse = (what: string): never => {
    throw refusalOf(`Line ${line}: ${what}.`);
  };
  for (const name of ['code', 'pin', 'shop'] as const)
    if (read(name).length > MAX_CHARACTERS) refuse(`${name} has more than ${MAX_CHARACTERS} characters`);
  const valueCents = readMoney(read('value')) ?? refuse('value must be an amount such as 25.00');
  if (valueCents === 0) refuse('value must be above zero');
  if (valueCents > MAX_CENTS) refuse('value must be at most 999,999.99');
  if (read('code') === '') refuse('code is empty');
  if (read('shop') === '') refuse('shop is empty');
  const expires = read('expires');
  if (expires !== '' && !isDay(expires)) refuse('expires must be a date that exists, such as 2027-11-30');
  if (expires !== '' && expires <= today) refuse(`expires must be after today (${today}); leave the code out`);
  const termsUrl = read('terms_url');
  if (termsUrl !== '' && !(URL.canParse(termsUrl) && /^https:\/\/\S+$/.test(termsUrl)))
    refuse('terms_url must begin with https:// and have no spaces');
  if (termsUrl.length > MAX_URL) refuse(`terms_url has more than ${MAX_URL} characters`);
  const orNull = (field: string) => (field === '' ? null : field);
  return {
    valueCents,
    code: read('code'),
    pin: orNull(read('pin')),
    expires: orNull(expires),
    shop: read('shop'),
    termsUrl: orNull(termsUrl),
  };
}
