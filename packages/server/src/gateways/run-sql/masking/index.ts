export { createMasker, type Masker } from './masker.ts';
export { parsePattern } from './pattern.ts';
export { personalNames, personalNamesIn } from './personal-names.ts';
export { reasonText } from './reasons.ts';
export type { MaskingRules } from './rules.ts';
