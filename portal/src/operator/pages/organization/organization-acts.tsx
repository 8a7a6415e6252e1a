import { useState } from 'react';
import { unwrap } from '../../../api/client.ts';
import { TextField } from '../../../ui/field.tsx';
import { operatorApi } from '../../api/client.ts';
import { ActButton, ActDialog } from '../../layout/act-dialog.tsx';
import { shellWord } from '../../layout/shell-word.ts';
import type { Organization } from './organization-query.ts';

interface OfOrganization {
  organization: Organization;
}

interface DialogProps extends OfOrganization {
  onClose: () => void;
}

/** What an operator can do to a whole organization. */
export const OrganizationActs = ({ organization }: OfOrganization) => (
  <>
    <ActButton label="Rename">{(onClose) => <RenameDialog organization={organization} onClose={onClose} />}</ActButton>
    {organization.gifts_held_at === null ? (
      <ActButton label="Hold gifts">
        {(onClose) => <HoldDialog organization={organization} onClose={onClose} />}
      </ActButton>
    ) : (
      <ActButton label="Release gifts">
        {(onClose) => <ReleaseDialog organization={organization} onClose={onClose} />}
      </ActButton>
    )}
    {organization.suspended_at === null ? (
      <ActButton label="Suspend" variant="danger">
        {(onClose) => <SuspendDialog organization={organization} onClose={onClose} />}
      </ActButton>
    ) : (
      <ActButton label="Reinstate" variant="primary">
        {(onClose) => <ReinstateDialog organization={organization} onClose={onClose} />}
      </ActButton>
    )}
  </>
);

const pathOf = ({ organization_id }: Organization) => ({ params: { path: { organization_id } } });

function RenameDialog({ organization, onClose }: DialogProps) {
  const [name, setName] = useState(organization.name);
  return (
    <ActDialog
      onClose={onClose}
      title={`Rename “${organization.name}”`}
      description="Members and recipients read the new name at once, also in gifts that were sent before."
      action="Rename organization"
      readBy="organization"
      command={`bestow org rename ${organization.organization_id} --name ${shellWord(name.trim() || '…')}`}
      isIncomplete={name.trim() === '' || name.trim() === organization.name}
      send={(reason) =>
        unwrap(
          operatorApi.PUT('/operator/api/organizations/{organization_id}/name', {
            ...pathOf(organization),
            body: { name: name.trim(), reason },
          }),
        )
      }
      done={`Renamed to “${name.trim()}”.`}
    >
      <TextField label="Name" value={name} onChange={setName} maxLength={200} autoComplete="off" required />
    </ActDialog>
  );
}

function SuspendDialog({ organization, onClose }: DialogProps) {
  const [holdsGifts, setHoldsGifts] = useState(true);
  return (
    <ActDialog
      onClose={onClose}
      title={`Suspend “${organization.name}”?`}
      description="All its keys are refused at once. Members can only read, revoke keys and hold gifts."
      action="Suspend organization"
      isDanger
      readBy="organization"
      command={`bestow org suspend ${organization.organization_id} ${holdsGifts ? '--hold-gifts' : '--no-hold-gifts'}`}
      send={(reason) =>
        unwrap(
          operatorApi.POST('/operator/api/organizations/{organization_id}/suspend', {
            ...pathOf(organization),
            body: { holds_gifts: holdsGifts, reason },
          }),
        )
      }
      done={`Suspended “${organization.name}”.`}
    >
      <label className="flex items-start gap-3">
        <input
          type="checkbox"
          checked={holdsGifts}
          onChange={(event) => setHoldsGifts(event.target.checked)}
          className="mt-1 size-4 accent-(--accent)"
        />
        <span>
          Hold its unclaimed gifts too
          <span className="block text-sm text-soft">
            No one can claim them, and a reinstatement does not release them.
          </span>
        </span>
      </label>
    </ActDialog>
  );
}

const ReinstateDialog = ({ organization, onClose }: DialogProps) => (
  <ActDialog
    onClose={onClose}
    title={`Reinstate “${organization.name}”?`}
    description="Its keys work again at once. Gifts on hold stay on hold until you release them."
    action="Reinstate organization"
    readBy="organization"
    command={`bestow org reinstate ${organization.organization_id}`}
    send={(reason) =>
      unwrap(
        operatorApi.POST('/operator/api/organizations/{organization_id}/reinstate', {
          ...pathOf(organization),
          body: { reason },
        }),
      )
    }
    done={`Reinstated “${organization.name}”.`}
  />
);

const HoldDialog = ({ organization, onClose }: DialogProps) => (
  <ActDialog
    onClose={onClose}
    title={`Hold all gifts of “${organization.name}”?`}
    description="No one can claim its unclaimed gifts, also those that it sends later. Recipients read that the gift is on hold."
    action="Hold gifts"
    isDanger
    readBy="organization"
    command={`bestow gift hold --org ${organization.organization_id}`}
    send={(reason) =>
      unwrap(
        operatorApi.POST('/operator/api/organizations/{organization_id}/hold-gifts', {
          ...pathOf(organization),
          body: { reason },
        }),
      )
    }
    done="Its gifts are on hold."
  />
);

const ReleaseDialog = ({ organization, onClose }: DialogProps) => (
  <ActDialog
    onClose={onClose}
    title={`Release the gifts of “${organization.name}”?`}
    description="Recipients can claim them again. Gifts that were held one by one stay on hold."
    action="Release gifts"
    readBy="organization"
    command={`bestow gift release --org ${organization.organization_id}`}
    send={(reason) =>
      unwrap(
        operatorApi.POST('/operator/api/organizations/{organization_id}/release-gifts', {
          ...pathOf(organization),
          body: { reason },
        }),
      )
    }
    done="Its gifts are released."
  />
);
