import { Fragment } from 'react';
import { CopyButton } from '../../ui/copy-button.tsx';

/** The command that does or shows the same, at the foot of a panel. */
export const CommandLine = ({ command }: { command: string }) => (
  <div className="mt-5 flex flex-wrap items-start gap-x-3 border-t border-line pt-3 text-sm sm:flex-nowrap">
    <CommandText command={command} />
  </div>
);

/** The command that does the same as a dialog, as it would be typed now. */
export const CommandBox = ({ command }: { command: string }) => (
  <div className="mt-4 flex flex-wrap items-start gap-x-3 rounded-xl bg-sunken px-3 py-2 text-sm sm:flex-nowrap">
    <CommandText command={command} />
  </div>
);

const CommandText = ({ command }: { command: string }) => (
  <>
    <span className="mt-1 text-soft max-sm:w-full">Command</span>
    <code className="mt-1 min-w-0 flex-1 font-mono text-[0.8125rem]">
      {/* A line ends between words only: “--” at its end would be another option. */}
      {command.split(' ').map((word, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: words have no other identity
        <Fragment key={place}>
          {place > 0 && ' '}
          <span className="inline-block max-w-full wrap-anywhere">{word}</span>
        </Fragment>
      ))}
    </code>
    <CopyButton text={command} label="Copy command" isIconOnly />
  </>
);
