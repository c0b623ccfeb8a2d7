import { JobAbortError, type JobRun, type Jobs } from '@svc/jobs';
import type { Llm, LlmFailure } from '../../../gateways/llm/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { readFacts } from '../facts.ts';
import { sectionsOf } from '../sections.ts';
import { projectName, storeGenerated } from '../store.ts';
import { recordVersion } from '../versions/versions.ts';
import { type Batch, endOf, notesOf, planDescriptions, requestDescriptions } from './describe-tables.ts';
import { generateDocumentationJob } from './jobs.ts';
import { listNotes, saveNotes } from './notes-store.ts';
import * as store from './store.ts';

export type GenerateDeps = {
  readonly database: Database;
  readonly jobs: Jobs;
  readonly llm: Pick<Llm, 'call'>;
  /** Returns true when columns of this name are masked. */
  readonly isPersonal: (column: string) => boolean;
  /** Reads the schemas of a project's data sources that have no snapshot. */
  readonly readUnread: (projectId: number) => Promise<void>;
};

type Generation = { readonly id: number; readonly projectId: number; readonly userId: number | null };
type Job = Pick<JobRun, 'signal' | 'progress'>;

/** Reason for missing descriptions: a failure code of the model, or tables without an answer. */
type Shortfall = LlmFailure | 'SomeUnanswered';

const share = { reading: 0.05, records: 0.15, model: 0.8 };

/** Generates documentation in jobs. */
export function serveGenerations(deps: GenerateDeps): void {
  deps.jobs.handle(generateDocumentationJob, async ({ projectId, generationId }, job) => {
    try {
      await generate(deps, projectId, generationId, job);
    } catch (error) {
      const end = lastEndOf(error, job);
      if (end) await store.endGeneration(deps.database, generationId, end.state, end.failure);
      throw error;
    }
  });
}

/** Stores sections from records first, so that they exist even when the model fails. Then adds descriptions of tables. */
async function generate(deps: GenerateDeps, projectId: number, id: number, job: Job): Promise<void> {
  const { database } = deps;
  const row = await store.findGeneration(database, id);
  if (!row || row.finishedAt !== null) return;
  const generation = { id, projectId, userId: row.startedByUserId };
  job.progress(share.reading, 'Reading records');
  await deps.readUnread(projectId);
  const undescribed = await storeSections(deps, generation);
  const batches = row.isModelAsked ? (undescribed ?? []) : [];
  const tableCount = batches.reduce((sum, { tables }) => sum + tables.length, 0);
  if (!(await store.markRunning(database, id, tableCount))) return;
  const shortfall = await describeAll(deps, generation, batches, job);
  if (batches.length > 0) await storeSections(deps, generation);
  const isFailed = shortfall !== null && shortfall !== 'SomeUnanswered';
  await store.endGeneration(database, id, isFailed ? 'Failed' : 'Completed', shortfall);
}

/**
 * Stores the current sections.
 *
 * @returns batches without a valid description; undefined when the project no longer exists.
 */
const storeSections = ({ database, isPersonal }: GenerateDeps, { projectId, userId }: Generation) =>
  // One snapshot for all sections, so that they are consistent with each other.
  database.transaction(async (tx) => {
    if ((await projectName(tx, projectId)) === undefined) return undefined;
    const facts = await readFacts(tx, projectId);
    const { purposeOf, batches } = planDescriptions(facts, await listNotes(tx, projectId), isPersonal);
    await storeGenerated(tx, projectId, sectionsOf(facts, isPersonal, purposeOf));
    await recordVersion(tx, projectId, { cause: 'Generated', userId });
    return batches;
  });

/**
 * Requests descriptions of all batches.
 *
 * @returns the reason for missing answers; null when all were answered.
 */
async function describeAll(
  deps: GenerateDeps,
  generation: Generation,
  batches: readonly Batch[],
  { signal, progress }: Job,
): Promise<Shortfall | null> {
  let shortfall: Shortfall | null = null;
  for (const [at, batch] of batches.entries()) {
    progress(
      share.records + (share.model * at) / batches.length,
      `Tables ${at * batch.tables.length + 1} and further`,
    );
    const { answer, isOpen } = await describeBatch(deps, generation, batch, signal);
    signal.throwIfAborted();
    if (!isOpen) return null;
    const end = endOf(answer);
    if (end !== null) return end;
    if (answer.kind !== 'Value') shortfall = 'SomeUnanswered';
  }
  return shortfall;
}

/** Requests descriptions of one batch and stores them. `isOpen` is false when the generation has ended. */
async function describeBatch(
  { database, llm }: GenerateDeps,
  { id, projectId, userId }: Generation,
  batch: Batch,
  signal: AbortSignal,
) {
  const answer = await requestDescriptions(llm, batch, { userId, projectId, signal });
  const isOpen = await database.transaction(async (tx) => {
    const notes = answer.kind === 'Value' ? notesOf(batch, answer.value) : [];
    if (answer.kind === 'Value') await saveNotes(tx, projectId, answer.model, notes);
    const { tokens, cost } = answer;
    const model = answer.kind === 'Failed' ? null : answer.model;
    return store.addUsage(tx, id, { described: notes.length, tokens, cost, model });
  });
  return { answer, isOpen };
}

/** Returns the end of a generation whose job is not retried; null when a retry follows. */
function lastEndOf(error: unknown, { attempt, attemptsMax }: Pick<JobRun, 'attempt' | 'attemptsMax'>) {
  const cause = error instanceof JobAbortError ? error.cause : null;
  if (cause === 'Cancelled') return { state: 'Cancelled', failure: null } as const;
  if (cause !== 'TimedOut' && (cause !== null || attempt < attemptsMax)) return null;
  return { state: 'Failed', failure: cause === 'TimedOut' ? 'TimedOut' : 'Interrupted' } as const;
}
