import { amountFiles } from './amount-files.ts';
import type { CorpusFile } from './corpus-file.ts';
import { headingFiles } from './heading-files.ts';
import { largeFiles } from './large-files.ts';
import { letterFiles } from './letter-files.ts';
import { quotationFiles } from './quotation-files.ts';
import { timeFiles } from './time-files.ts';
import { workbookFiles } from './workbook-files.ts';

/** Files as offices make them, by what is hard in them. */
export const corpus: CorpusFile[] = [
  ...amountFiles,
  ...quotationFiles,
  ...letterFiles,
  ...headingFiles,
  ...timeFiles,
  ...workbookFiles,
  ...largeFiles,
];
