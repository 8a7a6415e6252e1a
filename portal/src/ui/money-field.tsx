import { useState } from 'react';
import { TextField } from './field.tsx';

interface MoneyFieldProps {
  label: string;
  currency: string;
  hint?: string;
  value: string;
  onChange: (text: string) => void;
  mostCents: number;
}

/** An amount above zero. Shows an error on blur, not while the person types. */
export function MoneyField({ label, currency, hint, value, onChange, mostCents }: MoneyFieldProps) {
  const [wasLeft, setWasLeft] = useState(false);
  const isWrong = value.trim() !== '' && parseMoney(value, mostCents) === undefined;
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
      required
    />
  );
}

/** Parses `1250`, `1,250.00` or `1250,5` to cents. Returns undefined if the amount is not between 0.01 and the maximum. */
export function parseMoney(text: string, mostCents: number): number | undefined {
  const plain = text.replace(/\s/g, '');
  const isGrouped = /^\d{1,3}(,\d{3})+(\.\d{1,2})?$/.test(plain);
  const [, whole = '', fraction = ''] =
    /^(\d{1,15})(?:[.,](\d{1,2}))?$/.exec(isGrouped ? plain.replaceAll(',', '') : plain) ?? [];
  const cents = Number(`${whole}${fraction.padEnd(2, '0')}`);
  return whole !== '' && cents >= 1 && cents <= mostCents ? cents : undefined;
}

/** Such as `1250.00`. */
export const moneyText = (cents: number) => (cents / 100).toFixed(2);
