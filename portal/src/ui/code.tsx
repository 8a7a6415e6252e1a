import { CopyButton } from './copy-button.tsx';

/** An id, a header or another name of the API. */
export const Code = ({ children }: { children: string }) => (
  <code className="font-mono text-[0.867em] wrap-anywhere">{children}</code>
);

/** An id with a button that copies it. */
export const CopyableCode = ({ children, label }: { children: string; label: string }) => (
  <span className="inline-flex max-w-full items-start gap-1">
    <Code>{children}</Code>
    <span className="-my-1 shrink-0">
      <CopyButton text={children} label={label} isIconOnly />
    </span>
  </span>
);

/** Shows the parts between backticks as code. */
export const WithCode = ({ text }: { text: string }) =>
  text.split('`').map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts never change their order
      <Code key={index}>{part}</Code>
    ),
  );
