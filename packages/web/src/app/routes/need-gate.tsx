import { useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Need } from '../../access/rights.ts';
import { paths } from '../../lib/paths.ts';
import { ProblemError } from '../../lib/problem.ts';
import { permissions } from '../../requests/session.ts';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import { PageSkeleton } from '../../ui/feedback/skeleton.tsx';

/** Shows a page to users who may use it. Shows the required permission to other users. The service enforces it. */
export function NeedGate({ need, children }: { readonly need: Need; readonly children: ReactNode }) {
  const rights = useQuery(permissions);
  if (rights.isLoadingError)
    return <ProblemView isPage error={rights.error} onRetry={() => void rights.refetch()} />;
  if (!rights.data) return <PageSkeleton />;
  if (need.admits(rights.data)) return children;
  // A page that is switched off behaves like an unknown path.
  if (need.isThere?.(rights.data) === false) return <Navigate to={paths.home() as string} replace />;
  return (
    <ProblemView
      isPage
      error={
        new ProblemError({
          type: 'about:blank',
          title: 'You do not have access',
          status: 403,
          detail: `This page needs ${need.words}. An administrator can grant it.`,
        })
      }
    />
  );
}
