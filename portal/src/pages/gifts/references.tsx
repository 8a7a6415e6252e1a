import type { ReactNode } from 'react';
import { CopyableCode } from '../../ui/code.tsx';

interface References {
  external_id?: string;
  metadata?: Readonly<Record<string, string>>;
}

/** The facts of an order or gift that the customer's own program gave it. */
export const referenceFacts = ({ external_id, metadata = {} }: References): [name: string, value: ReactNode][] => [
  ...(external_id === undefined
    ? []
    : [
        [
          'External ID',
          <CopyableCode key="external" label="Copy external ID">
            {external_id}
          </CopyableCode>,
        ] as [string, ReactNode],
      ]),
  ...(Object.keys(metadata).length === 0
    ? []
    : [['Metadata', <Metadata key="metadata" pairs={metadata} />] as [string, ReactNode]]),
];

const Metadata = ({ pairs }: { pairs: Readonly<Record<string, string>> }) => (
  <ul className="grid gap-1">
    {Object.entries(pairs).map(([key, value]) => (
      <li key={key} className="wrap-anywhere">
        <span className="font-mono text-[0.8125rem] text-soft">{key}</span> {value}
      </li>
    ))}
  </ul>
);
