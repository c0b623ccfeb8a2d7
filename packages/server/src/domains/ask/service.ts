import { createExplain } from './answers/explain.ts';
import { createGiveClientFeedback, createGiveFeedback } from './answers/feedback.ts';
import { createReadAnswer } from './answers/read.ts';
import { createRerun } from './answers/rerun.ts';
import { createStop } from './answers/stop.ts';
import { createConversations } from './conversations.ts';
import type { AskDeps } from './deps.ts';
import { createAsk } from './questions/ask.ts';
import { createAskNow } from './questions/ask-now.ts';
import { serveQuestions } from './questions/serve-questions.ts';
import { sweepAnswers } from './store.ts';

export type AskService = ReturnType<typeof createAskService>;

/** Manages questions about data, in conversations of their users. */
export function createAskService(deps: AskDeps) {
  serveQuestions(deps);
  return {
    ...createConversations(deps),
    ask: createAsk(deps),
    answer: createReadAnswer(deps),
    run: createRerun(deps),
    explain: createExplain(deps),
    cancel: createStop(deps),
    feedback: createGiveFeedback(deps),
    askNow: createAskNow(deps),
    feedbackNow: createGiveClientFeedback(deps),
    /** Deletes expired rows and ends abandoned answers. */
    sweep: (): Promise<void> => sweepAnswers(deps.database),
  };
}
