import { useState } from 'react';
import { useUnsentOfContacts } from '../../api/unsent-gifts.ts';
import { useScope } from '../../api/use-scope.ts';
import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/field.tsx';
import { countOf, formatCount } from '../../ui/formats.ts';
import { Facts, Panel } from '../../ui/page.tsx';
import { endings, UnsentChoice } from '../../ui/unsent-choice.tsx';
import { useAct } from '../../ui/use-act.ts';
import { LeftOutList } from '../file/left-out-list.tsx';
import type { CheckedContact, CheckedContacts } from './check-contacts.ts';
import type { Contact } from './contact.ts';
import { keepAll, Missing, type MissingChoice, useMissing } from './contact-missing.tsx';
import { WholeRows } from './contact-rows.tsx';
import { type Imported, importRows, settleMissing, sumOf, type UnsentChoices } from './import-rows.ts';
import type { ContactRow } from './read-contacts.ts';

interface ContactReviewProps {
  file: CheckedContacts;
  onBack: () => void;
  onImported: (result: Imported) => void;
}

/** Shows what an import would do, before anything is saved. */
export function ContactReview({ file, onBack, onImported }: ContactReviewProps) {
  const { rows, left, leftOut, unused } = file;
  const [choice, setChoice] = useState(keepAll);
  const missing = useMissing(file, choice);
  const shown = missing.data?.data ?? [];
  const unsent = useUnsent(rows, choice.act === 'keep' ? [] : shown);
  const { sending, sent } = useImport(rows, shown, { ...choice, ...unsent.choices });
  const countOfOutcome = (outcome: CheckedContact['outcome']) =>
    formatCount(rows.filter((row) => row.outcome === outcome).length);
  const cleaned = rows.filter(({ removed }) => removed.length > 0);
  return (
    <>
      <Panel title="Look at the rows" description={`${countOf(rows.length, 'row')}. Nothing is saved yet.`}>
        <Facts
          facts={[
            ['Added', countOfOutcome('added')],
            ['Changed', countOfOutcome('changed')],
            ['As before', countOfOutcome('unchanged')],
            ['Left out', formatCount(leftOut.length)],
            ...(left.length > 0 ? ([['People who have left', formatCount(left.length)]] as [string, string][]) : []),
          ]}
        />
        <LeftOutList leftOut={leftOut} />
        {unused.length > 0 && (
          <p className="mt-3 text-sm text-soft wrap-anywhere">Columns not used: {unused.join(', ')}.</p>
        )}
        {left.length > 0 && (
          <p className="mt-3 text-sm text-soft">
            {left.length === 1
              ? '1 row is of a person who has left. It is not imported.'
              : `${formatCount(left.length)} rows are of people who have left. They are not imported.`}
          </p>
        )}
        {cleaned.length > 0 && <Cleaned rows={cleaned} />}
        <div className="mt-4">
          <WholeRows rows={rows} />
        </div>
      </Panel>
      <div className="mt-5">
        <Missing file={file} query={missing} choice={choice} onChange={setChoice} />
      </div>
      {unsent.question}
      <FormError error={sending.error ?? unsent.error} />
      <div className="mt-6 flex flex-wrap gap-3">
        <Button
          variant={choice.act === 'delete' ? 'danger' : 'primary'}
          isBusy={sending.isPending}
          disabled={(rows.length === 0 && choice.act === 'keep') || missing.isFetching || unsent.isPending}
          onClick={() => sending.mutate(undefined, { onSuccess: onImported })}
        >
          {sending.isPending ? `Importing… ${formatCount(sent)}` : actionOf(rows.length, shown.length, choice)}
        </Button>
        <Button onClick={onBack} disabled={sending.isPending}>
          Change columns
        </Button>
      </div>
    </>
  );
}

/** Changes of these may end a gift or move it. */
const LOOKED_AT = ['address', 'tags', 'birthday', 'work_anniversary'];

function useUnsent(rows: readonly CheckedContact[], missing: readonly Contact[]) {
  const [choices, setChoices] = useState<UnsentChoices>({ changed: 'follow', missing: 'cancel' });
  const changedIds = rows.flatMap(({ outcome, changes, contactId }) =>
    outcome === 'changed' && changes?.some((field) => LOOKED_AT.includes(field)) ? (contactId ?? []) : [],
  );
  const isMoved = rows.some(({ outcome, changes }) => outcome === 'changed' && changes?.includes('address'));
  const changed = useUnsentOfContacts(changedIds);
  const ending = useUnsentOfContacts(missing.map(({ contact_id }) => contact_id));
  return {
    choices,
    error: changed.error ?? ending.error,
    isPending: changed.isFetching || ending.isFetching,
    question: (
      <>
        <UnsentChoice
          unsent={changed.data}
          about="To contacts that change:"
          options={[
            {
              value: 'follow',
              label: isMoved
                ? 'Send them to the new addresses, and cancel what no rule sends any more.'
                : 'Cancel only what no rule sends any more.',
            },
            ...endings(changed.data),
          ]}
          value={choices.changed}
          onChange={(value) => setChoices({ ...choices, changed: value })}
        />
        <UnsentChoice
          unsent={ending.data}
          about="To contacts that are not in the file:"
          options={endings(ending.data)}
          value={choices.missing}
          onChange={(value) => setChoices({ ...choices, missing: value })}
        />
      </>
    ),
  };
}

/** Names what the button does. */
function actionOf(rows: number, shown: number, { among, act }: MissingChoice): string {
  const imports = `Import ${countOf(rows, 'contact')}`;
  if (act === 'keep' || shown === 0) return imports;
  const others =
    act === 'delete' ? `delete ${formatCount(shown)}` : `remove ${tagOf(among)} from ${formatCount(shown)}`;
  return rows === 0 ? others.charAt(0).toUpperCase() + others.slice(1) : `${imports} and ${others}`;
}

const tagOf = (among: MissingChoice['among']) => (among.kind === 'tag' ? `“${among.tag}”` : 'the tag');

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

/** Imports the rows, and then does what was chosen for the contacts that are shown. */
function useImport(rows: readonly ContactRow[], shown: readonly Contact[], choice: MissingChoice & UnsentChoices) {
  const { path } = useScope();
  const [sent, setSent] = useState(0);
  const sending = useAct({
    send: async (): Promise<Imported> => {
      const imported = await importRows(path, rows, { unsentGifts: choice.changed, onProgress: setSent });
      const settled = await settleMissing(path, shown, choice);
      return { ...imported, ...settled, unsent: sumOf(imported.unsent, settled.unsent) };
    },
  });
  return { sending, sent };
}
