import type { Reading } from 'bestow-readers/decode.ts';
import type { OpenedFile } from 'bestow-readers/read-file.ts';
import { useState } from 'react';
import { useScope } from '../../api/use-scope.ts';
import { NO_ROOM, useDraftKey } from '../../layout/drafts.ts';
import { Page, Panel } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { useTopOf } from '../../ui/use-top-of.ts';
import { FileDrop, type NamedFile } from '../file/file-drop.tsx';
import { Letters } from '../file/letters.tsx';
import { Progress } from '../file/progress.tsx';
import { rememberedChoices } from '../file/remembered-choices.ts';
import { type Step, useStep } from '../file/use-step.ts';
import { Begun } from './begun.tsx';
import type { CheckedFile } from './check.ts';
import { type Cells, template } from './columns.ts';
import { ContactSource } from './contact-source.tsx';
import { type ColumnName, giftHeadings } from './headings.ts';
import { type ManyDraft, useManyDraft } from './many-draft.ts';
import { ManyMatch } from './match.tsx';
import { newSetup } from './prepare-rows.ts';
import { ManyReview } from './review.tsx';
import { ManyRows } from './rows.tsx';

// In one file of the build, because each more lengthens the list that the first page loads.
export { BatchPage } from '../batches/batch.tsx';
export { SentFilesPage } from '../batches/batch-list.tsx';

/** Sends many gifts: choose a file, match its columns, correct its rows, review. */
export function SendManyPage() {
  const { environment, includes, may } = useScope();
  const key = useDraftKey('many');
  return (
    <Page
      title="Send many"
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
              : 'Ask an admin.'}
          </EmptyState>
        </Panel>
      )}
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
  const { organizationId } = useScope();
  const choices = rememberedChoices(organizationId, 'gifts', giftHeadings.isKnown);
  const open = (file: NamedFile, opened: OpenedFile) => {
    if ('readings' in opened) setUnread({ file, readings: opened.readings });
    else draft.open(file.name, opened.sheets, choices.recall<ColumnName>(opened.sheets));
    goTo('readings' in opened ? 'letters' : 'columns');
  };
  const check = (checked: CheckedFile, edits: ReadonlyMap<number, Cells> = new Map()) => {
    draft.check(checked, [...edits]);
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
      <Progress step={shown} />
      {shown === 'file' && (
        <>
          <Begun
            draft={draft}
            onGoOn={() => goTo(draft.checked ? stepOf(draft.checked) : 'columns')}
            onDiscard={discard}
          />
          <Sources
            storageKey={storageKey}
            onOpen={open}
            onContacts={(name, sheet) => {
              draft.openContacts(name, sheet);
              goTo('columns');
            }}
          />
        </>
      )}
      {shown === 'letters' && unread !== undefined && (
        <Letters {...unread} known={giftHeadings.known} onBack={() => goBack(undefined)} onOpen={open} />
      )}
      {shown === 'columns' && draft.sheets !== undefined && (
        <ManyMatch
          name={name}
          isOfContacts={draft.answers.isOfContacts}
          sheets={draft.sheets}
          setup={draft.answers.setup}
          onChange={draft.setUp}
          onForget={() => {
            if (draft.sheets !== undefined) choices.forget(draft.sheets, draft.answers.setup.answers);
            const { answers, matching, isRecalled } = newSetup;
            draft.setUp({ ...draft.answers.setup, answers, matching, isRecalled });
          }}
          onBack={() => goBack(undefined)}
          onChecked={(checked) => {
            if (draft.sheets !== undefined) choices.remember(draft.sheets, draft.answers.setup);
            check(checked);
          }}
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

interface SourcesProps {
  storageKey: string;
  onOpen: (file: NamedFile, opened: OpenedFile) => void;
  onContacts: Parameters<typeof ContactSource>[0]['onOpen'];
}

/** A file, or contacts. */
const Sources = ({ storageKey, onOpen, onContacts }: SourcesProps) => (
  <div className="grid gap-6">
    <FileDrop
      headings={giftHeadings}
      template={template}
      description="A line of headings names the columns. The file is read in your browser."
      storageKey={storageKey}
      onOpen={onOpen}
    />
    <ContactSource onOpen={onContacts} />
  </div>
);
