import { type Deadline, startDeadline } from '../deadline.ts';
import { ConnectorError } from '../error.ts';
import type { CallOptions, ResultStream } from '../port.ts';
import type { Batch, Column } from '../values.ts';
import type { ChildPool } from './child-pool.ts';
import type { Child } from './child-process.ts';
import type { FromChild, Job, StatementReads } from './messages.ts';

/** Time for a child to answer `stop` before it is killed. */
const stopTimeoutMs = 500;

/** Child that works on one job, until it returns to the pool. */
export type Worker = {
  readonly child: Child;
  readonly deadline: Deadline;
  /** Returns the next message. Throws a `failed` message as a `ConnectorError`. */
  readonly receive: () => Promise<Exclude<FromChild, { type: 'failed' }>>;
  /** Returns a clean child to the pool, or ends it. Further calls do nothing. */
  readonly leave: (isClean: boolean) => void;
  readonly hasLeft: () => boolean;
  /** A caller waits for the next message. */
  readonly isReceiving: () => boolean;
};

/** Takes a child and starts a job in it. The deadline kills the child. */
export async function startWorker(
  pool: ChildPool,
  job: Job,
  options: Pick<CallOptions, 'signal' | 'timeoutMs' | 'pauses'> & { readonly onLeave?: () => void },
): Promise<Worker> {
  const deadline = startDeadline(options);
  let child: Child;
  try {
    child = await pool.take(deadline.signal);
  } catch (error) {
    deadline.dispose();
    options.onLeave?.();
    throw error;
  }
  let hasLeft = false;
  const onDeadline = () =>
    child.kill(deadline.reason() ?? new ConnectorError('cancelled', 'The run was cancelled.'));
  deadline.signal.addEventListener('abort', onDeadline, { once: true });

  function leave(isClean: boolean): void {
    if (hasLeft) return;
    hasLeft = true;
    deadline.signal.removeEventListener('abort', onDeadline);
    deadline.dispose();
    pool.give(child, isClean);
    if (isClean) options.onLeave?.();
    // Files that the child has open can be removed only after its exit.
    else void child.gone.then(() => options.onLeave?.());
  }

  if (deadline.signal.aborted) onDeadline();
  child.send({ type: 'start', job });
  let receiving = 0;
  return {
    child,
    deadline,
    receive: async () => {
      receiving++;
      try {
        return await receive(child);
      } finally {
        receiving--;
      }
    },
    leave,
    hasLeft: () => hasLeft,
    isReceiving: () => receiving > 0,
  };
}

async function receive(child: Child): Promise<Exclude<FromChild, { type: 'failed' }>> {
  const message = await child.receive();
  if (message.type !== 'failed') return message;
  throw new ConnectorError(message.code, message.message, {
    ...(message.position ? { position: message.position } : {}),
    ...(message.engineCode ? { engineCode: message.engineCode } : {}),
    origin: message.origin,
  });
}

/** Receives the values of a job without rows, and returns the child to the pool. */
export async function collectValues(worker: Worker): Promise<unknown[]> {
  const values: unknown[] = [];
  try {
    for (;;) {
      const message = await worker.receive();
      if (message.type === 'done') break;
      if (message.type !== 'value') throw unexpected(message);
      values.push(message.value);
    }
  } catch (error) {
    worker.leave(isOwnFault(error));
    throw error;
  }
  worker.leave(true);
  return values;
}

/** Completes the columns that a child sends. */
type DescribeColumns = (message: {
  readonly columns: readonly Column[];
  readonly reads?: StatementReads;
}) => Promise<readonly Column[]>;

/** Reads the columns and returns the rows, one batch in advance. */
export async function streamRows(
  worker: Worker,
  describe: DescribeColumns = async ({ columns }) => columns,
): Promise<ResultStream> {
  let columns: readonly Column[];
  try {
    const message = await worker.receive();
    if (message.type !== 'columns') throw unexpected(message);
    columns = await describe(message);
    worker.child.send({ type: 'next' });
  } catch (error) {
    worker.leave(isOwnFault(error));
    throw error;
  }
  return { columns, batches: walk(worker), close: () => stop(worker) };
}

async function* walk(worker: Worker): AsyncGenerator<Batch, void, undefined> {
  let isDone = false;
  let isClean = false;
  try {
    for (;;) {
      const message = await worker.receive();
      if (message.type === 'done') break;
      if (message.type !== 'batch') throw unexpected(message);
      worker.child.send({ type: 'next' });
      yield message.batch;
    }
    isDone = true;
    isClean = true;
  } catch (error) {
    isDone = true;
    isClean = isOwnFault(error);
    throw error;
  } finally {
    if (isDone) worker.leave(isClean);
    else await stop(worker);
  }
}

/** Ends a job whose remaining rows are not needed. Kills a child that does not answer within `stopTimeoutMs`. */
async function stop(worker: Worker): Promise<void> {
  if (worker.hasLeft()) return;
  const cancelled = new ConnectorError('cancelled', 'The run was cancelled.');
  // The generator of the rows waits for the child: the kill ends its wait, and it then releases the child.
  if (worker.isReceiving()) return worker.child.kill(cancelled);
  const kill = setTimeout(() => worker.child.kill(cancelled), stopTimeoutMs);
  try {
    worker.child.send({ type: 'stop' });
    for (;;) {
      const message = await worker.child.receive();
      if (message.type === 'done' || message.type === 'failed') break;
    }
    worker.leave(true);
  } catch {
    worker.leave(false);
  } finally {
    clearTimeout(kill);
  }
}

/** Detects failures that the child reported. It has then cleaned up and can serve the next job. */
function isOwnFault(error: unknown): boolean {
  return (
    error instanceof ConnectorError &&
    !['timed-out', 'cancelled', 'engine-unavailable', 'out-of-memory'].includes(error.code)
  );
}

function unexpected(message: FromChild): ConnectorError {
  return new ConnectorError('engine-unavailable', `The engine’s process sent ${message.type} out of turn.`);
}
