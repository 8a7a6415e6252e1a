import { dateOf } from 'bestow-readers/time.ts';
import { useState } from 'react';
import { ApiError, api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { FormError } from '../../ui/field.tsx';
import { formatPlannedTime } from '../../ui/formats.ts';
import { faultOfTime, isoOf, localText, TimeField } from '../../ui/time-field.tsx';
import { useAct } from '../../ui/use-act.ts';
import { giftQuery } from './gift-query.ts';

type Gift = components['schemas']['GiftPage']['gift'];

/** When a gift is sent that waits for its time; admins change it or send the gift now. */
export function GiftSchedule({ gift, scheduledFor }: { gift: Gift; scheduledFor: string }) {
  const { may } = useScope();
  const [isChanging, setIsChanging] = useState(false);
  const sendNow = useSchedule(gift);
  return (
    <section aria-label="Scheduled" className="rounded-2xl border border-line bg-surface px-5 py-4 shadow-soft">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div>
          <p className="font-semibold">Scheduled for {formatPlannedTime(scheduledFor)}</p>
          <p className="text-sm text-soft">The gift is paid for. Nothing is sent until then.</p>
        </div>
        {may('manage') && gift.held_by === null && (
          <div className="flex flex-wrap gap-3">
            <Button onClick={() => setIsChanging(true)}>Change time</Button>
            <Button onClick={() => sendNow.mutate(undefined)} isBusy={sendNow.isPending}>
              Send now
            </Button>
          </div>
        )}
      </div>
      <FormError error={sendNow.error} />
      {isChanging && <TimeDialog gift={gift} before={scheduledFor} onClose={() => setIsChanging(false)} />}
    </section>
  );
}

function TimeDialog({ gift, before, onClose }: { gift: Gift; before: string; onClose: () => void }) {
  const [time, setTime] = useState(localText(dateOf(before)));
  const schedule = useSchedule(gift, onClose);
  const { error } = schedule;
  const isAboutField = error instanceof ApiError && error.param === 'send_at';
  const fault = faultOfTime(time);
  return (
    <Dialog isOpen onClose={onClose} title="Change time" description="The gift is sent at the new time.">
      <DialogForm
        noValidate
        onSubmit={() => schedule.mutate(isoOf(time))}
        onCancel={onClose}
        error={isAboutField ? null : error}
        isBusy={schedule.isPending}
        action="Change time"
        isIncomplete={fault !== undefined}
      >
        <TimeField
          value={time}
          onChange={(chosen) => {
            schedule.reset();
            setTime(chosen);
          }}
          error={fault ?? (isAboutField ? error.message.replace('send_at m', 'M') : undefined)}
        />
      </DialogForm>
    </Dialog>
  );
}

/** @param onDone after the gift's page has the new state */
function useSchedule({ gift_id, address }: Gift, onDone: () => void = () => undefined) {
  const { path } = useScope();
  return useAct({
    send: (send_at: string | undefined) =>
      unwrap(
        api.POST(`${SCOPE_PATH}/gifts/{gift_id}/schedule`, {
          params: { path: { ...path, gift_id } },
          body: send_at === undefined ? {} : { send_at },
        }),
      ),
    shows: giftQuery(path, gift_id).queryKey,
    waits: false,
    done: (_history, send_at) =>
      send_at === undefined ? `Gift sent to ${address}.` : `Scheduled for ${formatPlannedTime(send_at)}.`,
    onDone,
  });
}
