import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { plural } from '@svc/contract/wording';
import { startDeadline, unlessAborted } from '../deadline.ts';
import { ConnectorError } from '../error.ts';
import type { CallOptions, Dial, Statement } from '../port.ts';
import type { Page } from './answer/page.ts';
import { type Account, type Api, type ApiRequest, openApi } from './api.ts';
import { connectionError, unreadableAnswer } from './errors.ts';
import { targetOf } from './settings.ts';
import { cancelPath, dryRunBody, type JobName, resultsPath, runBody } from './statement/job.ts';

/** One call to the service. It uses its own connection, which ends with the call. */
export type Session = {
  readonly account: Account;
  /** Runs a dry run and returns its job as the service sends it. */
  readonly dryRun: (statement: Statement) => Promise<unknown>;
  /** Runs a statement and yields the pages of its rows. It runs one statement at a time. */
  readonly pages: (statement: Statement, limits: PageLimits) => AsyncGenerator<CompletePage, void, undefined>;
  /** Sends a request whose answer has no rows. */
  readonly ask: (request: ApiRequest) => Promise<unknown>;
  /** Texts that no message may repeat. */
  readonly secrets: () => readonly string[];
  /** Converts any failure into the port's error. */
  readonly explain: (error: unknown) => ConnectorError;
  /** Ends the connection and cancels a running job. May be called at any time, and never rejects. */
  readonly end: () => Promise<void>;
};

export type PageLimits = {
  readonly pageRows: number;
  /** Bound on all answers together. */
  readonly maxBytes: number;
  readonly maxCellBytes: number;
  /** Default: the connection's. */
  readonly location?: string;
};

export type CompletePage = Page & Required<Pick<Page, 'fields' | 'totalRows'>>;

const pageBytesMax = 32 * 1_024 * 1_024;
/** A row may have this many times the bytes of one value. */
const rowCells = 4;
/** Pause between requests, for a service that answers without waiting. */
const pauseMs = 100;
const cancelTimeoutMs = 5_000;

export async function openSession(
  account: Account,
  options: Pick<CallOptions, 'dial' | 'signal' | 'timeoutMs'>,
): Promise<Session> {
  const deadline = startDeadline(options);
  // Outlives the deadline: cancelling a job needs its name, which the first answer contains.
  const life = new AbortController();
  const api = await openApi(account, { dial: options.dial, signal: life.signal });
  const job = createRunningJob();
  let ending: Promise<void> | undefined;

  async function endAll(): Promise<void> {
    deadline.signal.removeEventListener('abort', onAbort);
    deadline.dispose();
    const running = await job.name();
    life.abort(new ConnectorError('cancelled', 'The run was cancelled.'));
    await api.close();
    if (running) await cancel(account, running, options.dial);
  }
  const end = (): Promise<void> => (ending ??= endAll());
  // Cancels immediately, even if no caller is reading rows.
  const onAbort = () => void end();
  deadline.signal.addEventListener('abort', onAbort, { once: true });

  const ask = async (request: ApiRequest) => unlessAborted(api.ask(request), deadline.signal);
  return {
    account,
    dryRun: async (statement) => {
      const body = dryRunBody(statement, account.connection);
      return ask({ access: 'jobs', path: 'jobs', body, sql: statement.sql });
    },
    pages: (statement, limits) =>
      readPages({
        account,
        api,
        job,
        statement,
        limits,
        signal: deadline.signal,
        timeoutMs: options.timeoutMs,
      }),
    ask,
    secrets: api.secrets,
    explain: (error) => deadline.reason() ?? connectionError(error, targetOf(account.connection)),
    end,
  };
}

/** The session's running job. It has no name before the first answer. */
type RunningJob = {
  readonly start: (first: Promise<Pick<Page, 'job'>>) => void;
  readonly finish: () => void;
  /** Returns the running job, and waits for a name that is due. Never rejects. */
  readonly name: () => Promise<JobName | undefined>;
};

function createRunningJob(): RunningJob {
  let running: Promise<JobName | undefined> = Promise.resolve(undefined);
  return {
    start: (first) => {
      running = first.then(
        (page) => page.job,
        () => undefined,
      );
    },
    finish: () => {
      running = Promise.resolve(undefined);
    },
    name: async () => {
      const waited = new AbortController();
      const tooLate = delay(cancelTimeoutMs, undefined, { signal: waited.signal }).catch(() => undefined);
      const name = await Promise.race([running, tooLate]);
      waited.abort();
      return name;
    },
  };
}

type Read = Pick<CallOptions, 'timeoutMs'> & {
  readonly account: Account;
  readonly api: Api;
  readonly job: RunningJob;
  readonly signal: AbortSignal;
  readonly statement: Statement;
  readonly limits: PageLimits;
};

async function* readPages(read: Read): AsyncGenerator<CompletePage, void, undefined> {
  const { account, api, job, signal, statement, limits } = read;
  const { sql } = statement;
  let bytesLeft = limits.maxBytes;
  const ask = async (request: Pick<ApiRequest, 'path' | 'body'>): Promise<Page> => {
    const bytesMax = Math.min(bytesLeft, pageBytesMax);
    const tooMany =
      bytesLeft <= pageBytesMax
        ? `The result has more than ${plural(limits.maxBytes, 'byte')}.`
        : `A page of the result has more than ${plural(pageBytesMax, 'byte')}.`;
    const bounds = {
      rowsMax: limits.pageRows,
      bytesMax,
      rowBytesMax: rowCells * limits.maxCellBytes,
      tooMany,
    };
    const page = await api.askPage({ ...request, access: 'read', sql }, bounds);
    bytesLeft -= page.byteCount;
    return page;
  };
  const { pageRows, location = account.connection.location } = limits;
  const connection = { ...account.connection, location };
  const body = runBody(statement, connection, { pageRows, timeoutMs: read.timeoutMs });
  if (signal.aborted) throw signal.reason;
  const first = ask({ path: 'queries', body });
  job.start(first);
  let page = await unlessAborted(first, signal);
  const name = page.job;
  if (!name) throw unreadableAnswer();
  for (;;) {
    while (!isComplete(page)) {
      await delay(pauseMs, undefined, { signal });
      page = await unlessAborted(ask({ path: resultsPath(name, pageRows) }), signal);
      assertOf(name, page);
    }
    job.finish();
    yield page;
    const { pageToken, fields } = page;
    if (pageToken === undefined) return;
    page = await unlessAborted(ask({ path: resultsPath(name, pageRows, pageToken) }), signal);
    assertOf(name, page);
    // The columns of the first page apply to all rows.
    if (!isComplete(page) || !isDeepStrictEqual(page.fields, fields)) throw unreadableAnswer();
  }
}

/** Throws for a page that names another job. */
function assertOf(name: JobName, { job }: Page): void {
  if (job && !isDeepStrictEqual(job, name)) throw unreadableAnswer();
}

const isComplete = (page: Page): page is CompletePage => page.isComplete;

/** Cancels a job, on a separate connection. */
async function cancel(account: Account, name: JobName, dial: Dial): Promise<void> {
  const signal = AbortSignal.timeout(cancelTimeoutMs);
  const api = await openApi(account, { dial, signal });
  try {
    await api.ask({ access: 'jobs', path: cancelPath(name), body: {} });
  } catch {
    // No further step is needed: the service ends a job after its time limit.
  } finally {
    await api.close();
  }
}
