import {
  type DocumentationGeneration,
  type DocumentationKind,
  type DocumentationSection,
  type DocumentationVersion,
  type DocumentationVersionDetail,
  documentationKinds,
  type ListQuery,
  type Page,
} from '@svc/contract';
import { type Llm, llmFailureTexts } from '../../gateways/llm/index.ts';
import type { Caller } from '../../platform/access/index.ts';
import { conflict, notFound, pageOf, pageRequest } from '../../platform/http/index.ts';
import type { RequireModel } from '../llm-usage/index.ts';
import { assertVersion, requireRight } from '../projects/index.ts';
import { type GenerateDeps, serveGenerations } from './generate.ts';
import * as generations from './generations-store.ts';
import { instruct } from './instruct.ts';
import { generateDocumentationJob } from './jobs.ts';
import { htmlPage, plain } from './markdown.ts';
import { titles } from './sections.ts';
import * as store from './store.ts';
import * as versions from './versions/store.ts';
import { presentVersion, presentVersionDetail, recordVersion } from './versions/versions.ts';

export type DocumentationDeps = GenerateDeps & {
  readonly llm: Pick<Llm, 'call' | 'absence'>;
  readonly requireModel: RequireModel;
  readonly startedBy: (caller: Caller) => Record<string, string> | undefined;
};

export type DocumentationService = ReturnType<typeof createDocumentationService>;

const present = ({ generatedAt, editedAt, ...row }: store.SectionRow): DocumentationSection => ({
  ...row,
  title: titles[row.kind],
  generatedAt: generatedAt?.toISOString() ?? null,
  editedAt: editedAt?.toISOString() ?? null,
});

const failureTexts: Readonly<Record<string, string>> = {
  ...llmFailureTexts,
  SomeUnanswered: 'The language model gave no usable answer about some tables.',
  Interrupted: 'The work was cut short. Begin again: what was written stays.',
};

const presentGeneration = ({
  startedByUserId: _,
  costMicros,
  failure,
  ...row
}: generations.GenerationRow): DocumentationGeneration => ({
  ...row,
  cost: costMicros === null ? null : costMicros / 1_000_000,
  failure: failure === null ? null : { code: failure, message: failureTexts[failure] ?? 'It failed.' },
  createdTime: row.createdTime.toISOString(),
  finishedAt: row.finishedAt?.toISOString() ?? null,
});

const needOfTables = 'What tables hold is said by a language model.';
const needOfRewriting = 'A text is rewritten by a language model.';

/** Creates the service for a project's documentation. Its sections come from records, a model and people. */
export function createDocumentationService(deps: DocumentationDeps) {
  const { database, jobs, llm } = deps;
  serveGenerations(deps);

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
      const generation = await generations.lastGeneration(database, projectId);
      return {
        projectId,
        generatedAt: times.toSorted().at(-1) ?? null,
        sections,
        generation: generation ? presentGeneration(generation) : null,
      };
    },

    /**
     * Starts a generation, or returns the running generation.
     *
     * @param isModelAsked  Default: true when a model is configured.
     */
    generate: async (
      caller: Caller,
      projectId: number,
      isModelAsked: boolean | undefined,
    ): Promise<{ jobId: string }> => {
      await requireRight(database, caller, projectId, 'Write');
      if (isModelAsked === true) await deps.requireModel(caller, needOfTables);
      const asksModel = isModelAsked ?? (await llm.absence()) === null;
      return database.transaction(async (tx) => {
        await requireRight(tx, caller, projectId, 'Write');
        await generations.endAbandoned(tx);
        const about = { projectId, isModelAsked: asksModel, userId: caller.userId };
        const id = await generations.insertGeneration(tx, about);
        if (id === undefined)
          return { jobId: (await generations.lastGeneration(tx, projectId))?.jobId ?? '' };
        const metadata = deps.startedBy(caller);
        const { jobId } = await jobs.enqueue(
          tx,
          generateDocumentationJob,
          { projectId, generationId: id },
          metadata ? { metadata } : {},
        );
        await generations.setGenerationJob(tx, id, jobId);
        return { jobId };
      });
    },

    cancel: (caller: Caller, projectId: number): Promise<void> =>
      database.transaction(async (tx) => {
        await requireRight(tx, caller, projectId, 'Write');
        const last = await generations.lastGeneration(tx, projectId);
        if (!last || !(await generations.endGeneration(tx, last.id, 'Cancelled')))
          throw conflict('documentation-not-under-way', 'No generation is under way.');
        if (last.jobId !== null) await jobs.cancel(tx, last.jobId);
      }),

    /** Returns a section's text rewritten by a model. Stores nothing. */
    instruct: async (
      caller: Caller,
      projectId: number,
      kind: DocumentationKind,
      input: { readonly instruction: string; readonly content?: string },
      signal: AbortSignal,
    ) => {
      await requireRight(database, caller, projectId, 'Write');
      const text = input.content ?? (await store.findSection(database, projectId, kind))?.content;
      if (text === undefined) throw notFound();
      await deps.requireModel(caller, needOfRewriting);
      return instruct(llm, { caller, projectId, kind, text, wish: input.instruction, signal });
    },

    /** Ends interrupted generations. */
    sweep: (): Promise<void> => generations.endAbandoned(database),

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
        const cause = isProposal ? 'Taken' : 'Written';
        await recordVersion(tx, projectId, { cause, userId: caller.userId });
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

    versions: async (
      caller: Caller,
      projectId: number,
      query: ListQuery,
    ): Promise<Page<DocumentationVersion>> => {
      await requireRight(database, caller, projectId, 'Read');
      const page = pageRequest(query, {
        sortable: versions.versionSortable,
        byDefault: '-number',
        unique: 'v.id',
      });
      const { rows, totalCount } = await versions.listVersions(database, projectId, page);
      return pageOf(rows.map(presentVersion), totalCount, page);
    },

    version: async (
      caller: Caller,
      projectId: number,
      number: number,
    ): Promise<DocumentationVersionDetail> => {
      await requireRight(database, caller, projectId, 'Read');
      const row = await versions.findVersion(database, projectId, number);
      if (!row) throw notFound();
      return presentVersionDetail(row);
    },

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
