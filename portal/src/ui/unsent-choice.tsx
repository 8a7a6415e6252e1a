import { useId } from 'react';
import type { components } from '../api/schema.d.ts';
import { hasUnsent, type UnsentGifts } from '../api/unsent-gifts.ts';
import { useScope } from '../api/use-scope.ts';
import { countOf, formatDay, formatMoney } from './formats.ts';

/** A window shows so many gifts; the others are counted. */
const MOST_SHOWN = 3;

interface UnsentChoiceProps<Value extends string> {
  unsent: UnsentGifts | undefined;
  /** Whose they are, if a page has several. */
  about?: string;
  /** What can happen to them; the first is the default. */
  options: readonly { value: Value; label: string }[];
  value: Value;
  onChange: (value: Value) => void;
}

/** Gifts that are ordered or asked for and are not sent, with the question what happens to them. Nothing if there are none. */
export function UnsentChoice<Value extends string>(props: UnsentChoiceProps<Value>) {
  const { unsent, about, options, value, onChange } = props;
  const name = useId();
  if (!hasUnsent(unsent)) return null;
  const shown = unsent.data.slice(0, MOST_SHOWN);
  const more = unsent.gifts + unsent.requests - shown.length;
  return (
    <fieldset className="mt-4 grid gap-2">
      <legend className="font-semibold">
        {about} {titleOf(unsent)}
      </legend>
      <ul className="mb-1 text-sm text-soft">
        {shown.map((one) => (
          <li key={one.gift_id ?? one.gift_request_id} className="wrap-anywhere">
            <Line unsent={one} />
          </li>
        ))}
        {more > 0 && <li>And {more} more.</li>}
      </ul>
      {options.map((option) => (
        <label
          key={option.value}
          className="flex cursor-pointer items-baseline gap-3 rounded-xl border border-line px-4 py-2.5 has-checked:border-accent has-checked:bg-accent-wash"
        >
          <input
            type="radio"
            name={name}
            checked={value === option.value || options.length === 1}
            onChange={() => onChange(option.value)}
            className="size-4 shrink-0 translate-y-0.5 accent-(--accent)"
          />
          <span>{option.label}</span>
        </label>
      ))}
    </fieldset>
  );
}

interface Ending {
  value: 'cancel' | 'keep';
  label: string;
}

/** What can happen to gifts whose person or rule goes. */
export function endings(unsent: UnsentGifts | undefined): readonly Ending[] {
  const { gifts, requests, data } = unsent ?? { gifts: 0, requests: 0, data: [] };
  const isOne = gifts + requests === 1;
  const [it, goes] = isOne ? ['it', 'It goes'] : ['them', 'They go'];
  const back = isOne ? 'The amount returns' : 'Their amounts return';
  // The server cancels what the role may, which is nothing.
  if (!data.some(({ may_end }) => may_end))
    return [{ value: 'cancel', label: `Keep ${it}. Someone who cancels gifts can cancel ${it} under Gifts.` }];
  const end = gifts > 0 ? `Cancel ${it}. ${back} to the balance.` : `Withdraw ${it}. Nothing was paid.`;
  const both = 'What is ordered goes out, and an admin decides the rest.';
  const keep = requests === 0 ? `${goes} out all the same.` : gifts === 0 ? 'An admin decides.' : both;
  return [
    { value: 'cancel', label: end },
    { value: 'keep', label: `Keep ${it}. ${keep}` },
  ];
}

type Outcome = components['schemas']['UnsentOutcome'];

/** What a change did to such gifts, in sentences; empty if it did nothing. */
export function outcomeText(
  { canceled_gifts, refunded, withdrawn_requests, moved }: Outcome,
  currency: string,
): string {
  return [
    canceled_gifts > 0 &&
      `${countOf(canceled_gifts, 'gift')} ${canceled_gifts === 1 ? 'is' : 'are'} canceled, and ${formatMoney(refunded, currency)} is back in the balance.`,
    withdrawn_requests > 0 &&
      `${countOf(withdrawn_requests, 'request')} ${withdrawn_requests === 1 ? 'is' : 'are'} withdrawn.`,
    moved > 0 && `${countOf(moved, 'gift')} ${moved === 1 ? 'goes' : 'go'} to the new address.`,
  ]
    .filter(Boolean)
    .join(' ');
}

function titleOf({ gifts, requests }: UnsentGifts): string {
  const ordered = gifts === 0 ? [] : [`${countOf(gifts, 'gift')} ${gifts === 1 ? 'is' : 'are'} ordered and not sent`];
  const asked =
    requests === 0 ? [] : [`${countOf(requests, 'gift')} ${requests === 1 ? 'waits' : 'wait'} for approval`];
  return `${[...ordered, ...asked].join(', and ')}.`;
}

function Line({ unsent }: { unsent: UnsentGifts['data'][number] }) {
  const { currency } = useScope();
  const { kind, amount, address, send_at, rule, may_end } = unsent;
  return (
    <>
      {formatMoney(amount, currency)} to <bdi>{address}</bdi>
      {send_at !== null &&
        `, ${kind === 'gift' ? 'goes out' : 'for'} ${formatDay(send_at.slice(0, 'YYYY-MM-DD'.length))}`}
      {rule !== null && `, ${rule}`}
      {!may_end && '. Your role does not change it.'}
    </>
  );
}
