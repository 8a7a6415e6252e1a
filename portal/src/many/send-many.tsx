import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useScope } from '../layout/use-scope.ts';
import { BatchList } from '../pages/batch-list.tsx';
import { Page, Panel } from '../ui/page.tsx';
import { EmptyState } from '../ui/states.tsx';
import type { Row } from './check.ts';
import { ManyDrop } from './drop.tsx';
import type { Table } from './file.ts';
import { ManyMatch } from './match.tsx';
import { ManyReview } from './review.tsx';
import { ManyRows } from './rows.tsx';

type Step =
  | { name: 'file' }
  | { name: 'columns'; table: Table }
  | { name: 'rows' | 'review'; table: Table; rows: readonly Row[] };

const titles = { file: 'File', columns: 'Columns', rows: 'Rows', review: 'Review' } as const;

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
  return (
    <div ref={top} tabIndex={-1} className="min-w-0 scroll-mt-20 outline-none">
      <Progress step={step.name} />
      {step.name === 'file' && <ManyDrop onTable={(table) => setStep({ name: 'columns', table })} />}
      {step.name === 'columns' && (
        <ManyMatch
          table={step.table}
          onBack={() => setStep({ name: 'file' })}
          onRows={(rows) => setStep({ ...step, name: rows.some(({ fault }) => fault) ? 'rows' : 'review', rows })}
        />
      )}
      {step.name === 'rows' && (
        <ManyRows
          rows={step.rows}
          onBack={() => setStep({ ...step, name: 'columns' })}
          onRows={(rows) => setStep({ ...step, name: rows.some(({ fault }) => fault) ? 'rows' : 'review', rows })}
        />
      )}
      {step.name === 'review' && (
        <ManyReview
          name={step.table.name}
          rows={step.rows}
          onBack={() => setStep({ ...step, name: 'columns' })}
          onRows={(rows) => setStep({ ...step, rows })}
        />
      )}
    </div>
  );
}

function Progress({ step }: { step: Step['name'] }) {
  const names = Object.keys(titles) as Step['name'][];
  return (
    <ol aria-label="Steps" className="mb-4 flex flex-wrap gap-x-5 gap-y-1 text-sm">
      {names.map((name, index) => (
        <li
          key={name}
          aria-current={name === step ? 'step' : undefined}
          className={`flex items-center gap-2 ${name === step ? 'font-semibold text-accent' : 'text-soft'}`}
        >
          <span
            className={`inline-grid size-6 place-items-center rounded-full text-[0.8125rem] font-semibold ${name === step ? 'bg-accent text-on-accent' : 'bg-sunken'}`}
          >
            {index + 1}
          </span>
          {titles[name]}
        </li>
      ))}
    </ol>
  );
}
