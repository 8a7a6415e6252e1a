import { api, ORGANIZATION_PATH, unwrap } from '../../api/client.ts';
import { useScope } from '../../api/use-scope.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { FormError } from '../../ui/field.tsx';
import { Facts } from '../../ui/page.tsx';
import { useAct } from '../../ui/use-act.ts';

/** The organization's virtual account, once someone asks for it. */
export function BankAccount() {
  const { organizationId } = useScope();
  const account = useAct({
    send: () =>
      unwrap(
        api.POST(`${ORGANIZATION_PATH}/live/topups/bank-account`, {
          params: { path: { organization_id: organizationId } },
        }),
      ),
  });
  const lines = account.data?.account;
  return (
    <div className="mb-6">
      {lines ? (
        <>
          <p className="mb-3 text-soft">
            Transfer any amount to this account. It is yours alone and has no fee; each transfer is added when it
            arrives.
          </p>
          <Facts
            facts={lines.map(({ label, value }) => [
              label,
              <span key={label} className="inline-flex max-w-full items-center gap-1">
                <span className="min-w-0 font-mono text-[0.875rem] wrap-anywhere">{value}</span>
                <CopyButton text={value} label={`Copy ${label.toLowerCase()}`} isIconOnly />
              </span>,
            ])}
          />
        </>
      ) : (
        <>
          <Button size="small" onClick={() => account.mutate()} isBusy={account.isPending}>
            Show the account for bank transfers
          </Button>
          <FormError error={account.error} />
        </>
      )}
    </div>
  );
}
