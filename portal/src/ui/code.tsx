import { CopyButton } from './copy-button.tsx';

/** A name of the API or an id, as programs write it. */
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

/** A sentence of the server in which names of the API stand between backticks. */
export const WithCode = ({ text }: { text: string }) =>
  text.split('`').map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a text's parts keep their places
      <Code key={index}>{part}</Code>
    ),
  );
