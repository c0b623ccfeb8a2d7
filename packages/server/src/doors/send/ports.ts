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

/** Why a recipient was left out: a closed list, with the texts that history shows. */
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

/** A code of `skipTexts`. */
export type SkipReason = keyof typeof skipTexts;

/** Why the outcome of an attempt is not known. */
export const unknownTexts = {
  Interrupted: 'The service stopped while the delivery was under way; it may have arrived.',
} as const;

/** A code of `unknownTexts`. */
export type UnknownReason = keyof typeof unknownTexts;

/** Why a delivery was not made, or is not known to have been: everything that the ledger may hold. */
export type DeliveryReason = FailureReason | SkipReason | UnknownReason;

const reasonTexts: Readonly<Record<DeliveryReason, string>> = {
  ...failureTexts,
  ...skipTexts,
  ...unknownTexts,
};

/** Who reads a reason. Readers of technical details are the holders of the Admin or the SecurityAdmin role. */
export type ReasonReader = { readonly showsTechnical: boolean };

const technical = new Map(Object.entries(technicalTexts));

/**
 * Returns the text that history shows for a stored reason. Anything that is no recorded reason reads as the generic one,
 * so that no other text ever shows (spec 3 section 2.5).
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

/** Returns what to do about a stored reason; null where there is nothing, or the text is no recorded reason. */
export const remedyOfReason = (
  stored: string,
  { showsTechnical }: ReasonReader = { showsTechnical: false },
): string | null =>
  (showsTechnical ? technical.get(stored)?.remedy : undefined) ?? remedies.get(stored) ?? null;

/** The text for a stored note on a delivery that was made. Anything else reads as nothing to say. */
export function textOfNote(stored: string): string {
  return new Map<string, string>(Object.entries(noteTexts)).get(stored) ?? '';
}

/** Whether approvals govern a recipient, as of the moment of reading. */
export type RecipientApproval =
  /** The workflow or its cover of recipients is off, or the recipient is older than the workflow. */
  | { readonly kind: 'NotGoverned' }
  | {
      readonly kind: 'Governed';
      readonly state: 'Approved' | 'AwaitingApproval' | 'Rejected';
      /** Null when nothing of the recipient was ever approved. */
      readonly approvedHash: string | null;
    };

/** A recipient as stored now. */
export type RecipientRow = StoredSecrets & {
  readonly bodyTemplate: string | null;
  readonly numbers: NumberFormat;
  readonly approval: RecipientApproval;
};

/** Reads recipients; implemented by their domain. */
export type Recipients = {
  /**
   * The recipient as it is now, in one statement, never from a cache: the check of an approval is only worth as
   * much as this reading is fresh. Undefined when it does not exist or is archived.
   */
  readonly readCurrent: (recipientId: number) => Promise<RecipientRow | undefined>;
};

/** A run as it is found: its id, and the due time that tells in which month it is kept. */
export type RunKey = { readonly id: number; readonly dueAt: Date };

/** A message of a run: 0 is the one that everybody gets, the others are a recipient's own. */
export type MessageKey = { readonly run: RunKey; readonly messageNo: number };

/** A delivery in the ledger: which run's message, for whom, the how-manieth attempt (from 1). */
export type DeliveryKey = MessageKey & { readonly recipientId: number; readonly attempt: number };

/** A message in one word: `12` for message 0 of run 12, `12.3` for message 3. */
export const messageWordOf = ({ run, messageNo }: MessageKey): string =>
  messageNo === 0 ? `${run.id}` : `${run.id}.${messageNo}`;

/** A delivery in one word, for logs and for the headers by which a receiver names it. */
export const deliveryIdOf = (key: DeliveryKey): string =>
  `run-${messageWordOf(key)}-${key.recipientId}-${key.attempt}`;

/** An attempt as it is written before anything is sent. */
export type AttemptStart = {
  readonly delivery: DeliveryKey;
  /** The same for every attempt at the same message. */
  readonly messageId: string;
};

/** An attempt as it is written when it is over. */
export type AttemptEnd = {
  readonly state: 'Sent' | 'Failed' | 'Unknown' | 'Skipped';
  readonly reason: DeliveryReason | null;
  /** For a failure: false when surely nothing reached the other side. */
  readonly mayHaveArrived: boolean;
  /** `2xx` to `5xx`; null when no answer came. */
  readonly httpClass: string | null;
  /** The status itself, for the log alone; absent when no answer came. */
  readonly httpStatus?: number;
  readonly bytesSent: number;
  readonly durationMs: number;
  /** How long the destination asks to be left alone, in seconds; absent when it asks for nothing. */
  readonly retryAfterSeconds?: number;
  /** The other side's id of what was made, such as an issue's key. */
  readonly remoteId: string | null;
  /** What the run's comment should say although the message was sent. */
  readonly notes: readonly DeliveryNote[];
};

/** The ledger of deliveries; implemented by its domain. */
export type Ledger = {
  /**
   * Stores an attempt as `Sending`, committed before it resolves. `AlreadyAttempted` when this delivery has a row:
   * an attempt is made once, also when a job runs again after a crash. Rows that stay `Sending` are the owner's to
   * mark `Unknown` once no process can be at them any more.
   */
  readonly begin: (attempt: AttemptStart) => Promise<'Started' | 'AlreadyAttempted' | 'RecipientMissing'>;
  /**
   * Takes back an attempt that was begun and of which surely nothing left, so that a later execution makes it. One
   * that is not `Sending` any more stays as it is.
   */
  readonly withdraw: (attempt: AttemptStart) => Promise<void>;
  /** Stores how an attempt ended. */
  readonly finish: (attempt: AttemptStart, end: AttemptEnd) => Promise<void>;
};

/** What a send without a recipient is given (spec 3 section 5.6): it is not checked, and not in the ledger. */
export type DirectTarget = {
  readonly type: NotificationType;
  readonly destination: string;
  readonly customHeaders?: Readonly<Record<string, string>>;
  readonly bodyTemplate?: string;
};
