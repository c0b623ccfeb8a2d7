import type { Logger } from '../../platform/log/index.ts';

/** Owner of a key that is about to act with Execute. */
export type KeyOwner = {
  readonly userId: number;
  readonly userName: string | null;
  readonly apiKeyId: number;
};

/** Answer of the embedding application: true, or a refusal with a reason for the caller. */
export type ExecuteAnswer = true | { readonly refusal: string };

/**
 * Decides whether the owner of a key may make changes through it. Called for each request by a key with Execute; answers
 * are cached for a few seconds. An error or an invalid answer refuses.
 */
export type ExecuteConsent = (owner: KeyOwner) => ExecuteAnswer | Promise<ExecuteAnswer>;

const keptMs = 5_000;
const keptMax = 10_000;
const noAnswer: ExecuteAnswer = {
  refusal: 'Whether its owner may write cannot be determined at the moment.',
};

/** Caches the application's answers for seconds, and shares one call among simultaneous requests of a key. */
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
    const cached = kept.get(owner.apiKeyId);
    if (cached && cached.untilMs > nowMs()) return cached.answer;
    if (kept.size >= keptMax) kept.clear();
    const answer = answerOf(owner);
    const entry = { answer, untilMs: nowMs() + keptMs };
    kept.set(owner.apiKeyId, entry);
    // Invalid answers are not cached: the next request calls the application again.
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
