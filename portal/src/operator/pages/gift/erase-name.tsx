import { unwrap } from '../../../api/client.ts';
import { operatorApi } from '../../api/client.ts';
import { ActDialog } from '../../layout/act-dialog.tsx';

/** Erases the person from one gift, such as a link gift, which has no address to find it by. */
export const EraseNameDialog = ({ giftId, onClose }: { giftId: string; onClose: () => void }) => (
  <ActDialog
    onClose={onClose}
    title="Erase the name from this gift?"
    description="Erases the recipient’s name and the message. The amount and the order stay. This cannot be undone."
    action="Erase name"
    isDanger
    readBy="organization"
    command={`bestow recipient erase-name ${giftId} --yes`}
    send={(reason) =>
      unwrap(
        operatorApi.POST('/operator/api/gifts/{gift_id}/erase-name', {
          params: { path: { gift_id: giftId } },
          body: { reason },
        }),
      )
    }
    done="The name is erased."
  />
);
