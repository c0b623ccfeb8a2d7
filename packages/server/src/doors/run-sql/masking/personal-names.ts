import { type Pattern, parsePattern } from './pattern.ts';
import { isPersonalName, type MaskingRules } from './rules.ts';

/**
 * Which column names are masked by themselves: for telling so beforehand. What a statement's own columns come to is
 * decided by its masker.
 */
export function personalNames(rules: MaskingRules): (name: string) => boolean {
  if (!rules.isEnabled) return () => false;
  let patterns: readonly Pattern[];
  try {
    patterns = (rules.customPatterns ?? []).map(parsePattern);
  } catch {
    return () => true;
  }
  return (name) => isPersonalName(name) || patterns.some((pattern) => pattern.occursIn(name));
}
