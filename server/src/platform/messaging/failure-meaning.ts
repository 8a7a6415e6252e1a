/** Why a message failed, as programs read it. */
export const failureReasons = [
  'bad_address',
  'mailbox_full',
  'unreachable',
  'blocked',
  'content_refused',
  'given_up',
  'not_sent',
  'erased',
  'refused',
  'unknown',
] as const;

type FailureReason = (typeof failureReasons)[number];

interface Meaning {
  reason: FailureReason;
  /** Whether the same address may work later. */
  retryable: boolean;
}

interface Failure extends Meaning {
  /** The words of the provider or mail server; null if it said nothing. */
  provider_message: string | null;
}

const GIVEN_UP = /^Given up after a day: ?/;

/**
 * What the texts of failures mean: those of this service and of its providers' webhooks, then those of mail servers with
 * their enhanced status codes (RFC 3463). The first that fits decides.
 */
const erased = { reason: 'erased', retryable: false } as const;

/** The recipient was erased, and with them what had failed. */
export const ERASED: Failure = { ...erased, provider_message: null };

const meanings: readonly [RegExp, Meaning][] = [
  [GIVEN_UP, { reason: 'given_up', retryable: true }],
  [/^(?:The gift was canceled|A later message|The reminder was not)/, { reason: 'not_sent', retryable: false }],
  [
    /^The (?:recipient’s name and address were erased|name and address were kept)/,
    { reason: 'erased', retryable: false },
  ],
  [/^mailbox full|\b[245]\.2\.[12]\b/, { reason: 'mailbox_full', retryable: true }],
  [/^(?:hard bounce|invalid |unknown number)|\b5\.1\.\d+\b/, { reason: 'bad_address', retryable: false }],
  [/^unreachable/, { reason: 'unreachable', retryable: true }],
  [/^(?:blocked|complaint|opted out)|\b5\.7\.\d+\b/, { reason: 'blocked', retryable: false }],
  [/^(?:content refused|message too large)|\b5\.(?:3\.4|6\.\d+)\b/, { reason: 'content_refused', retryable: false }],
  [/./, { reason: 'refused', retryable: false }],
];

/** These have a text of this service alone. */
const unsaid: readonly FailureReason[] = ['not_sent', 'erased'];

/** @param text the stored reason; null if it is not known, as in the sandbox */
export function failureOf(text: string | null): Failure {
  if (text === null) return { reason: 'unknown', retryable: false, provider_message: null };
  const meaning = meanings.find(([pattern]) => pattern.test(text))?.[1] ?? { reason: 'unknown', retryable: false };
  return { ...meaning, provider_message: unsaid.includes(meaning.reason) ? null : text.replace(GIVEN_UP, '') || null };
}
