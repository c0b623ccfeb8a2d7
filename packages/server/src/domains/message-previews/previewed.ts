import type { Message } from '@svc/channels';
import type { Decision } from '../runs/index.ts';

/** Number of rows for one recipient, when rows are routed. */
export type Share = { readonly recipientId: number; readonly rowCount: number };

/** A message and its recipients, as they would be sent. */
export type Previewed = {
  readonly message: Message;
  readonly outcome: Decision;
  readonly notificationId: number | null;
  /** Routing of rows to recipients; null when all recipients receive the same rows. */
  readonly routed: {
    readonly shares: readonly Share[];
    /** Null when the number is no longer stored. */
    readonly unroutedCount: number | null;
    /** Recipient of the shown message; null for the message of all recipients. */
    readonly recipientId: number | null;
    /** False when no message would be sent. */
    readonly isSent: boolean;
  } | null;
};

/** Returns the requested recipient, or the first recipient with rows. */
export const chosenOf = (shares: readonly Share[], requestedId: number | null): number | null =>
  requestedId ?? shares[0]?.recipientId ?? null;
