/** Ends the names of prepared statements; rises when PostgreSQL refuses one because the schema was changed. */
let version = 0;

/**
 * Whether a release has changed what a prepared statement returns. PostgreSQL says so before it runs the statement: "cached
 * plan must not change result type", in the language of the server.
 */
const isOutdated = (error: unknown) => {
  const { code, routine } = error as { code?: unknown; routine?: unknown };
  return code === '0A000' && routine === 'RevalidateCachedQuery';
};

/**
 * Runs a statement. If the schema has outdated its prepared form, every connection of the process prepares its statements
 * again, under new names, and this one runs once more. A statement in a transaction is not repeated: the transaction has
 * failed, and what its act did besides may not be safe to repeat. The next transaction succeeds.
 *
 * @param run sends the statement
 */
export async function prepareAgain<Asked, Result>(
  asked: Asked,
  isInTransaction: boolean,
  run: (asked: Asked) => Promise<Result>,
): Promise<Result> {
  const { name } = asked as { name?: string };
  if (name === undefined) return await run(asked);
  const prepared = version;
  try {
    return await run(prepared === 0 ? asked : { ...asked, name: `${name} ${prepared}` });
  } catch (error) {
    if (!isOutdated(error)) throw error;
    version = Math.max(version, prepared + 1);
    if (isInTransaction) throw error;
    return await run({ ...asked, name: `${name} ${version}` });
  }
}
