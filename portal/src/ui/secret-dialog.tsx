import { CopyButton } from './copy-button.tsx';
import { Dialog, DialogActions, SavedButton } from './dialog.tsx';

interface SecretDialogProps {
  title: string;
  description: string;
  what: 'key' | 'secret';
  value: string;
  onClose: () => void;
}

/** Shows a new secret once; only “I’ve saved it” closes it. */
export const SecretDialog = ({ title, description, what, value, onClose }: SecretDialogProps) => (
  <Dialog isOpen isHeld onClose={onClose} title={title} description={`You can see it only once. ${description}`}>
    <p className="rounded-xl bg-sunken px-4 py-3 font-mono text-[0.9375rem] wrap-anywhere" data-testid={`new-${what}`}>
      {value}
    </p>
    <DialogActions>
      <CopyButton text={value} label={`Copy ${what}`} />
      <SavedButton onClick={onClose} />
    </DialogActions>
  </Dialog>
);
