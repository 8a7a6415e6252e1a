import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import { type Limits, limitsQuery } from '../../api/limits.ts';
import { useScope } from '../../api/use-scope.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { formatMoney, formatRoundMoney } from '../../ui/formats.ts';
import { MoneyField, moneyText, parseOptionalMoney } from '../../ui/money-field.tsx';
import { Loaded } from '../../ui/states.tsx';
import { useAct } from '../../ui/use-act.ts';

/** A member or a team. */
export interface Holder {
  id: string;
  name: string;
}

/** What a member or a team may send in this environment. */
export function LimitLines({ limits: { day, month, recipient, spent } }: { limits: Limits }) {
  const { currency } = useScope();
  const lines = [
    ...(day === null ? [] : [[`${formatRoundMoney(day, currency)} a day`, spent.day] as const]),
    ...(month === null ? [] : [[`${formatRoundMoney(month, currency)} a month`, spent.month] as const]),
    ...(recipient === null ? [] : [[`${formatRoundMoney(recipient, currency)} a day to one recipient`] as const]),
  ];
  return lines.map(([limit, sent]) => (
    <span key={limit} className="block tabular-nums">
      {limit} {sent !== undefined && <span className="text-sm text-soft">({formatMoney(sent, currency)} sent)</span>}
    </span>
  ));
}

interface LimitsDialogProps {
  holder: Holder;
  onClose: () => void;
}

/** Sets what a member or a team may send in the present environment. */
export function LimitsDialog({ holder, onClose }: LimitsDialogProps) {
  const { path, environment } = useScope();
  const limits = useQuery(limitsQuery(path));
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Limits of ${holder.name} in ${environment === 'live' ? 'Live' : 'Sandbox'} mode`}
      description="An order beyond a limit is refused. Days and months begin in UTC, and what was sent in them counts."
    >
      <Loaded query={limits} lines={6}>
        {({ data }) => (
          <LimitsForm
            holder={holder}
            limits={data.find(({ holder_id }) => holder_id === holder.id)}
            onClose={onClose}
          />
        )}
      </Loaded>
    </Dialog>
  );
}

type Texts = Record<'day' | 'month' | 'recipient', string>;

function LimitsForm({ holder, limits, onClose }: LimitsDialogProps & { limits: Limits | undefined }) {
  const { currency } = useScope();
  const saving = useSaving(holder, onClose);
  const [texts, setTexts] = useState<Texts>({
    day: moneyText(limits?.day),
    month: moneyText(limits?.month),
    recipient: moneyText(limits?.recipient),
  });
  const [day, month, recipient] = [texts.day, texts.month, texts.recipient].map((text) =>
    parseOptionalMoney(text, currency),
  );
  const hintOf = (limit: number | null | undefined, sent: number | undefined, period: string) =>
    limit == null || sent === undefined
      ? 'Empty: no limit.'
      : `Empty: no limit. ${formatMoney(sent, currency)} sent ${period}.`;
  const fields = [
    { name: 'day', label: 'A day', hint: hintOf(limits?.day, limits?.spent.day, 'today') },
    { name: 'month', label: 'A month', hint: hintOf(limits?.month, limits?.spent.month, 'this month') },
    {
      name: 'recipient',
      label: 'A day to one recipient',
      hint: 'Empty: no limit. With it, no link gifts can be sent.',
    },
  ] as const;
  return (
    <DialogForm
      onSubmit={() =>
        day !== undefined && month !== undefined && recipient !== undefined && saving.mutate({ day, month, recipient })
      }
      onCancel={onClose}
      error={saving.error}
      isBusy={saving.isPending}
      action="Save"
      isIncomplete={day === undefined || month === undefined || recipient === undefined}
      noValidate
    >
      {fields.map(({ name, label, hint }) => (
        <MoneyField
          key={name}
          label={label}
          hint={hint}
          currency={currency}
          value={texts[name]}
          onChange={(text) => setTexts({ ...texts, [name]: text })}
          isOptional
        />
      ))}
    </DialogForm>
  );
}

function useSaving({ id, name }: Holder, onClose: () => void) {
  const { path } = useScope();
  return useAct({
    send: (amounts: Record<keyof Texts, number | null>) =>
      unwrap(api.PUT(`${SCOPE_PATH}/limits`, { params: { path }, body: { holder_id: id, ...amounts } })),
    shows: limitsQuery(path).queryKey,
    done: `Limits of ${name} saved.`,
    onDone: onClose,
  });
}
