import { useQuery } from '@tanstack/react-query';
import { type RefObject, useState } from 'react';
import { portalPath } from '../address.ts';
import { api, SCOPE_PATH, unwrap } from '../api/client.ts';
import { useScope } from '../layout/use-scope.ts';
import { Facts, Panel } from '../ui/page.tsx';
import { ErrorState, Skeleton } from '../ui/states.tsx';

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
  const [form, setForm] = useState<Form>('html');
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
        {data?.has_letter && <FormSwitch form={form} onChange={setForm} />}
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
              sandbox=""
              className="mt-4 h-168 max-h-[80dvh] w-full rounded-xl border border-line bg-paper"
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

const forms = [
  { form: 'html', label: 'HTML' },
  { form: 'text', label: 'Plain text' },
] as const;
type Form = (typeof forms)[number]['form'];

function FormSwitch({ form, onChange }: { form: Form; onChange: (form: Form) => void }) {
  return (
    <fieldset className="inline-flex rounded-full bg-sunken p-0.5">
      <legend className="sr-only">Show the message as</legend>
      {forms.map((choice) => (
        <button
          key={choice.form}
          type="button"
          aria-pressed={choice.form === form}
          onClick={() => onChange(choice.form)}
          className="rounded-full px-3 py-0.5 text-sm leading-6 font-semibold text-soft hover:text-ink aria-pressed:bg-surface aria-pressed:text-ink aria-pressed:shadow-soft"
        >
          {choice.label}
        </button>
      ))}
    </fieldset>
  );
}
