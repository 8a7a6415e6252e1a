import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, ORGANIZATION_PATH, unwrap } from '../../api/client.ts';
import { useCategories } from '../../api/use-categories.ts';
import { useScope } from '../../api/use-scope.ts';
import { Operator } from '../../layout/operator.tsx';
import { ANY_CATEGORY } from '../../ui/category.ts';
import { FormError } from '../../ui/field.tsx';

export const issuersQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['issuers', organizationId],
    queryFn: () =>
      unwrap(api.GET(`${ORGANIZATION_PATH}/issuers`, { params: { path: { organization_id: organizationId } } })),
  });

/** Whether live gifts of these categories have an issuer; without one their cards buy nothing, or they are refused. */
export function useWithoutIssuer(categories: readonly string[]) {
  const { organizationId, environment, me } = useScope();
  const { choices } = useCategories();
  const isLive = environment === 'live';
  const { data, error } = useQuery({ ...issuersQuery(organizationId), enabled: isLive });
  const [accepted, setAccepted] = useState('');
  const chosen = data?.data.filter(({ state }) => state === 'chosen');
  const hasIssuer = (wanted: string) =>
    chosen?.some(({ category }) => category === null || category === wanted) ?? true;
  // What the recipient chooses may become any category.
  const others = choices.map(({ category_id }) => category_id).filter((id) => id !== ANY_CATEGORY);
  const possible = new Set(categories.flatMap((id) => (id === ANY_CATEGORY ? others : id)));
  const missing = isLive ? [...possible].filter((id) => id !== '' && !hasIssuer(id)).sort() : [];
  // The box is about these categories.
  const about = missing.join();
  const isAccepted = accepted === about;
  const isRefused = missing.length > 0 && me.service.refuses_live_without_issuer;
  return {
    names: missing.map((id) => choices.find(({ category_id }) => category_id === id)?.name ?? id),
    error: isLive ? error : null,
    isRefused,
    isAccepted,
    accept: (next: boolean) => setAccepted(next ? about : ''),
    /** Whether nothing keeps the gifts from being sent. */
    maySend: !isLive || (data !== undefined && (missing.length === 0 || (!isRefused && isAccepted))),
  };
}

interface WithoutIssuerProps {
  issuers: ReturnType<typeof useWithoutIssuer>;
  /** On the review, where a person has to say that they know it. */
  hasBox?: boolean;
}

/** Says that live gifts buy nothing, or who has to do what before they can be sent. */
export function WithoutIssuer({ issuers: { names, error, ...issuers }, hasBox = false }: WithoutIssuerProps) {
  if (names.length === 0) return <FormError error={error} />;
  const gifts = `live gifts of ${listOf(names)}`;
  return (
    <section aria-label="No card issuer" className="mt-4 rounded-xl bg-warn-wash px-4 py-3 text-warn">
      {issuers.isRefused ? (
        <p role="alert">
          <strong>This organization cannot send {gifts} yet.</strong> It has no card issuer for them. Ask <Operator />{' '}
          to add one.
        </p>
      ) : (
        <p role="alert">
          <strong>The cards of {gifts} buy nothing.</strong> This organization has no card issuer for them, so their
          cards are simulated. Ask <Operator /> to add one.
        </p>
      )}
      {hasBox && !issuers.isRefused && (
        <label className="mt-3 flex items-start gap-2 text-ink">
          <input
            type="checkbox"
            checked={issuers.isAccepted}
            onChange={({ target }) => issuers.accept(target.checked)}
            className="mt-1 size-4 shrink-0 accent-(--accent)"
          />
          I know that they buy nothing
        </label>
      )}
    </section>
  );
}

const listOf = (names: readonly string[]) => new Intl.ListFormat('en').format(names);
