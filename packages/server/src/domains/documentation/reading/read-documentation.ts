import { type DocumentationKind, documentationKinds } from '@svc/contract';
import type { Executor } from '../../../platform/db/index.ts';
import { titles } from '../sections.ts';
import { listSections } from '../store.ts';

/** A section for readers, without the generated text next to a person's text. */
export type ReadSection = {
  readonly kind: DocumentationKind;
  readonly title: string;
  /** Markdown. */
  readonly content: string;
  readonly provenance: 'Facts' | 'Model' | 'Person';
  readonly generatedAt: Date | null;
  readonly editedAt: Date | null;
};

/** Returns the sections of a project's documentation in their order. Contains no permission check. */
export async function readDocumentation(executor: Executor, projectId: number): Promise<ReadSection[]> {
  const byKind = new Map((await listSections(executor, projectId)).map((row) => [row.kind, row]));
  return documentationKinds.flatMap((kind) => {
    const row = byKind.get(kind);
    if (!row) return [];
    const { content, provenance, generatedAt, editedAt } = row;
    return [{ kind, title: titles[kind], content, provenance, generatedAt, editedAt }];
  });
}
