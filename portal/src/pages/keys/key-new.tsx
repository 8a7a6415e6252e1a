import { SecretDialog } from '../../ui/secret-dialog.tsx';

export const NewKeyDialog = ({ value, onClose }: { value: string; onClose: () => void }) => (
  <SecretDialog
    title="Save your key"
    description="Anyone with this key can spend the organization’s balance."
    what="key"
    value={value}
    onClose={onClose}
  />
);
