import {
  type DeliveryNote,
  type FailureReason,
  failureRemedies,
  failureTexts,
  type NotificationType,
  type NumberFormat,
  noteTexts,
  technicalTexts,
} from '@svc/channels';
import type { StoredSecrets } from './stored-recipient.ts';

/** Closed list of reasons why a recipient was skipped, with their texts for the history. */
export const skipTexts = {
  RecipientMissing: 'The recipient no longer exists.',
  AwaitingApproval: 'The recipient awaits approval.',
  Rejected: 'The change of the recipient was rejected.',
  ChangedSinceApproval: 'The recipient differs from what was approved.',
  ApprovalUnverifiable: 'The approval of the recipient cannot be verified under the configured keys.',
  MessageGone: 'The message of the run is no longer kept.',
  NotMade: 'The ordered delivery was not made: its job was cancelled or lost. Order it again.',
  AlreadyAttempted: 'This delivery was attempted before; it is not repeated by itself.',
} as const;

export type SkipReason = keyof typeof skipTexts;

/** Reasons why the outcome of an attempt is unknown. */
export const unknownTexts = {
  Interrupted: 'The service stopped while the delivery was under way; it may have arrived.',
} as const;

export type UnknownReason = keyof typeof unknownTexts;

/** All reasons that the ledger stores. */
export type DeliveryReason = FailureReason | SkipReason | UnknownReason;

const reasonTexts: Readonly<Record<DeliveryReason, string>> = {
  ...failureTexts,
  ...skipTexts,
  ...unknownTexts,
};

/** Reader of a reason. Only holders of the Admin or SecurityAdmin role see technical details. */
export type ReasonReader = { readonly showsTechnical: boolean };

const technical = new Map(Object.entries(technicalTexts));

/**
 * Returns the text of a stored reason for the history. An unknown reason gets the generic text, so that no other text is
 * ever shown (spec 3 section 2.5).
 */
export function textOfReason(
  stored: string,
  { showsTechnical }: ReasonReader = { showsTechnical: false },
): string {
  const detail = showsTechnical ? technical.get(stored) : undefined;
  if (detail) return detail.text;
  return new Map<string, string>(Object.entries(reasonTexts)).get(stored) ?? failureTexts.DeliveryFailed;
}

const remedies = new Map<string, string>(
  Object.entries({
    ...failureRemedies,
    AwaitingApproval: 'Have the change approved on the Approvals page, then send again.',
    Rejected: 'Edit the recipient, or detach it.',
    ChangedSinceApproval: 'Save the recipient again, and have it approved.',
    Interrupted: 'Ask the receiver whether it arrived before sending again.',
  } satisfies { readonly [reason in DeliveryReason]?: string }),
);

/** Returns the remedy for a stored reason. Null if there is none, or if the reason is unknown. */
export const remedyOfReason = (
  stored: string,
  { showsTechnical }: ReasonReader = { showsTechnical: false },
): string | null =>
  (showsTechnical ? technical.get(stored)?.remedy : undefined) ?? remedies.get(stored) ?? null;

/** Returns the text for a stored note on a successful delivery. An unknown note gives an empty text. */
export function textOfNote(stored: string): string {
  return new Map<string, string>(Object.entries(noteTexts)).get(stored) ?? '';
}

/** Approval status of a recipient at the time of reading. */
export type RecipientApproval =
  /** The workflow is off, does not cover recipients, or is newer than the recipient. */
  | { readonly kind: 'NotGoverned' }
  | {
      readonly kind: 'Governed';
      readonly state: 'Approved' | 'AwaitingApproval' | 'Rejected';
      /** Null if no definition of the recipient was ever approved. */
      readonly approvedHash: string | null;
    };

/** The current row of a recipient. */
export type RecipientRow = StoredSecrets & {
  readonly bodyTemplate: string | null;
  readonly numbers: NumberFormat;
  readonly approval: RecipientApproval;
};

/** Reads recipients. Implemented by the domain of recipients. */
export type Recipients = {
  /**
   * Reads the current recipient in one statement, never from a cache: the check of an approval depends on fresh data.
   * Undefined if it does not exist or is archived.
   */
  readonly readCurrent: (recipientId: number) => Promise<RecipientRow | undefined>;
};

/** Key of a run: its id, and the due time that determines its monthly partition. */
export type RunKey = { readonly id: number; readonly dueAt: Date };

/** Key of a message of a run. 0 is the message for all recipients; other numbers are messages for one recipient. */
export type MessageKey = { readonly run: RunKey; readonly messageNo: number };

/** Key of a delivery in the ledger: the run's message, the recipient and the attempt number (from 1). */
export type DeliveryKey = MessageKey & { readonly recipientId: number; readonly attempt: number };

/** Returns the short form of a message key: `12` for message 0 of run 12, `12.3` for message 3. */
export const messageWordOf = ({ run, messageNo }: MessageKey): string =>
  messageNo === 0 ? `${run.id}` : `${run.id}.${messageNo}`;

/** Returns the id of a delivery for logs and for request headers. */
export const deliveryIdOf = (key: DeliveryKey): string =>
  `run-${messageWordOf(key)}-${key.recipientId}-${key.attempt}`;

/** Ledger entry of an attempt before anything is sent. */
export type AttemptStart = {
  readonly delivery: DeliveryKey;
  /** The same for every attempt at the same message. */
  readonly messageId: string;
};

/** Ledger entry of a finished attempt. */
export type AttemptEnd = {
  readonly state: 'Sent' | 'Failed' | 'Unknown' | 'Skipped';
  readonly reason: DeliveryReason | null;
  /** For a failure: false if the message certainly did not reach the destination. */
  readonly mayHaveArrived: boolean;
  /** `2xx` to `5xx`; null if no answer arrived. */
  readonly httpClass: string | null;
  /** HTTP status, only for the log. Absent if no answer arrived. */
  readonly httpStatus?: number;
  readonly bytesSent: number;
  readonly durationMs: number;
  /** Wait requested by the destination, in seconds. Absent if it requests none. */
  readonly retryAfterSeconds?: number;
  /** Id that the destination assigned, such as the key of an issue. */
  readonly remoteId: string | null;
  /** Notes for the run's comment, although the message was sent. */
  readonly notes: readonly DeliveryNote[];
};

/** Ledger of deliveries. Implemented by the domain of deliveries. */
export type Ledger = {
  /**
   * Stores an attempt as `Sending`. The row is committed when the promise resolves. Returns `AlreadyAttempted` if the
   * delivery has a row: an attempt is made once, also if a job runs again after a crash. The owner of the ledger marks
   * remaining `Sending` rows as `Unknown` when no process can be working on them.
   */
  readonly begin: (attempt: AttemptStart) => Promise<'Started' | 'AlreadyAttempted' | 'RecipientMissing'>;
  /**
   * Removes a started attempt that certainly sent nothing, so that a later execution can make it. An attempt that is no
   * longer `Sending` is unchanged.
   */
  readonly withdraw: (attempt: AttemptStart) => Promise<void>;
  /** Stores the end of an attempt. */
  readonly finish: (attempt: AttemptStart, end: AttemptEnd) => Promise<void>;
};

/** Target of a send without a recipient (spec 3 section 5.6). It has no approval check and no ledger entry. */
export type DirectTarget = {
  readonly type: NotificationType;
  readonly destination: string;
  readonly customHeaders?: Readonly<Record<string, string>>;
  readonly bodyTemplate?: string;
};
