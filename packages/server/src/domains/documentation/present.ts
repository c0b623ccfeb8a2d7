import { type DocumentationSection, documentationKinds } from '@svc/contract';
import { titles } from './sections.ts';
import type { SectionRow } from './store.ts';

export const presentSection = ({ generatedAt, editedAt, ...row }: SectionRow): DocumentationSection => ({
  ...row,
  title: titles[row.kind],
  generatedAt: generatedAt?.toISOString() ?? null,
  editedAt: editedAt?.toISOString() ?? null,
});

/** Returns the sections in the order of the documentation. */
export function presentSections(rows: readonly SectionRow[]): DocumentationSection[] {
  const byKind = new Map(rows.map((row) => [row.kind, row]));
  return documentationKinds.flatMap((kind) => {
    const row = byKind.get(kind);
    return row ? [presentSection(row)] : [];
  });
}
