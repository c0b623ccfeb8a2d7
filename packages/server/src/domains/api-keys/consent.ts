import type { Logger } from '../../platform/log/index.ts';

/** Whom a key acts for, when it is about to act with Execute. */
export type KeyOwner = {
  readonly userId: number;
  readonly userName: string | null;
  readonly apiKeyId: number;
};

/** The embedding application's word: true, or why not in a sentence that the caller is told. */
export type ExecuteAnswer = true | { readonly refusal: string };

/**
 * Asked whether the owner of a key may change things through it, for each call by a key with Execute; an answer holds
 * for a few seconds. Whatever fails, and whatever is no answer, refuses.
 */
export type ExecuteConsent = (owner: KeyOwner) => ExecuteAnswer | Promise<ExecuteAnswer>;

const keptMs = 5_000;
const keptMax = 10_000;
const noAnswer: ExecuteAnswer = {
  refusal: 'Whether its owner may write cannot be determined at the moment.',
};

/** Keeps the application's answers for seconds, and asks once where several calls of a key come together. */
export function createExecuteConsent(
  ask: ExecuteConsent,
  deps: { readonly log: Logger; readonly nowMs?: () => number },
): (owner: KeyOwner) => Promise<ExecuteAnswer> {
  const { log, nowMs = () => performance.now() } = deps;
  const kept = new Map<number, { readonly answer: Promise<ExecuteAnswer>; readonly untilMs: number }>();

  const answerOf = async (owner: KeyOwner): Promise<ExecuteAnswer> => {
    try {
      const answer: unknown = await ask(owner);
      if (answer === true) return true;
      const refusal = refusalIn(answer);
      if (refusal !== undefined) return { refusal };
      log.error({ apiKeyId: owner.apiKeyId }, 'the consent to write by a key was no answer');
    } catch (error) {
      log.error({ err: error, apiKeyId: owner.apiKeyId }, 'the consent to write by a key failed');
    }
    return noAnswer;
  };

  return (owner) => {
    const known = kept.get(owner.apiKeyId);
    if (known && known.untilMs > nowMs()) return known.answer;
    if (kept.size >= keptMax) kept.clear();
    const answer = answerOf(owner);
    const entry = { answer, untilMs: nowMs() + keptMs };
    kept.set(owner.apiKeyId, entry);
    // What was no answer is not kept: the next call asks again.
    return answer.then((given) => {
      if (given === noAnswer && kept.get(owner.apiKeyId) === entry) kept.delete(owner.apiKeyId);
      return given;
    });
  };
}

function refusalIn(answer: unknown): string | undefined {
  if (typeof answer !== 'object' || answer === null || !('refusal' in answer)) return undefined;
  const { refusal } = answer;
  return typeof refusal === 'string' && refusal.trim() !== '' ? refusal : undefined;
}
