export { createMasker, type Masker } from './masker.ts';
export { parsePattern } from './pattern.ts';
export type { MaskingRules } from './rules.ts';
