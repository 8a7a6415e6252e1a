import { optional } from '../setting-kinds.ts';

export const restoreSettings = {
  HISTORY_FILE: optional(
    'A file beside the database, and not in its backups, that remembers how far the database came: a start and `bestow doctor` say so if a restore has made it older. Name one outside `DATA_DIR` for the embedded PostgreSQL',
    '`history.json` in `DATA_DIR` with `DATABASE_URL`; none without it',
  ),
};
