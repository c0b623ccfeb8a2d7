import type { QueryPreview } from '@svc/contract';
import { useCallback, useEffect, useRef, useState } from 'react';
import { isRefusal } from '../../lib/problem.ts';
import { stopAtService } from '../../requests/runs/query-runs.ts';

export type RunState =
  | { readonly kind: 'idle' }
  | {
      readonly kind: 'running';
      readonly since: number;
      readonly isStopping: boolean;
      readonly last: QueryPreview | undefined;
    }
  /** `isConfirmed`: the service reported that the data source has ended the statement. */
  | { readonly kind: 'stopped'; readonly isConfirmed: boolean; readonly last: QueryPreview | undefined }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'done'; readonly result: QueryPreview };

type Work = (signal: AbortSignal, runKey: string) => Promise<QueryPreview>;

export type Run = {
  readonly state: RunState;
  readonly start: (work: Work) => Promise<void>;
  /**
   * Requests that the service stops the statement. Without a confirmation, the request is aborted, which also stops it.
   */
  readonly stop: () => void;
};

type Present = { readonly controller: AbortController; readonly runKey: string };

/** Manages one run at a time: a new run or leaving the page aborts the previous one. */
export function useRun(): Run {
  const [state, setState] = useState<RunState>({ kind: 'idle' });
  const present = useRef<Present | null>(null);

  const start = useCallback(async (work: Work) => {
    present.current?.controller.abort();
    const run: Present = { controller: new AbortController(), runKey: newRunKey() };
    present.current = run;
    setState((before) => ({
      kind: 'running',
      since: Date.now(),
      isStopping: false,
      last: lastOf(before),
    }));
    try {
      const result = await work(run.controller.signal, run.runKey);
      if (present.current === run) setState({ kind: 'done', result });
    } catch (error) {
      if (present.current !== run) return;
      const isConfirmed = isRefusal(error, 'cancelled');
      setState((before) =>
        isConfirmed || run.controller.signal.aborted
          ? { kind: 'stopped', isConfirmed, last: lastOf(before) }
          : { kind: 'failed', error },
      );
    }
  }, []);

  const stop = useCallback(() => {
    const run = present.current;
    if (!run) return;
    setState((before) => (before.kind === 'running' ? { ...before, isStopping: true } : before));
    stopAtService(run.runKey).then(
      (outcome) => {
        if (outcome !== 'Stopped') run.controller.abort();
      },
      () => run.controller.abort(),
    );
  }, []);

  useEffect(() => () => present.current?.controller.abort(), []);
  return { state, start, stop };
}

function lastOf(state: RunState): QueryPreview | undefined {
  if (state.kind === 'done') return state.result;
  return state.kind === 'running' || state.kind === 'stopped' ? state.last : undefined;
}

const keyBytes = 16;

/** `crypto.randomUUID` exists only over HTTPS and on localhost; random bytes exist everywhere. */
const newRunKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(keyBytes)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
