import type pg from 'pg';

/** The driver's own end of the wire: each message of the extended protocol by itself. */
type Wire = {
  readonly stream: { cork: () => void; uncork: () => void; write: (bytes: Buffer) => void };
  parse: (message: { text: string }) => void;
  bind: (message: {
    portal?: string;
    values: readonly (string | null)[];
    valueMapper: (value: unknown) => unknown;
  }) => void;
  describe: (message: { type: 'P' | 'S'; name: string }) => void;
  execute: (message: { portal?: string; rows?: number }) => void;
  sync: () => void;
};

/** One statement of an exchange, or some that are only run, in their order. Rows come as the texts that the server sent. */
export type Part = {
  readonly send: (wire: Wire) => void;
  /** How many statements these are. Default 1. */
  readonly count?: number;
  /** Nothing is run: it ends with the description. */
  readonly isDescribedOnly?: boolean;
  /** Told of the columns of a statement that is described. */
  readonly onColumns?: (fields: readonly pg.FieldDef[]) => void;
  readonly onRow?: (cells: readonly (string | null)[]) => void;
  /** Told that it has ended, or that there is more in the portal than was asked for. */
  readonly onEnd?: (isSuspended: boolean) => void;
};

/** The portal of the statement that is read; the others need none of their own. */
const readPortal = 'svc_read';
const asIs = (value: unknown): unknown => value;

/** Runs texts without values or rows, one after the other, each to its end. */
export const runTexts = (texts: readonly string[]): Part => {
  const bytes = textMessages(texts);
  return { send: (wire) => wire.stream.write(bytes), count: texts.length };
};

/** Runs a text with values and takes its rows. */
export const runBound = (
  text: string,
  values: readonly (string | null)[],
  onRow: NonNullable<Part['onRow']>,
): Part => ({
  send: (wire) => {
    wire.parse({ text });
    wire.bind({ values, valueMapper: asIs });
    wire.execute({});
  },
  onRow,
});

/** Parses exactly one statement, plans it and asks for its columns; nothing of it is run. */
export const prepareRead = (
  text: string,
  values: readonly (string | null)[],
  onColumns?: Part['onColumns'],
): Part => ({
  send: (wire) => {
    wire.parse({ text });
    wire.bind({ portal: readPortal, values, valueMapper: asIs });
    wire.describe({ type: 'P', name: readPortal });
  },
  isDescribedOnly: true,
  ...(onColumns && { onColumns }),
});

/** Parses exactly one statement and asks for its columns; it is neither planned nor run. */
export const describeText = (text: string, onColumns: NonNullable<Part['onColumns']>): Part => ({
  send: (wire) => {
    wire.parse({ text });
    wire.describe({ type: 'S', name: '' });
  },
  isDescribedOnly: true,
  onColumns,
});

/** Reads so many rows of the prepared statement. */
export const readRows = (
  rowCount: number,
  onRow: NonNullable<Part['onRow']>,
  onEnd: NonNullable<Part['onEnd']>,
): Part => ({
  send: (wire) => wire.execute({ portal: readPortal, rows: rowCount }),
  onRow,
  onEnd,
});

/**
 * Sends statements in one write and waits for the answers to all of them: one round trip. The server passes over what
 * follows a statement that failed. Resolves with the columns of the statement that was described, if one was.
 *
 * @param onBegun  told when the first statement has ended: from then on the server is known to be at work on these.
 */
export function exchange(
  client: pg.Client,
  parts: readonly Part[],
  onBegun?: () => void,
): Promise<readonly pg.FieldDef[]> {
  return new Promise((resolve, reject) => {
    let fields: readonly pg.FieldDef[] = [];
    let failure: unknown;
    let at = 0;
    let ended = 0;
    const endStatement = (isSuspended: boolean) => {
      if (at === 0 && ended === 0) onBegun?.();
      ended += 1;
      const part = parts[at];
      if (part && ended < (part.count ?? 1)) return;
      // Rows that could not be taken are no end.
      if (failure === undefined) part?.onEnd?.(isSuspended);
      at += 1;
      ended = 0;
    };
    const query = {
      submit(connection: unknown) {
        const wire = connection as Wire;
        wire.stream.cork();
        for (const part of parts) part.send(wire);
        wire.sync();
        wire.stream.uncork();
      },
      handleRowDescription(message: { fields: readonly pg.FieldDef[] }) {
        fields = message.fields;
        parts[at]?.onColumns?.(fields);
        if (parts[at]?.isDescribedOnly) endStatement(false);
      },
      handleDataRow(message: { fields: readonly (string | null)[] }) {
        // What throws here would throw in the socket's own reader.
        try {
          if (failure === undefined) parts[at]?.onRow?.(message.fields);
        } catch (error) {
          failure = error;
        }
      },
      handlePortalSuspended: () => endStatement(true),
      handleCommandComplete: () => endStatement(false),
      handleEmptyQuery: () => endStatement(false),
      handleCopyInResponse(connection: { sendCopyFail: (reason: string) => void; sync: () => void }) {
        connection.sendCopyFail('Nothing is sent.');
        connection.sync();
      },
      handleCopyData: () => undefined,
      // The driver lets go of a query that has failed: it is not told when the server is ready again.
      handleError: reject,
      handleReadyForQuery: () => (failure === undefined ? resolve(fields) : reject(failure)),
    };
    client.query(query as unknown as pg.Submittable);
  });
}

/** Type, length and empty name of a Parse message; after the text, its end and the number of parameter types. */
const parseHead = Buffer.from('P\0\0\0\0\0', 'latin1');
const parseTail = Buffer.alloc(3);
/** Bind and Execute of the unnamed statement and portal: no values, all rows. */
const bindAndExecute = Buffer.from('B\0\0\0\f\0\0\0\0\0\0\0\0E\0\0\0\t\0\0\0\0\0', 'latin1');

/**
 * The messages that parse, bind and run each text, in one buffer. The driver would make three of each text, and a dozen
 * of ours stand around everybody's statement.
 */
function textMessages(texts: readonly string[]): Buffer {
  return Buffer.concat(
    texts.flatMap((text) => {
      const head = Buffer.from(parseHead);
      const body = Buffer.from(text);
      head.writeUInt32BE(head.length - 1 + body.length + parseTail.length, 1);
      return [head, body, parseTail, bindAndExecute];
    }),
  );
}
