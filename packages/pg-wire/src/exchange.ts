import type pg from 'pg';
import { serialize } from 'pg-protocol';
import type { Wire } from './wire.ts';

/**
 * One statement of an exchange, or several statements without results, in their order. Cell values are the texts that
 * the server sent.
 */
export type Part = {
  /** Messages of the request. */
  readonly bytes: Buffer;
  /** Number of statements. Default 1. */
  readonly count?: number;
  /** True when nothing is executed: the part ends with the description. */
  readonly isDescribedOnly?: boolean;
  /** Receives the columns of a described statement. */
  readonly onColumns?: (fields: readonly pg.FieldDef[]) => void;
  readonly onRow?: (cells: readonly (string | null)[]) => void;
  /** Called at the end, or with true when the portal contains more rows than requested. */
  readonly onEnd?: (isSuspended: boolean) => void;
};

/** Portal of the statement whose rows are read. Other statements use the unnamed portal. */
const readPortal = 'svc_read';
const runUnnamed = Buffer.concat([serialize.bind(), serialize.execute()]);
const describeUnnamed = serialize.describe({ type: 'S' });
const describeRead = serialize.describe({ type: 'P', name: readPortal });

/** Runs texts without values or rows, one after the other, each to completion. */
export const runTexts = (texts: readonly string[]): Part => ({
  bytes: Buffer.concat(texts.flatMap((text) => [serialize.parse({ text }), runUnnamed])),
  count: texts.length,
});

/** Runs a text with values and reads its rows. */
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

/** Parses and plans exactly one statement and requests its columns, without executing it. */
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

/** Parses exactly one statement and requests its columns, without planning or executing it. */
export const describeText = (text: string, onColumns: NonNullable<Part['onColumns']>): Part => ({
  bytes: Buffer.concat([serialize.parse({ text }), describeUnnamed]),
  isDescribedOnly: true,
  onColumns,
});

/** Reads up to `rowCount` rows of the prepared statement. */
export const readRows = (
  rowCount: number,
  onRow: NonNullable<Part['onRow']>,
  onEnd: NonNullable<Part['onEnd']>,
): Part => ({ bytes: serialize.execute({ portal: readPortal, rows: rowCount }), onRow, onEnd });

/**
 * Sends statements in one write and waits for all responses: one round trip. The server skips the statements after a
 * failed one. Resolves to the columns of the described statement, if any.
 *
 * @param onBegun  Called at the end of the first statement. From then on the server is executing these statements.
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
      // A failed row callback suppresses `onEnd`.
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
        // An error here would be thrown in the socket's own reader.
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
      // The driver detaches a failed query, so it receives no `handleReadyForQuery`.
      handleError: reject,
      handleReadyForQuery: () => (failure === undefined ? resolve(fields) : reject(failure)),
    };
    client.query(query);
  });
}
