import { useState } from 'react';
import { useScope } from '../api/use-scope.ts';

/**
 * What people typed and have not sent yet, for this tab: it survives reloads and other pages, and ends with the tab. Its
 * key has the member, so another person, organization or environment has other drafts.
 */
const PREFIX = 'bestow.draft.';

/** If the browser has no room for a draft. */
export const NO_ROOM = 'Your browser has no room to keep this: it is lost if you leave the page.';

/** Returns whether the browser has room for it. */
export function keepDraft(key: string, value: unknown): boolean {
  try {
    sessionStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    removeDraft(key);
    return false;
  }
}

export function removeDraft(key: string): void {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // Without storage there are no drafts.
  }
}

export function readDraft(key: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** Removes the drafts of everyone but these members. */
export function removeDrafts(except: readonly string[] = []): void {
  try {
    for (const key of Object.keys(sessionStorage))
      if (key.startsWith(PREFIX) && !except.some((member) => key.startsWith(`${PREFIX}${member}.`))) removeDraft(key);
  } catch {
    // Without storage there are no drafts.
  }
}

/** Returns the key of a draft. @param environment undefined for drafts of the whole organization */
export const keyOf = (memberId: string, environment: string | undefined, name: string) =>
  `${PREFIX}${memberId}.${environment ?? 'all'}.${name}`;

/** The key of a draft of the present member and environment. @param ofBoth for what both environments share */
export function useDraftKey(name: string, ofBoth?: 'of both'): string {
  const { me, membership, environment } = useScope();
  // Once: another person may have signed in in this tab.
  useState(() => removeDrafts(me.memberships.map(({ member_id }) => member_id)));
  return keyOf(membership.member_id, ofBoth === undefined ? environment : undefined, name);
}

/**
 * State that is kept as a draft.
 *
 * @param restore checks what an earlier page stored, which may be of an older portal
 * @param store returns what is kept of a value: all of it, if missing
 */
export function useDraft<Value>(
  key: string,
  empty: () => Value,
  restore: (stored: unknown) => Value | undefined,
  store: (value: Value) => unknown = (whole) => whole,
) {
  const [value, setValue] = useState(() => restore(readDraft(key)) ?? empty());
  const [isKept, setIsKept] = useState(true);
  return {
    value,
    /** Whether the browser had room for the draft. */
    isKept,
    set(next: Value) {
      setValue(next);
      setIsKept(keepDraft(key, store(next)));
    },
    /** Goes on with this value, of which nothing is kept until it changes. */
    restart(next: Value) {
      removeDraft(key);
      setValue(next);
      setIsKept(true);
    },
  };
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The texts that are stored, beside those of an empty draft. */
export function restoreTexts<Texts extends Record<keyof Texts, string>>(empty: Texts, stored: unknown): Texts {
  if (!isRecord(stored)) return empty;
  const texts = Object.keys(empty).flatMap((name) => (typeof stored[name] === 'string' ? [[name, stored[name]]] : []));
  return { ...empty, ...Object.fromEntries(texts) };
}
