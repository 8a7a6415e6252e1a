import { CatchBoundary } from '@tanstack/react-router';
import { type ReactNode, Suspense, useId, useState } from 'react';
import { Button } from './button.tsx';
import { Panel } from './page.tsx';

interface ChartPanelProps {
  title: string;
  description: string;
  /** Draws; may be loaded late, the room is kept for it. */
  chart: ReactNode;
  /** The same figures as a table, for whoever cannot see the chart or wants the numbers. */
  table: ReactNode;
  footnote?: ReactNode;
}

/** A chart with the table that says the same. */
export function ChartPanel({ title, description, chart, table, footnote }: ChartPanelProps) {
  const [isTable, setIsTable] = useState(false);
  const id = useId();
  return (
    <Panel
      title={title}
      description={description}
      actions={
        <Button size="small" aria-expanded={isTable} aria-controls={id} onClick={() => setIsTable(!isTable)}>
          {isTable ? 'Show as chart' : 'Show as table'}
          <span className="sr-only">({title})</span>
        </Button>
      }
    >
      <div id={id}>{isTable ? table : chart}</div>
      {footnote && <p className="mt-4 text-sm text-soft">{footnote}</p>}
    </Panel>
  );
}

interface ChartFigureProps {
  /** What a screen reader says in place of the picture. */
  label: string;
  /** Pixels. */
  height: number;
  children: ReactNode;
}

/** The frame of a picture whose room is kept while it loads. Where it cannot be loaded the rest of the page stands. */
export function ChartFigure({ label, height, children }: ChartFigureProps) {
  return (
    <div role="img" aria-label={label} style={{ height }} className="text-[0.8125rem]">
      <CatchBoundary getResetKey={() => label} errorComponent={ChartMissing}>
        <Suspense fallback={null}>{children}</Suspense>
      </CatchBoundary>
    </div>
  );
}

const ChartMissing = () => (
  <p className="grid h-full place-items-center text-center text-balance text-soft">
    The chart could not be loaded. Look at the table, or reload the page.
  </p>
);
