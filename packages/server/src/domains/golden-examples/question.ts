import { createHash } from 'node:crypto';

/** What two spellings of one question share: neither case, spacing nor closing marks tell questions apart. */
export const questionKey = (question: string): string =>
  createHash('sha256')
    .update(
      question
        .normalize('NFKC')
        .toLowerCase()
        .replaceAll(/\s+/g, ' ')
        .replace(/[\s.?!]+$/, '')
        .trim(),
    )
    .digest('hex');
