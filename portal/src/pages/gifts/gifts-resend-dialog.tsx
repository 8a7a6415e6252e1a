import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { countOf, formatCount } from '../../ui/formats.ts';
import { ErrorState } from '../../ui/states.tsx';
import { leftOut, ResendList } from './gifts-resend-list.tsx';
import {
  type Found,
  type FoundGift,
  type GiftFilters,
  MOST_FOUND,
  type Press,
  type Result,
  useFound,
  useInterruptedPress,
  useResend,
} from './gifts-resend-press.ts';

interface ResendDialogProps {
  filters: GiftFilters;
  onClose: () => void;
}

/** Sends the chosen gifts one after the other; each row shows its result, and a refusal stops no other. */
export function ResendDialog({ filters, onClose }: ResendDialogProps) {
  const { press, forget } = useInterruptedPress();
  const found = useFound(filters, press === undefined);
  if (press !== undefined) return <Sending gifts={press.gifts} press={press} onForget={forget} onClose={onClose} />;
  if (found.data !== undefined)
    return (
      <Sending
        gifts={found.data.gifts.filter(({ refusal }) => refusal === null)}
        found={found.data}
        onForget={forget}
        onClose={onClose}
      />
    );
  return (
    <Dialog isOpen onClose={onClose} title="Send gifts again">
      {found.error === null ? (
        <p role="status">Looking for gifts … {found.count > 0 && `${formatCount(found.count)} so far.`}</p>
      ) : (
        <ErrorState error={found.error} onRetry={() => void found.refetch()} />
      )}
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
  );
}

interface SendingProps {
  gifts: readonly FoundGift[];
  found?: Found;
  press?: Press;
  onForget: () => void;
  onClose: () => void;
}

function Sending({ gifts, found, press, onForget, onClose }: SendingProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () => new Set(gifts.filter(({ status }) => press || status === 'failed').map(({ gift_id }) => gift_id)),
  );
  const { results, isBusy, error, send, stop } = useResend(press);
  const waiting = gifts.filter(({ gift_id }) => chosen.has(gift_id) && results.get(gift_id) !== 'sent');
  const isUntouched = press !== undefined && results.size === 0 && !isBusy;
  return (
    <Dialog
      isOpen
      onClose={isBusy ? () => undefined : onClose}
      title="Send gifts again"
      description={found === undefined ? <Interrupted press={press} /> : <Summary found={found} />}
    >
      {gifts.length > 0 && (
        <ResendList gifts={gifts} chosen={chosen} onChosen={setChosen} results={results} isBusy={isBusy} />
      )}
      {isBusy && <Progress value={results.size} max={Math.max(chosen.size, results.size)} />}
      <Sum results={[...results.values()]} />
      {error !== null && !isBusy && (
        <p role="alert" className="mt-2 text-bad">
          Stopped: {error.message} Press again to go on with the others. No gift is sent twice.
        </p>
      )}
      <DialogActions>
        {isBusy ? (
          <Button onClick={stop}>Stop</Button>
        ) : (
          <Button onClick={isUntouched ? onForget : onClose}>{isUntouched ? 'Forget them' : 'Close'}</Button>
        )}
        <Button variant="primary" isBusy={isBusy} disabled={waiting.length === 0} onClick={() => send(waiting)}>
          Send {formatCount(waiting.length)} again
        </Button>
      </DialogActions>
    </Dialog>
  );
}

const Interrupted = ({ press }: { press: Press | undefined }) =>
  `You began to send gifts again, and were interrupted. ${countOf(press?.gifts.length ?? 0, 'gift')} of that press ${press?.gifts.length === 1 ? 'is' : 'are'} left. A gift that was sent by it is not sent twice.`;

function Summary({ found: { gifts, hasMore } }: { found: Found }) {
  const others = leftOut(gifts);
  return (
    <>
      <p>
        All unclaimed email and phone gifts that the filters find. Each goes to its address once more; earlier links
        stay valid.
      </p>
      {others !== undefined && <p className="mt-2">{others}</p>}
      {hasMore && (
        <p className="mt-2">
          Only the newest {formatCount(MOST_FOUND)} gifts are looked at. Set a date for earlier ones.
        </p>
      )}
    </>
  );
}

const Progress = ({ value, max }: { value: number; max: number }) => (
  <progress
    aria-label="Gifts with a result"
    value={value}
    max={max}
    className="mt-3 h-2.5 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent"
  />
);

function Sum({ results }: { results: readonly Result[] }) {
  const sent = results.filter((result) => result === 'sent').length;
  return (
    <p role="status" className="mt-3 text-sm text-soft">
      {results.length > 0 && `${formatCount(sent)} sent again, ${formatCount(results.length - sent)} refused.`}
    </p>
  );
}
