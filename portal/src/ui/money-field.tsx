import { createMoneyReader } from 'bestow-readers/money.ts';
import { useState } from 'react';
import { TextField } from './field.tsx';

interface MoneyFieldProps {
  label: string;
  currency: string;
  hint?: string;
  value: string;
  onChange: (text: string) => void;
  mostCents?: number;
  leastCents?: 0 | 1;
  isOptional?: boolean;
}

/** An amount, above zero unless zero means something. Shows an error on blur, not while the person types. */
export function MoneyField({
  label,
  currency,
  hint,
  value,
  onChange,
  mostCents = Number.MAX_SAFE_INTEGER,
  leastCents = 1,
  isOptional = false,
}: MoneyFieldProps) {
  const [wasLeft, setWasLeft] = useState(false);
  const isWrong = value.trim() !== '' && parseMoney(value, currency, mostCents, leastCents) === undefined;
  return (
    <TextField
      label={`${label} (${currency})`}
      hint={hint}
      error={wasLeft && isWrong ? `Enter an amount such as 1250.00. ${hint ?? ''}` : undefined}
      value={value}
      onChange={onChange}
      onBlur={() => setWasLeft(true)}
      inputMode="decimal"
      autoComplete="off"
      required={!isOptional}
    />
  );
}

const readers = new Map<string, ReturnType<typeof createMoneyReader>>();

/**
 * Reads an amount as every form and file does; the point stands before the cents.
 *
 * @returns cents from the minimum, 1 by default, to the maximum, or undefined
 */
export function parseMoney(
  text: string,
  currency: string,
  mostCents = Number.MAX_SAFE_INTEGER,
  leastCents = 1,
): number | undefined {
  // A service has one currency.
  const read = readers.get(currency) ?? createMoneyReader(currency, '.');
  readers.set(currency, read);
  const cents = read(text);
  return cents !== undefined && cents >= leastCents && cents <= mostCents ? cents : undefined;
}

/** The same for a field that may be empty. @returns null if it is */
export const parseOptionalMoney = (text: string, currency: string, leastCents?: number) =>
  text.trim() === '' ? null : parseMoney(text, currency, undefined, leastCents);

/** Such as `1250.00`; empty without an amount. */
export const moneyText = (cents: number | null | undefined) => (cents == null ? '' : (cents / 100).toFixed(2));
