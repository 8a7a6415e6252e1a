import { hasUnsent, type UnsentGifts } from '../api/unsent-gifts.ts';
import { useScope } from '../api/use-scope.ts';
import { countOf, formatDay, formatMoney } from './formats.ts';

/** A window shows so many gifts; the others are counted. */
const MOST_SHOWN = 3;

interface UnsentChoiceProps<Value extends string> {
  unsent: UnsentGifts | undefined;
  /** What can happen to them; the first is the default. */
  options: readonly { value: Value; label: string }[];
  value: Value;
  onChange: (value: Value) => void;
}

/** Gifts that are ordered or asked for and are not sent, with the question what happens to them. Nothing if there are none. */
export function UnsentChoice<Value extends string>({ unsent, options, value, onChange }: UnsentChoiceProps<Value>) {
  if (!hasUnsent(unsent)) return null;
  const shown = unsent.data.slice(0, MOST_SHOWN);
  const more = unsent.gifts + unsent.requests - shown.length;
  return (
    <fieldset className="mt-4 grid gap-2">
      <legend className="font-semibold">{titleOf(unsent)}</legend>
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
            name="unsent"
            checked={value === option.value}
            onChange={() => onChange(option.value)}
            className="size-4 shrink-0 translate-y-0.5 accent-(--accent)"
          />
          <span>{option.label}</span>
        </label>
      ))}
    </fieldset>
  );
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
