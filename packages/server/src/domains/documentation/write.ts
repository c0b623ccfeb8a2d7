import type { DocumentationKind, DocumentationSection } from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';
import { notFound } from '../../platform/http/index.ts';
import { assertVersion, requireRight } from '../projects/index.ts';
import type { DocumentationDeps } from './deps.ts';
import { instruct } from './instruct.ts';
import { presentSection } from './present.ts';
import * as store from './store.ts';
import { recordVersion } from './versions/versions.ts';

/** Stores the text of a person. The stored text of an accepted proposal counts as generated. */
export const createWriteSection =
  ({ database }: Pick<DocumentationDeps, 'database'>) =>
  (
    caller: Caller,
    projectId: number,
    kind: DocumentationKind,
    content: string,
    expectedVersion: number | undefined,
  ): Promise<DocumentationSection> =>
    database.transaction(async (tx) => {
      await requireRight(tx, caller, projectId, 'Write');
      const before = await store.findSection(tx, projectId, kind, { forUpdate: true });
      if (before || expectedVersion !== undefined) assertVersion(before?.version ?? 0, expectedVersion);
      const isProposal = before?.proposedContent === content;
      await store.writeSection(tx, projectId, kind, { content, userId: caller.userId, isProposal });
      const cause = isProposal ? 'Taken' : 'Written';
      await recordVersion(tx, projectId, { cause, userId: caller.userId });
      const section = await store.findSection(tx, projectId, kind);
      if (!section) throw notFound();
      return presentSection(section);
    });

/** Deletes the generated text next to a person's text. */
export const createDismissProposal =
  ({ database }: Pick<DocumentationDeps, 'database'>) =>
  (
    caller: Caller,
    projectId: number,
    kind: DocumentationKind,
    expectedVersion: number | undefined,
  ): Promise<void> =>
    database.transaction(async (tx) => {
      await requireRight(tx, caller, projectId, 'Write');
      const before = await store.findSection(tx, projectId, kind, { forUpdate: true });
      if (!before) throw notFound();
      assertVersion(before.version, expectedVersion);
      await store.dropProposal(tx, projectId, kind);
    });

/** Returns a section's text rewritten by a model. Stores nothing. */
export const createRewriteSection =
  ({ database, llm, requireModel }: Pick<DocumentationDeps, 'database' | 'llm' | 'requireModel'>) =>
  async (
    caller: Caller,
    projectId: number,
    kind: DocumentationKind,
    input: { readonly instruction: string; readonly content?: string },
    signal: AbortSignal,
  ) => {
    await requireRight(database, caller, projectId, 'Write');
    const text = input.content ?? (await store.findSection(database, projectId, kind))?.content;
    if (text === undefined) throw notFound();
    await requireModel(caller, 'A text is rewritten by a language model.');
    return instruct(llm, { caller, projectId, kind, text, wish: input.instruction, signal });
  };
