/** Words of questions that are in every section or in none. */
const STOP_WORDS = new Set(
  `a an and any are as at be by can could do does for from had has have how i if in into is it its may me must my of on or
  our please should so tell that the their them then there these they this to want was we what when where which who why
  will with would you your`.split(/\s+/),
);

/** Returns the words without those that say nothing; all of them if none says anything. */
export function meaningOf(words: readonly string[]): readonly string[] {
  const meant = words.filter((word) => !STOP_WORDS.has(word));
  return meant.length === 0 ? words : meant;
}

/** Other words for the same, as these pages have them. */
const GROUPS = [
  ['retry', 'repeat', 'again', 'idempotency'],
  ['idempotency', 'idempotent', 'duplicate', 'twice'],
  ['refund', 'refunded', 'cancel', 'returns'],
  ['cancel', 'abort', 'revoke', 'undo', 'void'],
  ['limit', 'quota', 'throttle', 'throttling', 'cap'],
  ['webhook', 'webhooks', 'push', 'callback', 'notification'],
  ['test', 'testing', 'sandbox', 'simulate'],
  ['key', 'token', 'credential', 'apikey'],
  ['balance', 'funds', 'money', 'credit'],
  ['fund', 'topup', 'deposit', 'funds'],
  ['delete', 'erase', 'remove', 'gdpr'],
  ['agent', 'mcp', 'llm', 'assistant', 'ai'],
  ['order', 'buy', 'purchase'],
  ['schedule', 'later', 'send_at', 'scheduled'],
  ['install', 'setup', 'start', 'quickstart'],
  ['error', 'failure', 'problem', 'fails'],
  ['recipient', 'receiver', 'customer'],
  ['expire', 'expiry', 'expires', 'expiration'],
  ['email', 'mail', 'e-mail'],
  ['phone', 'sms', 'text'],
];

/** By the word. */
export const SYNONYMS: ReadonlyMap<string, readonly string[]> = new Map(
  GROUPS.flat().map((word) => {
    const others = GROUPS.filter((group) => group.includes(word)).flat();
    return [word, [...new Set(others)].filter((other) => other !== word)];
  }),
);
