/** In cents; null: no limit. */
export type Limits = Record<'order' | 'recipient' | 'hour' | 'day' | 'life', number | null>;

const WORDS = {
  order: 'an order',
  recipient: 'a recipient and day',
  hour: 'an hour',
  day: 'a day',
  life: 'in all',
} as const satisfies Record<keyof Limits, string>;

/** such as `at most 50.00 USD an order, 100.00 USD a day`. */
export function limitsText(limits: Limits, money: (cents: number) => string): string {
  const texts = Object.entries(WORDS).flatMap(([period, words]) => {
    const cents = limits[period as keyof Limits];
    return cents === null ? [] : [`${money(cents)} ${words}`];
  });
  return texts.length === 0 ? 'without limits' : `at most ${texts.join(', ')}`;
}
