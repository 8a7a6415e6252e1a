import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog, DialogActions, SavedButton } from '../../ui/dialog.tsx';

/** Shows a new key once; only “I’ve saved it” closes it. */
export const NewKeyDialog = ({ value, onClose }: { value: string; onClose: () => void }) => (
  <Dialog
    isOpen
    isHeld
    onClose={onClose}
    title="Save your key"
    description="You can see it only once. Anyone with this key can spend the organization’s balance."
  >
    <p className="rounded-xl bg-sunken px-4 py-3 font-mono text-[0.9375rem] wrap-anywhere" data-testid="new-key">
      {value}
    </p>
    <DialogActions>
      <CopyButton text={value} label="Copy key" />
      <SavedButton onClick={onClose} />
    </DialogActions>
  </Dialog>
);
