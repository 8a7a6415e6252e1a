import { CatchBoundary } from '@tanstack/react-router';
import { type ReactNode, Suspense, useId, useState } from 'react';
import { Button } from './button.tsx';
import { Panel } from './page.tsx';

interface ChartPanelProps {
  title: string;
  description: string;
  chart: ReactNode;
  /** The same figures, for people who cannot see the chart or want the numbers. */
  table: ReactNode;
  footnote?: ReactNode;
}

/** A chart, and a button that shows its figures as a table. */
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
  /** For screen readers. */
  label: string;
  heightPx: number;
  children: ReactNode;
}

/** Reserves the height of a chart that is loading, and shows a message if it cannot be loaded. */
export function ChartFigure({ label, heightPx, children }: ChartFigureProps) {
  return (
    <div role="img" aria-label={label} style={{ height: heightPx }} className="text-[0.8125rem]">
      <CatchBoundary getResetKey={() => label} errorComponent={ChartMissing}>
        <Suspense fallback={null}>{children}</Suspense>
      </CatchBoundary>
    </div>
  );
}

const ChartMissing = () => (
  <p className="grid h-full place-items-center text-center text-balance text-soft">
    Could not load the chart. Use the table or reload the page.
  </p>
);
