import { type QueryMcpTool, setQueryMcpTool } from '@svc/contract';
import { ifUnchanged, useChange } from '../../lib/server-state.ts';
import { toastDone, toastProblem } from '../../ui/feedback/toast.tsx';

/** Returns a function that replaces the published version by the present definition. */
export function usePinNewest(tool: QueryMcpTool): {
  readonly pin: (() => void) | undefined;
  readonly isPinning: boolean;
} {
  const set = useChange(setQueryMcpTool, { touches: ['mcp'], headers: () => ifUnchanged(tool.version) });
  const { newestVersionId: versionId, newestVersionNumber } = tool;
  if (versionId === null || tool.isNewest || !tool.isEnabled) return { pin: undefined, isPinning: false };
  const pin = () =>
    void set
      .mutateAsync({ params: { id: tool.queryId }, body: { isEnabled: true, versionId } })
      .then(() => toastDone(`AI clients run version ${newestVersionNumber} now.`), toastProblem);
  return { pin, isPinning: set.isPending };
}
