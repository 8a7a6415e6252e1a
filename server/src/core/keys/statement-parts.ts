// Parts of statements that change keys, which are also the tokens of agents.

/** Insert of keys. @param more further columns @param source values or query of all columns in this order */
export const insertKeys = (more: string, source: string) =>
  `insert into api_keys (organization_id, key_id, environment, name, hash, hint, created_by, created_at, ${more})
     ${source}`;

/** Update that lets keys `k` expire at a time, or earlier if they did before. */
export const expireKeys = (time: string, condition: string) =>
  `update api_keys k set expires_at = least(k.expires_at, ${time})
   where ${condition}`;

/** Update that replaces the secret of keys `k`. */
export const renewKeys = (secret: { hash: string; hint: string; expiresAt: string }, condition: string) =>
  `update api_keys k set hash = ${secret.hash}, hint = ${secret.hint}, expires_at = ${secret.expiresAt}
   where ${condition}`;
