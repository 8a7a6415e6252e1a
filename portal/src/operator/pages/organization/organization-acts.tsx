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
      command={`bestow org suspend ${organization.organization_id} ${holdsGifts ? '--hold-gifts' : '--no-hold-gifts'} --yes`}
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
      <Choice label="Hold its unclaimed gifts too" isChosen={holdsGifts} onChange={setHoldsGifts}>
        No one can claim them, and it cannot order. A reinstatement asks whether to release them.
      </Choice>
    </ActDialog>
  );
}

function ReinstateDialog({ organization, onClose }: DialogProps) {
  const isHeld = organization.gifts_held_at !== null;
  const [releasesGifts, setReleasesGifts] = useState(false);
  return (
    <ActDialog
      onClose={onClose}
      title={`Reinstate “${organization.name}”?`}
      description="Its keys work again at once. Gifts that were held one by one stay on hold."
      action="Reinstate organization"
      readBy="organization"
      command={`bestow org reinstate ${organization.organization_id}${releasesGifts ? ' --release-gifts' : ''}`}
      send={(reason) =>
        unwrap(
          operatorApi.POST('/operator/api/organizations/{organization_id}/reinstate', {
            ...pathOf(organization),
            body: { releases_gifts: releasesGifts, reason },
          }),
        )
      }
      done={
        isHeld && !releasesGifts
          ? `Reinstated “${organization.name}”. Its gifts stay on hold, so that it cannot order.`
          : `Reinstated “${organization.name}”.`
      }
    >
      {isHeld && (
        <Choice label="Release its unclaimed gifts too" isChosen={releasesGifts} onChange={setReleasesGifts}>
          While they are on hold, no one can claim them and its orders are refused.
        </Choice>
      )}
    </ActDialog>
  );
}

interface ChoiceProps {
  label: string;
  isChosen: boolean;
  onChange: (isChosen: boolean) => void;
  children: string;
}

const Choice = ({ label, isChosen, onChange, children }: ChoiceProps) => (
  <label className="flex items-start gap-3">
    <input
      type="checkbox"
      checked={isChosen}
      onChange={(event) => onChange(event.target.checked)}
      className="mt-1 size-4 accent-(--accent)"
    />
    <span>
      {label}
      <span className="block text-sm text-soft">{children}</span>
    </span>
  </label>
);

const HoldDialog = ({ organization, onClose }: DialogProps) => (
  <ActDialog
    onClose={onClose}
    title={`Hold all gifts of “${organization.name}”?`}
    description="No one can claim its unclaimed gifts, and its orders are refused. Recipients read that the gift is on hold."
    action="Hold gifts"
    isDanger
    readBy="organization"
    command={`bestow gift hold --org ${organization.organization_id} --yes`}
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
    description="Recipients can claim them again, and it can order. Gifts that were held one by one stay on hold."
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
