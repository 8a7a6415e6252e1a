import { unwrap } from '../../../api/client.ts';
import { Badge } from '../../../ui/badge.tsx';
import { countOf, formatCount } from '../../../ui/formats.ts';
import { Facts, Panel } from '../../../ui/page.tsx';
import { Time } from '../../../ui/time.tsx';
import { operatorApi } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { ActButton, ActDialog } from '../../layout/act-dialog.tsx';
import { CommandLine } from '../../layout/command-line.tsx';
import { NothingHere } from '../../layout/nothing-here.tsx';

type Verification = components['schemas']['LedgerVerification'];

/** When every balance was last derived again, and whether the ledger holds. */
export const LedgerPanel = ({ verification }: { verification: Verification | null }) => (
  <Panel
    title="Ledger"
    actions={<ActButton label="Verify now">{(onClose) => <VerifyDialog onClose={onClose} />}</ActButton>}
  >
    {verification === null ? (
      <NothingHere>Not verified yet. A verification derives every balance from its entries again.</NothingHere>
    ) : (
      <Facts
        facts={[
          [
            'Result',
            verification.holds ? (
              <Badge key="result" tone="good">
                It holds
              </Badge>
            ) : (
              <Badge key="result" tone="bad">
                {countOf(verification.faults, 'fault')}
              </Badge>
            ),
          ],
          ['Entries', formatCount(verification.ledger_entries)],
          ['Verified', <Time key="when" at={verification.verified_at} />],
          ['By', verification.verified_by],
        ]}
      />
    )}
    <CommandLine command="bestow ledger verify" />
  </Panel>
);

const VerifyDialog = ({ onClose }: { onClose: () => void }) => (
  <ActDialog
    onClose={onClose}
    title="Verify the ledger now?"
    description="Derives every balance again and hashes every sealed entry. It changes nothing, and takes a while on a large ledger."
    action="Verify ledger"
    readBy="operators"
    command="bestow ledger verify"
    send={(reason) => unwrap(operatorApi.POST('/operator/api/ledger/verify', { body: { reason } }))}
    done={({ holds, faults }) =>
      holds ? 'The ledger holds.' : `The ledger has ${countOf(faults, 'fault')}. Run the command to see them.`
    }
  />
);
