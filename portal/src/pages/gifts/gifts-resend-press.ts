import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError, api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { given } from '../../base/search.ts';
import { keepDraft, readDraft, removeDraft, useDraftKey } from '../../layout/drafts.ts';
import { useAct } from '../../ui/use-act.ts';
import { newFormId } from '../gift-form/send-draft.ts';

export type FoundGift = components['schemas']['GiftResend'];
export type GiftFilters = Record<string, string | undefined>;
export type Result = 'sent' | Error;

const PAGE = 100;
/** Bounds the wait: some hundred reads. */
export const MOST_FOUND = 10_000;

export interface Found {
  gifts: readonly FoundGift[];
  /** Whether the filter finds more than were looked at. */
  hasMore: boolean;
}

/** Reads all gifts that the filters find, once for each opening of the dialog. */
export function useFound(filters: GiftFilters, isWanted: boolean) {
  const { path } = useScope();
  const [count, setCount] = useState(0);
  const found = useQuery({
    queryKey: ['resends', path, filters],
    queryFn: async ({ signal }): Promise<Found> => {
      const gifts: FoundGift[] = [];
      for (let after: string | undefined; ; ) {
        const query = given({ ...filters, after, limit: PAGE });
        const page = await unwrap(api.GET(`${SCOPE_PATH}/gifts/resends`, { params: { path, query }, signal }));
        gifts.push(...page.data);
        setCount(gifts.length);
        if (page.older === null || gifts.length >= MOST_FOUND) return { gifts, hasMore: page.older !== null };
        after = page.older;
      }
    },
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return { ...found, count };
}

/** A press of “Send again” whose gifts are not all asked for yet. Kept for the tab, so that it goes on after a reload. */
export interface Press {
  id: string;
  gifts: readonly FoundGift[];
}

/** The press of this tab that a reload or a lost connection interrupted; without the gifts that have a result. */
export function useInterruptedPress() {
  const key = useDraftKey('resend');
  const [press, setPress] = useState(() => readPress(key));
  return {
    press,
    forget: () => {
      removePress(key);
      setPress(undefined);
    },
  };
}

const placeOf = (key: string) => `${key}.at`;

function readPress(key: string): Press | undefined {
  const press = readDraft(key) as Partial<Press> | undefined;
  const at = readDraft(placeOf(key));
  if (typeof press?.id !== 'string' || !Array.isArray(press.gifts)) return undefined;
  const gifts = press.gifts.slice(typeof at === 'number' ? at : 0);
  return gifts.length === 0 ? undefined : { id: press.id, gifts };
}

function removePress(key: string): void {
  removeDraft(key);
  removeDraft(placeOf(key));
}

/** Answers that say nothing about the gift: every other one would have them as well. */
const stopsAll = (error: unknown) =>
  !(error instanceof ApiError) || [0, 401, 403, 429].includes(error.status) || error.status >= 500;

/**
 * Sends gifts one after the other. The press's id goes with each, so that a repeated request sends no second message.
 *
 * @param interrupted goes on with its id
 */
export function useResend(interrupted: Press | undefined) {
  const { path } = useScope();
  const key = useDraftKey('resend');
  const [id] = useState(() => interrupted?.id ?? newFormId());
  const [results, setResults] = useState<ReadonlyMap<string, Result>>(new Map());
  const isStopped = useRef(false);
  const stop = () => {
    isStopped.current = true;
  };
  useEffect(
    () => () => {
      isStopped.current = true;
    },
    [],
  );
  const sendOne = (gift_id: string) =>
    unwrap(
      api.POST(`${SCOPE_PATH}/gifts/{gift_id}/resend`, {
        params: { path: { ...path, gift_id } },
        body: { press_id: id },
      }),
    ).then(
      () => 'sent' as const,
      (error: Error) => error,
    );
  const sending = useAct({
    send: async (gifts: readonly FoundGift[]) => {
      isStopped.current = false;
      keepDraft(placeOf(key), 0);
      keepDraft(key, { id, gifts } satisfies Press);
      for (const [n, { gift_id }] of gifts.entries()) {
        if (isStopped.current) return;
        const result = await sendOne(gift_id);
        if (result !== 'sent' && stopsAll(result)) throw result;
        setResults((before) => new Map(before).set(gift_id, result));
        keepDraft(placeOf(key), n + 1);
      }
      removePress(key);
    },
  });
  return { results, isBusy: sending.isPending, error: sending.error, send: sending.mutate, stop };
}
