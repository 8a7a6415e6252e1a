import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Encoding, Reading } from 'bestow-readers/decode.ts';
import { type OpenedFile, openFile } from 'bestow-readers/read-file.ts';
import type { Sheet } from 'bestow-readers/table.ts';
import { useEffect, useRef, useState } from 'react';
import { useScope } from '../layout/use-scope.ts';
import { BatchList } from '../pages/batch-list.tsx';
import { Page, Panel } from '../ui/page.tsx';
import { EmptyState } from '../ui/states.tsx';
import type { CheckedFile } from './check.ts';
import { ManyDrop, type NamedFile } from './drop.tsx';
import { isKnownHeading } from './headings.ts';
import { Letters } from './letters.tsx';
import { ManyMatch, type MatchSetup, newSetup } from './match.tsx';
import { ManyReview } from './review.tsx';
import { ManyRows } from './rows.tsx';

type Sheets = readonly [Sheet, ...Sheet[]];

type Step =
  | { name: 'file' }
  | { name: 'letters'; file: NamedFile; readings: readonly Reading[] }
  | { name: 'columns'; file: NamedFile; sheets: Sheets; setup: MatchSetup }
  | { name: 'rows' | 'review'; file: NamedFile; sheets: Sheets; setup: MatchSetup; checked: CheckedFile };

const titles = { file: 'File', columns: 'Columns', rows: 'Rows', review: 'Review' } as const;
/** The letters are a question about the file. */
const partOf = (name: Step['name']) => (name === 'letters' ? 'file' : name);

/** Sends many gifts: choose a file, match its columns, correct its rows, review. */
export function SendManyPage() {
  const { params, environment, isAdmin, mayChange } = useScope();
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
          ? 'Test gifts from a file: no real money, no messages.'
          : 'Gifts from a CSV or Excel file, up to 10,000 at a time. Nothing is bought before you confirm.'
      }
    >
      {mayChange ? (
        <Steps />
      ) : (
        <Panel>
          <EmptyState title={isAdmin ? 'Gifts cannot be sent now' : 'Only admins can send gifts'}>
            {isAdmin
              ? 'The organization is suspended, or you need a second factor. The banner above says which.'
              : 'Ask an admin of your organization.'}
          </EmptyState>
        </Panel>
      )}
      <BatchList />
    </Page>
  );
}

function Steps() {
  const [step, setStep] = useState<Step>({ name: 'file' });
  const top = useRef<HTMLDivElement>(null);
  const wasShown = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step begins at its top
  useEffect(() => {
    if (wasShown.current) top.current?.focus();
    wasShown.current = true;
  }, [step.name]);
  const open = (file: NamedFile, opened: OpenedFile) =>
    setStep(
      'readings' in opened
        ? { name: 'letters', file, readings: opened.readings }
        : { name: 'columns', file, sheets: opened.sheets, setup: newSetup },
    );
  const letters = useMutation({
    mutationFn: async ({ file, encoding }: { file: NamedFile; encoding: Encoding }) =>
      open(file, await openFile(file.bytes ?? new Uint8Array(), isKnownHeading, encoding)),
    meta: { isRead: true },
  });
  return (
    <div ref={top} tabIndex={-1} className="min-w-0 scroll-mt-20 outline-none">
      <Progress part={partOf(step.name)} />
      {step.name === 'file' && <ManyDrop onOpen={open} />}
      {step.name === 'letters' && (
        <Letters
          name={step.file.name}
          readings={step.readings}
          error={letters.error}
          onBack={() => setStep({ name: 'file' })}
          onChoose={(encoding) => letters.mutate({ file: step.file, encoding })}
        />
      )}
      {step.name === 'columns' && (
        <ManyMatch
          name={step.file.name}
          sheets={step.sheets}
          setup={step.setup}
          onChange={(setup) => setStep({ ...step, setup })}
          onBack={() => setStep({ name: 'file' })}
          onChecked={(checked) => setStep({ ...step, name: stepOf(checked), checked })}
        />
      )}
      {step.name === 'rows' && (
        <ManyRows
          file={step.checked}
          onBack={() => setStep({ ...step, name: 'columns' })}
          onChange={(checked) => setStep({ ...step, name: stepOf(checked), checked })}
        />
      )}
      {step.name === 'review' && (
        <ManyReview
          name={step.file.name}
          file={step.checked}
          onBack={() => setStep({ ...step, name: 'columns' })}
          onChange={(checked) => setStep({ ...step, checked })}
        />
      )}
    </div>
  );
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
