import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import type { components, operations } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { portalPath } from '../../base/address.ts';
import { Choice } from '../../ui/choice.tsx';
import { formatPlannedTime } from '../../ui/formats.ts';
import { Panel } from '../../ui/page.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx';
import { amountOf, type Draft, faultsOf, languageOf, personalizationOf, sendTimeOf } from './send-draft.ts';

/** After the last key. */
const PAUSE_MS = 400;

type Part = 'message' | 'page';

const messageNames = { email: 'Email', phone: 'Text message', link: 'Email' } as const;

type PreviewBody = operations['previewGift']['requestBody']['content']['application/json'];

/** What the recipient of a draft gets. */
export function SendPreview({ draft }: { draft: Draft }) {
  const { currency, marks } = useScope();
  const settled = useSettled(draft);
  const { email, phone, sendAt, ...faults } = faultsOf(settled, marks);
  const body = {
    method: settled.method,
    amount: amountOf(settled, currency) ?? 0,
    category: settled.category,
    ...personalizationOf(settled, marks),
    ...languageOf(settled),
    ...(sendAt === undefined ? sendTimeOf(settled) : {}),
  };
  return <GiftPreview body={body} isWhole={Object.keys(faults).length === 0} />;
}

/** What a recipient gets, made by the service's own templates. */
export function GiftPreview({ body, isWhole = true }: { body: PreviewBody; isWhole?: boolean }) {
  const { path } = useScope();
  const [chosen, setChosen] = useState<Part>('message');
  const preview = useQuery({
    queryKey: ['gift-preview', path, body],
    queryFn: () => unwrap(api.POST(`${SCOPE_PATH}/orders/preview`, { params: { path }, body })),
    enabled: isWhole,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const part = body.method === 'link' ? 'page' : chosen;
  const { data } = preview;
  return (
    <Panel
      title="Preview"
      description={
        part === 'page'
          ? 'The page after the gift is unwrapped. Nothing on it can be pressed here.'
          : `What we send${body.send_at ? ` on ${formatPlannedTime(body.send_at)}` : ''}, without the link.`
      }
      actions={
        body.method !== 'link' && (
          <Choice
            label="Show in the preview"
            options={{ message: messageNames[body.method], page: 'Gift page' }}
            value={part}
            onChange={setChosen}
          />
        )
      }
    >
      {preview.error !== null && <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />}
      {data === undefined && preview.error === null && preview.isFetching && <Skeleton lines={12} />}
      {data === undefined && preview.error === null && !preview.isFetching && (
        <EmptyState title="Nothing to show yet">Complete the form to see it.</EmptyState>
      )}
      {data !== undefined && <Shown preview={data} part={part} />}
    </Panel>
  );
}

interface ShownProps {
  preview: components['schemas']['GiftPreview'];
  part: Part;
}

function Shown({ preview: { subject, text, draft }, part }: ShownProps) {
  const { organizationId, environment } = useScope();
  const address = `${portalPath}/api/organizations/${organizationId}/${environment}/orders/preview`;
  if (part === 'message' && subject === null)
    return (
      <p className="max-w-80 rounded-2xl rounded-bl-sm bg-sunken px-4 py-3 wrap-anywhere whitespace-pre-line">{text}</p>
    );
  return (
    <>
      {part === 'message' && (
        <p className="mb-3 text-sm">
          <span className="text-soft">Subject: </span>
          <span className="wrap-anywhere">{subject}</span>
        </p>
      )}
      <iframe
        // A new element for each draft, because a new address in an old frame is a step of the browser's history.
        key={`${part} ${draft}`}
        src={`${address}/${part === 'page' ? 'page' : 'mail'}?draft=${draft}`}
        title={part === 'page' ? 'Preview of the page' : 'Preview of the email'}
        sandbox=""
        className="h-160 w-full rounded-xl border border-line bg-paper"
      />
    </>
  );
}

function useSettled(draft: Draft): Draft {
  const [settled, setSettled] = useState(draft);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(draft), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [draft]);
  return settled;
}
