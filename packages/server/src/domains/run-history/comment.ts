import { count, plural } from '@svc/contract';
import { textOfNote, textOfReason } from '../../gateways/send/index.ts';

/** Reason for one recipient of a run, stored with the run. */
export type RecipientNote = { readonly recipientId: number; readonly reason: string };

/** Message of the database about a failed query. The run-SQL gateway has removed values of rows. */
export type StatementError = {
  readonly message: string;
  /** Line in the step's text, or in the final query. Null when the database reports no position. */
  readonly line: number | null;
  readonly column: number | null;
};

/**
 * Reason why a run ended, from a closed list. The reason and its facts are stored. The text is created for display. The
 * cleaned message of a failed query is the only text of a database among the facts. Texts of destinations are never
 * stored.
 */
export type RunReason =
  | {
      readonly reason: 'DeliveriesFailed';
      readonly failed: readonly RecipientNote[];
      readonly skipped: readonly RecipientNote[];
    }
  | { readonly reason: 'RecipientsSkipped'; readonly skipped: readonly RecipientNote[] }
  | {
      readonly reason: 'SentWithNotes';
      readonly notes: readonly RecipientNote[];
      readonly skipped: readonly RecipientNote[];
    }
  | { readonly reason: 'NobodyNotified' }
  | { readonly reason: 'NoRecipients' }
  | { readonly reason: 'OwnerNotified' }
  | { readonly reason: 'TaskAlone' }
  | { readonly reason: 'Snoozed' }
  | { readonly reason: 'StillFiring' }
  | { readonly reason: 'Superseded' }
  | { readonly reason: 'Baseline'; readonly rowCount: number }
  | { readonly reason: 'NothingChanged' }
  | { readonly reason: 'KeyColumnMissing'; readonly columns: readonly string[] }
  | { readonly reason: 'NothingRouted' }
  | { readonly reason: 'RoutingColumnMissing'; readonly column: string }
  | { readonly reason: 'RoutesUnreadable' }
  | { readonly reason: 'TooManyKeys'; readonly limit: number }
  | { readonly reason: 'AlertPending'; readonly runs: number; readonly of: number }
  | {
      readonly reason: 'QueryFailed';
      /** Null for the final query. */
      readonly stepOrder: number | null;
      /** Absent in runs of versions that did not store it. */
      readonly error?: StatementError;
    }
  | { readonly reason: 'SourceUnreachable' }
  | { readonly reason: 'SourceNotLinked' }
  | { readonly reason: 'QueryGone' }
  | { readonly reason: 'QueryNotApproved' }
  | { readonly reason: 'ParametersInvalid' }
  | { readonly reason: 'ResultTooLarge'; readonly limit: number }
  | { readonly reason: 'AttachmentTooLarge'; readonly limitBytes: number }
  | { readonly reason: 'SheetFull' }
  | {
      readonly reason: 'TimedOut';
      readonly seconds: number;
      /** Outcome of the message about the timeout, if it needs an explanation. */
      readonly told?: RunReason;
    }
  | { readonly reason: 'TimedOutSnoozed'; readonly seconds: number }
  | { readonly reason: 'Cancelled' }
  | { readonly reason: 'Interrupted' };

export type RunReasonWord = RunReason['reason'];

/** Maximum length of a stored database message, in characters. */
export const storedMessageLengthMax = 1_000;

/** Text for stored reasons that are not in the list. */
const genericComment = 'The run failed.';

const notesText = (notes: readonly RecipientNote[]): string =>
  notes.map(({ recipientId, reason }) => `Recipient ${recipientId}: ${textOfReason(reason)}`).join(' ');
const skippedText = (notes: readonly RecipientNote[]): string =>
  notes
    .map(({ recipientId, reason }) => `Recipient ${recipientId} was skipped: ${textOfReason(reason)}`)
    .join(' ');

const texts: { [W in RunReasonWord]: (reason: Extract<RunReason, { reason: W }>) => string } = {
  DeliveriesFailed: (reason) =>
    [notesText(reason.failed), skippedText(reason.skipped)].filter(Boolean).join(' '),
  RecipientsSkipped: (reason) => skippedText(reason.skipped),
  SentWithNotes: ({ notes, skipped }) =>
    [
      ...notes.map(({ recipientId, reason }) => `Recipient ${recipientId}: ${textOfNote(reason)}`),
      skippedText(skipped),
    ]
      .filter(Boolean)
      .join(' '),
  NobodyNotified: () =>
    'Nobody was notified: every recipient waits for approval of its destination. See the Approvals page.',
  NoRecipients: () => 'Nobody was notified: the subscription has no recipient. Attach one.',
  OwnerNotified: () => 'The data contract has no recipient. Its owner got a notice.',
  Snoozed: () => 'Not sent: alerts are snoozed.',
  Superseded: () =>
    'Not sent: a newer run came before the quiet hours ended, or what it watched was archived.',
  StillFiring: () => 'Not sent again: the rows are still there.',
  Baseline: ({ rowCount }) =>
    `Not sent: ${plural(rowCount, 'row is', 'rows are')} remembered, and later runs are compared with that.`,
  NothingChanged: () => 'Not sent: no row has changed in a way that the subscription reports.',
  KeyColumnMissing: ({ columns }) =>
    `The result no longer has what rows are compared by: ${columns.join(', ')}. Change the query, or the columns of the subscription.`,
  NothingRouted: () =>
    'Not sent: no route of the subscription names the value of any row, and nobody gets the others.',
  RoutingColumnMissing: ({ column }) =>
    `The result no longer has the column ${column}, which says whose a row is. Change the query, or the routing of the subscription.`,
  RoutesUnreadable: () =>
    'The values that rows are routed by cannot be decrypted. Configure the encryption key that they were stored under, or enter the routes again.',
  TooManyKeys: ({ limit }) =>
    `The result has more than ${plural(limit, 'row')} to remember. Narrow the query, or raise Svc:Subscriptions:RowMemoryMaxRows.`,
  AlertPending: ({ runs, of }) =>
    `Not sent yet: ${count(runs)} of ${plural(of, 'run')} in a row have found rows.`,
  TaskAlone: () => 'The subscription has no recipient. Its task holds the rows.',
  QueryFailed: ({ stepOrder }) =>
    `The query failed${stepOrder === null ? '' : ` in step ${stepOrder}`}. Preview it to see what the database says.`,
  SourceUnreachable: () => 'A data source could not be reached. Test its connection.',
  SourceNotLinked: () => "A data source of the query is no longer linked to the query's project.",
  QueryNotApproved: () => 'Nobody has approved the query yet.',
  QueryGone: () => 'The query or its project was archived. The subscription was stopped.',
  ParametersInvalid: () =>
    "The subscription's parameter values no longer fit the query. Make a new subscription.",
  ResultTooLarge: ({ limit }) =>
    `The result has more than ${plural(limit, 'row')}. Narrow the query, or raise Svc:Query:MaxExecutionRows.`,
  AttachmentTooLarge: ({ limitBytes }) =>
    `The attachment is larger than ${plural(limitBytes, 'byte')}. Lower the subscription's Max rows, or raise Svc:Notifications:AttachmentMaxBytes.`,
  SheetFull: () =>
    'The result has more rows than an XLSX sheet can hold. Choose CSV, or lower the Max rows of the subscription.',
  TimedOut: ({ seconds, told: messageReason }) =>
    [
      `The query ran longer than ${seconds} s and was stopped. Raise the subscription's timeout or narrow the query.`,
      messageReason && commentOf({ reason: messageReason.reason, detail: messageReason }),
    ]
      .filter(Boolean)
      .join(' '),
  TimedOutSnoozed: ({ seconds }) =>
    `The query ran longer than ${seconds} s and was stopped. Not sent: the subscription is snoozed.`,
  Cancelled: () => 'The run was cancelled.',
  Interrupted: () => 'The run was interrupted and could not be resumed.',
};

type StoredReason = { readonly reason: string | null; readonly detail: unknown };

/** Failed query with the database's message. Only for readers of the query, because the message can repeat its text. */
export type QueryFailure = StatementError & { readonly stepOrder: number | null };

/** Returns the failure in a stored reason. Null for other reasons, and when no message is stored. */
export function queryFailureOf({ reason, detail }: StoredReason): QueryFailure | null {
  if (reason !== 'QueryFailed' || typeof detail !== 'object' || detail === null) return null;
  const { stepOrder, error } = detail as { readonly stepOrder?: unknown; readonly error?: unknown };
  if (typeof error !== 'object' || error === null) return null;
  const { message, line, column } = error as Readonly<Record<keyof StatementError, unknown>>;
  if (typeof message !== 'string') return null;
  return { message, stepOrder: numberOf(stepOrder), line: numberOf(line), column: numberOf(column) };
}

const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** Returns the text of a stored reason, with the database's message. Only for readers of the query. */
export function commentForReaders(stored: StoredReason): string | null {
  const failure = queryFailureOf(stored);
  if (failure === null) return commentOf(stored);
  const { message, stepOrder, line, column } = failure;
  const step = stepOrder === null ? 'the final query' : `step ${stepOrder}`;
  const place = line === null ? '' : `, line ${line}, column ${column}`;
  return `The query failed in ${step}${place}: ${message}`;
}

/** Returns the text of a stored reason, without text of a database. Null when no reason is stored. */
export function commentOf(stored: StoredReason): string | null {
  if (stored.reason === null) return null;
  if (!Object.hasOwn(texts, stored.reason)) return genericComment;
  const facts = typeof stored.detail === 'object' && stored.detail !== null ? stored.detail : {};
  const text = texts[stored.reason as RunReasonWord] as (reason: unknown) => string;
  try {
    return text({ reason: stored.reason, ...facts });
  } catch {
    // The facts are of another version.
    return genericComment;
  }
}
