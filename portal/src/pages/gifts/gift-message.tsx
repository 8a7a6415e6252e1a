import { useQuery } from '@tanstack/react-query';
import { type RefObject, useState } from 'react';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import { useScope } from '../../api/use-scope.ts';
import { portalPath } from '../../base/address.ts';
import { Choice } from '../../ui/choice.tsx';
import { Facts, Panel } from '../../ui/page.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';

const forms = { html: 'HTML', text: 'Plain text' } as const;

/** Makes a frame as high as its document, at every width. */
function growWithContent(frame: HTMLIFrameElement | null) {
  if (frame === null) return;
  const grow = () => {
    const root = frame.contentDocument?.documentElement;
    if (!root) return;
    frame.style.height = '0';
    frame.style.height = `${root.scrollHeight + frame.offsetHeight - frame.clientHeight}px`;
  };
  let width = 0;
  const observer = new ResizeObserver(() => {
    if (frame.clientWidth === width) return;
    width = frame.clientWidth;
    grow();
  });
  observer.observe(frame);
  frame.addEventListener('load', grow);
  return () => observer.disconnect();
}

interface GiftMessageProps {
  giftId: string;
  /** From 1. */
  number: number;
  isOnlyOne: boolean;
  headingRef: RefObject<HTMLHeadingElement | null>;
}

/** A message as its recipient gets it, without the link. */
export function GiftMessage({ giftId, number, isOnlyOne, headingRef }: GiftMessageProps) {
  const { path, organizationId, environment } = useScope();
  const [form, setForm] = useState<keyof typeof forms>('html');
  const message = useQuery({
    queryKey: ['gift-message', path, giftId, number],
    queryFn: () =>
      unwrap(
        api.GET(`${SCOPE_PATH}/gifts/{gift_id}/messages/{number}`, {
          params: { path: { ...path, gift_id: giftId, number: String(number) } },
        }),
      ),
    // Messages never change.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { data } = message;
  const address = `${portalPath}/api/organizations/${organizationId}/${environment}/gifts/${giftId}/messages/${number}/letter`;
  return (
    <Panel>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <h2 ref={headingRef} tabIndex={-1} className="scroll-mt-20 text-lg leading-6 outline-none">
          {isOnlyOne ? 'Message' : `Message ${number}`}
        </h2>
        {data?.has_letter && <Choice label="Show the message as" options={forms} value={form} onChange={setForm} />}
        <p className="-mt-2 w-full text-sm text-soft">
          What the recipient {environment === 'live' ? 'sees' : 'would see'}, without the link: anyone with the link can
          claim the gift.
        </p>
      </div>
      {message.error !== null && <ErrorState error={message.error} onRetry={() => void message.refetch()} />}
      {message.isPending && <Skeleton lines={12} />}
      {data !== undefined && (
        <>
          <Facts
            facts={[
              ['To', data.to],
              ['Sender', data.sender_name],
              ...(data.subject === '' ? [] : [['Subject', data.subject] as const]),
            ]}
          />
          {data.has_letter && form === 'html' ? (
            <iframe
              src={address}
              title="Message as HTML"
              // Scripts stay off: the page only measures the mail, so that it needs no scroller of its own.
              sandbox="allow-same-origin"
              ref={growWithContent}
              className="mt-4 h-168 w-full rounded-xl border border-line bg-paper"
            />
          ) : (
            <pre className="mt-4 rounded-xl bg-sunken px-4 py-3 font-mono text-sm whitespace-pre-wrap wrap-anywhere">
              {data.text}
            </pre>
          )}
        </>
      )}
    </Panel>
  );
}
