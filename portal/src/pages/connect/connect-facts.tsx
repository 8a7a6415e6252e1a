import { ApiError } from '../../api/client.ts';
import { Facts } from '../../ui/page.tsx';
import { ErrorState } from '../../ui/states.tsx';
import type { Connection } from './use-connection.ts';

/** Who asks. The name is what the program says; the rest cannot be made up. */
export const AssistantFacts = ({ client: { name, site, goes_to } }: { client: Connection['client'] }) => (
  <>
    <p className="mt-2 text-soft">
      A program that calls itself “{name}” asks to use gifts. Go on only if you began this yourself, in that program.
    </p>
    <div className="mt-4 rounded-xl bg-sunken px-4 py-3">
      <Facts
        facts={[
          ['Access goes to', goes_to ?? 'A program on this device'],
          ['Vouched for by', site ?? 'No one: any program can use this name'],
        ]}
      />
    </div>
  </>
);

/** The sign-in of the assistant cannot be answered here, or could not be loaded. */
export function ConnectionEnded({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (!(error instanceof ApiError && error.status === 404)) return <ErrorState error={error} onRetry={onRetry} />;
  return (
    <p role="alert" className="mt-3 text-soft">
      This was answered already, took longer than 30 minutes, or began in another browser. Nothing more was granted.
      Connect again from the assistant.
    </p>
  );
}
