/** Insert of audit events. @param source values or query of the columns in this order */
export const insertAuditEvents = (source: string) =>
  `insert into audit_events (organization_id, event_id, environment, action, actor_kind, actor_member_id, actor_name,
      actor_address, target, details, created_at)
    ${source}`;
