/**
 * Message that processes send each other through `NOTIFY`. A hint only wakes a process. Polling covers lost and unknown
 * hints, which cost time and nothing else. During an upgrade, processes of two versions share a channel.
 */
export type Hint =
  /** Jobs of the queue may be claimed. */
  | { readonly kind: 'JobsReady'; readonly queue: string }
  /** A user requested the cancellation of a running job. */
  | { readonly kind: 'CancelRequested'; readonly jobId: string }
  /** A job ended or a continuation was inserted. Batches, messages and continuations must be checked. */
  | { readonly kind: 'GroupsChanged' }
  /** A due time, a schedule, a queue or a limit changed. The next pulse is due immediately. */
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
 * Returns SQL that sends a hint at commit.
 *
 * @param channel the channel as a string constant.
 * @param payload SQL expression: one of `hintPayload`, or a `case` over them.
 */
export const sendHint = (channel: string, payload: string): string => `pg_notify(${channel}, ${payload})`;

/** Parses a payload. An unknown payload counts as `TimesChanged`: an unnecessary pulse is harmless. */
export function parseHint(payload: string): Hint {
  const rest = payload.slice(2);
  if (payload.startsWith('q:')) return { kind: 'JobsReady', queue: rest };
  if (payload.startsWith('c:')) return { kind: 'CancelRequested', jobId: rest };
  return { kind: payload === 'p' ? 'GroupsChanged' : 'TimesChanged' };
}
