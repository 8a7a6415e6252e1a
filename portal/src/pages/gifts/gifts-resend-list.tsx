import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { countOf, formatCount } from '../../ui/formats.ts';
import { GiftStateBadge } from '../../ui/gift-status.tsx';
import type { FoundGift, Result } from './gifts-resend-press.ts';

/** A longer list is slow to draw, and too long to read. */
const SHOWN = 100;

const reasons: Record<NonNullable<FoundGift['refusal']>, string> = {
  claimed: 'claimed',
  canceled: 'canceled',
  link: 'handed out by link',
  scheduled: 'scheduled',
  on_hold: 'on hold',
  erased: 'without an address',
  limit_reached: 'sent as often as allowed',
};

/** Such as “12 are left out: 8 claimed, 4 scheduled.” */
export function leftOut(gifts: readonly FoundGift[]): string | undefined {
  const refused = gifts.filter(({ refusal }) => refusal !== null);
  if (refused.length === 0) return undefined;
  const parts = Object.entries(reasons)
    .map(([reason, words]) => [refused.filter(({ refusal }) => refusal === reason).length, words] as const)
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${formatCount(count)} ${words}`);
  return `${formatCount(refused.length)} ${refused.length === 1 ? 'is' : 'are'} left out: ${parts.join(', ')}.`;
}

interface ResendListProps {
  gifts: readonly FoundGift[];
  chosen: ReadonlySet<string>;
  onChosen: (chosen: ReadonlySet<string>) => void;
  results: ReadonlyMap<string, Result>;
  isBusy: boolean;
}

const idsOf = (gifts: readonly FoundGift[]) => gifts.map(({ gift_id }) => gift_id);

/** The gifts with their boxes; the refused ones first. */
export function ResendList({ gifts, chosen, onChosen, results, isBusy }: ResendListProps) {
  const failed = gifts.filter(({ status }) => status === 'failed');
  const isRefused = ({ gift_id }: FoundGift) => results.get(gift_id) instanceof Error;
  const shown = [...gifts.filter(isRefused), ...gifts.filter((gift) => !isRefused(gift))].slice(0, SHOWN);
  const choose = (giftId: string, isChosen: boolean) => {
    const next = new Set(chosen);
    isChosen ? next.add(giftId) : next.delete(giftId);
    onChosen(next);
  };
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-2 border-b border-line pb-2">
        <label className="flex items-center gap-3 font-semibold">
          <input
            type="checkbox"
            className="size-4 accent-(--accent)"
            disabled={isBusy}
            checked={chosen.size === gifts.length}
            onChange={({ target }) => onChosen(new Set(target.checked ? idsOf(gifts) : []))}
          />
          All {formatCount(gifts.length)}
        </label>
        {failed.length > 0 && failed.length < gifts.length && (
          <Button size="small" variant="quiet" disabled={isBusy} onClick={() => onChosen(new Set(idsOf(failed)))}>
            Only the {formatCount(failed.length)} failed
          </Button>
        )}
      </div>
      <ul className="max-h-80 overflow-y-auto">
        {shown.map((gift) => (
          <Row
            key={gift.gift_id}
            gift={gift}
            result={results.get(gift.gift_id)}
            isBusy={isBusy}
            isChosen={chosen.has(gift.gift_id)}
            onChoose={(isChosen) => choose(gift.gift_id, isChosen)}
          />
        ))}
        {gifts.length > SHOWN && (
          <li className="py-2 text-sm text-soft">And {countOf(gifts.length - SHOWN, 'more gift')}.</li>
        )}
      </ul>
    </>
  );
}

interface RowProps {
  gift: FoundGift;
  result: Result | undefined;
  isBusy: boolean;
  isChosen: boolean;
  onChoose: (isChosen: boolean) => void;
}

const Row = ({ gift, result, isBusy, isChosen, onChoose }: RowProps) => (
  <li className="border-b border-line py-2 last:border-0">
    <label className="flex items-center gap-3">
      <input
        type="checkbox"
        className="size-4 shrink-0 accent-(--accent)"
        disabled={isBusy || result === 'sent'}
        checked={isChosen}
        onChange={({ target }) => onChoose(target.checked)}
      />
      <span className="min-w-0 flex-1 wrap-anywhere">{gift.recipient}</span>
      <GiftResult gift={gift} result={result} />
    </label>
  </li>
);

function GiftResult({ gift, result }: { gift: FoundGift; result: Result | undefined }) {
  if (result === undefined) return <GiftStateBadge gift={gift} />;
  if (result === 'sent') return <Badge tone="good">Sent again</Badge>;
  return <span className="max-w-56 text-right text-sm text-bad">{result.message}</span>;
}
