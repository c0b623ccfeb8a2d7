import type { Message } from '@svc/channels';

/**
 * Message in the form of any version of the service that stored it. A member that is renamed needs a conversion in
 * `presentForm`: held messages and resends of an earlier version lose it otherwise.
 */
export type StoredMessage = Omit<Message, 'timestamp' | 'failedRules'> & {
  readonly timestamp: string;
  readonly failedRules?: {
    readonly violationCount?: number;
    /** Earlier name of `violationCount`. */
    readonly rowCount?: number;
  };
};

/** Returns a stored message with the present names of its members. */
export function presentForm({ timestamp, failedRules, ...message }: StoredMessage): Message {
  const violationCount = failedRules?.violationCount ?? failedRules?.rowCount;
  return {
    ...message,
    ...(failedRules && { failedRules: violationCount === undefined ? {} : { violationCount } }),
    timestamp: new Date(timestamp),
  };
}
