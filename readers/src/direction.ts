/** Controls of the writing direction (UAX #9): marks, embeddings, overrides and isolates. */
const TURNS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Removes what could turn the text around a name from every text of a JSON value. Keys and other values stay. */
export function withoutTurns<Value>(value: Value): Value {
  if (typeof value === 'string') return value.replace(TURNS, '') as Value;
  if (Array.isArray(value)) return value.map(withoutTurns) as Value;
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutTurns(item)])) as Value;
}
