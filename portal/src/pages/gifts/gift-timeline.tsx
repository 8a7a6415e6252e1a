import type { ReactNode } from 'react';
import type { components } from '../../api/schema.d.ts';
import { formatMoney } from '../../ui/formats.ts';
import { Time } from '../../ui/time.tsx';

type Shown = components['schemas']['GiftPage'];
type Event = Shown['timeline'][number];
type Delivery = components['schemas']['GiftDeliveryEvent'];

interface Step {
  at: string;
  title: string;
  detail?: ReactNode;
  tone?: keyof typeof dots;
}

const dots = { plain: 'border-line-strong', good: 'border-good', bad: 'border-bad' } as const;

interface TimelineProps {
  shown: Pick<Shown, 'gift' | 'timeline'>;
  currency: string;
  environment: 'live' | 'sandbox';
  /** Leads to the order. */
  order?: ReactNode;
  /** Shows the message with this number; undefined if there is only one. */
  onMessage: ((number: number) => void) | undefined;
}

/** The events of a gift, oldest first. */
export function GiftTimeline({ shown, currency, environment, order, onMessage }: TimelineProps) {
  const money = (cents: number) => formatMoney(cents, currency);
  const { gift, timeline } = shown;

  const stepsOf = (event: Event): Step[] => {
    switch (event.kind) {
      case 'ordered':
        return [{ at: event.at, title: 'Ordered', detail: order }];
      case 'delivery':
        return deliverySteps(event, environment, onMessage);
      case 'opened':
        return [{ at: event.at, title: 'Opened' }];
      case 'declined':
        return [{ at: event.at, title: 'The recipient does not want it', detail: 'They can still claim it.' }];
      case 'held':
        return [{ at: event.at, title: 'Put on hold', tone: 'bad' }];
      case 'erased':
        return [{ at: event.at, title: 'The recipient was erased' }];
      case 'claimed':
        return [{ at: event.at, title: 'Claimed', detail: event.card_id, tone: 'good' }];
      case 'canceled':
        return [canceledStep(event, gift.state === 'expired', money)];
      case 'thanked':
        return [{ at: event.at, title: 'Thanked you', detail: <ThankYouNote note={event.note} />, tone: 'good' }];
      case 'spent':
        return [{ at: event.at, title: `Spent ${money(event.amount)}`, detail: `At ${event.merchant}` }];
    }
  };
  // A message is one event with up to two times. The sort is stable, so events of the same time keep their order.
  const steps = timeline.flatMap(stepsOf).sort((a, b) => a.at.localeCompare(b.at));

  return (
    <>
      <ol>
        {steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps are only ever added
          <TimelineItem key={index} {...step} />
        ))}
      </ol>
      {gift.spent_amount_not_listed > 0 && (
        <p className="mt-4 text-sm text-soft">
          {money(gift.spent_amount_not_listed)} was spent in purchases that are not listed here.
        </p>
      )}
    </>
  );
}

/** The recipient's own words, with their line breaks. */
function ThankYouNote({ note }: { note: string | null }) {
  if (note === null) return 'The note was erased with the recipient.';
  return (
    <blockquote
      dir="auto"
      className="mt-1 rounded-lg border border-line bg-sunken px-3 py-2 text-base whitespace-pre-line text-ink"
    >
      {note}
    </blockquote>
  );
}

function canceledStep(
  { at, reason, refunded }: Extract<Event, { kind: 'canceled' }>,
  isExpired: boolean,
  money: (cents: number) => string,
): Step {
  const detail = `${money(refunded)} returned to the balance${reason === null || isExpired ? '' : `: ${reason}`}`;
  return { at, title: isExpired ? 'Expired' : 'Canceled', detail, tone: 'bad' };
}

function TimelineItem({ at, title, detail, tone = 'plain' }: Step) {
  return (
    <li className="group relative flex gap-3 pb-5 last:pb-0">
      <span aria-hidden className="absolute top-6 bottom-0 left-[0.4375rem] w-0.5 bg-line group-last:hidden" />
      <span aria-hidden className={`mt-1 size-4 shrink-0 rounded-full border-4 bg-surface ${dots[tone]}`} />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4 sm:flex-nowrap">
          <p className={`min-w-0 font-semibold wrap-anywhere ${tone === 'bad' ? 'text-bad' : ''}`}>{title}</p>
          <p className="text-sm text-soft">
            <Time at={at} />
          </p>
        </div>
        {detail !== undefined && <div className="text-sm text-soft wrap-anywhere">{detail}</div>}
      </div>
    </li>
  );
}

const names = { email: 'Email', phone: 'Text message' } as const;

/** A message that was withdrawn is no failure of the address. */
const isUnsent = ({ failure, sent_at }: Delivery) =>
  failure?.reason === 'not_sent' || (failure?.reason === 'erased' && sent_at === null);

function deliverySteps(
  delivery: Delivery,
  environment: 'live' | 'sandbox',
  onMessage: TimelineProps['onMessage'],
): Step[] {
  const { number, channel, failure, provider, created_at, sent_at, delivered_at, failed_at, reminder_day } = delivery;
  const address = delivery.address ?? 'an erased address';
  const name = reminder_day === null ? names[channel] : `Reminder by ${names[channel].toLowerCase()}`;
  const detail = detailOf(delivery, environment);
  const created: Step = {
    at: sent_at ?? created_at,
    title:
      provider === 'outbox'
        ? `${name} to ${address} kept in the outbox`
        : `${name} ${sent_at === null || environment === 'sandbox' ? '' : 'sent '}to ${address}`,
    detail: (
      <>
        {detail}{' '}
        {onMessage !== undefined && (
          <button type="button" onClick={() => onMessage(number)} className="rounded-sm text-accent underline">
            Show message {number}
          </button>
        )}
      </>
    ),
  };
  if (delivered_at !== null) return [created, { at: delivered_at, title: 'Delivered', tone: 'good' }];
  if (failed_at === null) return [created];
  if (isUnsent(delivery)) return [created, { at: failed_at, title: 'Not sent' }];
  return [created, { at: failed_at, title: 'Delivery failed', detail: detailOfFailure(failure), tone: 'bad' }];
}

function detailOfFailure(failure: Delivery['failure']): string | undefined {
  const words = failure?.provider_message ?? undefined;
  return failure?.reason === 'given_up' ? ['Given up after a day', words].filter(Boolean).join(': ') : words;
}

/** Describes how the message was sent. */
function detailOf({ channel, state, sent_at, provider, tries, failure }: Delivery, environment: 'live' | 'sandbox') {
  if (environment === 'sandbox') return 'The sandbox does not send messages.';
  if (provider === 'outbox') return `No ${channel === 'email' ? 'mail server' : 'SMS provider'} is configured.`;
  if (sent_at !== null) return tries > 1 ? `Accepted on attempt ${tries}.` : undefined;
  if (state !== 'sending') return undefined;
  if (tries === 0) return 'Waiting to be sent.';
  const why = failure?.provider_message ?? 'unknown reason';
  return `Waiting after ${tries} ${tries === 1 ? 'attempt' : 'attempts'}: ${why}. We will retry.`;
}
