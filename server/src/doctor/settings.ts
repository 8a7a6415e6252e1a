import { optional } from '../setting-kinds.ts';

export const doctorSettings = {
  BACKUP_FILE: optional(
    'File that each of your backups writes, such as the latest dump; `bestow doctor --before-live` checks its age',
    'none: the archive of the write-ahead log is checked',
  ),
};
