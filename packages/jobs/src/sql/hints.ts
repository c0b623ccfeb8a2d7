/**
 * What `NOTIFY` carries between processes. A hint only wakes: polling stands behind it, so one that is lost or not
 * understood costs time and nothing else. Processes of two versions share a channel while one replaces the other.
 */
export type Hint =
  /** Jobs of the queue may be claimed. */
  | { readonly kind: 'JobsReady'; readonly queue: string }
  /** Somebody asked for the end of a running job. */
  | { readonly kind: 'CancelRequested'; readonly jobId: string }
  /** A job ended, or one that waits for another was inserted: batches, messages and continuations are looked at. */
  | { readonly kind: 'GroupsChanged' }
  /** A due time, a schedule, a queue or a limit changed: the next pulse is due at once. */
  | { readonly kind: 'TimesChanged' };

/** SQL of each hint's payload. */
export const hintPayload = {
  /** @param queue SQL expression of the queue's name. */
  jobsReady: (queue: string): string => `'q:' || ${queue}`,
  /** @param jobId SQL expression of the job's id. */
  cancelRequested: (jobId: string): string => `'c:' || ${jobId}`,
  groupsChanged: `'p'`,
  jobScheduled: `'d'`,
  timesChanged: `'s'`,
} as const;

/**
 * SQL that sends a hint at commit.
 *
 * @param channel the channel as a string constant.
 * @param payload SQL expression: one of `hintPayload`, or a `case` over them.
 */
export const sendHint = (channel: string, payload: string): string => `pg_notify(${channel}, ${payload})`;

/** Reads a payload. One that is not known counts as `TimesChanged`: a needless pulse is the safe answer. */
export function parseHint(payload: string): Hint {
  const rest = payload.slice(2);
  if (payload.startsWith('q:')) return { kind: 'JobsReady', queue: rest };
  if (payload.startsWith('c:')) return { kind: 'CancelRequested', jobId: rest };
  return { kind: payload === 'p' ? 'GroupsChanged' : 'TimesChanged' };
}
