import { JobAbortError, type JobRun, type Jobs } from '@svc/jobs';
import type { Llm, LlmFailure } from '../../gateways/llm/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { askAbout, type Batch, endOf, notesOf, planDescriptions } from './describe-tables.ts';
import { readFacts } from './facts.ts';
import * as generations from './generations-store.ts';
import { generateDocumentationJob } from './jobs.ts';
import { listNotes, saveNotes } from './notes-store.ts';
import { sectionsOf } from './sections.ts';
import * as store from './store.ts';
import { recordVersion } from './versions/versions.ts';

export type GenerateDeps = {
  readonly database: Database;
  readonly jobs: Jobs;
  readonly llm: Pick<Llm, 'call'>;
  /** Returns true when columns of this name are masked. */
  readonly isPersonal: (column: string) => boolean;
  /** Reads the schemas of a project's data sources that have no snapshot. */
  readonly readUnread: (projectId: number) => Promise<void>;
};

/** Reason for missing descriptions: a failure code of the model, or tables without an answer. */
type Shortfall = LlmFailure | 'SomeUnanswered';

const share = { reading: 0.05, records: 0.15, model: 0.8 };

/**
 * Serves generations. Stores sections from records first, so that they exist even when the model fails; then adds
 * descriptions of tables.
 */
export function serveGenerations({ database, jobs, llm, isPersonal, readUnread }: GenerateDeps): void {
  /**
   * Stores the current sections.
   *
   * @returns batches without a valid description; undefined when the project no longer exists.
   */
  const storeSections = (projectId: number, userId: number | null) =>
    // One snapshot for all sections, so that they are consistent with each other.
    database.transaction(async (tx) => {
      if ((await store.projectName(tx, projectId)) === undefined) return undefined;
      const facts = await readFacts(tx, projectId);
      const { purposeOf, batches } = planDescriptions(facts, await listNotes(tx, projectId), isPersonal);
      await store.storeGenerated(tx, projectId, sectionsOf(facts, isPersonal, purposeOf));
      await recordVersion(tx, projectId, { cause: 'Generated', userId });
      return batches;
    });

  type Generation = { readonly id: number; readonly projectId: number; readonly userId: number | null };

  /**
   * Requests one batch.
   *
   * @returns the answer, and whether the generation is still running.
   */
  const describeBatch = async ({ id, projectId, userId }: Generation, batch: Batch, signal: AbortSignal) => {
    const answer = await askAbout(llm, batch, { userId, projectId, signal });
    const isWanted = await database.transaction(async (tx) => {
      const notes = answer.kind === 'Value' ? notesOf(batch, answer.value) : [];
      if (answer.kind === 'Value') await saveNotes(tx, projectId, answer.model, notes);
      const { tokens, cost } = answer;
      const model = answer.kind === 'Failed' ? null : answer.model;
      return generations.addTaken(tx, id, { described: notes.length, tokens, cost, model });
    });
    return { answer, isWanted };
  };

  /**
   * Requests all batches.
   *
   * @returns the reason for missing answers; null when all were answered.
   */
  const describeAll = async (
    generation: Generation,
    batches: readonly Batch[],
    { signal, progress }: Pick<JobRun, 'signal' | 'progress'>,
  ): Promise<Shortfall | null> => {
    let shortfall: Shortfall | null = null;
    for (const [at, batch] of batches.entries()) {
      progress(
        share.records + (share.model * at) / batches.length,
        `Tables ${at * batch.tables.length + 1} and further`,
      );
      const { answer, isWanted } = await describeBatch(generation, batch, signal);
      signal.throwIfAborted();
      if (!isWanted) return null;
      const end = endOf(answer);
      if (end !== null) return end;
      if (answer.kind !== 'Value') shortfall = 'SomeUnanswered';
    }
    return shortfall;
  };

  const work = async (
    { projectId, generationId: id }: { readonly projectId: number; readonly generationId: number },
    job: Pick<JobRun, 'signal' | 'progress'>,
  ): Promise<void> => {
    const row = await generations.findGeneration(database, id);
    if (!row || row.finishedAt !== null) return;
    job.progress(share.reading, 'Reading records');
    await readUnread(projectId);
    const batches = await storeSections(projectId, row.startedByUserId);
    const asked = row.isModelAsked ? (batches ?? []) : [];
    const count = asked.reduce((sum, { tables }) => sum + tables.length, 0);
    if (!(await generations.markRunning(database, id, count))) return;
    const shortfall = await describeAll({ id, projectId, userId: row.startedByUserId }, asked, job);
    if (asked.length > 0) await storeSections(projectId, row.startedByUserId);
    const isFailed = shortfall !== null && shortfall !== 'SomeUnanswered';
    await generations.endGeneration(database, id, isFailed ? 'Failed' : 'Completed', shortfall);
  };

  /** Returns the end of a generation whose job is not retried; null when a retry follows. */
  const lastEnd = (error: unknown, { attempt, attemptsMax }: Pick<JobRun, 'attempt' | 'attemptsMax'>) => {
    const cause = error instanceof JobAbortError ? error.cause : null;
    if (cause === 'Cancelled') return { state: 'Cancelled', failure: null } as const;
    if (cause !== 'TimedOut' && (cause !== null || attempt < attemptsMax)) return null;
    return { state: 'Failed', failure: cause === 'TimedOut' ? 'TimedOut' : 'Interrupted' } as const;
  };

  jobs.handle(generateDocumentationJob, async (payload, job) => {
    try {
      await work(payload, job);
    } catch (error) {
      const end = lastEnd(error, job);
      if (end) await generations.endGeneration(database, payload.generationId, end.state, end.failure);
      throw error;
    }
  });
}
