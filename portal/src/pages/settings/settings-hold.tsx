import { api, ORGANIZATION_PATH, unwrap } from '../../api/client.ts';
import { useScope } from '../../api/use-scope.ts';
import { SettingsSwitch } from '../../ui/switch.tsx';

/** Puts all unclaimed gifts on hold, or releases them. */
export function HoldSettings() {
  const { membership, organizationId, includes, may } = useScope();
  const { holds_gifts: isHeld } = membership;
  const params = { path: { organization_id: organizationId } };
  return (
    <SettingsSwitch
      title="Gifts on hold"
      description={
        isHeld
          ? 'All unclaimed gifts are on hold. No one can claim them, and nothing can be ordered.'
          : 'If a key or links were stolen, put all unclaimed gifts on hold. No one can claim them, and nothing can be ordered, until you release them.'
      }
      label={
        (isHeld ? may('settings') : includes('settings'))
          ? isHeld
            ? 'Release gifts'
            : 'Hold all unclaimed gifts'
          : undefined
      }
      question={{
        title: isHeld ? 'Release all unclaimed gifts?' : 'Hold all unclaimed gifts?',
        description: isHeld
          ? 'Recipients can claim their gifts again, and orders are possible. Gifts that were put on hold one by one stay on hold.'
          : 'No one can claim a gift of this organization, live or sandbox, and every order is refused. Recipients are asked to talk to the sender. You can release the gifts at any time.',
        action: isHeld ? 'Release gifts' : 'Hold gifts',
        isDanger: !isHeld,
      }}
      change={() => unwrap(api.POST(`${ORGANIZATION_PATH}/gifts/${isHeld ? 'release' : 'hold'}`, { params }))}
      done={isHeld ? 'Gifts released.' : 'All unclaimed gifts are on hold.'}
    />
  );
}
