import type { GlossaryInput } from '@svc/contract';
import type { TermContent } from './store.ts';

/** Returns trimmed content. Removes duplicate synonyms case-insensitively. */
export function contentOf(input: GlossaryInput): TermContent {
  const term = input.term.trim();
  const usedNames = new Set([term.toLowerCase()]);
  const synonyms = (input.synonyms ?? [])
    .map((synonym) => synonym.trim())
    .filter((synonym) => !usedNames.has(synonym.toLowerCase()) && usedNames.add(synonym.toLowerCase()));
  return {
    term,
    synonyms,
    definition: input.definition.trim(),
    dataSourceId: input.dataSourceId ?? null,
    target: input.target ?? null,
    metricExpression: input.metricExpression?.trim() || null,
    isActive: input.isActive ?? true,
  };
}
