/**
 * The version of a gift's next link. The first one after a restore of the database is in another range, which depends on the
 * minute of the restore: a link that was replaced in the lost time must not work again.
 */
export const nextLinkVersion = `greatest(gifts.link_version, coalesce((
         select 1000 + extract(epoch from max(r.finished_at))::bigint / 60 % 30000 from restores r
         where r.organization_id = gifts.organization_id and r.environment = gifts.environment
           and r.finished_at > gifts.created_at
       ), 0)) + 1`;
