import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, api, SCOPE_PATH, unwrap } from '../api/client.ts';
import type { components } from '../api/schema.d.ts';
import { useScope } from '../layout/use-scope.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { GiftStatusBadge } from '../ui/gift-status.tsx';

type Gift = components['schemas']['GiftSummary'];
type Results = Readonly<Record<string, 'sent' | Error>>;

/** Sends the chosen gifts one after the other; each row shows its result, and a refusal stops no other. */
export function ResendDialog({ gifts, onClose }: { gifts: readonly Gift[]; onClose: () => void }) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () => new Set(gifts.filter(({ status }) => status === 'failed').map(({ gift_id }) => gift_id)),
  );
  const { results, isBusy, send } = useResend();
  const waiting = gifts.filter(({ gift_id }) => chosen.has(gift_id) && results[gift_id] !== 'sent');
  const choose = (giftIds: readonly string[], isChosen: boolean) => {
    const next = new Set(chosen);
    for (const giftId of giftIds) isChosen ? next.add(giftId) : next.delete(giftId);
    setChosen(next);
  };
  return (
    <Dialog
      isOpen
      onClose={isBusy ? () => undefined : onClose}
      title="Send gifts again"
      description="The unclaimed email and phone gifts of this page. Each goes to its address once more; earlier links stay valid."
    >
      <label className="flex items-center gap-3 border-b border-line pb-2 font-semibold">
        <input
          type="checkbox"
          className="size-4 accent-(--accent)"
          disabled={isBusy}
          checked={chosen.size === gifts.length}
          onChange={({ target }) => choose(idsOf(gifts), target.checked)}
        />
        All {gifts.length}
      </label>
      <ul className="max-h-80 overflow-y-auto">
        {gifts.map((gift) => (
          <Row
            key={gift.gift_id}
            gift={gift}
            result={results[gift.gift_id]}
            isBusy={isBusy}
            isChosen={chosen.has(gift.gift_id)}
            onChoose={(isChosen) => choose([gift.gift_id], isChosen)}
          />
        ))}
      </ul>
      <Sum results={Object.values(results)} />
      <DialogActions>
        <Button onClick={onClose} disabled={isBusy}>
          Close
        </Button>
        <Button variant="primary" isBusy={isBusy} disabled={waiting.length === 0} onClick={() => send(idsOf(waiting))}>
          Send {waiting.length} again
        </Button>
      </DialogActions>
    </Dialog>
  );
}

const idsOf = (gifts: readonly Gift[]) => gifts.map(({ gift_id }) => gift_id);

function Sum({ results }: { results: readonly ('sent' | Error)[] }) {
  const sent = results.filter((result) => result === 'sent').length;
  return (
    <p role="status" className="mt-3 text-sm text-soft">
      {results.length > 0 && `${sent} sent again, ${results.length - sent} refused.`}
    </p>
  );
}

interface RowProps {
  gift: Gift;
  result: 'sent' | Error | undefined;
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
      <span className="min-w-0 flex-1 wrap-anywhere">{gift.recipient_name ?? gift.address}</span>
      <Result gift={gift} result={result} />
    </label>
  </li>
);

function Result({ gift, result }: { gift: Gift; result: 'sent' | Error | undefined }) {
  if (result === undefined)
    return <GiftStatusBadge status={gift.status} heldBy={gift.held_by} messageState={gift.message_state} />;
  if (result === 'sent') return <Badge tone="good">Sent again</Badge>;
  return <span className="max-w-56 text-right text-sm text-bad">{result.message}</span>;
}

function useResend() {
  const { path } = useScope();
  const queryClient = useQueryClient();
  const [results, setResults] = useState<Results>({});
  const sending = useMutation({
    mutationFn: async (giftIds: readonly string[]) => {
      for (const gift_id of giftIds) {
        const result = await unwrap(
          api.POST(`${SCOPE_PATH}/gifts/{gift_id}/resend`, { params: { path: { ...path, gift_id } } }),
        ).then(
          () => 'sent' as const,
          (error: Error) => error,
        );
        setResults((before) => ({ ...before, [gift_id]: result }));
        // Without a session or a server, every other row would be refused as well.
        if (result instanceof ApiError && [0, 401, 403].includes(result.status)) break;
      }
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['gifts'] }),
  });
  return { results, isBusy: sending.isPending, send: sending.mutate };
}
