import { Link } from '@tanstack/react-router';
import type { Reading } from 'bestow-readers/decode.ts';
import type { OpenedFile } from 'bestow-readers/read-file.ts';
import type { Sheet } from 'bestow-readers/table.ts';
import { useState } from 'react';
import { useScope } from '../../api/use-scope.ts';
import { useDraftKey } from '../../layout/drafts.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { formatCount } from '../../ui/formats.ts';
import { Facts, Page, Panel } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { outcomeText } from '../../ui/unsent-choice.tsx';
import { useTopOf } from '../../ui/use-top-of.ts';
import { FileDrop, type NamedFile } from '../file/file-drop.tsx';
import { Letters } from '../file/letters.tsx';
import { Progress } from '../file/progress.tsx';
import { rememberedChoices } from '../file/remembered-choices.ts';
import { noAnswers } from '../file/sheet-answers.ts';
import { type Step, useStep } from '../file/use-step.ts';
import type { CheckedContacts } from './check-contacts.ts';
import { ContactCorrections } from './contact-corrections.tsx';
import { type ContactColumn, contactHeadings } from './contact-headings.ts';
import { ContactMatch } from './contact-match.tsx';
import { ContactReview } from './contact-review.tsx';
import { FaultyRows } from './contact-rows.tsx';
import type { Imported } from './import-rows.ts';
import type { ContactSetup } from './prepare-contacts.ts';

/** Adds contacts from a file, in the steps of “Send many”: choose it, say what it means, correct its rows, import them. */
export function ImportContactsPage() {
  const { params, may } = useScope();
  const key = useDraftKey('contacts');
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
      {may('settings') ? (
        <Steps key={key} storageKey={key} />
      ) : (
        <Panel>
          <EmptyState title="Contacts cannot be imported now">Ask an admin of your organization.</EmptyState>
        </Panel>
      )}
    </Page>
  );
}

/** The file that people can begin with. */
const template = {
  name: 'contacts.csv',
  text: `email,phone,name,tags,reference,birthday,start date,language
ada@example.com,,Ada Lovelace,berlin; team,E-1,12-10,2021-09-01,en
,+1 202 555 0100,Grace Hopper,team,E-2,1985-12-09,,
`,
};

const newSetup: ContactSetup = { answers: noAnswers, matching: undefined, isRecalled: false };

/** A file that was opened; its letters may be in question. */
interface Opened {
  file: NamedFile;
  readings?: readonly Reading[];
  sheets?: readonly [Sheet, ...Sheet[]];
  setup: ContactSetup;
}

/** The steps are steps of the browser's history. The file is not kept: nothing of it is typed. */
function Steps({ storageKey }: { storageKey: string }) {
  const [opened, setOpened] = useState<Opened>();
  const [checked, setChecked] = useState<CheckedContacts>();
  const [result, setResult] = useState<Imported>();
  const { step, goTo, goBack } = useStep();
  const shown = shownStep(step, opened, checked);
  const top = useTopOf(shown);
  const { organizationId } = useScope();
  const choices = rememberedChoices(organizationId, 'contacts', contactHeadings.isKnown);
  const open = (file: NamedFile, read: OpenedFile) => {
    const recalled = 'sheets' in read ? choices.recall<ContactColumn>(read.sheets) : undefined;
    setOpened({ file, ...read, setup: recalled ?? newSetup });
    setChecked(undefined);
    goTo('readings' in read ? 'letters' : 'columns');
  };
  const check = (next: CheckedContacts) => {
    setChecked(next);
    goTo(stepOf(next));
  };
  const restart = () => {
    setOpened(undefined);
    setResult(undefined);
    goTo(undefined);
  };
  if (result !== undefined) return <Result result={result} onRestart={restart} />;
  return (
    <div ref={top} tabIndex={-1} className="min-w-0 scroll-mt-20 outline-none">
      <Progress step={shown} />
      {shown === 'file' && (
        <FileDrop
          headings={contactHeadings}
          template={template}
          description="A line of headings names the columns: an email address or a phone number, and what else you have. Exports of Google, Outlook and HR systems go in as they are. The file is read in your browser."
          storageKey={storageKey}
          onOpen={open}
        />
      )}
      {shown === 'letters' && opened?.readings !== undefined && (
        <Letters
          known={contactHeadings.known}
          file={opened.file}
          readings={opened.readings}
          onBack={() => goBack(undefined)}
          onOpen={open}
        />
      )}
      {shown === 'columns' && opened?.sheets !== undefined && (
        <ContactMatch
          name={opened.file.name}
          sheets={opened.sheets}
          setup={opened.setup}
          onChange={(setup) => setOpened({ ...opened, setup })}
          onForget={() => {
            if (opened.sheets !== undefined) choices.forget(opened.sheets, opened.setup.answers);
            setOpened({ ...opened, setup: newSetup });
          }}
          onBack={() => goBack(undefined)}
          onChecked={(next) => {
            if (opened.sheets !== undefined) choices.remember(opened.sheets, opened.setup);
            check(next);
          }}
        />
      )}
      {shown === 'rows' && checked !== undefined && (
        <ContactCorrections file={checked} onBack={() => goBack('columns')} onChange={check} />
      )}
      {shown === 'review' && checked !== undefined && (
        <ContactReview file={checked} onBack={() => goBack('columns')} onImported={setResult} />
      )}
    </div>
  );
}

/** The step of the address, if what it needs is there. */
function shownStep(step: string | undefined, opened: Opened | undefined, checked: CheckedContacts | undefined): Step {
  if (opened === undefined || step === undefined) return 'file';
  if (opened.sheets === undefined) return 'letters';
  return checked !== undefined && step !== 'columns' ? stepOf(checked) : 'columns';
}

const stepOf = ({ rows }: CheckedContacts) => (rows.some(({ fault }) => fault) ? 'rows' : 'review');

function Result({ result, onRestart }: { result: Imported; onRestart: () => void }) {
  const { params, currency } = useScope();
  const outcome = outcomeText(result.unsent, currency);
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
              ...missingFacts(result.missing),
            ]}
          />
          {outcome !== '' && <p className="mt-3">{outcome}</p>}
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

/** What was done with contacts that the file does not have. */
function missingFacts({ act, done, stayed }: Imported['missing']): [string, string][] {
  if (act === 'keep') return [];
  const facts: [string, string][] = [[act === 'delete' ? 'Deleted' : 'Tag removed', formatCount(done)]];
  return stayed === 0 ? facts : [...facts, ['Saved since, so kept', formatCount(stayed)]];
}
