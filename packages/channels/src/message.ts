import type { CellKind } from './exact-json.ts';

/** What an anomaly detection found. */
export type MessageAnomaly = {
  readonly isAnomaly: boolean;
  readonly severity: string;
  readonly explanation: string;
};

/** How an alert stands that lasts while there are rows. */
export type MessageAlert = {
  readonly state: string;
  /** ISO 8601. */
  readonly since: string;
  /** What is new of it; absent when something else is told. */
  readonly news?: 'Opened' | 'StillFiring' | 'Recovered';
};

/** What became of rows since the run before, of those kinds that are told. */
export type MessageRowChanges = {
  readonly new?: number;
  readonly changed?: number;
  readonly vanished?: number;
};

/** A file that goes with the message; only email delivers it (spec 3 section 5.2). */
export type Attachment = {
  readonly name: string;
  readonly contentType: string;
  /** Rows of the result that it holds. */
  readonly rowCount: number;
  /** The file's bytes, read when a channel sends them: most channels never ask. */
  readonly read: () => Promise<Uint8Array>;
};

/**
 * What a run has to tell, before any channel has shaped it. Rows are PII-masked already: channels mask nothing.
 * Optional members are absent when there is nothing to say.
 */
export type Message = {
  /** The query name that the subscription is shown by. */
  readonly subscriptionName: string;
  /** Absent for messages that belong to no subscription (data-quality alerts). */
  readonly subscriptionId?: number;
  readonly dataSourceName: string;
  /** Present only when the subscription shows the query. */
  readonly queryText?: string;
  /** Full row count of the run; absent when it timed out before it was known. */
  readonly totalRows?: number;
  /** Present only in messages of data contracts: the rows of the message are rules that did not pass. */
  readonly failedRules?: {
    /** Rows of the table that broke them, summed over the rules; absent where no rule counts rows. */
    readonly rowCount?: number;
  };
  readonly columns: readonly string[];
  /** Kinds of the columns, aligned with them; absent in messages of earlier versions. */
  readonly columnKinds?: readonly CellKind[];
  /** First rows, aligned with `columns`, cut by the subscription's Max rows; channels show 20 at most. */
  readonly rows: readonly (readonly unknown[])[];
  readonly executionTimeMs?: number;
  /** Row count of the last non-skipped run; absent on the first run. */
  readonly previousCount?: number;
  readonly timedOut: boolean;
  readonly anomaly?: MessageAnomaly;
  readonly alert?: MessageAlert;
  /** Present only where the message tells which rows changed: these are its rows. */
  readonly rowChanges?: MessageRowChanges;
  /** `{BaseUrl}/notifications/{id}`; present only when a base URL is set. */
  readonly notificationUrl?: string;
  readonly timestamp: Date;
  readonly attachment?: Attachment;
};

/** The neutral name of the service in messages. */
export const sourceName = 'Svc';

/** Rows that any message shows at most (spec 3 section 8). */
export const previewRowsMax = 20;

/** The title of a message: email subject, block header. One line, whatever the names hold. */
export function titleOf(message: Message): string {
  return singleLine(`[${sourceName}] ${message.dataSourceName} - ${message.subscriptionName}`);
}

/** The first rows, at most 20 and at most what the channel shows. */
export function previewRowsOf(
  message: Message,
  channelRowsMax = previewRowsMax,
): readonly (readonly unknown[])[] {
  return message.rows.slice(0, Math.min(previewRowsMax, channelRowsMax));
}

/** The anomaly when detection flagged the run, and only then. */
export function flaggedAnomalyOf(message: Message): MessageAnomaly | undefined {
  return message.anomaly?.isAnomaly ? message.anomaly : undefined;
}

/** What is new of an alert, or of rows, in a sentence; undefined when nothing is. */
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

/** The link when it is one that a reader may follow: http or https. */
export function linkOf(message: Message): string | undefined {
  const { notificationUrl } = message;
  if (notificationUrl === undefined || !URL.canParse(notificationUrl)) return undefined;
  const url = new URL(notificationUrl);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : undefined;
}

// Control characters, line separators, and the marks that turn the direction of writing: they let a value look like
// something else than it is, or end a header line.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const unprintable = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g;

/** A text on one line without control characters. */
export function singleLine(text: string): string {
  return text.replace(unprintable, ' ').trim();
}

/** A text without control characters other than line ends and tabs. */
export function printable(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(unprintable, (run) => run.replace(/[^\n\t]/g, ''));
}

/** Cuts a text to a number of characters as people count them, with an ellipsis as the last one. */
export function cut(text: string, charactersMax: number): string {
  // Nothing longer than this many code units can be needed, however the text is composed.
  const characters = Array.from(text.slice(0, charactersMax * 2 + 2));
  if (characters.length <= charactersMax && text.length <= charactersMax * 2 + 2) return text;
  return `${characters.slice(0, charactersMax - 1).join('')}…`;
}
