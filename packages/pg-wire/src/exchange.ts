import type pg from 'pg';
import { serialize } from 'pg-protocol';
import type { Wire } from './wire.ts';

/** One statement of an exchange, or some that are only run, in their order. Rows come as the texts that the server sent. */
export type Part = {
  /** The messages that ask for it. */
  readonly bytes: Buffer;
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
const runUnnamed = Buffer.concat([serialize.bind(), serialize.execute()]);
const describeUnnamed = serialize.describe({ type: 'S' });
const describeRead = serialize.describe({ type: 'P', name: readPortal });

/** Runs texts without values or rows, one after the other, each to its end. */
export const runTexts = (texts: readonly string[]): Part => ({
  bytes: Buffer.concat(texts.flatMap((text) => [serialize.parse({ text }), runUnnamed])),
  count: texts.length,
});

/** Runs a text with values and takes its rows. */
export const runBound = (
  text: string,
  values: readonly (string | null)[],
  onRow: NonNullable<Part['onRow']>,
): Part => ({
  bytes: Buffer.concat([
    serialize.parse({ text }),
    serialize.bind({ values: [...values] }),
    serialize.execute(),
  ]),
  onRow,
});

/** Parses exactly one statement, plans it and asks for its columns; nothing of it is run. */
export const prepareRead = (
  text: string,
  values: readonly (string | null)[],
  onColumns?: Part['onColumns'],
): Part => ({
  bytes: Buffer.concat([
    serialize.parse({ text }),
    serialize.bind({ portal: readPortal, values: [...values] }),
    describeRead,
  ]),
  isDescribedOnly: true,
  ...(onColumns && { onColumns }),
});

/** Parses exactly one statement and asks for its columns; it is neither planned nor run. */
export const describeText = (text: string, onColumns: NonNullable<Part['onColumns']>): Part => ({
  bytes: Buffer.concat([serialize.parse({ text }), describeUnnamed]),
  isDescribedOnly: true,
  onColumns,
});

/** Reads so many rows of the prepared statement. */
export const readRows = (
  rowCount: number,
  onRow: NonNullable<Part['onRow']>,
  onEnd: NonNullable<Part['onEnd']>,
): Part => ({ bytes: serialize.execute({ portal: readPortal, rows: rowCount }), onRow, onEnd });

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
  const bytes = Buffer.concat([...parts.map((part) => part.bytes), serialize.sync()]);
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
        (connection as Wire).stream.write(bytes);
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
      handleCopyInResponse(wire: Pick<Wire, 'sendCopyFail' | 'sync'>) {
        wire.sendCopyFail('Nothing is sent.');
        wire.sync();
      },
      handleCopyData: () => undefined,
      // The driver lets go of a query that has failed: it is not told when the server is ready again.
      handleError: reject,
      handleReadyForQuery: () => (failure === undefined ? resolve(fields) : reject(failure)),
    };
    client.query(query);
  });
}
