import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, ORGANIZATION_PATH, unwrap } from '../../api/client.ts';
import { useScope } from '../../api/use-scope.ts';
import { portalPath } from '../../base/address.ts';
import { Choice } from '../../ui/choice.tsx';
import { Panel } from '../../ui/page.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import { type BrandDraft, colorFault, inputOf } from './brand-draft.ts';

/** After the last key. */
const PAUSE_MS = 400;

const parts = { mail: 'Email', page: 'Gift page' } as const;
const schemes = { light: 'Light', dark: 'Dark' } as const;
const widths = { wide: 'Computer', narrow: 'Phone' } as const;

/** A sample gift with the brand, made by the service's own templates, before it is saved. */
export function BrandPreview({ draft, logoPath }: { draft: BrandDraft; logoPath: string | undefined }) {
  const { organizationId } = useScope();
  const [part, setPart] = useState<keyof typeof parts>('mail');
  const [scheme, setScheme] = useState<keyof typeof schemes>('light');
  const [width, setWidth] = useState<keyof typeof widths>('wide');
  const settled = useSettled(draft);
  const body = inputOf(settled);
  const preview = useQuery({
    queryKey: ['brand-preview', organizationId, logoPath, body],
    queryFn: () =>
      unwrap(
        api.POST(`${ORGANIZATION_PATH}/brand/preview`, { params: { path: { organization_id: organizationId } }, body }),
      ),
    // The field says what is wrong, and the preview stays as it was.
    enabled: !colorFault(settled, 'color') && !colorFault(settled, 'text_color'),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const address = `${portalPath}/api/organizations/${organizationId}/brand/preview/${part}`;
  return (
    <Panel
      title="Preview"
      description="A sample gift. Nothing in it can be pressed."
      actions={
        <div className="flex flex-wrap gap-2">
          <Choice label="Part" options={parts} value={part} onChange={setPart} />
          <Choice label="Look" options={schemes} value={scheme} onChange={setScheme} />
          <Choice label="Width" options={widths} value={width} onChange={setWidth} />
        </div>
      }
    >
      {preview.error !== null && <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />}
      {preview.data === undefined && preview.error === null && <Skeleton lines={12} />}
      {preview.data !== undefined && preview.error === null && (
        <>
          {part === 'mail' && (
            <p className="mb-3 text-sm">
              <span className="text-soft">Subject: </span>
              <span className="wrap-anywhere">{preview.data.subject}</span>
            </p>
          )}
          <iframe
            // A new element for each draft, because a new address in an old frame is a step of the browser's history.
            key={`${part} ${scheme} ${preview.data.draft}`}
            src={`${address}?scheme=${scheme}&draft=${preview.data.draft}`}
            title={`Preview: ${parts[part]}`}
            sandbox=""
            className={`mx-auto block h-180 rounded-xl border border-line ${width === 'narrow' ? 'w-[390px] max-w-full' : 'w-full'}`}
          />
        </>
      )}
    </Panel>
  );
}

function useSettled(draft: BrandDraft): BrandDraft {
  const [settled, setSettled] = useState(draft);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(draft), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [draft]);
  return settled;
}
