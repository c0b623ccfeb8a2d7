import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { isCodeMissing } from '../../lib/problem.ts';
import { ProblemView } from '../../ui/feedback/problem.tsx';

/** Replaces a page that failed. */
export function Failure({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = () => {
    if (isCodeMissing(error)) return void reloadWhenAvailable();
    reset();
    void router.invalidate();
  };
  return <ProblemView isPage error={error} onRetry={retry} />;
}

/**
 * Reloads the page if the service responds. A new version names its code files differently, so only a reload can load
 * them.
 */
const reloadWhenAvailable = (): Promise<void> =>
  fetch(window.location.href, { method: 'HEAD' }).then(
    ({ ok }) => (ok ? window.location.reload() : undefined),
    () => undefined,
  );
