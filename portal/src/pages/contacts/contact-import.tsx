import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { openText } from 'bestow-readers/read-file.ts';
import type { DayOrder } from 'bestow-readers/written-time.ts';
import { useMemo, useState } from 'react';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import { useScope } from '../../api/use-scope.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { FormError, SelectField } from '../../ui/field.tsx';
import { countOf, formatCount } from '../../ui/formats.ts';
import { Facts, Page, Panel } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { TableFileField } from '../../ui/table-file-field.tsx';
import { columnOf } from './contact-headings.ts';
import { FaultyRows, WholeRows } from './contact-rows.tsx';
import { type ContactFile, type ContactRow, MOST_ROWS, openContacts, readRows } from './read-contacts.ts';

const ROWS_PER_CALL = 200;

interface Imported {
  added: number;
  changed: number;
  unchanged: number;
  refused: ContactRow[];
}

/** Adds contacts from a file: choose it, look at its rows, import them. */
export function ImportContactsPage() {
  const { params, may } = useScope();
  const [file, setFile] = useState<ContactFile>();
  const [result, setResult] = useState<Imported>();
  const restart = () => {
    setFile(undefined);
    setResult(undefined);
  };
  return (
    <Page
      title="Import contacts"
      crumb={
        <Link to="/$organizationId/$environment/contacts" params={params}>
          Contacts
        </Link>
      }
      description="A contact with the same reference or address is changed; the others are added. Importing a file twice changes nothing."
    >
      {!may('settings') ? (
        <Panel>
          <EmptyState title="Contacts cannot be imported now">Ask an admin of your organization.</EmptyState>
        </Panel>
      ) : result !== undefined ? (
        <Result result={result} onRestart={restart} />
      ) : file !== undefined ? (
        <Review file={file} onBack={restart} onImported={setResult} />
      ) : (
        <ChooseFile onOpen={setFile} />
      )}
    </Page>
  );
}

const HINT = `A CSV or Excel file of at most ${formatCount(MOST_ROWS)} rows. Its first line names the columns: Email or Phone, and if you like Name, Language, Tags, Reference, Birthday, Start date. It is read in your browser.`;
const headings = ['email', 'phone', 'name', 'first name', 'last name', 'tags', 'birthday', 'reference', 'language'];

function ChooseFile({ onOpen }: { onOpen: (file: ContactFile) => void }) {
  const [fault, setFault] = useState<Error | null>(null);
  return (
    <Panel title="Choose a file">
      <TableFileField
        columns={headings}
        hint={HINT}
        error={fault}
        onChange={(text) => {
          setFault(null);
          if (text === undefined) return;
          try {
            const [sheet] = openText(text, (heading) => columnOf(heading) !== undefined).sheets;
            onOpen(openContacts(sheet));
          } catch (error) {
            setFault(error as Error);
          }
        }}
      />
    </Panel>
  );
}

interface ReviewProps {
  file: ContactFile;
  onBack: () => void;
  onImported: (result: Imported) => void;
}

function Review({ file, onBack, onImported }: ReviewProps) {
  const [chosen, setChosen] = useState<DayOrder | ''>('');
  const order = file.dayOrder ?? (chosen || undefined);
  const rows = useMemo(() => readRows(file, order ?? 'day first'), [file, order]);
  const whole = rows.filter(({ contact }) => contact !== undefined);
  const { sending, sent } = useImport(whole);
  return (
    <>
      <Panel
        title="Look at the rows"
        description={`${countOf(rows.length, 'row')}. Nothing is saved yet.${file.unused.length === 0 ? '' : ` Not used: ${file.unused.join(', ')}.`}`}
      >
        {file.dayOrder === undefined && (
          <SelectField
            label="Which date is 01/02/1985?"
            value={chosen}
            onChange={setChosen}
            options={[
              { value: '', label: 'Choose' },
              { value: 'day first', label: '1 February 1985' },
              { value: 'month first', label: '2 January 1985' },
            ]}
          />
        )}
        <div className="mt-4">{order !== undefined && <WholeRows rows={whole} />}</div>
        <FormError error={sending.error} />
        <div className="mt-6 flex flex-wrap gap-3">
          <Button
            variant="primary"
            isBusy={sending.isPending}
            disabled={order === undefined || whole.length === 0}
            onClick={() => sending.mutate(undefined, { onSuccess: onImported })}
          >
            {sending.isPending ? `Importing… ${formatCount(sent)}` : `Import ${countOf(whole.length, 'contact')}`}
          </Button>
          <Button onClick={onBack} disabled={sending.isPending}>
            Other file
          </Button>
        </div>
      </Panel>
      {order !== undefined && (
        <FaultyRows title="Not imported" rows={rows.filter(({ fault }) => fault !== undefined)} />
      )}
    </>
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

function Result({ result, onRestart }: { result: Imported; onRestart: () => void }) {
  const { params } = useScope();
  return (
    <>
      <Panel title="Imported">
        <div role="status">
          <Facts
            facts={[
              ['Added', formatCount(result.added)],
              ['Changed', formatCount(result.changed)],
              ['As before', formatCount(result.unchanged)],
              ['Refused', formatCount(result.refused.length)],
            ]}
          />
        </div>
        <div className="mt-6 flex flex-wrap gap-3">
          <ButtonLink to="/$organizationId/$environment/contacts" params={params} variant="primary">
            Show contacts
          </ButtonLink>
          <Button onClick={onRestart}>Import another file</Button>
        </div>
      </Panel>
      <FaultyRows title="Refused" rows={result.refused} />
    </>
  );
}
