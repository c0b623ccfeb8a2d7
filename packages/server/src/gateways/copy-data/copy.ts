import type { Batch, ResultStream } from '@svc/connectors';
import type { WriteCounts, WriteSession } from '@svc/connectors/writers';
import { count, plural } from '@svc/contract';
import { type CopyDeps, copyLimits, estimateRows, type InspectedCopy, inspectCopy } from './inspect.ts';
import { passThrough } from './pass-through.ts';
import { recoverEarlier, settleCommit } from './recover.ts';
import { CopyRefusal, type FailedSide, toCopyRefusal, toDestinationRefusal } from './refusal.ts';
import type { CopyEnd, CopyHooks, CopyOutcome, CopyRequest } from './request.ts';
import { sourceSide } from './source-statement.ts';
import { createTally, type Tally } from './tally.ts';

/** Maximum number of rows in a trial. */
const trialRows = 1_000;
/** Timeout of the estimate of rows. After it the copy continues without an estimate. */
const estimateTimeoutMs = 5_000;

type Copy = {
  readonly deps: CopyDeps;
  readonly request: CopyRequest;
  readonly hooks: CopyHooks;
  readonly inspected: InspectedCopy;
  readonly tally: Tally;
};

/**
 * Runs a copy. No row is visible at the destination before the single commit. A copy that an earlier attempt has committed
 * is not repeated.
 *
 * @throws CopyRefusal with the reason why nothing was copied, or `outcome-unknown` if the outcome cannot be determined.
 * @throws UnsettledCopy while the destination does not report whether the copy has committed.
 */
export async function runCopy(deps: CopyDeps, request: CopyRequest, hooks: CopyHooks): Promise<CopyEnd> {
  await hooks.onStage('Validating');
  await assertMayWrite(hooks);
  const earlier = await recoverEarlier(deps, request);
  if (earlier) {
    await hooks.onCommitted();
    return { outcome: null, isClean: false };
  }
  const inspected = await inspectCopy(deps, request, request);
  const [fault] = inspected.issues.filter(({ severity }) => severity === 'Error');
  if (fault) throw new CopyRefusal(fault.reason, fault.message);
  const copy: Copy = { deps, request, hooks, inspected, tally: createTally(inspected, request, hooks) };
  if (!request.isTrial) await tellEstimate(copy);
  await hooks.onStage('Copying');
  const write = await openWrite(copy);
  try {
    return await copyRows(copy, write);
  } catch (error) {
    await write.abandon();
    throw toDestinationRefusal(error, request.destinationDataSource.engine);
  }
}

async function tellEstimate({ deps, request, inspected, hooks }: Copy): Promise<void> {
  const { signal, timeoutMs } = request;
  const call = { signal, timeoutMs: Math.min(timeoutMs, estimateTimeoutMs) };
  const rows = await estimateRows(deps, request, inspected, call);
  if (rows !== null) await hooks.onEstimated(rows);
}

async function assertMayWrite(hooks: CopyHooks): Promise<void> {
  if (await hooks.mayWrite()) return;
  throw new CopyRefusal('writes-closed', 'The destination is closed to writes of data migration.');
}

async function openWrite({ deps, request, inspected }: Copy): Promise<WriteSession> {
  const { connection, noteLogin } = request.destinationDataSource;
  const { signal, timeoutMs } = request;
  try {
    return await inspected.writer.open(
      connection,
      {
        destination: request.destination,
        createsTable: request.createsTable,
        mode: request.mode,
        columns: inspected.mapping.columns.map(({ to, kind }) => ({ to, kind })),
        keyColumns: inspected.keyColumns,
        skipsRejected: request.onRejectedRow === 'Skip',
        stagingName: request.stagingName,
        deletedShareMax: request.deletedShareMax,
      },
      { dial: deps.dial, noteLogin, signal, timeoutMs },
    );
  } catch (error) {
    throw toDestinationRefusal(error, request.destinationDataSource.engine);
  }
}

async function copyRows(copy: Copy, write: WriteSession): Promise<CopyEnd> {
  const { deps, request, hooks, tally } = copy;
  if (!(await passThrough(copy, write))) await readInto(copy, write);
  await tally.reject(await write.flush());
  if (tally.progress().rowsRead < request.minimumSourceRows && !request.isTrial) {
    throw new CopyRefusal(
      'empty-source',
      `The source gave ${plural(tally.progress().rowsRead, 'row')}, fewer than the ${count(request.minimumSourceRows)} that the job asks for.`,
    );
  }
  await hooks.onStage('Applying');
  const counts = await write.apply();
  const outcome = outcomeOf(copy, counts);
  if (request.isTrial) return { outcome, isClean: await write.abandon() };
  await assertMayWrite(hooks);
  await hooks.onCommitting(outcome);
  await settleCommit(deps, request, copy.inspected.writer, write);
  await hooks.onCommitted();
  const isClean = await write.finish().then(
    () => true,
    () => write.abandon(),
  );
  return { outcome, isClean };
}

function outcomeOf({ request, inspected, tally }: Copy, counts: WriteCounts): CopyOutcome {
  const { mapping, gate } = inspected;
  return {
    ...tally.progress(),
    counts,
    watermark: tally.watermark(),
    unmaskedColumns:
      request.personalData === 'Copy'
        ? mapping.columns.filter(({ index }) => gate.isPersonal(index)).map(({ source }) => source.name)
        : [],
  };
}

/**
 * Reads all rows of the source, or the first rows for a trial. The read at the source is always closed, also after an
 * error.
 */
async function readInto(copy: Copy, write: WriteSession): Promise<void> {
  const stream = await openSource(copy);
  const rows = stream.batches[Symbol.asyncIterator]();
  const side = sourceSide(copy.request, copy.inspected.connector.dialect);
  try {
    for (;;) {
      const next = await readNext(rows, side);
      if (!next) break;
      if (!(await passOn(copy, write, next))) break;
    }
  } finally {
    await rows.return?.();
    await stream.close();
  }
}

async function readNext(rows: AsyncIterator<Batch>, side: FailedSide): Promise<Batch | undefined> {
  try {
    const { done, value } = await rows.next();
    return done ? undefined : value;
  } catch (error) {
    throw toCopyRefusal(error, side);
  }
}

async function openSource({ deps, request, inspected }: Copy): Promise<ResultStream> {
  const { connection, noteLogin } = request.dataSource;
  const { signal, timeoutMs, isTrial } = request;
  try {
    return await inspected.connector.execute(connection, inspected.statement, {
      ...copyLimits,
      ...(isTrial && { rowsWanted: trialRows }),
      dial: deps.dial,
      noteLogin,
      signal,
      timeoutMs,
      decimalsAsText: true,
    });
  } catch (error) {
    throw toCopyRefusal(error, sourceSide(request, inspected.connector.dialect));
  }
}

/** Writes one batch. Returns false when the trial needs no more rows. */
async function passOn(
  { request, inspected, tally }: Copy,
  write: WriteSession,
  read: Batch,
): Promise<boolean> {
  const remaining = request.isTrial ? trialRows - tally.progress().rowsRead : read.rowCount;
  const counted = remaining < read.rowCount ? firstRows(read, remaining) : read;
  tally.see(counted);
  const { batch, refused } = inspected.gate.pass(counted, inspected.mapping.columns);
  await tally.reject(await write.write(batch, refused));
  return !request.isTrial || tally.progress().rowsRead < trialRows;
}

const firstRows = (batch: Batch, rowCount: number): Batch => ({
  rowCount,
  columns: batch.columns.map((cells) => cells.slice(0, rowCount)),
});
