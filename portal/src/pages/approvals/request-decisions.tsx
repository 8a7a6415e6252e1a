import { dateOf } from 'bestow-readers/time.ts';
import { useState } from 'react';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import { useScope } from '../../api/use-scope.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { formatMoney, formatPlannedTime } from '../../ui/formats.ts';
import { useAct } from '../../ui/use-act.ts';
import { isLastApproval, useHasApproved, WAITS } from './request-approvals.tsx';
import type { GiftRequest } from './request-badge.tsx';

const MAX_REASON = 280;

type Act = 'approve' | 'decline' | 'withdraw';

const texts = {
  approve: {
    label: 'Approve',
    done: 'Gift bought.',
    doneOfAgent: 'Order placed.',
    description: 'The order names you.',
    ofAgent: 'It is placed as the agent’s order within its limits, and names you.',
  },
  decline: {
    label: 'Decline',
    done: 'Request declined.',
    doneOfAgent: 'Request declined.',
    description: 'Nothing is bought. The member gets an email.',
    ofAgent: 'Nothing is bought. The agent learns it.',
  },
  withdraw: {
    label: 'Withdraw',
    done: 'Request withdrawn.',
    doneOfAgent: 'Request withdrawn.',
    description: 'Nothing is bought.',
    ofAgent: 'Nothing is bought.',
  },
} as const;

/** What this person can do with an open request. */
export function Decisions({ request }: { request: GiftRequest }) {
  const { may } = useScope();
  const [asked, setAsked] = useState<Act>();
  const hasApproved = useHasApproved(request);
  const mayDecide = request.may_decide && may('approve');
  const acts: Act[] = [
    ...(request.is_own && may('order', 'request') ? ['withdraw' as const] : []),
    ...(mayDecide ? ['decline' as const] : []),
    // A second approval of the same person would change nothing.
    ...(mayDecide && !hasApproved ? ['approve' as const] : []),
  ];
  return (
    <>
      {acts.map((act) => (
        <Button key={act} variant={act === 'approve' ? 'primary' : 'secondary'} onClick={() => setAsked(act)}>
          {texts[act].label}
        </Button>
      ))}
      {asked !== undefined && <DecisionDialog act={asked} request={request} onClose={() => setAsked(undefined)} />}
    </>
  );
}

interface DecisionDialogProps {
  act: Act;
  request: GiftRequest;
  onClose: () => void;
}

function DecisionDialog({ act, request, onClose }: DecisionDialogProps) {
  const { currency } = useScope();
  const [reason, setReason] = useState('');
  const amount = formatMoney(request.amount, currency);
  const decision = useDecision(act, request, reason.trim(), onClose);
  const { label } = texts[act];
  const isOfAgent = request.agent !== null;
  const buys = act === 'approve' && isLastApproval(request);
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={buys ? `Buy ${whatOf(request)} for ${amount}?` : `${label} the request for ${amount}?`}
      description={descriptionOf(act, request)}
      action={label}
      isDanger={act !== 'approve'}
      act={decision}
    >
      {act === 'decline' && (
        <TextField
          label="Reason (optional)"
          hint={`The ${isOfAgent ? 'agent' : 'member'} sees it. Do not name the recipient.`}
          value={reason}
          onChange={setReason}
          maxLength={MAX_REASON}
          autoComplete="off"
        />
      )}
    </ConfirmDialog>
  );
}

function descriptionOf(act: Act, request: GiftRequest): string {
  if (act === 'approve' && !isLastApproval(request)) return 'Nothing is bought yet: someone else must approve it too.';
  if (act === 'approve' && request.batch_id !== null)
    return 'All gifts of the file are bought. Each is sent at once, or at the time of its row.';
  const description = request.agent === null ? texts[act].description : texts[act].ofAgent;
  return act === 'approve' ? `${sendingOf(request.gifts ?? [])} ${description}` : description;
}

/** What is bought, and when it is sent. Links are not sent. */
function sendingOf(gifts: NonNullable<GiftRequest['gifts']>): string {
  const sent = gifts.filter(({ method }) => method !== 'link');
  const planned = sent.flatMap(({ send_at }) =>
    send_at !== null && dateOf(send_at).getTime() > Date.now() ? formatPlannedTime(send_at) : [],
  );
  const bought = gifts.length === 1 ? 'The gift is bought' : 'The gifts are bought';
  const [first] = planned;
  if (sent.length === 0) return `${bought}.`;
  if (sent.length < gifts.length) return `${bought}. Those with an address are sent at once, or at their own time.`;
  if (first === undefined) return `${bought} and sent.`;
  return planned.length === gifts.length && planned.every((time) => time === first)
    ? `${bought} now, and sent on ${first}.`
    : `${bought} now. Each is sent at once, or at its own time.`;
}

function whatOf({ gifts, batch_id }: GiftRequest): string {
  if (batch_id !== null) return 'the gifts of this file';
  return gifts === null || gifts.length === 1 ? 'this gift' : `these ${gifts.length} gifts`;
}

function doneOf(act: Act, { agent, batch_id, state }: GiftRequest): string {
  if (act === 'approve' && state === 'open') return WAITS;
  if (act === 'approve' && batch_id !== null) return 'The gifts are being sent.';
  return agent === null ? texts[act].done : texts[act].doneOfAgent;
}

function useDecision(act: Act, { gift_request_id }: GiftRequest, reason: string, onDone: () => void) {
  const { path } = useScope();
  const one = { params: { path: { ...path, gift_request_id } } };
  const address = `${SCOPE_PATH}/gift-requests/{gift_request_id}` as const;
  return useAct({
    send: () =>
      unwrap(
        act === 'approve'
          ? api.POST(`${address}/approve`, one)
          : act === 'decline'
            ? api.POST(`${address}/decline`, { ...one, body: reason === '' ? {} : { reason } })
            : api.POST(`${address}/withdraw`, one),
      ),
    isRetried: true,
    shows: ['gift-requests', path, gift_request_id],
    waits: false,
    done: (decided) => doneOf(act, decided),
    onDone,
  });
}
