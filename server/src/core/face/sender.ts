/** Signs an organization's emails. */
export interface Sender {
  local_part: string;
  domain: string;
  selector: string;
  /** Encrypted. */
  private_key: string;
}

/** The verified sender of the organization `o`, or null. It needs `joinSender`. */
export const senderColumn = `case when sender.organization_id is not null then json_build_object(
  'local_part', sender.local_part, 'domain', sender.domain, 'selector', sender.selector,
  'private_key', sender.private_key) end as sender`;
export const joinSender =
  'left join sender_domains sender on sender.organization_id = o.organization_id and sender.verified_at is not null';
