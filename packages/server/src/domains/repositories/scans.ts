import type { Jobs } from '@svc/jobs';
import type { Database } from '../../platform/db/index.ts';
import type { Outbound, OutboundPolicy } from '../../platform/outbound/index.ts';
import { createGitRequests } from './git-requests.ts';
import { scanRepositoryJob } from './jobs.ts';
import { ScanFailedError, scanInChild } from './scan/run-child.ts';
import * as store from './store.ts';
import type { Tokens } from './tokens.ts';

const scanTimeoutMs = 300_000;

/** Handles the scans of repositories. */
export function serveScans(deps: {
  readonly jobs: Jobs;
  readonly database: Database;
  readonly outbound: Pick<Outbound, 'request'>;
  readonly policy: OutboundPolicy;
  readonly tokens: Tokens;
  /** Reads the schemas of the project's data sources that were never read. */
  readonly readUnread: (projectId: number) => Promise<void>;
}): void {
  const { database, outbound, policy } = deps;

  const scan = async (row: store.RepositoryRow, signal: AbortSignal) => {
    const token = row.tokenSealed === null ? null : deps.tokens.open(row.id, row.tokenSealed);
    // An unreadable token counts as no token. The server then refuses the request.
    const sendRequest = createGitRequests(outbound, policy, { url: row.url, token: token ?? null }, signal);
    // The scan finds lines by the names of tables.
    await deps.readUnread(row.projectId);
    const tables = await store.tablesOf(database, row.projectId);
    return scanInChild({
      url: row.url,
      branch: row.branch,
      tables,
      sendRequest,
      signal,
      timeoutMs: scanTimeoutMs,
    });
  };

  deps.jobs.handle(scanRepositoryJob, async ({ repositoryId }, { signal }) => {
    const row = await store.findRepository(database, repositoryId);
    if (!row) return;
    await store.setScanStatus(database, repositoryId, 'Scanning');
    const outcome = await scan(row, signal).catch((error: unknown) => {
      if (error instanceof ScanFailedError) return error.failure;
      throw error;
    });
    await database.transaction(async (tx) => {
      const now = await store.findRepository(tx, repositoryId, { forUpdate: true });
      // The repository was removed or moved in the meantime, so the result belongs to another place.
      if (!now || now.url !== row.url || now.branch !== row.branch) return;
      if (typeof outcome === 'string') await store.setScanFailed(tx, repositoryId, outcome);
      else await store.saveScan(tx, repositoryId, outcome);
    });
  });
}
