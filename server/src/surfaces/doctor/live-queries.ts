import { ANY_CATEGORY } from '../../core/catalog/any-category.ts';
import { hasNoIssuer } from '../../core/issuer/without-issuer.ts';
import { statementOfNone, statementOnEachShard } from '../../platform/database/statement.ts';

/** Categories that organizations may order live gifts of, without an issuer that makes their cards. */
export const selectWithoutIssuer = statementOnEachShard<
  [limit: number],
  { organization_name: string; category_id: string; all: number }
>(
  'doctor.list_without_issuer',
  'the doctor looks at every organization',
  `select o.name as organization_name, c.category_id, count(*) over ()::integer as all
   from organizations o join categories c on c.retired_at is null and c.category_id <> '${ANY_CATEGORY}'
   where o.suspended_at is null and ${hasNoIssuer('o.organization_id', 'c.category_id')}
   order by o.organization_id, c.position, c.category_id limit $1`,
);

/** Counts organizations that may order, and categories that are sold. */
export const countSellers = statementOnEachShard<[], { organizations: number; categories: number }>(
  'doctor.count_sellers',
  'the doctor looks at every organization',
  `select (select count(*)::integer from organizations where suspended_at is null) as organizations,
     (select count(*)::integer from categories where retired_at is null) as categories`,
);

export interface ArchiveRow {
  mode: string;
  archived_at: Date | null;
  failed_at: Date | null;
}

/** Of the server's write-ahead log. */
export const selectArchive = statementOfNone<[], ArchiveRow>(
  'doctor.select_archive',
  `select current_setting('archive_mode') as mode, last_archived_time as archived_at, last_failed_time as failed_at
   from pg_stat_archiver`,
);
