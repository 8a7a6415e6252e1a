import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import { useScope } from '../../api/use-scope.ts';
import { countOf } from '../../ui/formats.ts';

/** The file that somebody asks to send: its name leads to its rows. */
export function RequestedFile({ batchId }: { batchId: string }) {
  const { path, params } = useScope();
  const { data, error } = useQuery({
    queryKey: ['batches', path, batchId],
    queryFn: () =>
      unwrap(api.GET(`${SCOPE_PATH}/batches/{batch_id}`, { params: { path: { ...path, batch_id: batchId } } })),
  });
  if (data === undefined) return error === null ? ' ' : error.message;
  return (
    <>
      <Link
        to="/$organizationId/$environment/gifts/files/$batchId"
        params={{ ...params, batchId }}
        className="text-accent underline underline-offset-2"
      >
        {data.name}
      </Link>
      , {countOf(data.rows, 'gift')}
    </>
  );
}
