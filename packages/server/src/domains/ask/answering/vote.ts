import { resultFingerprint } from './fingerprint.ts';
import type { Outcome } from './outcome.ts';
import { addTokens, noTokens } from './tokens.ts';

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
  const eligible = largest ?? candidates;
  // A repaired candidate does not reduce the confidence of one with the same result.
  const first = eligible.find(({ confidence }) => confidence === 'Medium') ?? eligible[0];
  if (!first) throw new Error('There is no candidate to vote about.');
  const agreed = largest?.length ?? 0;
  return {
    ...first,
    confidence: first.confidence === 'Medium' && agreed < candidates.length ? 'Low' : first.confidence,
    votes: agreed === 0 ? null : { agreed, of: candidates.length },
    tokens: candidates.map(({ tokens }) => tokens).reduce(addTokens, noTokens),
    repairs: candidates.reduce((sum, { repairs }) => sum + repairs, 0),
  };
}
