import type { SqlDialect } from '@svc/connectors';
import { JobAbortError, type JobRun } from '@svc/jobs';
import { type Llm, type LlmFailure, type LlmTokens, llmFailureTexts } from '../../../gateways/llm/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { findEngine } from '../../data-contracts/index.ts';
import { groundingOf, type ReadKnown } from '../../grounding/index.ts';
import type { Acting } from '../owner.ts';
import { actionsOf } from '../plans/store.ts';
import { type ActorRow, findActor } from '../store.ts';
import type { EndThinking, Thought } from './end.ts';
import { type OwnQuery, readContractedTables, readExisting, readOwn } from './own.ts';
import { instructions, ModelThought, outputTokensMax, promptVersion } from './prompt.ts';
import type { createProve } from './prove.ts';
import { beginThink, findThink, type ThinkRow } from './store.ts';

export type ThinkDeps = {
  readonly database: Database;
  readonly llm: Llm;
  readonly readKnown: ReadKnown;
  readonly isPersonal: (column: string) => boolean;
  readonly dialectOf: (engine: string) => SqlDialect;
  readonly prove: ReturnType<typeof createProve>;
  readonly acting: Acting;
  readonly ending: EndThinking;
};

type Work = Pick<JobRun, 'signal' | 'progress'>;
type Failure = { readonly code: string; readonly message: string };

const noTokens: LlmTokens = { input: 0, output: 0, isEstimated: false };

/** Describes the actor's own queries to the model: their texts, states and counts. Never a row. */
const ownText = (own: readonly OwnQuery[]): string =>
  JSON.stringify(
    own.map(({ activeVersionId: _version, ...query }) => ({
      ...query,
      subscriptions: query.subscriptions.map(({ version: _, ...subscription }) => subscription),
    })),
  );

/** Executes one think: the context goes to the model once, and code proves each proposed action. */
export function createThink(deps: ThinkDeps) {
  const { database, ending } = deps;

  const dataFor = async (actor: ActorRow, think: ThinkRow, own: readonly OwnQuery[]) => {
    const knowledge = await deps.readKnown(actor.projectId, actor.dataSourceId);
    const question = [actor.instructions, actor.additionalContext, think.feedback].filter(Boolean).join('\n');
    const { data } = groundingOf(knowledge, { question, isPersonal: deps.isPersonal });
    const replaced = think.parentPlanId === null ? [] : await actionsOf(database, think.parentPlanId);
    const limits = {
      actions: actor.maxActionsPerPlan,
      queries: actor.maxQueries - own.length,
      subscriptionsPerQuery: actor.maxSubscriptionsPerQuery,
    };
    return {
      hasSchema: knowledge.tables.length > 0,
      data: [
        ...data,
        { name: 'own', text: ownText(own) },
        { name: 'limits', text: JSON.stringify(limits) },
        ...(replaced.length === 0
          ? []
          : [{ name: 'replaced', text: JSON.stringify(replaced.map(({ definition }) => definition)) }]),
        ...(actor.additionalContext ? [{ name: 'context', text: actor.additionalContext }] : []),
        { name: 'task', text: actor.instructions },
        ...(think.feedback === null ? [] : [{ name: 'feedback', text: think.feedback }]),
      ],
    };
  };

  const failed = (
    code: string,
    message: string,
    thought: Partial<Thought> = {},
  ): Failure & Partial<Thought> => ({
    code,
    message,
    ...thought,
  });

  const llmFailed = (failure: LlmFailure, tokens: LlmTokens) =>
    failed(failure, llmFailureTexts[failure], { tokens });

  /** Returns the proved result of the model, or a failure. */
  const work = async (
    actor: ActorRow,
    think: ThinkRow,
    { signal, progress }: Work,
  ): Promise<Thought | (Failure & Partial<Thought>)> => {
    progress(0.1, 'Reading what is known of the data');
    const engine = await findEngine(database, actor.projectId, actor.dataSourceId);
    if (engine === undefined)
      return failed('SourceNotLinked', 'The data source is not one of the project any more.');
    const own = await readOwn(database, actor.id);
    const { data, hasSchema } = await dataFor(actor, think, own);
    if (!hasSchema) return failed('NoSchema', 'No table of the data source is known. Refresh its metadata.');
    progress(0.3, 'Thinking');
    const answer = await deps.llm.call({
      purpose: 'Actor',
      role: 'Main',
      instructions,
      data,
      schema: ModelThought,
      maxOutputTokens: outputTokensMax,
      charge: {
        userId: think.orderedByUserId,
        projectId: actor.projectId,
        actor: { id: actor.id, monthlyTokens: actor.monthlyTokens },
      },
      signal,
    });
    signal.throwIfAborted();
    if (answer.kind === 'Failed') return llmFailed(answer.failure, answer.tokens);
    const { tokens, model } = answer;
    if (answer.kind === 'Refused')
      return failed('ModelRefused', 'The language model declined to answer.', { tokens, model });
    const { analysis, findings, actions } = answer.value;
    progress(0.6, 'Checking what it proposes');
    const ground = {
      actor,
      own,
      dialect: deps.dialectOf(engine),
      existing: await readExisting(database, actor.projectId, actor.dataSourceId),
      contractedTables: await readContractedTables(database, actor.projectId, actor.dataSourceId),
    };
    const call = { signal, callerId: `ai-actor ${actor.id}` };
    const { proved, discarded } = await deps.prove(ground, actions, call);
    return { analysis, findings, proved, discarded, tokens, model, promptVersion };
  };

  const think = async (thinkId: number, job: Work): Promise<void> => {
    if (!(await beginThink(database, thinkId))) return;
    const row = await findThink(database, thinkId);
    const actor = row && (await findActor(database, row.actorId));
    if (!row) return;
    if (actor?.state !== 'Active') return ending.cancel(thinkId);
    if (!(await deps.acting.asOwner(database, actor))) return ending.pauseForOwner(actor.id);
    const thought = await work(actor, row, job);
    // A cancelled job is not counted as a failure of the actor.
    job.signal.throwIfAborted();
    await ('code' in thought
      ? ending.fail(thinkId, thought, { tokens: noTokens, ...thought })
      : ending.complete(thinkId, thought));
  };

  return async (thinkId: number, job: JobRun): Promise<void> => {
    try {
      await think(thinkId, job);
    } catch (error) {
      const reason: unknown = job.signal.aborted ? job.signal.reason : error;
      const cause = reason instanceof JobAbortError ? reason.cause : null;
      if (cause === 'Cancelled') await ending.cancel(thinkId);
      else if (cause === 'TimedOut' || (cause === null && job.attempt >= job.attemptsMax))
        await ending.fail(thinkId, interrupted(cause), { tokens: noTokens });
      throw error;
    }
  };
}

const interrupted = (cause: string | null): Failure =>
  cause === 'TimedOut'
    ? { code: 'TimedOut', message: 'It took too long.' }
    : { code: 'Interrupted', message: 'The work on it was cut short.' };
