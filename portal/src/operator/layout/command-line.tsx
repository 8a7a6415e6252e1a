import { CopyButton } from '../../ui/copy-button.tsx';

/** The command that does or shows the same. */
export const CommandLine = ({ command }: { command: string }) => (
  <div className="mt-5 flex items-start gap-3 border-t border-line pt-3 text-sm">
    <span className="mt-1 text-soft">Command</span>
    <code className="mt-1 min-w-0 flex-1 font-mono text-[0.8125rem] wrap-anywhere">{command}</code>
    <CopyButton text={command} label="Copy command" isIconOnly />
  </div>
);
