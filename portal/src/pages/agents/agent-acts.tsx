import { useState } from 'react';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import { useScope } from '../../api/use-scope.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { Time } from '../../ui/time.tsx';
import { useAct } from '../../ui/use-act.ts';
import { limitTexts, readLimits } from './agent-draft.ts';
import { LimitFields } from './agent-fields.tsx';
import { type Grant, type Limits, limitsOf } from './agent-terms.ts';

interface ActProps {
  grant: Grant;
  onClose: () => void;
}

export function LimitsDialog({ grant, onClose }: ActProps) {
  const { path, currency } = useScope();
  const [texts, setTexts] = useState(() => limitTexts(limitsOf(grant)));
  const limits = readLimits(texts, currency);
  const change = useAct({
    send: (body: Limits) =>
      unwrap(
        api.PUT(`${SCOPE_PATH}/grants/{grant_id}/limits`, {
          params: { path: { ...path, grant_id: grant.grant_id } },
          body,
        }),
      ),
    done: 'Limits saved.',
    onDone: onClose,
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Limits of “${grant.name}”`}
      description="Empty: no limit. What it ordered before counts. Hours and days are in UTC. If you raise or remove a limit, all admins get an email."
    >
      <DialogForm
        onSubmit={() => limits !== undefined && change.mutate(limits)}
        onCancel={onClose}
        error={change.error}
        isBusy={change.isPending}
        action="Save"
        isIncomplete={limits === undefined}
        noValidate
      >
        <LimitFields permissions={grant.permissions} limits={texts} onChange={setTexts} />
      </DialogForm>
    </Dialog>
  );
}

export function RevokeAgentDialog({ grant, onClose }: ActProps) {
  const { path } = useScope();
  const { grant_id, name, last_used_at } = grant;
  const revocation = useAct({
    send: () => unwrap(api.POST(`${SCOPE_PATH}/grants/{grant_id}/revoke`, { params: { path: { ...path, grant_id } } })),
    done: `Revoked “${name}”.`,
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Revoke “${name}”?`}
      description={
        <>
          <p>The agent will get the error api_key_revoked, starting with its next call. You cannot undo this.</p>
          <p className="mt-2">
            {last_used_at === null ? (
              'The agent was never used.'
            ) : (
              <>
                Last used <Time at={last_used_at} />.
              </>
            )}{' '}
            Existing gifts are not affected.
          </p>
        </>
      }
      action="Revoke agent"
      act={revocation}
    />
  );
}
