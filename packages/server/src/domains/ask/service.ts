import type {
  Answer,
  AnswerExplanation,
  AnswerStage,
  Conversation,
  FeedbackVerdict,
  ListQuery,
  McpProjectValues,
  Page,
} from '@svc/contract';
import type { JobRun, Jobs } from '@svc/jobs';
import type { Llm } from '../../gateways/llm/index.ts';
import type { Caller } from '../../platform/access/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { holdLease } from '../../platform/concurrency/held-lease.ts';
import { type KeyRing, openBytes, type Randomness, seal } from '../../platform/crypto/index.ts';
import type { Database, Executor, Tx } from '../../platform/db/index.ts';
import {
  brokenRule,
  conflict,
  forbidden,
  notFound,
  pageOf,
  pageRequest,
  Refusal,
} from '../../platform/http/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import type { Audit, CallerActor } from '../audit/index.ts';
import { proposeCandidate } from '../golden-examples/index.ts';
import type { RequireModel } from '../llm-usage/index.ts';
import type { ProjectRights } from '../projects/index.ts';
import { findUsers, personOf } from '../users/index.ts';
import type { Answering, Asked } from './answering.ts';
import { endOf, lastEndOf } from './ends.ts';
import { explainRows } from './explain.ts';
import { answerLeaseMs, answerQuestionJob } from './jobs.ts';
import { clientKeyOf, ownerKeyOf, userIdOf } from './owner-key.ts';
import { presentAnswer, presentConversation, presentSummary } from './present.ts';
import * as store from './store.ts';

export type AskDeps = {
  readonly database: Database;
  readonly jobs: Jobs;
  readonly audit: Audit;
  readonly log: Pick<Logger, 'error'>;
  readonly clock: Clock;
  readonly rights: ProjectRights;
  readonly vault: { readonly keys: KeyRing; readonly random: Randomness };
  readonly requireModel: RequireModel;
  readonly answering: Answering;
  /** Lists the live data sources of a project, by name. */
  readonly sourcesOf: (
    projectId: number,
  ) => Promise<readonly { readonly id: number; readonly name: string }[]>;
  readonly startedBy: (caller: Caller) => Record<string, string> | undefined;
  readonly llm: Pick<Llm, 'call'>;
  /** Returns the current MCP settings of a project for questions. */
  readonly settingsOf: (projectId: number) => Promise<AskSettings>;
  /** Receives the results of answers. */
  readonly learn: (signal: AnswerSignal) => Promise<void>;
};

export type AskSettings = Pick<
  McpProjectValues,
  'isAskEnabled' | 'answersOnlyChecked' | 'rowsToModel' | 'candidates'
>;

/** Result of an answer, as a signal for learning. */
export type AnswerSignal = {
  readonly projectId: number;
  readonly dataSourceId: number;
  readonly callerKey: string;
  readonly outcome: string;
  readonly statement: string | null;
  readonly answerId: number;
};

export type AskService = ReturnType<typeof createAskService>;

/** Maximum number of simultaneous open questions per user. */
const openMax = 3;
const rowsMax = 100;
const rowsDays = 30;
const earlierMax = 3;

const stageWords: Readonly<Record<AnswerStage, { share: number; text: string }>> = {
  Matching: { share: 0.05, text: 'Looking for a checked answer' },
  Grounding: { share: 0.15, text: 'Reading what is known of the data' },
  Writing: { share: 0.3, text: 'Writing the statement' },
  Checking: { share: 0.7, text: 'Checking the statement' },
  Running: { share: 0.85, text: 'Running the statement' },
};

const placeOf = (rowId: number) => ({ table: 'answers', column: 'rows_sealed', rowId });

/** Manages questions about data, in conversations of their users. */
export function createAskService(deps: AskDeps) {
  const { database, jobs, rights, vault, answering } = deps;

  const mayRead = async (executor: Executor, caller: Caller, projectId: number): Promise<void> => {
    if ((await rights.rightIn(executor, caller, projectId)) === null) throw notFound();
  };

  const ownConversation = async (caller: Caller, id: number): Promise<store.ConversationRow> => {
    const conversation = await store.findConversation(database, id);
    if (!conversation || conversation.ownerKey !== ownerKeyOf(caller)) throw notFound();
    await mayRead(database, caller, conversation.projectId);
    return conversation;
  };

  const ownAnswer = async (
    caller: Caller,
    id: number,
    ownerKey = ownerKeyOf(caller),
  ): Promise<store.AnswerRow> => {
    const answer = await store.findAnswer(database, id);
    if (!answer || answer.ownerKey !== ownerKey) throw notFound();
    await mayRead(database, caller, answer.projectId);
    return answer;
  };

  const rowsOf = (row: store.AnswerRow): Answer['rows'] => {
    if (row.rowsSealed === null) return null;
    const opened = openBytes(vault.keys, row.rowsSealed, placeOf(row.id));
    // This domain wrote the rows. They are unreadable after their key was removed.
    return opened ? (JSON.parse(opened.toString('utf8')) as unknown[][]) : null;
  };

  const shown = async (id: number, executor: Executor = database): Promise<Answer> => {
    const row = await store.findAnswer(executor, id);
    if (!row) throw notFound();
    return presentAnswer(row, rowsOf(row));
  };

  /** Encrypts rows for storage. */
  const sealedRows = (id: number, rows: readonly (readonly unknown[])[]) => ({
    sealed: seal(vault.keys, JSON.stringify(rows), placeOf(id), vault.random),
    days: rowsDays,
  });

  /** Returns the requested data source, or the only one of the project. */
  const pickSource = async (projectId: number, wanted: number | undefined): Promise<number> => {
    const sources = await deps.sourcesOf(projectId);
    const refuse = (message: string) =>
      brokenRule('invalid-question', `The question cannot be asked: ${message}.`, [
        { path: '/dataSourceId', message },
      ]);
    if (wanted !== undefined) {
      if (!sources.some(({ id }) => id === wanted)) throw refuse('it is not a data source of the project');
      return wanted;
    }
    const [only, ...more] = sources;
    if (!only) throw refuse('the project has no data source');
    if (more.length > 0)
      throw refuse(`name one of the data sources ${sources.map(({ id }) => id).join(', ')}`);
    return only.id;
  };

  const askedOf = async (
    row: store.AnswerRow,
    call: { readonly signal: AbortSignal; readonly onStage: (stage: AnswerStage) => void },
  ): Promise<Asked> => {
    const earlier = (await store.answersOf(database, row.conversationId)).filter(({ id }) => id < row.id);
    const { candidates, answersOnlyChecked } = await deps.settingsOf(row.projectId);
    return {
      candidates,
      isCheckedOnly: answersOnlyChecked,
      ...call,
      callerId: `ask ${row.ownerKey}`,
      projectId: row.projectId,
      dataSourceId: row.dataSourceId ?? 0,
      question: row.question,
      isRun: row.isRun,
      userId: userIdOf(row.ownerKey),
      purpose: 'Ask',
      rowsMax,
      turns: earlier
        .flatMap(({ question, sql }) => (sql === null ? [] : [{ question, sql }]))
        .slice(-earlierMax),
    };
  };

  /**
   * Returns the reason why a waiting question is no longer answered, or null. Callers without a stored user are checked at
   * the call only.
   */
  const whatIsLeft = async ({
    ownerKey,
    projectId,
    dataSourceId,
  }: store.AnswerRow): Promise<Answer['failure']> => {
    const userId = userIdOf(ownerKey);
    const [user] = userId === null ? [] : await findUsers(database, [userId]);
    const reads =
      userId === null || (user !== undefined && (await rights.canRead(database, personOf(user), projectId)));
    if (!reads) return { code: 'NotReadable', message: 'The project cannot be read any more.' };
    const sources = await deps.sourcesOf(projectId);
    return sources.some(({ id }) => id === dataSourceId)
      ? null
      : { code: 'SourceNotLinked', message: 'The data source is not one of the project any more.' };
  };

  /** Answers a question and stores the result. @param settle  Called after the outcome is known, before it is stored. */
  const conclude = async (
    id: number,
    asked: Asked,
    settle: () => Promise<void> = async () => undefined,
  ): Promise<void> => {
    const startedAt = deps.clock.now();
    let cost: number | null = null;
    const onCost = (part: number): void => {
      cost = (cost ?? 0) + part;
    };
    const outcome = await answering.answer({ ...asked, onCost });
    await settle();
    const durationMs = deps.clock.now().getTime() - startedAt.getTime();
    await store.endAnswer(database, id, {
      ...endOf(outcome, durationMs),
      cost,
      rows: outcome.rows && sealedRows(id, outcome.rows),
    });
    const { sql: statement, state, failure } = outcome;
    // A failure before there was a statement is no signal about the data.
    if (statement === null && state !== 'CannotAnswer') return;
    await deps.learn({
      projectId: asked.projectId,
      dataSourceId: asked.dataSourceId,
      statement,
      answerId: id,
      callerKey: asked.userId === null ? asked.callerId : `user:${asked.userId}`,
      outcome: state === 'Answered' ? 'Succeeded' : (failure?.code ?? state),
    });
  };

  const requireAsking = async (projectId: number): Promise<AskSettings> => {
    const settings = await deps.settingsOf(projectId);
    if (!settings.isAskEnabled)
      throw forbidden('ask-disabled', 'The MCP settings of this project take no questions.');
    return settings;
  };

  const requireAnswerable = async (
    caller: Caller,
    about: { readonly projectId: number; readonly dataSourceId: number; readonly question: string },
  ): Promise<void> => {
    const { answersOnlyChecked } = await requireAsking(about.projectId);
    if (answersOnlyChecked) return;
    if (await answering.isKnown(about.projectId, about.dataSourceId, about.question)) return;
    await deps.requireModel(caller, 'No golden example answers this question.');
  };

  const requireTurn = async (tx: Tx, ownerKey: string): Promise<void> => {
    if ((await store.countOpen(tx, ownerKey)) < openMax) return;
    throw new Refusal('too-many-questions', {
      detail: 'Three of your questions are being answered.',
      headers: { 'retry-after': '5' },
    });
  };

  type Said = { readonly verdict: FeedbackVerdict; readonly comment?: string; readonly sql?: string };

  const keepFeedback = async (by: CallerActor, row: store.AnswerRow, said: Said): Promise<void> => {
    const { id, projectId } = row;
    if (row.finishedAt === null) throw conflict('answer-not-ended', 'The answer is still being worked out.');
    await database.transaction(async (tx) => {
      const feedbackId = await store.saveFeedback(tx, row, {
        userId: by.caller.userId,
        verdict: said.verdict,
        comment: said.comment?.trim() || null,
        rightSql: said.sql?.trim() || null,
      });
      await proposeCandidate(tx, feedbackId);
      const subject = { kind: 'answer', id };
      const { verdict } = said;
      await deps.audit.record(tx, {
        event: 'ask.feedback_given',
        by,
        subject,
        projectId,
        detail: { verdict },
      });
    });
  };

  /** Runs the statement of an answer again and stores its rows, under the current gates and rights. */
  const runAgain = async (row: store.AnswerRow, signal: AbortSignal) => {
    const { id, sql, projectId, dataSourceId } = row;
    if (row.state !== 'Answered' || sql === null || dataSourceId === null)
      throw conflict('answer-not-runnable', 'The answer has no statement that can be run.');
    await pickSource(projectId, dataSourceId);
    const asked = await askedOf({ ...row, isRun: true }, { signal, onStage: () => undefined });
    const result = await answering.run(asked, sql);
    if (result.kind === 'Refused') throw new Refusal('answer-not-run', { detail: result.message });
    const { columns, rows, truncatedBy } = result;
    const detail = { columns: [...columns], truncatedBy };
    await store.saveRows(database, id, { ...sealedRows(id, rows), detail });
    return { sql, result };
  };

  const work = async (answerId: number, job: Pick<JobRun, 'signal' | 'progress'>): Promise<void> => {
    const row = await store.findAnswer(database, answerId);
    if (!row || row.finishedAt !== null) return;
    const left = await whatIsLeft(row);
    if (left !== null)
      return void (await store.endAnswer(database, answerId, { state: 'Failed', detail: { failure: left } }));
    const leaving = new AbortController();
    const noted: Promise<unknown>[] = [];
    const onStage = (stage: AnswerStage): void => {
      job.progress(stageWords[stage].share, stageWords[stage].text);
      // If a user has ended the answer, the work is aborted. A failed update of the stage is ignored.
      const note = store.setStage(database, answerId, stage).then((goesOn) => goesOn || leaving.abort());
      noted.push(note.catch(() => undefined));
    };
    const signal = AbortSignal.any([job.signal, leaving.signal]);
    await conclude(answerId, await askedOf(row, { signal, onStage }), async () => {
      await Promise.all(noted);
      // An aborted job is retried by another process.
      if (job.signal.aborted) throw job.signal.reason;
    });
  };

  jobs.handle(answerQuestionJob, async ({ answerId }, job) => {
    try {
      await work(answerId, job);
    } catch (error) {
      const end = lastEndOf(error, job);
      if (end !== null) await store.endAnswer(database, answerId, end);
      throw error;
    }
  });

  return {
    list: async (
      caller: Caller,
      query: ListQuery & { readonly projectId?: number },
    ): Promise<Page<Conversation>> => {
      const page = pageRequest(query, {
        sortable: store.conversationSortable,
        byDefault: '-createdTime',
        unique: 'c.id',
      });
      const ownerKey = ownerKeyOf(caller);
      if (ownerKey === null) return pageOf([], 0, page);
      const readable = await rights.readableIds(database, caller);
      const filter = { ownerKey, readable, projectId: query.projectId ?? null };
      const { rows, totalCount } = await store.listConversations(database, filter, page);
      return pageOf(rows.map(presentConversation), totalCount, page);
    },

    create: async (caller: Caller, projectId: number): Promise<Conversation> => {
      await mayRead(database, caller, projectId);
      const ownerKey = ownerKeyOf(caller);
      if (ownerKey === null) throw notFound();
      const id = await store.insertConversation(database, projectId, ownerKey);
      return presentConversation(await ownConversation(caller, id));
    },

    get: async (caller: Caller, id: number) => ({
      ...presentConversation(await ownConversation(caller, id)),
      answers: (await store.answersOf(database, id)).map(presentSummary),
    }),

    delete: async (caller: Caller, id: number): Promise<void> => {
      await ownConversation(caller, id);
      const open = (await store.answersOf(database, id)).filter(({ finishedAt }) => finishedAt === null);
      await database.transaction(async (tx) => {
        for (const { jobId } of open) if (jobId !== null) await jobs.cancel(tx, jobId);
        await store.deleteConversation(tx, id);
      });
    },

    /** Adds a question to a conversation of the caller. A job answers it. */
    ask: async (
      by: CallerActor,
      conversationId: number,
      input: { readonly question: string; readonly dataSourceId?: number; readonly isRun?: boolean },
    ): Promise<Answer> => {
      const { projectId, ownerKey } = await ownConversation(by.caller, conversationId);
      const question = input.question.trim();
      const dataSourceId = await pickSource(projectId, input.dataSourceId);
      await requireAnswerable(by.caller, { projectId, dataSourceId, question });
      return database.transaction(async (tx) => {
        await requireTurn(tx, ownerKey);
        const id = await store.insertAnswer(tx, {
          conversationId,
          dataSourceId,
          question,
          isRun: input.isRun ?? true,
          leaseMs: answerLeaseMs,
        });
        const metadata = deps.startedBy(by.caller);
        const { jobId } = await jobs.enqueue(
          tx,
          answerQuestionJob,
          { answerId: id },
          metadata ? { metadata } : {},
        );
        await store.setAnswerJob(tx, id, jobId);
        const subject = { kind: 'answer', id };
        await deps.audit.record(tx, { event: 'ask.question_asked', by, subject, projectId });
        return shown(id, tx);
      });
    },

    answer: async (caller: Caller, id: number): Promise<Answer> => {
      const row = await ownAnswer(caller, id);
      return presentAnswer(row, rowsOf(row));
    },

    run: async (caller: Caller, id: number, signal: AbortSignal): Promise<Answer> => {
      await runAgain(await ownAnswer(caller, id), signal);
      return shown(id);
    },

    /** Lets a model explain the rows of an answer, which are read and masked again. */
    explain: async (by: CallerActor, id: number, signal: AbortSignal): Promise<AnswerExplanation> => {
      const { caller } = by;
      const row = await ownAnswer(caller, id);
      const { projectId, question } = row;
      const { rowsToModel } = await requireAsking(projectId);
      if (rowsToModel !== 'Masked')
        throw conflict(
          'rows-kept-from-model',
          'The MCP settings of this project let no language model see rows. An Admin or a SecurityAdmin can set rowsToModel to Masked there.',
        );
      await deps.requireModel(caller, 'An explanation is written by a language model.');
      const { sql, result } = await runAgain(row, signal);
      const about = { projectId, answerId: id, question, sql, result };
      const explained = await explainRows(deps.llm, {
        ...about,
        caller,
        signal,
        onTaken: (taken) => store.addTaken(database, id, taken),
      });
      const { rowCount } = explained;
      await database.transaction((tx) =>
        deps.audit.record(tx, {
          event: 'ask.answer_explained',
          by,
          projectId,
          detail: { rowCount },
          subject: { kind: 'answer', id },
        }),
      );
      return explained;
    },

    cancel: async (caller: Caller, id: number): Promise<void> => {
      const { jobId } = await ownAnswer(caller, id);
      await database.transaction(async (tx) => {
        if (!(await store.endAnswer(tx, id, { state: 'Cancelled' })))
          throw conflict('answer-ended', 'The answer has ended already.');
        if (jobId !== null) await jobs.cancel(tx, jobId);
      });
    },

    feedback: async (by: CallerActor, id: number, said: Said): Promise<void> =>
      keepFeedback(by, await ownAnswer(by.caller, id), said),

    /** Answers a question of an AI client within the request. */
    askNow: async (
      caller: Caller,
      about: {
        readonly projectId: number;
        readonly dataSourceId: number;
        readonly question: string;
        readonly rowsMax: number;
      },
      signal: AbortSignal,
    ): Promise<Answer> => {
      const ownerKey = clientKeyOf(caller);
      const question = about.question.trim();
      await requireAnswerable(caller, { ...about, question });
      const id = await database.transaction(async (tx) => {
        await requireTurn(tx, ownerKey);
        const conversationId = await store.insertConversation(tx, about.projectId, ownerKey);
        const { dataSourceId } = about;
        const leaseMs = answerLeaseMs;
        return store.insertAnswer(tx, { conversationId, dataSourceId, question, isRun: true, leaseMs });
      });
      const lease = holdLease(() => store.renewLease(database, id, answerLeaseMs), answerLeaseMs);
      try {
        const row = await store.findAnswer(database, id);
        if (!row) throw notFound();
        const call = { signal: AbortSignal.any([signal, lease.signal]), onStage: () => undefined };
        const asked = await askedOf(row, call);
        await conclude(id, { ...asked, userId: caller.userId, rowsMax: about.rowsMax });
      } finally {
        lease.release();
        await store.endAnswer(database, id, { state: 'Cancelled' });
      }
      return shown(id);
    },

    /** Stores the feedback of an AI client on its answer. */
    feedbackNow: async (caller: Caller, id: number, said: Said): Promise<void> =>
      keepFeedback({ caller }, await ownAnswer(caller, id, clientKeyOf(caller)), said),

    /** Deletes expired rows and ends abandoned answers. */
    sweep: (): Promise<void> => store.sweepAnswers(database),
  };
}
