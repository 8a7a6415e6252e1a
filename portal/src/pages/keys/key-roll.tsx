import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { useAct } from '../../ui/use-act.ts';
import { NewKeyDialog } from './key-new.tsx';
import { OverlapDialog } from './overlap-dialog.tsx';

/** Asks how long the old key works on, then shows the new key once. */
export function RollKeyDialog({ rolled, onClose }: { rolled: components['schemas']['Key']; onClose: () => void }) {
  const { path } = useScope();
  const roll = useAct({
    send: (overlap_hours: number) =>
      unwrap(
        api.POST(`${SCOPE_PATH}/keys/{key_id}/roll`, {
          params: { path: { ...path, key_id: rolled.key_id } },
          body: { overlap_hours },
        }),
      ),
    // The key is shown even if the list cannot be loaded.
    waits: false,
  });
  if (roll.data !== undefined) return <NewKeyDialog value={roll.data.key} onClose={onClose} />;
  return (
    <OverlapDialog
      title={`Replace “${rolled.name}”?`}
      description="You get a new key with the same name and limits. The old key goes on working for the time you choose, so that your programs can change over. All admins get an email."
      what="key"
      act={roll}
      onClose={onClose}
    />
  );
}
