import path from 'node:path';
import { scanScenarios } from './coverage/citations.ts';
import { knownGaps } from './known-gaps.ts';
import { requirements, sources } from './requirements/index.ts';

/**
 * Program of `npm run spec:status`. Prints the size of the source documents, the verified requirements and the gaps.
 */
const cited = new Set(
  scanScenarios(path.join(import.meta.dirname, 'scenarios')).citations.map(({ id }) => id),
);
const gaps = new Set<string>(
  Object.values(knownGaps)
    .flat()
    .map(({ id }) => id),
);
const textOf = new Map<string, string>(requirements.map(({ id, text }) => [id, text]));

function tally(ids: readonly string[]): { entries: number; verified: number; gaps: number } {
  return {
    entries: ids.length,
    verified: ids.filter((id) => cited.has(id)).length,
    gaps: ids.filter((id) => gaps.has(id)).length,
  };
}

const columns = (cells: readonly (string | number)[]) =>
  cells.map((cell) => String(cell).padStart(9)).join(' ');

for (const { prefix, title, sections } of sources) {
  console.log(`\n${prefix}  ${title}`);
  console.log(`  section ${columns(['rows', 'sentences', 'entries', 'verified', 'gaps'])}`);
  for (const { section, title: topic, rows, sentences, reason } of sections) {
    const own = requirements.filter(({ id }) => id.startsWith(`${prefix}-${section}-`)).map(({ id }) => id);
    const { entries, verified, gaps: open } = tally(own);
    const note = reason ? `\n${' '.repeat(60)}fewer entries: ${reason}` : '';
    console.log(
      `  ${section.padEnd(8)}${columns([rows, sentences, entries, verified, open])}  ${topic}${note}`,
    );
  }
}

console.log('\nKnown gaps by subject');
for (const [subject, list] of Object.entries(knownGaps)) {
  if (list.length === 0) continue;
  console.log(`\n  ${subject}: ${list.length}`);
  for (const { id, state, note } of list) {
    console.log(`    ${id.padEnd(11)} ${state.padEnd(12)} ${textOf.get(id)}`);
    console.log(`${' '.repeat(29)}${note}`);
  }
}

const total = tally(requirements.map(({ id }) => id));
console.log(`\ntotal: ${total.entries} requirements, ${total.verified} verified, ${total.gaps} gaps`);
