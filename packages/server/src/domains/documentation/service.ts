import type { DocumentationVersion, DocumentationVersionDetail, ListQuery, Page } from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';
import { notFound, pageOf, pageRequest } from '../../platform/http/index.ts';
import { requireRight } from '../projects/index.ts';
import type { DocumentationDeps } from './deps.ts';
import { presentGeneration } from './generations/present.ts';
import { serveGenerations } from './generations/serve.ts';
import { createCancelGeneration, createStartGeneration } from './generations/start.ts';
import { endAbandoned, lastGeneration } from './generations/store.ts';
import { htmlPage, plain } from './markdown.ts';
import { presentSections } from './present.ts';
import { listSections, projectName } from './store.ts';
import * as versions from './versions/store.ts';
import { presentVersion, presentVersionDetail } from './versions/versions.ts';
import { createDismissProposal, createRewriteSection, createWriteSection } from './write.ts';

export type DocumentationService = ReturnType<typeof createDocumentationService>;

/** Creates the service for a project's documentation. Its sections come from records, a model and people. */
export function createDocumentationService(deps: DocumentationDeps) {
  const { database } = deps;
  serveGenerations(deps);
  return {
    get: async (caller: Caller, projectId: number) => {
      await requireRight(database, caller, projectId, 'Read');
      const sections = presentSections(await listSections(database, projectId));
      const times = sections.flatMap(({ generatedAt }) => generatedAt ?? []);
      const generation = await lastGeneration(database, projectId);
      return {
        projectId,
        generatedAt: times.toSorted().at(-1) ?? null,
        sections,
        generation: generation ? presentGeneration(generation) : null,
      };
    },

    generate: createStartGeneration(deps),
    cancel: createCancelGeneration(deps),
    write: createWriteSection(deps),
    dismiss: createDismissProposal(deps),
    instruct: createRewriteSection(deps),

    /** Ends interrupted generations. */
    sweep: (): Promise<void> => endAbandoned(database),

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
      const name = (await projectName(database, projectId)) ?? '';
      const sections = presentSections(await listSections(database, projectId));
      const texts = sections.map(({ title, content }) => `## ${title}\n\n${content}`);
      const markdown = `${[`# ${plain(name)}`, ...texts].join('\n\n')}\n`;
      return { name, text: format === 'Html' ? htmlPage(name, markdown) : markdown };
    },
  };
}
