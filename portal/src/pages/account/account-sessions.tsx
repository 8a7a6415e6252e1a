import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client.ts';
import type { paths } from '../../api/schema.d.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/page.tsx';
import { type Column, DataTable } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useAct } from '../../ui/use-act.ts';

type Session = paths['/portal/api/sessions']['get']['responses'][200]['content']['application/json']['data'][number];

/** Lists the person's sessions and ends them. */
export function AccountSessions() {
  const sessions = useQuery({ queryKey: ['sessions'], queryFn: () => unwrap(api.GET('/portal/api/sessions')) });
  const ending = useEndSessions();
  const others = sessions.data?.data.filter(({ is_this_one }) => !is_this_one) ?? [];
  const columns: Column<Session>[] = [
    {
      header: 'Browser',
      cell: (session) => (
        <>
          <span className="font-semibold">{nameOfBrowser(session.user_agent)}</span>
          <span className="block text-sm text-soft">{session.ip_address ?? 'Unknown IP address'}</span>
        </>
      ),
    },
    { header: 'Signed in', cell: ({ signed_in_at }) => <Time at={signed_in_at} />, isWide: true },
    { header: 'Last used', cell: ({ last_used_at }) => <Time at={last_used_at} />, isWide: true },
    {
      header: 'Action',
      align: 'right',
      cell: (session) =>
        session.is_this_one ? (
          <Badge tone="good">This session</Badge>
        ) : (
          <Button
            size="small"
            onClick={() => ending.mutate([session])}
            isBusy={ending.isPending}
            aria-label={`Sign out ${nameOfBrowser(session.user_agent)}`}
          >
            Sign out
          </Button>
        ),
    },
  ];
  return (
    <Panel
      title="Where you are signed in"
      description="A session ends after 3 days without use, and after 30 days at the latest."
      actions={
        others.length > 1 && (
          <Button size="small" variant="danger" onClick={() => ending.mutate(others)} isBusy={ending.isPending}>
            Sign out everywhere else
          </Button>
        )
      }
    >
      <DataTable
        caption="Sessions"
        columns={columns}
        query={sessions}
        rowKey={({ session_id }) => session_id}
        loadingLines={2}
        empty={null}
      />
    </Panel>
  );
}

function useEndSessions() {
  return useAct({
    send: (ended: readonly Session[]) =>
      Promise.all(
        ended.map(({ session_id }) =>
          unwrap(api.DELETE('/portal/api/sessions/{session_id}', { params: { path: { session_id } } })),
        ),
      ),
    done: 'Session ended.',
    saysRefusal: true,
  });
}

const browsers = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;
const systems = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS', 'Mac'],
  ['Linux', 'Linux'],
] as const;

/** Names the browser and system roughly, so that people recognize their sessions. */
function nameOfBrowser(userAgent: string | null): string {
  const find = (marks: readonly (readonly [string, string])[]) =>
    marks.find(([mark]) => userAgent?.includes(mark))?.[1];
  const [browser, system] = [find(browsers), find(systems)];
  return [browser ?? 'Unknown browser', system].filter(Boolean).join(' on ');
}
