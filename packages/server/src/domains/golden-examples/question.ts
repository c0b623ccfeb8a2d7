import { createHash } from 'node:crypto';

/** Returns one key for all spellings of a question. Case, spacing and closing punctuation do not matter. */
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
