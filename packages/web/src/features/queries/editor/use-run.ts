import type { QueryPreview } from '@svc/contract';
import { useCallback, useRef, useState } from 'react';

export type RunState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly since: number; readonly last: QueryPreview | undefined }
  | { readonly kind: 'stopped'; readonly last: QueryPreview | undefined }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'done'; readonly result: QueryPreview };

export type Run = {
  readonly state: RunState;
  readonly start: (work: (signal: AbortSignal) => Promise<QueryPreview>) => Promise<void>;
  /** Ends the request; the service then stops the statement at the data source. */
  readonly stop: () => void;
};

/** One run at a time: a new one stops the one before it. */
export function useRun(): Run {
  const [state, setState] = useState<RunState>({ kind: 'idle' });
  const present = useRef<AbortController | null>(null);

  const start = useCallback(async (work: (signal: AbortSignal) => Promise<QueryPreview>) => {
    present.current?.abort();
    const controller = new AbortController();
    present.current = controller;
    setState((before) => ({ kind: 'running', since: Date.now(), last: lastOf(before) }));
    try {
      const result = await work(controller.signal);
      if (present.current === controller) setState({ kind: 'done', result });
    } catch (error) {
      if (present.current !== controller) return;
      setState((before) =>
        controller.signal.aborted ? { kind: 'stopped', last: lastOf(before) } : { kind: 'failed', error },
      );
    }
  }, []);
  const stop = useCallback(() => present.current?.abort(), []);
  return { state, start, stop };
}

function lastOf(state: RunState): QueryPreview | undefined {
  if (state.kind === 'done') return state.result;
  return state.kind === 'running' || state.kind === 'stopped' ? state.last : undefined;
}
