import type { Answer } from '@svc/contract';
import type { CallerActor } from '../../audit/index.ts';
import { readAnswer } from '../answers/read.ts';
import type { AskDeps } from '../deps.ts';
import { requireOwnConversation } from '../ownership.ts';
import { insertAnswer, setAnswerJob } from '../store.ts';
import { answerLeaseMs, answerQuestionJob } from './jobs.ts';
import { pickSource } from './pick-source.ts';
import { requireAnswerable, requireOpenQuota } from './requirements.ts';

/** Adds a question to a conversation of the caller. A job answers it. */
export const createAsk =
  (
    deps: Pick<
      AskDeps,
      | 'database'
      | 'rights'
      | 'vault'
      | 'jobs'
      | 'audit'
      | 'sourcesOf'
      | 'settingsOf'
      | 'answering'
      | 'requireModel'
      | 'startedBy'
    >,
  ) =>
  async (
    by: CallerActor,
    conversationId: number,
    input: { readonly question: string; readonly dataSourceId?: number; readonly isRun?: boolean },
  ): Promise<Answer> => {
    const { projectId, ownerKey } = await requireOwnConversation(deps, by.caller, conversationId);
    const question = input.question.trim();
    const dataSourceId = await pickSource(deps, projectId, input.dataSourceId);
    await requireAnswerable(deps, by.caller, { projectId, dataSourceId, question });
    return deps.database.transaction(async (tx) => {
      await requireOpenQuota(tx, ownerKey);
      const id = await insertAnswer(tx, {
        conversationId,
        dataSourceId,
        question,
        isRun: input.isRun ?? true,
        leaseMs: answerLeaseMs,
      });
      const metadata = deps.startedBy(by.caller);
      const { jobId } = await deps.jobs.enqueue(
        tx,
        answerQuestionJob,
        { answerId: id },
        metadata ? { metadata } : {},
      );
      await setAnswerJob(tx, id, jobId);
      const subject = { kind: 'answer', id };
      await deps.audit.record(tx, { event: 'ask.question_asked', by, subject, projectId });
      return readAnswer(deps, tx, id);
    });
  };
