import { ConnectorError } from '@svc/connectors';
import type { Writer, WriteSession } from '@svc/connectors/writers';
import { withoutDriverWords } from '../engine-errors/index.ts';
import type { CopyDeps } from './inspect.ts';
import { CopyRefusal, toDestinationRefusal, UnsettledCopy } from './refusal.ts';
import type { CopyRequest } from './request.ts';

/** Timeout of a query for the outcome of a commit. */
const askTimeoutMs = 30_000;

type Asked = Pick<CopyRequest, 'destination' | 'destinationDataSource'>;

/**
 * Returns true if an earlier attempt of this copy has committed.
 *
 * @throws UnsettledCopy while the destination gives no answer.
 * @throws CopyRefusal `outcome-unknown` if the destination no longer has a record of the attempt.
 */
export async function recoverEarlier(deps: CopyDeps, request: CopyRequest): Promise<boolean> {
  const writer = deps.writers.get(request.destinationDataSource.engine);
  if (!writer) return false;
  let isAnyThere = false;
  for (const stagingName of request.earlierStagingNames) {
    const recovered = await ask(deps, writer, request, stagingName).catch((error: unknown) => {
      // The earlier attempt never started its commit and cannot commit later. Its staging tables are dropped later.
      if (!request.mayHaveCommitted) return 'NothingThere';
      throw unsettled(error);
    });
    if (recovered === 'Committed') return true;
    isAnyThere ||= recovered === 'NotCommitted';
  }
  if (!request.mayHaveCommitted || isAnyThere) return false;
  throw new CopyRefusal(
    'outcome-unknown',
    'The copy may have been committed: what would tell is not at the destination any more. Look there before it is run again.',
  );
}

/** Commits. If the answer to the commit is lost, queries the destination for the outcome. */
export async function settleCommit(
  deps: CopyDeps,
  request: CopyRequest,
  writer: Writer,
  write: WriteSession,
): Promise<void> {
  try {
    await write.commit();
  } catch (error) {
    const recovered = await ask(deps, writer, request, request.stagingName).catch((reason: unknown) => {
      throw unsettled(reason);
    });
    if (recovered === 'Committed') return;
    if (recovered === 'NotCommitted') throw toDestinationRefusal(error, request.destinationDataSource.engine);
    throw new CopyRefusal(
      'outcome-unknown',
      'The connection was lost in the commit, and nothing tells how it ended.',
    );
  }
}

const ask = (
  { dial }: CopyDeps,
  writer: Writer,
  { destination, destinationDataSource: { connection, noteLogin } }: Asked,
  stagingName: string,
) =>
  writer.recover(
    connection,
    { schema: destination.schema, stagingName },
    { dial, noteLogin, timeoutMs: askTimeoutMs, signal: AbortSignal.timeout(askTimeoutMs) },
  );

function unsettled(error: unknown): unknown {
  if (!(error instanceof ConnectorError)) return withoutDriverWords(error);
  return new UnsettledCopy('The destination does not say whether the copy was committed.');
}
