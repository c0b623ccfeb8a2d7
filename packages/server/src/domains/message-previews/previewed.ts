import type { Message } from '@svc/channels';
import type { Decision } from '../runs/index.ts';

/** Rows of one recipient, where recipients get rows of their own. */
export type Share = { readonly recipientId: number; readonly rowCount: number };

/** A message as it would leave, and whom it would go to. */
export type Previewed = {
  readonly message: Message;
  readonly outcome: Decision;
  readonly notificationId: number | null;
  /** Where recipients get rows of their own; null: all get the same. */
  readonly routed: {
    readonly shares: readonly Share[];
    /** Null where it is not known any more. */
    readonly unroutedCount: number | null;
    /** Whose message it is; null: everybody's. */
    readonly recipientId: number | null;
    /** Whether there is a message at all. */
    readonly isSent: boolean;
  } | null;
};

/** Whose message is shown: that of the one that is asked for, else of the first who has rows. */
export const chosenOf = (shares: readonly Share[], asked: number | null): number | null =>
  asked ?? shares[0]?.recipientId ?? null;
