import { unwrap } from '../../../api/client.ts';
import { formatMoney } from '../../../ui/formats.ts';
import { operatorApi } from '../../api/client.ts';
import { ActDialog } from '../../layout/act-dialog.tsx';
import type { Organization } from './organization-query.ts';

interface OfIssuer {
  issuer: Organization['issuers'][number];
  onClose: () => void;
}

const pathOf = ({ issuer_id }: OfIssuer['issuer']) => ({ params: { path: { issuer_id } } });

export const TestIssuerDialog = ({ issuer, currency, onClose }: OfIssuer & { currency: string }) => (
  <ActDialog
    onClose={onClose}
    title={`Test the issuer “${issuer.kind}”`}
    description="Asks the issuer whether its settings work. No card is made."
    action="Test issuer"
    readBy="operators"
    command={`bestow issuer test ${issuer.issuer_id}`}
    send={(reason) =>
      unwrap(operatorApi.POST('/operator/api/issuers/{issuer_id}/test', { ...pathOf(issuer), body: { reason } }))
    }
    done={({ available }) =>
      available === null
        ? 'The settings work.'
        : `The settings work. ${formatMoney(available, currency)} is at the issuer.`
    }
  />
);

export const RemoveIssuerDialog = ({ issuer, onClose }: OfIssuer) => (
  <ActDialog
    onClose={onClose}
    title={`Remove the issuer “${issuer.kind}”?`}
    description="New gifts get no card of this issuer. Cards that exist stay, and the issuer goes on answering for them."
    action="Remove issuer"
    isDanger
    readBy="organization"
    command={`bestow issuer remove ${issuer.issuer_id} --yes`}
    send={(reason) =>
      unwrap(operatorApi.POST('/operator/api/issuers/{issuer_id}/remove', { ...pathOf(issuer), body: { reason } }))
    }
    done={`Removed “${issuer.kind}”.`}
  />
);
