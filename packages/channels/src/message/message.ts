import type { CellKind } from './exact-json.ts';

/** Result of an anomaly detection. */
export type MessageAnomaly = {
  readonly isAnomaly: boolean;
  readonly severity: string;
  readonly explanation: string;
};

/** State of an alert that lasts while there are rows. */
export type MessageAlert = {
  readonly state: string;
  /** ISO 8601. */
  readonly since: string;
  /** Change of the alert that this message reports; absent if the message reports something else. */
  readonly news?: 'Opened' | 'StillFiring' | 'Recovered';
};

/** Row counts by kind of change since the previous run, for the reported kinds. */
export type MessageRowChanges = {
  readonly new?: number;
  readonly changed?: number;
  readonly vanished?: number;
};

/** A file of the message; only email delivers it (spec 3 section 5.2). */
export type Attachment = {
  readonly name: string;
  readonly contentType: string;
  /** Rows of the result in the file. */
  readonly rowCount: number;
  /** Reads the file's bytes at delivery, because most channels send no file. */
  readonly read: () => Promise<Uint8Array>;
};

/**
 * Content of a run's message before a channel formats it. Personal data in rows is already masked: channels mask
 * nothing. Optional members are absent when they do not apply. The service stores messages and can send them after an
 * upgrade: a renamed member needs a conversion in `run-messages/stored-message.ts`.
 */
export type Message = {
  /** Displayed name of the subscription: its query name. */
  readonly subscriptionName: string;
  /** Absent for messages that belong to no subscription (data-quality alerts). */
  readonly subscriptionId?: number;
  readonly dataSourceName: string;
  /** Present only when the subscription shows the query. */
  readonly queryText?: string;
  /** Full row count of the run; absent if the run timed out before counting. */
  readonly totalRows?: number;
  /** Present only in messages of data contracts: their rows are rules that did not pass. */
  readonly failedRules?: {
    /** Sum of the violations of each rule; absent if no rule counts them. A row can violate several rules. */
    readonly violationCount?: number;
  };
  readonly columns: readonly string[];
  /** Kinds of the columns, aligned with them; absent in messages of earlier versions. */
  readonly columnKinds?: readonly CellKind[];
  /** First rows, in the order of `columns`, up to the subscription's Max rows; channels show 20 at most. */
  readonly rows: readonly (readonly unknown[])[];
  readonly executionTimeMs?: number;
  /** Row count of the last non-skipped run; absent on the first run. */
  readonly previousCount?: number;
  readonly timedOut: boolean;
  readonly anomaly?: MessageAnomaly;
  readonly alert?: MessageAlert;
  /** Present only if the message reports changed rows, which are then its rows. */
  readonly rowChanges?: MessageRowChanges;
  /** `{BaseUrl}/notifications/{id}`; present only when a base URL is set. */
  readonly notificationUrl?: string;
  readonly timestamp: Date;
  readonly attachment?: Attachment;
};

/** Neutral name of the service in messages. */
export const sourceName = 'Svc';

/** Rows of any message, at most (spec 3 section 8). */
export const previewRowsMax = 20;

/** Returns the title of a message, for email subjects and block headers. It is a single line for all names. */
export function titleOf(message: Message): string {
  return singleLine(`[${sourceName}] ${message.dataSourceName} - ${message.subscriptionName}`);
}

/** Returns the first rows: at most 20, and at most the channel's limit. */
export function previewRowsOf(
  message: Message,
  channelRowsMax = previewRowsMax,
): readonly (readonly unknown[])[] {
  return message.rows.slice(0, Math.min(previewRowsMax, channelRowsMax));
}

/** Returns the anomaly only if detection flagged the run. */
export function flaggedAnomalyOf(message: Message): MessageAnomaly | undefined {
  return message.anomaly?.isAnomaly ? message.anomaly : undefined;
}

/** Returns a sentence about the change of an alert or of rows; undefined without a change. */
export function newsSentenceOf({ alert, rowChanges }: Message): string | undefined {
  if (rowChanges) return rowChangesSentence(rowChanges);
  switch (alert?.news) {
    case 'Opened':
      return 'Opened: there are rows now.';
    case 'StillFiring':
      return `Reminder: there have been rows since ${minuteOf(alert.since)}.`;
    case 'Recovered':
      return 'Recovered: there are no rows any more.';
    default:
      return undefined;
  }
}

/** `2 new rows, 1 changed, 3 gone.` */
function rowChangesSentence({ new: added, changed, vanished }: MessageRowChanges): string {
  const parts = [
    { count: added, word: 'new' },
    { count: changed, word: 'changed' },
    { count: vanished, word: 'gone' },
  ].flatMap(({ count, word }) => (count ? [{ count, word }] : []));
  return `${parts
    .map(({ count, word }, index) => {
      const noun = index > 0 ? '' : count === 1 ? ' row' : ' rows';
      return word === 'new' ? `${count} new${noun}` : `${count}${noun} ${word}`;
    })
    .join(', ')}.`;
}

/** `2026-01-02 03:04 UTC`. */
const minuteOf = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;

/** Returns the link if its scheme is http or https. */
export function linkOf(message: Message): string | undefined {
  const { notificationUrl } = message;
  if (notificationUrl === undefined || !URL.canParse(notificationUrl)) return undefined;
  const url = new URL(notificationUrl);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : undefined;
}

// Control characters, line separators, and marks that change the writing direction. They can disguise a value or end a
// header line.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const unprintable = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g;

/** Returns the text on one line without control characters. */
export function singleLine(text: string): string {
  return text.replace(unprintable, ' ').trim();
}

/** Removes control characters except line feeds and tabs. Every line end becomes a line feed. */
export function printable(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(unprintable, (run) => run.replace(/[^\n\t]/g, ''));
}

/** Cuts a text to a number of code points. An ellipsis replaces the last one. */
export function cut(text: string, charactersMax: number): string {
  // The result never needs more code units than this: a code point has at most two.
  const characters = Array.from(text.slice(0, charactersMax * 2 + 2));
  if (characters.length <= charactersMax && text.length <= charactersMax * 2 + 2) return text;
  return `${characters.slice(0, charactersMax - 1).join('')}…`;
}
