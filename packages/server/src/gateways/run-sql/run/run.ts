import {
  type Batch,
  type Column,
  type Connectors,
  createReaderPauses,
  type Dial,
  duckdbDialect,
  type ExecuteOptions,
  type Join,
  type ReaderPauses,
  type ResultStream,
} from '@svc/connectors';
import type { KeyRing } from '../../../platform/crypto/index.ts';
import { createMasker, type Masker } from '../masking/index.ts';
import {
  aboutFinal,
  aboutStep,
  joinEngine,
  type PreparedRun,
  type PreparedStep,
  prepareRun,
} from '../prepare.ts';
import { changeRefusal, type RunSqlRefusal, toRefusal } from '../refusal.ts';
import type { RunLimits, RunRequest, RunResult } from '../request.ts';
import { createCellForms } from '../result/cell-forms.ts';
import { createFingerprinter } from '../result/fingerprints.ts';
import { type ResultSource, startResult } from '../result/result.ts';
import { maskedColumns } from '../result/result-columns.ts';
import { createTextRepair, type TextRepair } from '../result/text-repair.ts';
import type { RunClock } from './run-clock.ts';
import type { EndOfWaiting, Release, RunSlots } from './run-slots.ts';
import { createStepLog, type StepLog } from './step-log.ts';

export type RunDeps = {
  readonly connectors: Connectors;
  readonly dial: Dial;
  readonly keys: KeyRing | undefined;
  readonly slots: RunSlots;
  readonly clock: RunClock;
};

const defaultLimits: Required<RunLimits> = {
  timeoutMs: 120_000,
  maxRows: 1_000_000,
  maxBytes: 1024 * 1024 * 1024,
  maxCellBytes: 8 * 1024 * 1024,
};

/** State of one run. */
type Run = {
  readonly deps: RunDeps;
  readonly request: RunRequest;
  readonly prepared: PreparedRun;
  readonly limits: Required<RunLimits>;
  readonly log: StepLog;
  /** Counts the repairs in all steps and in the result. */
  readonly text: TextRepair;
  readonly elapsedMs: () => number;
  /** Pauses of a slow reader. */
  readonly pauses: ReaderPauses | undefined;
  readonly callOptions: () => ExecuteOptions;
  /** Limits of a wait before a connector is called. */
  readonly endOfWaiting: EndOfWaiting;
  /** Adds the step results to a refusal, and the caller's time limit to its message. */
  readonly tell: (refusal: RunSqlRefusal) => RunSqlRefusal;
};

/** For errors outside statements, such as the start of the join. */
const ofNoStatement = { engine: joinEngine, sql: '' };

/** Runs the steps and the final query. Resolves when the result's columns are known. */
export async function startRun(deps: RunDeps, request: RunRequest): Promise<RunResult> {
  const run = createRun(deps, request);
  const release = request.callerId
    ? await deps.slots.takeForCaller(request.callerId, run.endOfWaiting).catch((error: unknown) => {
        throw run.tell(toRefusal(error, ofNoStatement));
      })
    : () => undefined;
  try {
    const [only, ...more] = run.prepared.steps;
    if (run.prepared.final) return await runJoined(run, run.prepared.final, release);
    for (const prepared of run.prepared.steps.slice(0, -1)) await runThrough(run, prepared);
    const last = more.at(-1) ?? only;
    if (!last) throw new Error('A prepared run has at least one step.');
    return await streamStep(run, last, release);
  } catch (error) {
    release();
    throw run.tell(toRefusal(error, ofNoStatement));
  }
}

function createRun(deps: RunDeps, request: RunRequest): Run {
  const limits = { ...defaultLimits, ...request.limits };
  const startedAt = deps.clock.monotonicMs();
  const pauses = request.hasSlowReader ? createReaderPauses() : undefined;
  const elapsedMs = () => Math.round(deps.clock.monotonicMs() - startedAt - (pauses?.totalMs() ?? 0));
  const prepared = prepareRun(deps.connectors, request);
  const log = createStepLog(prepared.steps, elapsedMs, request.stepPreviewRows ?? 0);
  return {
    deps,
    request,
    prepared,
    limits,
    log,
    text: createTextRepair(),
    elapsedMs,
    pauses,
    endOfWaiting: () => ({
      signal: request.signal,
      leftMs: Math.max(1, limits.timeoutMs - elapsedMs()),
    }),
    callOptions: () => ({
      dial: deps.dial,
      signal: request.signal,
      pauses,
      ...limits,
      // Decimals retain the scale of their source, in the result and in the join.
      decimalsAsText: true,
      wantOrigins: request.masking.isEnabled,
      timeoutMs: Math.max(1, limits.timeoutMs - elapsedMs()),
    }),
    tell: (refusal) =>
      changeRefusal(refusal, {
        stepResults: log.results(),
        ...(refusal.code === 'timed-out'
          ? { message: `The run took longer than its limit of ${limits.timeoutMs} ms.` }
          : {}),
      }),
  };
}

type OpenStep = { readonly stream: ResultStream; readonly masker: Masker; readonly release: Release };

/** Starts a step at its data source and takes a slot there. */
async function openStep(
  run: Run,
  prepared: PreparedStep,
  reading: Pick<ExecuteOptions, 'rowsWanted'> = {},
): Promise<OpenStep> {
  const { deps, log, request } = run;
  const { step, statement } = prepared;
  log.start(prepared);
  let release: Release = () => undefined;
  try {
    release = await deps.slots.takeForDataSource(step.dataSource.id, run.endOfWaiting);
    const connector = deps.connectors.get(step.dataSource.engine);
    const { sql, values } = statement;
    const { noteLogin } = step.dataSource;
    const options = {
      ...run.callOptions(),
      noteLogin,
      ...reading,
      noteRetry: (waitedMs: number) => log.retry(prepared, waitedMs),
    };
    const stream = await connector.execute(step.dataSource.connection, { sql, values }, options);
    const { columns } = stream;
    log.bytes(prepared, stream);
    const masker = createMasker({ rules: request.masking, sql, dialect: connector.dialect, columns });
    return { stream, masker, release };
  } catch (error) {
    release();
    throw failStep(run, prepared, error);
  }
}

function failStep(run: Run, prepared: PreparedStep, error: unknown): RunSqlRefusal {
  const refusal = aboutStep(error, prepared.step, prepared.statement);
  run.log.fail(prepared, run.tell(refusal));
  return run.tell(refusal);
}

/** Streams the rows of the last or only step to the caller. */
async function streamStep(run: Run, prepared: PreparedStep, releaseCaller: Release): Promise<RunResult> {
  const { stream, masker, release } = await openStep(run, prepared, {
    ...(run.request.rowsWanted !== undefined && { rowsWanted: run.request.rowsWanted }),
  });
  return startResult({
    stream,
    masker,
    text: run.text,
    fingerprinterOf: fingerprinterOf(run),
    elapsedMs: run.elapsedMs,
    monotonicMs: run.deps.clock.monotonicMs,
    leftMs: run.callOptions().timeoutMs,
    pauses: run.pauses,
    onBatch: (batch, columns) => {
      run.log.count(prepared, batch.rowCount);
      run.log.preview(prepared, columns, batch);
    },
    onEnd: (error) => {
      if (!error) run.log.succeed(prepared);
      release();
      releaseCaller();
    },
    refuse: (error) => failStep(run, prepared, error),
    stepResults: run.log.results,
  });
}

function fingerprinterOf({ deps, request }: Run): ResultSource['fingerprinterOf'] {
  const { fingerprints } = request;
  const { keys } = deps;
  if (!fingerprints) return undefined;
  if (!keys) throw new Error('Fingerprints were asked of a gateway without keys.');
  return (columns) => createFingerprinter(keys, fingerprints, columns);
}

/** Runs a step whose rows are not needed: it may fail, and its rows are counted. */
async function runThrough(run: Run, prepared: PreparedStep): Promise<void> {
  await consumeStep(run, prepared, async () => async () => undefined);
}

type TakeBatch = (batch: Batch) => Promise<void>;

/** Reads a step to its end, batch by batch. */
async function consumeStep(
  run: Run,
  prepared: PreparedStep,
  begin: (columns: readonly Column[], masker: Masker) => Promise<TakeBatch>,
): Promise<void> {
  const { stream, masker, release } = await openStep(run, prepared);
  try {
    const named = run.text.columns(stream.columns);
    const columns = maskedColumns(named, masker);
    const forms = createCellForms(named);
    const take = await begin(named, masker);
    let isFirst = true;
    for await (const rawBatch of stream.batches) {
      const batch = run.text.repair(rawBatch);
      run.log.count(prepared, batch.rowCount);
      if (isFirst && run.request.stepPreviewRows)
        run.log.preview(prepared, columns, forms.leaving(masker.mask(batch)));
      isFirst = false;
      await take(batch);
    }
    run.log.succeed(prepared);
  } catch (error) {
    throw failStep(run, prepared, error);
  } finally {
    await stream.close();
    release();
  }
}

/** Loads each step into a fresh DuckDB and runs the final query there. */
async function runJoined(
  run: Run,
  final: NonNullable<PreparedRun['final']>,
  release: Release,
): Promise<RunResult> {
  const { signal, timeoutMs, pauses } = run.callOptions();
  const join = await run.deps.connectors.startJoin({ signal, timeoutMs, pauses });
  try {
    const carriedNames = new Set<string>();
    for (const prepared of run.prepared.steps) await loadStep(run, join, prepared, carriedNames);
    const refuse = (error: unknown) => run.tell(aboutFinal(error, final.sql, final.statement));
    const { sql, values } = final.statement;
    const wantOrigins = run.request.masking.isEnabled;
    const stream = await join
      .query({ sql, values }, { ...run.limits, wantOrigins })
      .catch((error: unknown) => {
        throw refuse(error);
      });
    const { masking: rules } = run.request;
    const masker = createMasker({
      rules,
      sql,
      dialect: duckdbDialect,
      columns: stream.columns,
      carriedNames,
    });
    return startResult({
      stream,
      masker,
      text: run.text,
      fingerprinterOf: fingerprinterOf(run),
      elapsedMs: run.elapsedMs,
      monotonicMs: run.deps.clock.monotonicMs,
      leftMs: run.callOptions().timeoutMs,
      pauses: run.pauses,
      onBatch: () => undefined,
      onEnd: release,
      refuse,
      stepResults: run.log.results,
    });
  } catch (error) {
    join.close();
    throw error;
  }
}

/**
 * Loads the original rows, so that joins compare original values. Records the names of columns to mask in the final
 * result.
 */
async function loadStep(
  run: Run,
  join: Join,
  prepared: PreparedStep,
  carriedNames: Set<string>,
): Promise<void> {
  let finish: () => Promise<void> = async () => undefined;
  await consumeStep(run, prepared, async (columns, masker) => {
    for (const [index, { name }] of columns.entries()) {
      if (masker.isWholeColumn(index)) carriedNames.add(name.toLowerCase());
    }
    const table = await join.createTable(prepared.table, prepared.alias, columns);
    finish = table.finish;
    return table.append;
  });
  await finish().catch((error: unknown) => {
    throw failStep(run, prepared, error);
  });
}
