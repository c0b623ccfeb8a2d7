export { createMasker, type Masker } from './masker.ts';
export { parsePattern } from './pattern.ts';
export { personalNames } from './personal-names.ts';
export type { MaskingRules } from './rules.ts';
