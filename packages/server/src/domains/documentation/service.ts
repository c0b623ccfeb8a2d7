import { type DocumentationKind, type DocumentationSection, documentationKinds } from '@svc/contract';
import type { Jobs } from '@svc/jobs';
import type { Caller } from '../../platform/access/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { notFound } from '../../platform/http/index.ts';
import { assertVersion, requireRight } from '../projects/index.ts';
import { readFacts } from './facts.ts';
import { generateDocumentationJob } from './jobs.ts';
import { htmlPage, plain } from './markdown.ts';
import { sectionsOf, titles } from './sections.ts';
import * as store from './store.ts';

export type DocumentationDeps = {
  readonly database: Database;
  readonly jobs: Jobs;
  /** Whether a column of this name is masked. */
  readonly isPersonal: (column: string) => boolean;
  /** Reads the schemas of a project's data sources that were never read. */
  readonly readUnread: (projectId: number) => Promise<void>;
  readonly startedBy: (caller: Caller) => Record<string, string> | undefined;
};

export type DocumentationService = ReturnType<typeof createDocumentationService>;

const present = ({ generatedAt, editedAt, ...row }: store.SectionRow): DocumentationSection => ({
  ...row,
  title: titles[row.kind],
  generatedAt: generatedAt?.toISOString() ?? null,
  editedAt: editedAt?.toISOString() ?? null,
});

/** What a project is about, section by section: from records, and from people who know more. */
export function createDocumentationService({
  database,
  jobs,
  isPersonal,
  startedBy,
  readUnread,
}: DocumentationDeps) {
  jobs.handle(generateDocumentationJob, async ({ projectId }) => {
    await readUnread(projectId);
    // One picture of everything: what a section says of another's subject is of the same moment.
    await database.transaction(async (tx) => {
      if ((await store.projectName(tx, projectId)) === undefined) return;
      await store.storeGenerated(tx, projectId, sectionsOf(await readFacts(tx, projectId), isPersonal));
    });
  });

  const sectionsIn = async (projectId: number): Promise<DocumentationSection[]> => {
    const byKind = new Map((await store.listSections(database, projectId)).map((row) => [row.kind, row]));
    return documentationKinds.flatMap((kind) => {
      const row = byKind.get(kind);
      return row ? [present(row)] : [];
    });
  };

  return {
    get: async (caller: Caller, projectId: number) => {
      await requireRight(database, caller, projectId, 'Read');
      const sections = await sectionsIn(projectId);
      const times = sections.flatMap(({ generatedAt }) => generatedAt ?? []);
      return { projectId, generatedAt: times.toSorted().at(-1) ?? null, sections };
    },

    generate: (caller: Caller, projectId: number): Promise<{ jobId: string }> =>
      database.transaction(async (tx) => {
        await requireRight(tx, caller, projectId, 'Write');
        const metadata = startedBy(caller);
        const { jobId } = await jobs.enqueue(
          tx,
          generateDocumentationJob,
          { projectId },
          metadata ? { metadata } : {},
        );
        return { jobId };
      }),

    write: (
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
        const written = await store.findSection(tx, projectId, kind);
        if (!written) throw notFound();
        return present(written);
      }),

    dismiss: (
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
      }),

    export: async (caller: Caller, projectId: number, format: 'Markdown' | 'Html') => {
      await requireRight(database, caller, projectId, 'Read');
      const name = (await store.projectName(database, projectId)) ?? '';
      const sections = await sectionsIn(projectId);
      const texts = sections.map(({ title, content }) => `## ${title}\n\n${content}`);
      const markdown = `${[`# ${plain(name)}`, ...texts].join('\n\n')}\n`;
      return { name, text: format === 'Html' ? htmlPage(name, markdown) : markdown };
    },
  };
}
