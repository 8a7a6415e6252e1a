import { Panel } from '../../../ui/page.tsx';
import { ActButton } from '../../layout/act-dialog.tsx';
import { EraseDialog, ExportDialog } from './person-dialogs.tsx';

/** What a person can ask for: a copy of their data, or that it is erased. @param address that was searched for */
export const PersonPanel = ({ address }: { address: string }) => (
  <Panel
    title="A person’s data"
    description="For a recipient who asks what is held of them, or asks to be erased. First make sure that it is the person who asks."
  >
    <div className="flex flex-wrap gap-2">
      <ActButton label="Export a person’s data">
        {(onClose) => <ExportDialog address={address} onClose={onClose} />}
      </ActButton>
      <ActButton label="Erase a person" variant="danger">
        {(onClose) => <EraseDialog address={address} onClose={onClose} />}
      </ActButton>
    </div>
  </Panel>
);
