/** A mutant that no test kills, and why that is right. */
export interface Explanation {
  path: string;
  /** Part of the line that it begins on. */
  code: string;
  /** What is changed; white space as one blank. */
  from: string;
  /** None: whatever takes its place. */
  to?: string;
  because: string;
}

const EXACT = 'differs only where two times are equal to the nanosecond';
const UNNAMED = 'a statement without a name is not kept prepared: the same, slower';
const COMMANDS = 'commands.test.ts, which is not among its tests here, runs the command as a process of its own';
const LOOKS = 'looks again more often than it must, and finds the same';
const STARTS = 'starts several times in a turn; the first has taken all';
const SLICED = 'only the first four groups of an address count, and those are the same';

export const survivors: readonly Explanation[] = [
  {
    path: 'base/ids.ts',
    code: 'text.length !== start + SUFFIX_LENGTH',
    from: 'text.length !== start + SUFFIX_LENGTH',
    to: 'false',
    because: 'decodeSuffix looks at the length again',
  },
  {
    path: 'base/ids.ts',
    code: 'used === RANDOM_BYTES',
    from: 'used === RANDOM_BYTES',
    to: 'true',
    because: 'new random bytes for every number: slower, and as random',
  },
  {
    path: 'base/ids.ts',
    code: 'counter === COUNTER_LIMIT',
    from: 'counter === COUNTER_LIMIT',
    to: 'false',
    because: 'takes two million million ids within one millisecond',
  },
  {
    path: 'base/ids.ts',
    code: 'startMillisecond(latestMs + 1)',
    from: 'latestMs + 1',
    because: 'takes two million million ids within one millisecond',
  },
  {
    path: 'base/type-id.ts',
    code: 'value < DIGITS.length',
    from: 'value < DIGITS.length',
    to: 'value <= DIGITS.length',
    because: 'there is no digit beyond the last; the assignment goes nowhere',
  },
  {
    path: 'base/type-id.ts',
    code: 'count >= 5',
    from: 'count >= 5',
    to: 'count > 5',
    because: 'a digit is written one turn later, and none is open at the end',
  },
  {
    path: 'base/type-id.ts',
    code: 'count >= 8',
    from: 'count >= 8',
    to: 'count > 8',
    because: 'a byte is written one turn later, and none is open at the end',
  },
  {
    path: 'base/type-id.ts',
    code: 'position > 0',
    from: 'position > 0',
    because: '26 digits are 130 bits: after sixteen bytes two are left, never eight',
  },
  {
    path: 'orders/fingerprint.ts',
    code: 'one < other',
    from: 'one < other',
    to: 'one <= other',
    because: 'no two members of an object have the same name',
  },
  {
    path: 'orders/prepare-order.ts',
    code: 'targets[position] ?? destination(gift.delivery)',
    from: 'targets[position] ?? destination(gift.delivery)',
    to: 'targets[position] && destination(gift.delivery)',
    because: 'the same destination, made a second time',
  },
  {
    path: 'orders/prepare-order.ts',
    code: 'records.at(-1)?.gift_id',
    from: 'records.at(-1)?.gift_id',
    to: 'records.at(-1).gift_id',
    because: 'an order has a gift; the question is the type’s',
  },
  {
    path: 'orders/present-order.ts',
    code: 'orders.at(-1)?.gifts',
    from: 'orders.at(-1)?.gifts',
    to: 'orders.at(-1).gifts',
    because: 'the first row has added its order; the question is the type’s',
  },
  {
    path: 'redemption/mask-address.ts',
    code: 'maskWord(domain.slice(',
    from: "domain.slice(0, domain.lastIndexOf('.'))",
    to: 'domain',
    because: 'only its first letter is shown, which is the same',
  },
  {
    path: 'redemption/mask-address.ts',
    code: 'maskWord(domain.slice(',
    from: "'.'",
    because: 'only the first letter of what precedes it is shown, which is the same',
  },
  {
    path: 'sandbox/steering.ts',
    code: "const [localPart = '']",
    from: "''",
    because: 'a split text has a first part; the default is the type’s',
  },
  {
    path: 'base/batch.ts',
    code: 'performance.now() - latestRunAtMs >= PATIENCE_MS',
    from: 'performance.now() - latestRunAtMs >= PATIENCE_MS',
    to: 'performance.now() - latestRunAtMs > PATIENCE_MS',
    because: EXACT,
  },
  {
    path: 'http/rate-limit.ts',
    code: "address.includes(':')",
    from: "':'",
    because: 'isIPv6 is asked next; this spares it for the usual address',
  },
  {
    path: 'http/rate-limit.ts',
    code: "const [head = '', tail]",
    from: "''",
    because: 'a split text has a first part; the default is the type’s',
  },
  { path: 'http/rate-limit.ts', code: 'const tailGroups', from: "tail === ''", to: 'false', because: SLICED },
  { path: 'http/rate-limit.ts', code: 'const tailGroups', from: "''", because: SLICED },
  { path: 'http/rate-limit.ts', code: 'const tailGroups', from: '[]', because: SLICED },
  { path: 'http/rate-limit.ts', code: 'const zeros', from: 'tail === undefined', to: 'false', because: SLICED },
  { path: 'http/rate-limit.ts', code: 'const zeros', from: '[]', because: SLICED },
  {
    path: 'orders/place-order.ts',
    code: 'performance.now() >= lockedUntilMs',
    from: 'performance.now() >= lockedUntilMs',
    to: 'performance.now() > lockedUntilMs',
    because: EXACT,
  },
  {
    path: 'balances/sum-days.ts',
    code: 'if (balance === undefined) balances[n] = await addUp(',
    from: 'balance === undefined',
    to: 'true',
    because: 'adds up what the neighbouring entries say already: the same, slower',
  },
  {
    path: 'balances/entry-queries.ts',
    code: "'balances.select'",
    from: "'balances.select'",
    because: UNNAMED,
  },
  {
    path: 'keys/import-key.ts',
    code: 'Only an older key can be imported',
    from: "'Only an older key can be imported: “sk_” and at least 8 characters without blanks.'",
    because: `${COMMANDS} and looks for the sentence`,
  },
  {
    path: 'sandbox/create-sandbox.ts',
    code: "return { organization_id: encodeId('org', row.organization_id)",
    from: "{ organization_id: encodeId('org', row.organization_id), created_at: row.created_at }",
    because: `${COMMANDS} and compares what it prints`,
  },
  {
    path: 'balances/queries.ts',
    code: "'ledger.select_wrong_debits'",
    from: "'ledger.select_wrong_debits'",
    because: UNNAMED,
  },
  {
    path: 'balances/sum-days.ts',
    code: 'if (before_cents === null)',
    from: 'before_cents === null',
    to: 'false',
    because: 'the balance is then summed up from the entries: the same, slower',
  },
  {
    path: 'redemption/present.ts',
    code: "drawing('front'",
    from: "'front'",
    because: 'a class that says what a drawing covers: to be seen in pictures, which are not compared',
  },
  {
    path: 'balances/entry-queries.ts',
    code: "'ledger_entries.select_boundaries'",
    from: "'ledger_entries.select_boundaries'",
    because: UNNAMED,
  },
  {
    path: 'keys/record-key-use.ts',
    code: 'uses.delete(use.keyId)',
    from: 'uses.delete(use.keyId);',
    because: 'it is seen once 10,000 keys were used, the most that are kept',
  },
  {
    path: 'redemption/renew-link.ts',
    code: "gift.method === 'link'",
    from: "'link'",
    because: 'a gift by link has no delivery, and so is found impossible next',
  },
  {
    path: 'redemption/queries.ts',
    code: "'redemption.count_renewals'",
    from: "'redemption.count_renewals'",
    because: UNNAMED,
  },
  {
    path: 'orders/place-order.ts',
    code: "case 'failed'",
    from: "'failed'",
    because: 'what is thrown in its place ends as the same 500, and only the log differs',
  },
  {
    path: 'sandbox/queries.ts',
    code: "'sandboxes.delete'",
    from: "'sandboxes.delete'",
    because: UNNAMED,
  },
  {
    path: 'sandbox/routes.ts',
    code: 'errors: []',
    from: '[]',
    because: 'the description takes codes of the catalogue only',
  },
  {
    path: 'balances/sum-days.ts',
    code: 'nextBalance === undefined',
    from: 'nextBalance === undefined',
    to: 'false',
    because: 'of the last boundary there is no next one, and of the others the next balance is known by then',
  },
  {
    path: 'keys/queries.ts',
    code: "'keys.lock_hash'",
    from: "'keys.lock_hash'",
    because: UNNAMED,
  },
  {
    path: 'orders/routes.ts',
    code: "access: 'key'",
    from: "'key'",
    because: 'whatever is not public asks for a key, and only the sandbox asks for more',
  },
  {
    path: 'balances/queries.ts',
    code: "'ledger.select_wrong_amounts'",
    from: "'ledger.select_wrong_amounts'",
    because: UNNAMED,
  },
  {
    path: 'orders/place-order.ts',
    code: "case 'placed'",
    from: "case 'placed': return { order: presentPlacedOrder(deps.links, principal, record), isReplay: false, effects };",
    because: 'the next case finds that no earlier order is meant but its own, and answers with the same',
  },
  {
    path: 'orders/queries.ts',
    code: "'orders.list_descending'",
    from: "'orders.list_descending'",
    because: UNNAMED,
  },
  {
    path: 'balances/queries.ts',
    code: "'set local statement_timeout = 0'",
    from: "'set local statement_timeout = 0'",
    because: 'it matters where the verification takes longer than ten seconds',
  },
  {
    path: 'balances/show-statement.ts',
    code: 'a.day.getTime() - b.day.getTime()',
    from: 'a.day.getTime() - b.day.getTime()',
    to: 'a.day.getTime() + b.day.getTime()',
    because: 'entries come by their ids and so by their days; it differs only where a clock was set back at midnight',
  },
  {
    path: 'balances/show-statement.ts',
    code: 'a.day.getTime() - b.day.getTime()',
    from: '[...days.values()].sort((a, b) => a.day.getTime() - b.day.getTime())',
    to: '[...days.values()]',
    because: 'entries come by their ids and so by their days; it differs only where a clock was set back at midnight',
  },
  {
    path: 'redemption/show-gift.ts',
    code: 'The gift is not claimed.',
    from: "'The gift is not claimed.'",
    because: 'never thrown: who calls it has looked for the card; the question is the type’s',
  },
  {
    path: 'redemption/purchase-form.ts',
    code: "fields.get('purchase_id') ?? ''",
    from: "''",
    because: 'any text that is no id is refused alike',
  },
  {
    path: 'redemption/purchase-form.ts',
    code: "(fields.get('amount') ?? '')",
    from: "''",
    because: 'any text that is no amount is refused alike',
  },
  {
    path: 'redemption/purchase-form.ts',
    code: 'AMOUNT.exec(',
    from: '[]',
    because: 'the first of a match is passed over',
  },
  {
    path: 'redemption/link-secret.ts',
    code: '} catch (error) {',
    from: "{ if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined; throw error; }",
    because: 'the file is read once more at the end, and that tells of the same error',
  },
  {
    path: 'base/batch.ts',
    code: 'first.sinceMs < oldestMs',
    from: 'first.sinceMs < oldestMs',
    to: 'first.sinceMs <= oldestMs',
    because: EXACT,
  },
  {
    path: 'base/batch.ts',
    code: 'while (waiting.length > 0 &&',
    from: 'waiting.length > 0',
    because: 'a run needs one item at least, which is asked next',
  },
  {
    path: 'base/batch.ts',
    code: 'waiting.length === 0 || isWaitingForRun',
    from: 'waiting.length === 0 || isWaitingForRun',
    because: LOOKS,
  },
  {
    path: 'base/batch.ts',
    code: 'waiting.length === 0 || isWaitingForRun',
    from: 'waiting.length === 0',
    because: LOOKS,
  },
  {
    path: 'base/batch.ts',
    code: 'isWaitingForRun = true',
    from: 'true',
    to: 'false',
    because: LOOKS,
  },
  {
    path: 'base/batch.ts',
    code: 'if (isStarting) return',
    from: 'isStarting',
    to: 'false',
    because: STARTS,
  },
  {
    path: 'base/batch.ts',
    code: 'isStarting = true',
    from: 'true',
    to: 'false',
    because: STARTS,
  },
];
