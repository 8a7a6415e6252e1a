import { MoneyField, moneyText, parseOptionalMoney } from './money-field.tsx';

const labels = { hour: 'Per hour', day: 'Per day' } as const;
const periods = ['hour', 'day'] as const;

type CapTexts = Record<(typeof periods)[number], string>;
type Caps = Record<keyof CapTexts, { cap: number } | null>;

/** What the fields hold at first. */
export const capTexts = (caps: Caps | undefined): CapTexts => ({
  hour: moneyText(caps?.hour?.cap),
  day: moneyText(caps?.day?.cap),
});

/** Null for no cap, and undefined for a text that is no amount. */
export const readCaps = ({ hour, day }: CapTexts, currency: string) => ({
  hour: parseOptionalMoney(hour, currency),
  day: parseOptionalMoney(day, currency),
});

interface CapFieldsProps {
  currency: string;
  texts: CapTexts;
  onChange: (texts: CapTexts) => void;
}

/** What orders may cost in an hour and a day. */
export const CapFields = ({ currency, texts, onChange }: CapFieldsProps) =>
  periods.map((period) => (
    <MoneyField
      key={period}
      label={labels[period]}
      hint="Empty: no cap."
      currency={currency}
      value={texts[period]}
      onChange={(text) => onChange({ ...texts, [period]: text })}
      isOptional
    />
  ));
