import { dateOf } from 'bestow-readers/time.ts';
import { type ReactNode, useState } from 'react';
import { useCategories } from '../../api/use-categories.ts';
import { useScope } from '../../api/use-scope.ts';
import { categoryOptions } from '../../ui/category.ts';
import { formatMoney, formatPlannedTime } from '../../ui/formats.ts';
import { languageChoices } from '../../ui/languages.ts';
import { MessageText } from '../../ui/message-text.tsx';
import { Facts, Panel } from '../../ui/page.tsx';
import { GiftPreview } from '../gift-form/send-preview.tsx';
import type { GiftRequest } from './request-badge.tsx';

type Gift = NonNullable<GiftRequest['gifts']>[number];
type Language = NonNullable<Parameters<typeof GiftPreview>[0]['body']['language']>;

/** Who gets a gift, in a word. */
export const recipientOf = ({ recipient_name, address }: Gift) => recipient_name ?? address ?? 'Link gift (no name)';

interface RequestedGiftsProps {
  gifts: readonly Gift[];
  /** Stands above the gifts. */
  children: ReactNode;
}

/** The gifts of a request, and beside them the mail and the page that the recipient of the chosen one will see. */
export function RequestedGifts({ gifts, children }: RequestedGiftsProps) {
  const { may } = useScope();
  const mayPreview = may('order', 'request', 'approve');
  const [position, setPosition] = useState(0);
  const chosen = gifts[position];
  return (
    <div className={mayPreview ? 'grid items-start gap-6 lg:grid-cols-2' : ''}>
      <div className="grid gap-6">
        {children}
        <Panel
          title={gifts.length === 1 ? 'Gift' : `${gifts.length} gifts`}
          description={gifts.length === 1 ? undefined : 'Choose a gift to see what its recipient gets.'}
        >
          {gifts.length > 1 && <GiftChoice gifts={gifts} position={position} onChoose={setPosition} />}
          {chosen !== undefined && <GiftFacts gift={chosen} />}
        </Panel>
      </div>
      {mayPreview && chosen !== undefined && <GiftPreview body={previewOf(chosen)} />}
    </div>
  );
}

interface GiftChoiceProps {
  gifts: readonly Gift[];
  position: number;
  onChoose: (position: number) => void;
}

function GiftChoice({ gifts, position, onChoose }: GiftChoiceProps) {
  const { currency } = useScope();
  return (
    <ol className="mb-5 grid gap-1.5">
      {gifts.map((gift, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the gifts of a request never change
        <li key={n}>
          <button
            type="button"
            aria-pressed={n === position}
            onClick={() => onChoose(n)}
            className="flex w-full items-baseline gap-3 rounded-xl border border-line px-4 py-2 text-left hover:bg-sunken aria-pressed:border-accent aria-pressed:bg-accent-wash"
          >
            <span className="text-sm text-soft tabular-nums">{n + 1}</span>
            <span className="min-w-0 flex-1 wrap-anywhere">
              <bdi>{recipientOf(gift)}</bdi>
            </span>
            <span className="font-semibold tabular-nums">{formatMoney(gift.amount, currency)}</span>
          </button>
        </li>
      ))}
    </ol>
  );
}

function GiftFacts({ gift }: { gift: Gift }) {
  const { membership } = useScope();
  const { choices } = useCategories();
  const { category, address, recipient_name, sender_name, message, send_at } = gift;
  const language = languageChoices('').find(({ value }) => value === gift.language)?.label;
  return (
    <Facts
      facts={[
        ['Category', categoryOptions(choices).find(({ value }) => value === category)?.label ?? category],
        ['To', address ?? 'A link to share'],
        ...(recipient_name === null ? [] : [['Recipient', recipient_name] as const]),
        ['Sender', sender_name ?? membership.organization_name],
        ...(message === null ? [] : [['Message', <MessageText key="message" text={message} />] as const]),
        ...(language === undefined ? [] : [['Language', language] as const]),
        ...(send_at === null ? [] : [['Sent', formatPlannedTime(send_at)] as const]),
      ]}
    />
  );
}

/** Without a time that has passed, which cannot be previewed. */
function previewOf({ method, amount, category, language, send_at, ...texts }: Gift) {
  const { recipient_name, sender_name, message } = texts;
  return {
    method,
    amount,
    category,
    ...(recipient_name !== null && { recipient_name }),
    ...(sender_name !== null && { sender_name }),
    ...(message !== null && { message }),
    ...(language !== null && { language: language as Language }),
    ...(send_at !== null && dateOf(send_at).getTime() > Date.now() && { send_at }),
  };
}
