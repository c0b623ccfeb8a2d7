import type { LlmTokens } from '../../gateways/llm/index.ts';
import type { Outcome } from './answering.ts';
import { resultFingerprint } from './fingerprint.ts';

export const noTokens: LlmTokens = { input: 0, output: 0, isEstimated: false };
export const plus = (one: LlmTokens, other: LlmTokens): LlmTokens => ({
  input: one.input + other.input,
  output: one.output + other.output,
  isEstimated: one.isEstimated || other.isEstimated,
});

/** Returns the same key for candidates with the same result. Undefined for a failed candidate. */
function keyOf({ state, rows, truncatedBy }: Outcome): string | undefined {
  if (state === 'Answered') return resultFingerprint(rows ?? [], truncatedBy !== null);
  return state === 'NeedsClarification' || state === 'CannotAnswer' ? state : undefined;
}

/**
 * Returns the most common answer by the rows of its statement. In a tie the first written one wins. Failed and differing
 * candidates count against it: it has full confidence only if all agree. Tokens of all candidates are summed.
 */
export function vote(candidates: readonly Outcome[]): Outcome {
  const groups = new Map<string, Outcome[]>();
  for (const candidate of candidates) {
    const key = keyOf(candidate);
    if (key !== undefined) groups.set(key, [...(groups.get(key) ?? []), candidate]);
  }
  const [largest] = [...groups.values()].toSorted((one, other) => other.length - one.length);
  const standing = largest ?? candidates;
  // A repaired candidate does not reduce the confidence of one with the same result.
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
