import type { Answer } from '@svc/contract';
import type { Caller } from '../../../platform/access/index.ts';
import { holdLease } from '../../../platform/concurrency/held-lease.ts';
import { notFound } from '../../../platform/http/index.ts';
import { readAnswer } from '../answers/read.ts';
import { insertConversation } from '../conversation-store.ts';
import type { AskDeps } from '../deps.ts';
import { clientKeyOf } from '../owner-key.ts';
import { endAnswer, findAnswer, insertAnswer, renewLease } from '../store.ts';
import { answerLeaseMs } from './jobs.ts';
import { answerRequestOf } from './request.ts';
import { requireAnswerable, requireOpenQuota } from './requirements.ts';
import { answerAndStore, type SettleDeps } from './settle.ts';

type ClientQuestion = {
  readonly projectId: number;
  readonly dataSourceId: number;
  readonly question: string;
  readonly rowsMax: number;
};

/** Answers a question of an AI client within the request. */
export const createAskNow =
  (deps: SettleDeps & Pick<AskDeps, 'settingsOf' | 'requireModel'>) =>
  async (caller: Caller, input: ClientQuestion, signal: AbortSignal): Promise<Answer> => {
    const { database } = deps;
    const { projectId, dataSourceId, rowsMax } = input;
    const ownerKey = clientKeyOf(caller);
    const question = input.question.trim();
    await requireAnswerable(deps, caller, { projectId, dataSourceId, question });
    const id = await database.transaction(async (tx) => {
      await requireOpenQuota(tx, ownerKey);
      const conversationId = await insertConversation(tx, projectId, ownerKey);
      const leaseMs = answerLeaseMs;
      return insertAnswer(tx, { conversationId, dataSourceId, question, isRun: true, leaseMs });
    });
    const lease = holdLease(() => renewLease(database, id, answerLeaseMs), answerLeaseMs);
    try {
      const row = await findAnswer(database, id);
      if (!row) throw notFound();
      const call = { signal: AbortSignal.any([signal, lease.signal]), onStage: () => undefined };
      const request = await answerRequestOf(deps, row, call);
      await answerAndStore(deps, id, { ...request, userId: caller.userId, rowsMax });
    } finally {
      lease.release();
      // Has no effect on an answer that has ended.
      await endAnswer(database, id, { state: 'Cancelled' });
    }
    return readAnswer(deps, database, id);
  };
