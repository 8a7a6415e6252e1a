import type { Step } from './use-step.ts';

const titles = { file: 'File', columns: 'Columns', rows: 'Rows', review: 'Review' } as const;
type Part = keyof typeof titles;
const parts = Object.keys(titles) as Part[];

/** Shows the steps of a file and where the person is. The letters are a question about the file. */
export function Progress({ step }: { step: Step }) {
  const part = step === 'letters' ? 'file' : step;
  return (
    <ol aria-label="Steps" className="mb-4 flex flex-wrap gap-x-5 gap-y-1 text-sm">
      {parts.map((name, index) => (
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
