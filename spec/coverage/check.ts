import type { RequirementEntry, SourceDocument, SourceSection } from '../requirements/index.ts';
import type { Citation } from './citations.ts';

/** Input of the coverage check: requirements and their sources, citations and known gaps. */
export type CoverageInput = {
  readonly requirements: readonly RequirementEntry[];
  readonly sources: readonly SourceDocument[];
  readonly citations: readonly Citation[];
  /** Requirements that no scenario verifies, by the subject that builds them. */
  readonly gaps: Readonly<Record<string, readonly { readonly id: string; readonly note: string }[]>>;
};

const gapIdsOf = ({ gaps }: CoverageInput): string[] =>
  Object.values(gaps).flatMap((list) => list.map(({ id }) => id));

function countById(ids: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

function checkIds(input: CoverageInput, countByRequirement: ReadonlyMap<string, number>): string[] {
  const gapIds = gapIdsOf(input);
  return [
    ...[...countByRequirement]
      .filter(([, count]) => count > 1)
      .map(([id]) => `${id}: two requirements have this id.`),
    ...[...countById(gapIds)]
      .filter(([, count]) => count > 1)
      .map(([id]) => `${id}: listed twice among the known gaps.`),
    ...[...new Set(gapIds)]
      .filter((id) => !countByRequirement.has(id))
      .map((id) => `${id}: a known gap, but no requirement has this id.`),
    ...Object.values(input.gaps)
      .flat()
      .filter(({ note }) => !/^[A-Z].*\.$/.test(note))
      .map(({ id }) => `${id}: its note does not say in a sentence what is missing.`),
    ...input.citations
      .filter(({ id }) => !countByRequirement.has(id))
      .map(({ id, file, line }) => `${id}: cited in ${file}:${line}, but no requirement has this id.`),
  ];
}

function checkCoverage(input: CoverageInput, countByRequirement: ReadonlyMap<string, number>): string[] {
  const gaps = new Set(gapIdsOf(input));
  const cited = new Map(input.citations.map((citation) => [citation.id, citation]));
  return [...countByRequirement.keys()].flatMap((id) => {
    const citation = cited.get(id);
    if (citation && gaps.has(id))
      return `${id}: cited in ${citation.file}:${citation.line} and still listed as a known gap; take it off the list.`;
    return citation || gaps.has(id) ? [] : `${id}: no scenario cites it, and it is no known gap.`;
  });
}

function checkSections({ requirements, sources }: CoverageInput): string[] {
  const sections = new Map<string, SourceSection>(
    sources.flatMap(({ prefix, sections: own }) => own.map((s) => [`${prefix}-${s.section}`, s] as const)),
  );
  const counts = countById(requirements.map(({ id, section }) => `${id.slice(0, 2)}-${section}`));
  return [
    ...requirements
      .filter(
        ({ id, section }) => !new RegExp(`^(ID|RT|DL)-${section.replace('.', '\\.')}-\\d{2,4}$`).test(id),
      )
      .map(({ id, section }) => `${id}: the id does not belong to section ${section}.`),
    ...[...counts.keys()]
      .filter((key) => !sections.has(key))
      .map((key) => `${key}: requirements name this section, but the source has none.`),
    ...[...sections].flatMap(([key, { rows, sentences, reason }]) => {
      const isShort = (counts.get(key) ?? 0) < rows + sentences;
      if (isShort && !reason) return `${key}: fewer requirements than rows and sentences, without a reason.`;
      return !isShort && reason ? `${key}: has a reason for missing requirements, but none are missing.` : [];
    }),
  ];
}

/** Returns the faults of the coverage, as sentences. */
export function findCoverageFaults(input: CoverageInput): string[] {
  const countByRequirement = countById(input.requirements.map(({ id }) => id));
  return [
    ...checkIds(input, countByRequirement),
    ...checkCoverage(input, countByRequirement),
    ...checkSections(input),
  ];
}
