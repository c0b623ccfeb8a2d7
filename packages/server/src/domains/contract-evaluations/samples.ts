import { type KeyRing, open, type Randomness, seal } from '../../platform/crypto/index.ts';
import type { Sample } from './asking/source.ts';

const place = (resultId: number) => ({
  table: 'contract_rule_results',
  column: 'sample_sealed',
  rowId: resultId,
});

/** Encryption of stored failing rows. An envelope is bound to the id of its result. */
export type Samples = {
  readonly seal: (resultId: number, sample: Sample) => string;
  /** Returns undefined if decryption fails: another key, or a changed row. */
  readonly open: (resultId: number, sealed: string) => Sample | undefined;
};

export const createSamples = (keys: KeyRing, random: Randomness): Samples => ({
  seal: (resultId, sample) => seal(keys, JSON.stringify(sample), place(resultId), random),
  open: (resultId, sealed) => {
    const opened = open(keys, sealed, place(resultId));
    if (!opened.ok) return undefined;
    // `seal` wrote the value, so it has this shape.
    return JSON.parse(opened.secret.reveal()) as Sample;
  },
});
