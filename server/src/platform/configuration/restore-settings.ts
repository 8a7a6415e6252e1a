import { optional } from './setting-kinds.ts';

/** Files beside the database, of its backups and its history. */
export const restoreSettings = {
  HISTORY_FILE: optional(
    'A file beside the database, and not in its backups, that remembers how far the database came: a start and `bestow doctor` say so if a restore has made it older. Name one outside `DATA_DIR` for the embedded PostgreSQL',
    '`history.json` in `DATA_DIR` with `DATABASE_URL`; none without it',
  ),
  BACKUP_FILE: optional(
    'File that each of your backups writes, such as the latest dump; `bestow doctor` and the metric `bestow_backup_age_seconds` have its age',
    'none: the archive of the write-ahead log is checked',
  ),
};
