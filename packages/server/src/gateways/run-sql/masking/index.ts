export { createMasker, type Masker } from './masker.ts';
export { parsePattern } from './patterns/pattern.ts';
export { personalNames, personalNamesIn } from './personal-names.ts';
export { reasonText } from './reasons.ts';
export type { MaskingRules } from './rules.ts';
