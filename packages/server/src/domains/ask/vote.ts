import type { LlmTokens } from '../../doors/llm/index.ts';
import type { Outcome } from './answering.ts';
import { resultFingerprint } from './fingerprint.ts';

export const noTokens: LlmTokens = { input: 0, output: 0, isEstimated: false };
export const plus = (one: LlmTokens, other: LlmTokens): LlmTokens => ({
  input: one.input + other.input,
  output: one.output + other.output,
  isEstimated: one.isEstimated || other.isEstimated,
});

/** What candidates that came to the same share; undefined for one that came to nothing. */
function keyOf({ state, rows, truncatedBy }: Outcome): string | undefined {
  if (state === 'Answered') return resultFingerprint(rows ?? [], truncatedBy !== null);
  return state === 'NeedsClarification' || state === 'CannotAnswer' ? state : undefined;
}

/**
 * The answer that most candidates came to, by the rows that their statements gave; of as many the one that was written
 * first. Those that came to nothing count against it, and so does every other answer: only where all agree it is as
 * sure as a single one would be. What all of them took is added up.
 */
export function vote(candidates: readonly Outcome[]): Outcome {
  const groups = new Map<string, Outcome[]>();
  for (const candidate of candidates) {
    const key = keyOf(candidate);
    if (key !== undefined) groups.set(key, [...(groups.get(key) ?? []), candidate]);
  }
  const [largest] = [...groups.values()].toSorted((one, other) => other.length - one.length);
  const standing = largest ?? candidates;
  // One that had to be mended says no more than another that gave the same.
  const first = standing.find(({ confidence }) => confidence === 'Medium') ?? standing[0];
  if (!first) throw new Error('There is no candidate to vote about.');
  const agreed = largest?.length ?? 0;
  return {
    ...first,
    confidence: first.confidence === 'Medium' && agreed < candidates.length ? 'Low' : first.confidence,
    votes: agreed === 0 ? null : { agreed, of: candidates.length },
    tokens: candidates.map(({ tokens }) => tokens).reduce(plus, noTokens),
    repairs: candidates.reduce((sum, { repairs }) => sum + repairs, 0),
  };
}
