import { useEffect, useRef, useState } from 'react';
import { toastProblem } from './toast.tsx';

type Work<Request> = (
  request: Request,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
) => Promise<void>;

/** Download in progress. */
export type Download<Request> = {
  readonly start: (request: Request) => void;
  /** Aborts the request. The service then stops its work. */
  readonly stop: () => void;
  /** Number of received bytes. Undefined without a download. */
  readonly bytes: number | undefined;
};

/** Runs one download at a time. Leaving the page aborts it. */
export function useDownload<Request>(work: Work<Request>): Download<Request> {
  const [bytes, setBytes] = useState<number | undefined>(undefined);
  const present = useRef<AbortController | null>(null);
  useEffect(() => () => present.current?.abort(), []);

  const start = (request: Request) => {
    present.current?.abort();
    const controller = new AbortController();
    present.current = controller;
    setBytes(0);
    const isPresent = () => present.current === controller;
    work(request, controller.signal, (count) => isPresent() && setBytes(count))
      .catch((error: unknown) => {
        if (!controller.signal.aborted) toastProblem(error);
      })
      .finally(() => {
        if (isPresent()) setBytes(undefined);
      });
  };
  return { start, stop: () => present.current?.abort(), bytes };
}
