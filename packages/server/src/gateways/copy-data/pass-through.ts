import type { PassThroughForm, PassThroughRead, PassThroughTake } from '@svc/connectors';
import type { WriteSession } from '@svc/connectors/writers';
import { type CopyDeps, copyLimits, type InspectedCopy } from './inspect.ts';
import { toCopyRefusal, toDestinationRefusal } from './refusal.ts';
import type { CopyRequest } from './request.ts';
import { sourceSide } from './source-statement.ts';
import type { Tally } from './tally.ts';

type PassThroughCopy = {
  readonly deps: CopyDeps;
  readonly request: CopyRequest;
  readonly inspected: InspectedCopy;
  readonly tally: Tally;
};

/**
 * Passes the bytes of the source to the destination without decoding the rows. Conditions:
 * - both sides have the same engine;
 * - the destination's columns can store each value of the source's types;
 * - no value must be inspected: for personal data, for an incremental copy, or to skip rejected rows.
 *
 * @returns false if the rows must be decoded; nothing has been copied in that case.
 */
export async function passThrough(copy: PassThroughCopy, write: WriteSession): Promise<boolean> {
  if (mustBeRead(copy.request) || !copy.inspected.gate.passesUnseen(copy.inspected.mapping.columns))
    return false;
  const read = await openRead(copy);
  if (!read) return false;
  try {
    const { mapping } = copy.inspected;
    const types = mapping.columns.flatMap(({ index }) => read.types[index] ?? []);
    const taker = await write.takePassThrough?.(types);
    if (!taker) return false;
    await passRows(copy, read, taker);
    return true;
  } finally {
    await read.close();
  }
}

const mustBeRead = ({ incremental, isTrial, onRejectedRow }: CopyRequest): boolean =>
  incremental !== null || isTrial || onRejectedRow === 'Skip';

async function openRead({ deps, request, inspected }: PassThroughCopy): Promise<PassThroughRead | undefined> {
  const { connector, writer, statement } = inspected;
  if (connector.engine !== writer.engine || !connector.readPassThrough) return undefined;
  const { connection, noteLogin } = request.dataSource;
  const { signal, timeoutMs } = request;
  try {
    return await connector.readPassThrough(connection, statement, {
      ...copyLimits,
      dial: deps.dial,
      noteLogin,
      signal,
      timeoutMs,
    });
  } catch (error) {
    throw toCopyRefusal(error, sourceSide(request, connector.dialect));
  }
}

async function passRows(
  { tally, request, inspected: { connector, mapping } }: PassThroughCopy,
  read: PassThroughRead,
  { form, take }: { readonly form: PassThroughForm; readonly take: PassThroughTake },
): Promise<void> {
  const ofDestination = (error: unknown) => {
    throw toDestinationRefusal(error, request.destinationDataSource.engine);
  };
  let seen = 0;
  try {
    const rows = await read.pass(
      form,
      mapping.columns.map(({ index }) => index),
      (piece, begun) => {
        seen += begun;
        tally.seeUnread(begun, piece.length);
        const acceptance = take(piece, begun);
        return acceptance === true ? true : Promise.resolve(acceptance).catch(ofDestination);
      },
    );
    if (rows !== undefined) tally.seeUnread(rows - seen, 0);
  } catch (error) {
    throw toCopyRefusal(error, sourceSide(request, connector.dialect));
  }
}
