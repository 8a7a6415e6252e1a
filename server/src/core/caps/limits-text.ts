/** In cents; null: no limit. */
export interface Limits extends Partial<Record<keyof typeof WORDS, number | null>> {
  /** Of agents; absent in events of releases before. */
  ask_above?: number | null;
}

const WORDS = {
  order: 'an order',
  recipient: 'a recipient and day',
  hour: 'an hour',
  day: 'a day',
  month: 'a month',
  life: 'in all',
} as const;

/** such as `at most 50.00 USD an order, 100.00 USD a day, asks a person above 20.00 USD`. */
export function limitsText(limits: Limits, money: (cents: number) => string): string {
  const texts = Object.entries(WORDS).flatMap(([period, words]) => {
    const cents = limits[period as keyof typeof WORDS];
    return cents == null ? [] : [`${money(cents)} ${words}`];
  });
  const caps = texts.length === 0 ? 'without limits' : `at most ${texts.join(', ')}`;
  const { ask_above } = limits;
  if (ask_above == null) return caps;
  return `${caps}, asks a person ${ask_above === 0 ? 'for each order' : `above ${money(ask_above)}`}`;
}
