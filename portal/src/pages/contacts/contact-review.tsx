import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import { useScope } from '../../api/use-scope.ts';
import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/field.tsx';
import { countOf, formatCount } from '../../ui/formats.ts';
import { Facts, Panel } from '../../ui/page.tsx';
import { LeftOutList } from '../file/left-out-list.tsx';
import { type CheckedContact, type CheckedContacts, ROWS_PER_CALL } from './check-contacts.ts';
import { WholeRows } from './contact-rows.tsx';
import type { ContactRow } from './read-contacts.ts';

export interface Imported {
  added: number;
  changed: number;
  unchanged: number;
  refused: ContactRow[];
}

interface ContactReviewProps {
  file: CheckedContacts;
  onBack: () => void;
  onImported: (result: Imported) => void;
}

/** Shows what an import would do, before anything is saved. */
export function ContactReview({ file: { rows, leftOut, unused }, onBack, onImported }: ContactReviewProps) {
  const { sending, sent } = useImport(rows);
  const countOfOutcome = (outcome: CheckedContact['outcome']) =>
    formatCount(rows.filter((row) => row.outcome === outcome).length);
  const cleaned = rows.filter(({ removed }) => removed.length > 0);
  return (
    <Panel title="Look at the rows" description={`${countOf(rows.length, 'row')}. Nothing is saved yet.`}>
      <Facts
        facts={[
          ['Added', countOfOutcome('added')],
          ['Changed', countOfOutcome('changed')],
          ['As before', countOfOutcome('unchanged')],
          ['Left out', formatCount(leftOut.length)],
        ]}
      />
      <LeftOutList leftOut={leftOut} />
      {unused.length > 0 && (
        <p className="mt-3 text-sm text-soft wrap-anywhere">Columns not used: {unused.join(', ')}.</p>
      )}
      {cleaned.length > 0 && <Cleaned rows={cleaned} />}
      <div className="mt-4">
        <WholeRows rows={rows} />
      </div>
      <FormError error={sending.error} />
      <div className="mt-6 flex flex-wrap gap-3">
        <Button
          variant="primary"
          isBusy={sending.isPending}
          disabled={rows.length === 0}
          onClick={() => sending.mutate(undefined, { onSuccess: onImported })}
        >
          {sending.isPending ? `Importing… ${formatCount(sent)}` : `Import ${countOf(rows.length, 'contact')}`}
        </Button>
        <Button onClick={onBack} disabled={sending.isPending}>
          Change columns
        </Button>
      </div>
    </Panel>
  );
}

const MOST_NAMED = 3;

/** What was taken away from addresses. */
function Cleaned({ rows }: { rows: readonly CheckedContact[] }) {
  return (
    <p className="mt-3 text-sm text-soft">
      {countOf(rows.length, 'address', 'addresses')} had signs that do not belong there:{' '}
      {rows
        .slice(0, MOST_NAMED)
        .map(({ line, removed }) => `line ${line}, ${removed.join(' and ')}`)
        .join('; ')}
      {rows.length > MOST_NAMED && ` and ${formatCount(rows.length - MOST_NAMED)} more`}.
    </p>
  );
}

/** Imports 200 rows at a time; after an error the same rows can be sent again. */
function useImport(rows: readonly ContactRow[]) {
  const { path } = useScope();
  const queryClient = useQueryClient();
  const [sent, setSent] = useState(0);
  const sending = useMutation({
    mutationFn: async (): Promise<Imported> => {
      const total: Imported = { added: 0, changed: 0, unchanged: 0, refused: [] };
      for (let first = 0; first < rows.length; first += ROWS_PER_CALL) {
        const some = rows.slice(first, first + ROWS_PER_CALL);
        const body = { rows: some.flatMap(({ contact }) => contact ?? []) };
        const answer = await unwrap(api.POST(`${SCOPE_PATH}/contacts/import`, { params: { path }, body }));
        total.added += answer.added;
        total.changed += answer.changed;
        total.unchanged += answer.unchanged;
        for (const { row, ...fault } of answer.refused) total.refused.push({ line: some[row]?.line ?? 0, fault });
        setSent(first + some.length);
      }
      return total;
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['contacts'] }),
  });
  return { sending, sent };
}
