import { useState } from 'react';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import { useScope } from '../../api/use-scope.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog, DialogActions, SavedButton } from '../../ui/dialog.tsx';
import { useAct } from '../../ui/use-act.ts';
import { OverlapDialog } from '../keys/overlap-dialog.tsx';
import { setupsOf } from './agent-setups.ts';
import type { Grant } from './agent-terms.ts';

/** Shows a new token and set-ups with it once; only “I’ve saved it” closes it. */
export const NewTokenDialog = ({ value, onClose }: { value: string; onClose: () => void }) => (
  <Dialog
    isOpen
    isHeld
    onClose={onClose}
    title="Save the agent’s token"
    description="You can see it only once. It works at /mcp only, and anyone with it can do what the grant allows."
  >
    <p className="rounded-xl bg-sunken px-4 py-3 font-mono text-[0.9375rem] wrap-anywhere" data-testid="new-token">
      {value}
    </p>
    <div className="mt-3">
      <CopyButton text={value} label="Copy token" />
    </div>
    <Setups token={value} />
    <DialogActions>
      <SavedButton onClick={onClose} />
    </DialogActions>
  </Dialog>
);

function Setups({ token }: { token: string }) {
  const { me } = useScope();
  const setups = setupsOf(me.service.api_url, token);
  const [host, setHost] = useState(setups[0].host);
  const { where, text } = setups.find((setup) => setup.host === host) ?? setups[0];
  return (
    <fieldset className="mt-6 min-w-0">
      <legend className="font-semibold">Connect the agent</legend>
      <div className="mt-2 flex flex-wrap gap-2">
        {setups.map((setup) => (
          <Button
            key={setup.host}
            size="small"
            aria-pressed={setup.host === host}
            onClick={() => setHost(setup.host)}
            className="aria-pressed:border-accent aria-pressed:bg-accent-wash aria-pressed:text-accent"
          >
            {setup.host}
          </Button>
        ))}
      </div>
      <p className="mt-3 text-sm text-soft">{where}</p>
      <div className="mt-2 rounded-xl bg-sunken p-4">
        <pre
          className="font-mono text-[0.8125rem] leading-5 wrap-anywhere whitespace-pre-wrap"
          data-testid="agent-setup"
        >
          {text}
        </pre>
        <div className="mt-3">
          <CopyButton key={host} text={text} label="Copy set-up" />
        </div>
      </div>
    </fieldset>
  );
}

/** Asks how long the old token works on, then shows the new token once. */
export function ReplaceTokenDialog({ replaced, onClose }: { replaced: Grant; onClose: () => void }) {
  const { path } = useScope();
  const replacement = useAct({
    send: (overlap_hours: number) =>
      unwrap(
        api.POST(`${SCOPE_PATH}/grants/{grant_id}/token`, {
          params: { path: { ...path, grant_id: replaced.grant_id } },
          body: { overlap_hours },
        }),
      ),
    // The token is shown even if the list cannot be loaded.
    waits: false,
  });
  if (replacement.data !== undefined) return <NewTokenDialog value={replacement.data.token} onClose={onClose} />;
  return (
    <OverlapDialog
      title={`Replace the token of “${replaced.name}”?`}
      description="You get a new token. The grant, its limits and what was spent stay as they are. The old token goes on working for the time you choose. All admins get an email."
      what="token"
      act={replacement}
      onClose={onClose}
    />
  );
}
