import { formatMoney } from '../base/format-money.ts';

/** The actions that all folders record. */
export interface AuditedActions {
  sentences: Readonly<Record<string, (details: never, money: (cents: number) => string) => string>>;
  /** Those with a reason that a person wrote, which may name a recipient. */
  withReason: readonly string[];
}

/** Returns details without what a person wrote of a recipient, for roles that do not see people. */
export function withoutReason({ withReason }: AuditedActions, action: string, written: unknown): object {
  const { because: _, ...details } = written as Record<string, unknown>;
  return withReason.includes(action) ? { ...details, reason: null } : details;
}

/** Describes an action without its actor: `Created the key “Web shop”`. */
export function describeAction(
  { sentences }: AuditedActions,
  action: string,
  details: unknown,
  currency: string,
): string {
  // During an upgrade, an old process may read an action of a newer version.
  if (!Object.hasOwn(sentences, action)) return action;
  const sentence = sentences[action] as (details: unknown, money: (cents: number) => string) => string;
  const described = sentence(details, (cents) => formatMoney(cents, currency));
  // As an operator wrote it on the operator's page.
  const { because } = details as { because?: string };
  return because === undefined ? described : `${described} (“${because}”)`;
}
