import { Link } from '@tanstack/react-router';
import type { Reading } from 'bestow-readers/decode.ts';
import type { OpenedFile } from 'bestow-readers/read-file.ts';
import { useState } from 'react';
import { useScope } from '../../api/use-scope.ts';
import { NO_ROOM, useDraftKey } from '../../layout/drafts.ts';
import { Page, Panel } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { useTopOf } from '../../ui/use-top-of.ts';
import { BatchList } from '../batches/batch-list.tsx';
import { Begun } from './begun.tsx';
import type { CheckedFile } from './check.ts';
import type { Cells } from './columns.ts';
import { withLanguages } from './contact-sheet.ts';
import { ContactSource } from './contact-source.tsx';
import { ManyDrop, type NamedFile } from './drop.tsx';
import { Letters } from './letters.tsx';
import { type ManyDraft, useManyDraft } from './many-draft.ts';
import { ManyMatch } from './match.tsx';
import { ManyReview } from './review.tsx';
import { ManyRows } from './rows.tsx';
import { type Step, useStep } from './use-step.ts';

// In one file of the build, because each more lengthens the list that the first page loads.
export { BatchPage } from '../batches/batch.tsx';

const titles = { file: 'File', columns: 'Columns', rows: 'Rows', review: 'Review' } as const;
/** The letters are a question about the file. */
const partOf = (name: Step) => (name === 'letters' ? 'file' : name);

/** Sends many gifts: choose a file, match its columns, correct its rows, review. */
export function SendManyPage() {
  const { params, environment, includes, may } = useScope();
  const key = useDraftKey('many');
  return (
    <Page
      title="Send many"
      crumb={
        <Link to="/$organizationId/$environment/gifts" params={params}>
          Gifts
        </Link>
      }
      description={
        environment === 'sandbox'
          ? 'Test gifts from a file or to contacts: no real money, no messages.'
          : 'Gifts from a CSV or Excel file or to contacts, up to 10,000 at a time. Nothing is bought before you confirm.'
      }
    >
      {may('order') ? (
        <Steps key={key} storageKey={key} />
      ) : (
        <Panel>
          <EmptyState
            title={includes('order') ? 'Gifts cannot be sent now' : 'Your role does not include sending gifts'}
          >
            {includes('order')
              ? 'The organization is suspended, or you need a second factor. The banner above says which.'
              : 'Ask an admin. The files that were sent are below.'}
          </EmptyState>
        </Panel>
      )}
      <BatchList />
    </Page>
  );
}

/** The steps are steps of the browser's history. The tab keeps what was said, so a step needs no earlier page. */
function Steps({ storageKey }: { storageKey: string }) {
  const draft = useManyDraft(storageKey);
  const [unread, setUnread] = useState<UnreadFile>();
  const { step, goTo, goBack } = useStep();
  const shown = shownStep(step, draft, unread);
  const top = useTopOf(shown);
  const open = (file: NamedFile, opened: OpenedFile) => {
    if ('readings' in opened) setUnread({ file, readings: opened.readings });
    else draft.open(file.name, opened.sheets);
    goTo('readings' in opened ? 'letters' : 'columns');
  };
  const check = (checked: CheckedFile, edits: ReadonlyMap<number, Cells> = new Map()) => {
    draft.check(withLanguages(checked, draft.sheets), [...edits]);
    goTo(stepOf(checked));
  };
  const discard = () => {
    draft.discard();
    goTo(undefined);
  };
  const { name } = draft.answers;
  const shared = { onBack: () => goBack('columns'), onChange: check };
  return (
    <div ref={top} tabIndex={-1} className="min-w-0 scroll-mt-20 outline-none">
      <Progress part={partOf(shown)} />
      {shown === 'file' && (
        <>
          <Begun
            draft={draft}
            onGoOn={() => goTo(draft.checked ? stepOf(draft.checked) : 'columns')}
            onDiscard={discard}
          />
          <div className="grid gap-6">
            <ManyDrop storageKey={storageKey} onOpen={open} />
            <ContactSource
              onOpen={(name, sheet) => {
                draft.open(name, [sheet]);
                goTo('columns');
              }}
            />
          </div>
        </>
      )}
      {shown === 'letters' && unread !== undefined && (
        <Letters {...unread} onBack={() => goBack(undefined)} onOpen={open} />
      )}
      {shown === 'columns' && draft.sheets !== undefined && (
        <ManyMatch
          name={name}
          sheets={draft.sheets}
          setup={draft.answers.setup}
          onChange={draft.setUp}
          onBack={() => goBack(undefined)}
          onChecked={check}
        />
      )}
      {shown === 'rows' && draft.checked !== undefined && (
        <ManyRows
          {...shared}
          file={draft.checked}
          edits={new Map(draft.answers.edits)}
          onEdit={(edits) => draft.edit([...edits])}
        />
      )}
      {shown === 'review' && <ManyReview {...shared} draft={draft} onDiscard={discard} />}
      {!draft.isKept && shown !== 'file' && <p className="mt-3 text-sm text-soft">{NO_ROOM}</p>}
    </div>
  );
}

/** A file whose letters are in question. It is not kept: nothing is typed before. */
interface UnreadFile {
  file: NamedFile;
  readings: readonly Reading[];
}

/** The step of the address, if what it needs is there. */
function shownStep(step: string | undefined, draft: ManyDraft, unread: UnreadFile | undefined): Step {
  if (draft.answers.tried !== undefined) return 'review';
  if (step === undefined) return 'file';
  if (step === 'letters') return unread === undefined ? 'file' : 'letters';
  if (draft.sheets === undefined) return 'file';
  return draft.checked !== undefined && step !== 'columns' ? stepOf(draft.checked) : 'columns';
}

const stepOf = ({ rows }: CheckedFile) => (rows.some(({ fault }) => fault) ? 'rows' : 'review');

type Part = keyof typeof titles;

function Progress({ part }: { part: Part }) {
  const names = Object.keys(titles) as Part[];
  return (
    <ol aria-label="Steps" className="mb-4 flex flex-wrap gap-x-5 gap-y-1 text-sm">
      {names.map((name, index) => (
        <li
          key={name}
          aria-current={name === part ? 'step' : undefined}
          className={`flex items-center gap-2 ${name === part ? 'font-semibold text-accent' : 'text-soft'}`}
        >
          <span
            className={`inline-grid size-6 place-items-center rounded-full text-[0.8125rem] font-semibold ${name === part ? 'bg-accent text-on-accent' : 'bg-sunken'}`}
          >
            {index + 1}
          </span>
          {titles[name]}
        </li>
      ))}
    </ol>
  );
}
