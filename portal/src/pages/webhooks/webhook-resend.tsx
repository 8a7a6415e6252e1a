import { readLocalTime } from 'bestow-readers/time.ts';
import { useState } from 'react';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import { useScope } from '../../api/use-scope.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { formatCount, zoneName } from '../../ui/formats.ts';
import { isoOf, localText, SKIPPED } from '../../ui/time-field.tsx';
import { useAct } from '../../ui/use-act.ts';
import type { Webhook } from './webhook-parts.tsx';

const choices = [
  { value: 'failed', label: 'All that failed' },
  { value: 'from', label: 'All since a time' },
] as const;

interface ResendDialogProps {
  endpoint: Webhook;
  onClose: () => void;
}

/** Sends many events to an endpoint again. */
export function ResendDialog({ endpoint: { endpoint_id }, onClose }: ResendDialogProps) {
  const { path } = useScope();
  const [choice, setChoice] = useState<(typeof choices)[number]['value']>('failed');
  const [time, setTime] = useState('');
  const resend = useAct({
    send: () =>
      unwrap(
        api.POST(`${SCOPE_PATH}/webhooks/{endpoint_id}/resend`, {
          params: { path: { ...path, endpoint_id } },
          body: choice === 'failed' ? {} : { from: isoOf(time) },
        }),
      ),
    done: ({ resent }) => (resent === 1 ? '1 event is sent again.' : `${formatCount(resent)} events are sent again.`),
    onDone: onClose,
  });
  return (
    <Dialog isOpen onClose={onClose} title="Resend several events" description="Your server may get an event twice.">
      <DialogForm
        onSubmit={() => resend.mutate()}
        onCancel={onClose}
        error={resend.error}
        isBusy={resend.isPending}
        action="Resend"
        isIncomplete={choice === 'from' && readLocalTime(time) === undefined}
      >
        <SelectField label="Events" value={choice} onChange={setChoice} options={choices} />
        {choice === 'from' && (
          <TextField
            label="Since"
            type="datetime-local"
            max={localText(new Date())}
            value={time}
            onChange={setTime}
            error={time === '' || readLocalTime(time) ? undefined : SKIPPED}
            hint={`In your time zone, ${zoneName()}. Deliveries are kept for 30 days.`}
          />
        )}
      </DialogForm>
    </Dialog>
  );
}
