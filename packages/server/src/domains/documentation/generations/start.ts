import type { Caller } from '../../../platform/access/index.ts';
import { conflict } from '../../../platform/http/index.ts';
import { requireRight } from '../../projects/index.ts';
import type { DocumentationDeps } from '../deps.ts';
import { generateDocumentationJob } from './jobs.ts';
import * as store from './store.ts';

/**
 * Starts a generation, or returns the running generation.
 *
 * @param usesModel  Default: true when a model is configured.
 */
export const createStartGeneration =
  (deps: DocumentationDeps) =>
  async (caller: Caller, projectId: number, usesModel: boolean | undefined): Promise<{ jobId: string }> => {
    const { database, jobs } = deps;
    await requireRight(database, caller, projectId, 'Write');
    if (usesModel === true) await deps.requireModel(caller, 'What tables hold is said by a language model.');
    const isModelAsked = usesModel ?? (await deps.llm.absence()) === null;
    return database.transaction(async (tx) => {
      await requireRight(tx, caller, projectId, 'Write');
      await store.endAbandoned(tx);
      const id = await store.insertGeneration(tx, { projectId, isModelAsked, userId: caller.userId });
      if (id === undefined) return { jobId: (await store.lastGeneration(tx, projectId))?.jobId ?? '' };
      const metadata = deps.startedBy(caller);
      const { jobId } = await jobs.enqueue(
        tx,
        generateDocumentationJob,
        { projectId, generationId: id },
        metadata ? { metadata } : {},
      );
      await store.setGenerationJob(tx, id, jobId);
      return { jobId };
    });
  };

/** Ends the open generation of a project and cancels its job. */
export const createCancelGeneration =
  ({ database, jobs }: Pick<DocumentationDeps, 'database' | 'jobs'>) =>
  (caller: Caller, projectId: number): Promise<void> =>
    database.transaction(async (tx) => {
      await requireRight(tx, caller, projectId, 'Write');
      const generation = await store.lastGeneration(tx, projectId);
      if (!generation || !(await store.endGeneration(tx, generation.id, 'Cancelled')))
        throw conflict('documentation-not-under-way', 'No generation is under way.');
      if (generation.jobId !== null) await jobs.cancel(tx, generation.jobId);
    });
