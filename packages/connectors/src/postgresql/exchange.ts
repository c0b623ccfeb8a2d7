import type pg from 'pg';

/** The driver's own end of the wire: each message of the extended protocol by itself. */
type Wire = {
  readonly stream: { cork: () => void; uncork: () => void };
  parse: (message: { text: string }) => void;
  bind: (message: {
    portal?: string;
    values: readonly (string | null)[];
    valueMapper: (value: unknown) => unknown;
  }) => void;
  describe: (message: { type: 'P'; name: string }) => void;
  execute: (message: { portal?: string; rows?: number }) => void;
  sync: () => void;
};

/** One statement of an exchange, in its order. Rows come as the texts that the server sent. */
type Part = {
  readonly send: (wire: Wire) => void;
  readonly onRow?: (cells: readonly (string | null)[]) => void;
  /** Told that it has ended, or that there is more in the portal than was asked for. */
  readonly onEnd?: (isSuspended: boolean) => void;
};

/** The portal of the statement that is read; the others need none of their own. */
const readPortal = 'svc_read';
const asIs = (value: unknown): unknown => value;

/** Runs a text without values to its end. */
export const runText = (text: string): Part => runBound(text, [], () => undefined);

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
export const prepareRead = (text: string, values: readonly (string | null)[]): Part => ({
  send: (wire) => {
    wire.parse({ text });
    wire.bind({ portal: readPortal, values, valueMapper: asIs });
    wire.describe({ type: 'P', name: readPortal });
  },
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
 */
export function exchange(client: pg.Client, parts: readonly Part[]): Promise<readonly pg.FieldDef[]> {
  return new Promise((resolve, reject) => {
    let fields: readonly pg.FieldDef[] = [];
    let failure: unknown;
    let at = 0;
    const endPart = (isSuspended: boolean) => {
      parts[at]?.onEnd?.(isSuspended);
      at += 1;
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
      },
      handleDataRow(message: { fields: readonly (string | null)[] }) {
        // What throws here would throw in the socket's own reader.
        try {
          if (failure === undefined) parts[at]?.onRow?.(message.fields);
        } catch (error) {
          failure = error;
        }
      },
      handlePortalSuspended: () => endPart(true),
      handleCommandComplete: () => endPart(false),
      handleEmptyQuery: () => endPart(false),
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
