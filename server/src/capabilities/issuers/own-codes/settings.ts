import type { Settings } from '../adapter.ts';
import { symbologies } from './draw-barcode.ts';

export const settings: Settings = {
  combine: {
    meaning: 'yes: two codes may make up a value that no code has; no: such a gift waits for a code',
    example: 'yes',
    isOptional: true,
  },
  low_stock: { meaning: 'a mail goes to the admins when fewer codes are left', example: '20', isOptional: true },
  barcode: {
    meaning: `what tills scan: ${symbologies.join(', ')}; none: the code is only text`,
    example: 'code128',
    isOptional: true,
  },
};
